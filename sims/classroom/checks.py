"""What a room takes: questions, budgets, answers, codes, keys and tokens, each checked once."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence

from rates.numbers import DomainError
from rates.study import codec
from sims.classroom import records as r
from sims.classroom.records import RoomError
from sims.lessons import Playlist, plain, read_line

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none is taken for another
# Whoever opens a new line for every few tries gets through a hundred codes a second. In the twelve
# hours of a room that finds one of 31^6 with a chance of 1 in 200; one of 31^4 takes 80 minutes.
CODE, KEY = 6, 8
MOST_LINES = 40_000  # characters of what a room asks
_YES = 102  # of 256 cards


def dealt_card(code: str, token: str, place: int) -> bool:
    """Return the card that a phone is dealt: yes for 2 of 5 phones, by chance."""
    digest = hashlib.sha256(f"card {code} {place} ".encode() + fast(token)).digest()
    return digest[0] < _YES


def check_questions(asked: Sequence[r.Asked]) -> None:
    """Refuse in words what is no room's questions."""
    if not 1 <= len(asked) <= r.MOST_QUESTIONS:
        raise RoomError(f"A room has 1 to {r.MOST_QUESTIONS} questions; {len(asked)} were given.")
    if all(one.kind == r.PAUSE for one in asked):
        raise RoomError("A room asks something: pauses alone open none.")
    if sum(len(one.own) for one in asked) > 2 * codec.MAX_LINK:  # a lesson asks two questions
        raise RoomError("The studies and rates of one's own are too long for a room.")
    for number, one in enumerate(asked, 1):
        try:
            _one(one)
        except (DomainError, RoomError) as error:
            raise RoomError(f"Question {number}: {error}") from None


def _one(one: r.Asked) -> None:
    """Refuse a question that is none of its kind."""
    protected = one.kind in r.PROTECTED
    if (one.epsilon is not None) != protected:
        rule = "Answers that are not protected have no budget, and protected ones have one."
        raise RoomError(rule)
    if (one.key or one.own) if protected else one.text:
        raise RoomError("A question of a list is asked as it is, and is not protected.")
    if not protected:
        if (one.kind == r.PAUSE) != (one.entry.lesson is None):
            raise RoomError("A pause is no question of the lessons.")
        if one.kind == r.PLAIN:
            one.question  # noqa: B018 - read, so that it is refused now if ever
    elif not r.LOWEST <= float(one.epsilon or 0.0) <= r.HIGHEST:
        raise RoomError(f"The budget of one question must lie in [{r.LOWEST}, {r.HIGHEST:g}].")
    elif not 1 <= len(one.text.strip()) <= plain.MOST_TEXT:
        raise RoomError(f"A question has 1 to {plain.MOST_TEXT} letters.")


def read_questions(text: str, shown: Playlist, epsilon: float) -> tuple[r.Asked, ...]:
    r"""Read what a room asks, one place a line.

    A line is one of a list, as `sims.lessons.read_line` has it, or for yes and no::

        Have you ever copied homework? | coins

    Args:
        text: The lines.
        shown: The list whose entries are called by their names.
        epsilon: Budget of each protected question.

    Raises:
        RoomError: A line says neither; the message says which.

    >>> [one.key or one.kind for one in read_questions("odds\nIs it? | coins", Playlist(()), 1.0)]
    ['odds', 'odds-transfer', 'coins']
    """
    known, found = shown.named, list[r.Asked]()
    for number, line in enumerate(map(str.strip, text[:MOST_LINES].splitlines()), 1):
        asked, *way = (part.strip() for part in line.split("|"))
        word = " ".join(way).lower()
        try:
            if word in r.PROTECTED:
                found.append(r.Asked(text=asked, kind=word, epsilon=epsilon))
            elif line:
                found += r.Asked.of(read_line(line, known))
        except DomainError as error:
            raise RoomError(f"Line {number}: {error}") from None
    return tuple(found)


def bit_of(value: object) -> bool:
    """Return yes or no."""
    if type(value) not in (int, bool) or value not in (0, 1):
        raise RoomError("The answer must be yes or no.")
    return bool(value)


def drawn(letters: int) -> str:
    """Return a room's code, or a lecturer's key."""
    return "".join(secrets.choice(LETTERS) for _ in range(letters))


def new_token() -> str:
    """Return a phone's token."""
    return secrets.token_urlsafe(16)


def slow(key: str, salt: bytes) -> bytes:
    """Hash a short key, slowly: a stolen file does not give it away at once."""
    return hashlib.scrypt(key.encode(), salt=salt, n=2**13, r=8, p=1)


def fast(token: object) -> bytes:
    """Hash a token, which is long and random; what is no text is no token."""
    return hashlib.sha256(word(token).encode()).digest()


def word(value: object, most: int = 100) -> str:
    """Return a short text that can be stored and compared; empty for anything else."""
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        return ""
    return value
