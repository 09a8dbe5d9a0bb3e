"""What a room takes: questions, budgets, answers, codes, keys and tokens, each checked once."""

from __future__ import annotations

import hashlib
import secrets

from rates.numbers import DomainError
from rates.study import codec
from sims.classroom import records as r
from sims.classroom.records import RoomError

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"  # none is taken for another
CODE, KEY = 4, 8
_YES = 102  # of 256 cards


def dealt_card(code: str, token: str, place: int) -> bool:
    """Return the card that a phone is dealt: yes for 2 of 5 phones, by chance."""
    digest = hashlib.sha256(f"card {code} {place} ".encode() + fast(token)).digest()
    return digest[0] < _YES


def checked(kind: str, questions: object) -> tuple[r.Asked, ...]:
    """Return a room's questions as they are kept, or refuse them in words."""
    if kind not in r.KINDS:
        raise RoomError(f"A room is one of {', '.join(r.KINDS)}.")
    asked = tuple(questions) if isinstance(questions, list | tuple) else ()
    if not all(isinstance(one, r.Asked) and all(_texts(one)) for one in asked):
        raise RoomError("A room's questions are keys of lessons, or texts.")
    if not 1 <= len(asked) <= r.MOST_QUESTIONS:
        raise RoomError(f"A room has 1 to {r.MOST_QUESTIONS} questions; {len(asked)} were given.")
    if sum(len(one.own) for one in asked) > 2 * codec.MAX_LINK:  # a lesson asks two questions
        raise RoomError("The studies and rates of one's own are too long for a room.")
    for number, one in enumerate(asked, 1):
        if kind == r.PLAIN:
            try:
                one.question  # noqa: B018 - read, so that it is refused now if ever
            except DomainError as error:
                raise RoomError(f"Question {number}: {error}") from None
        elif one.key or one.own or not 1 <= len(one.text.strip()) <= r.MOST_TEXT:
            raise RoomError(
                f"Question {number} must be a yes-or-no question of 1 to {r.MOST_TEXT} letters."
            )
    return asked


def _texts(one: r.Asked) -> tuple[bool, ...]:
    return tuple(isinstance(text, str) for text in (one.key, one.text, one.own))


def budget_of(kind: str, epsilon: object) -> float | None:
    """Return the budget of one question; None in a plain room."""
    if kind == r.PLAIN:
        if epsilon is not None:
            raise RoomError("A plain room has no budget: its answers are not protected.")
        return None
    if not isinstance(epsilon, int | float) or not r.LOWEST <= epsilon <= r.HIGHEST:
        raise RoomError(f"The budget of one question must lie in [{r.LOWEST}, {r.HIGHEST:g}].")
    return float(epsilon)


def bit_of(value: object) -> bool:
    """Return yes or no."""
    if type(value) not in (int, bool) or value not in (0, 1):
        raise RoomError("The answer must be yes or no.")
    return bool(value)


def new_code() -> str:
    """Return a room's code."""
    return "".join(secrets.choice(LETTERS) for _ in range(CODE))


def new_key() -> str:
    """Return a lecturer's key."""
    return "".join(secrets.choice(LETTERS) for _ in range(KEY))


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
