"""The screens of a list in order, and the hands that were counted of a class."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from rates.numbers import DomainError, Words
from sims.classroom import records as r
from sims.classroom.records import AGAIN, FIGURE, PAUSE, READ, WHY, Asked
from sims.classroom.shown import divided
from sims.lessons import Entry, Playlist, Question, hands

ASK, VOTES, ANSWER = "ask", "votes", "answer"  # the other screens are called as in a room
_PART = (ASK, AGAIN, VOTES, ANSWER, FIGURE, WHY)
_SECOND = "-2"  # ends the steps of a lesson's second question
STEPS = (PAUSE, READ, *_PART, *(step + _SECOND for step in _PART))
OF_ROOM = {r.CLOSED: VOTES, r.SHOWN: ANSWER, r.FIGURE: FIGURE}  # the screen of a room's state
Counts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Turn:
    """The screen that is shown.

    Attributes:
        place: Place in the list, from 1.
        step: One of `STEPS`; the first one of the place if empty.
        hands: By a question's key, the counts of its first and second vote.
        of: The list, as the address names it.
    """

    place: int = 1
    step: str = ""
    hands: Mapping[str, tuple[Counts, Counts]] = field(default_factory=dict)
    of: str = ""

    def votes(self, asked: Question) -> tuple[Counts, Counts]:
        """Return both votes on a question; empty ones where no hand was counted."""
        return self.hands.get(asked.key, ((), ()))

    def counted(self, asked: Question, second: bool, text: str) -> Turn:
        """Return the turn with the counts of a vote on a question, as they were typed.

        Raises:
            DomainError: They are no counts of it.
        """
        votes = list(self.votes(asked))
        votes[second] = hands.counts(text, asked)
        return replace(self, hands={**self.hands, asked.key: (votes[0], votes[1])})

    def texts(self) -> dict[str, str]:
        """Return what an address says of it."""
        counted = ";".join(
            f"{key}:{'/'.join('-'.join(map(str, vote)) for vote in votes)}"
            for key, votes in self.hands.items()
        )
        place = "" if self.place == 1 else str(self.place)
        return {"place": place, "step": self.step, "hands": counted}


@dataclass(frozen=True, slots=True)
class Screen:
    """One screen of a list.

    Attributes:
        place: Place in the list, from 1.
        step: One of `STEPS`.
        entry: What stands there.
    """

    place: int
    step: str
    entry: Entry

    @property
    def kind(self) -> str:
        """The step, whichever of the two questions it is of."""
        return self.step.removesuffix(_SECOND)

    @property
    def question(self) -> int:
        """Which of the lesson's two questions it is about, from 0."""
        return int(self.step.endswith(_SECOND))


def screens(shown: Playlist, turn: Turn) -> tuple[Screen, ...]:
    """Return all screens of a list in order.

    Votes have one where hands were counted, and what is true has a second one then; a second vote
    is left out where the first is not split.
    """
    return tuple(
        Screen(place, step, entry)
        for place, entry in enumerate(shown.entries, 1)
        for step in _steps(entry, turn)
    )


def _steps(entry: Entry, turn: Turn) -> list[str]:
    if entry.lesson is None:
        return [PAUSE]
    lesson = entry.lesson
    found = [READ] if lesson.read else []
    for one, end in zip(Asked.of(entry), ("", _SECOND), strict=False):
        first, second = turn.votes(one.question)
        left = {
            AGAIN: bool(first) and not second and not divided(first),
            VOTES: not (first or second),
            ANSWER: lesson.open,
            FIGURE: not (first or second) or not one.pictured,
            WHY: not lesson.explain,
        }
        found += [step + end for step in _PART if not left.get(step, False)]
    return found


def current(shown: tuple[Screen, ...], turn: Turn) -> int:
    """Return which of the screens is the one of a turn; the first one of its place if none is."""
    there = [k for k, screen in enumerate(shown) if screen.place == turn.place]
    return next((k for k in there if shown[k].step == turn.step), there[0] if there else 0)


# As an address says it ----------------------------------------------------------------------------


def read(texts: Mapping[str, str], shown: Playlist, of: str) -> tuple[Turn, list[str]]:
    """Return the turn that an address asks for, and what of it was refused.

    Args:
        texts: Parameters of the address.
        shown: The list.
        of: The list, as the address names it.
    """
    problems: list[str] = []
    turn = Turn(of=of)
    for name, reader in _READ.items():
        try:
            given = texts.get(name, "")
            turn = replace(turn, **{name: reader(given, shown)}) if given else turn
        except DomainError as error:
            problems.append(str(error))
    return turn, problems


def _place(text: str, shown: Playlist) -> int:
    entries = len(shown.entries)
    if not (re.fullmatch(r"[0-9]{1,4}", text) and 1 <= int(text) <= entries):
        rule = f"The list has the places 1 to {entries}." if entries else "The list is empty."
        raise DomainError(rule, "place", Words(repr(text[:20])))
    return int(text)


def _step(text: str, _: Playlist) -> str:
    if text not in STEPS:
        raise DomainError(f"A step is one of {', '.join(STEPS)}.", "step", Words(repr(text[:20])))
    return text


def _hands(text: str, shown: Playlist) -> dict[str, tuple[Counts, Counts]]:
    known = {asked.key: asked for one in shown.lessons for asked in one.questions}
    found = {}
    for part in text.split(";"):
        key, _, given = part.partition(":")
        if key not in known:
            rule = "Hands are of a question of the list."
            raise DomainError(rule, "hands", Words(repr(key[:20])))
        first, _, second = given.replace("-", " ").partition("/")
        found[key] = hands.counts(first, known[key]), hands.counts(second, known[key])
    return found


_READ: Mapping[str, Callable[[str, Playlist], Any]] = {
    "place": _place, "step": _step, "hands": _hands
}  # fmt: skip
NAMES = tuple(_READ)
