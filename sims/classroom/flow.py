"""The screens of a list in order, and the hands that were counted of a class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sims.classroom import records as r
from sims.classroom.records import SPLIT, Asked
from sims.lessons import Entry, Playlist, Question

PAUSE, READ, ASK, AGAIN = "pause", "read", "ask", "again"
VOTES, ANSWER, FIGURE, WHY = "votes", "answer", "figure", "why"
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
        for step in _steps(entry, turn, brief=shown.brief)
    )


def _steps(entry: Entry, turn: Turn, *, brief: bool) -> list[str]:
    if entry.lesson is None:
        return [PAUSE]
    if brief:
        return [ASK, ANSWER, WHY]
    found = [READ]
    for asked, end in zip(entry.lesson.questions, ("", _SECOND), strict=True):
        first, second = turn.votes(asked)
        left = {
            AGAIN: bool(first) and not second and not hands_split(first),
            VOTES: not (first or second),
            FIGURE: not (first or second) or not Asked(key=asked.key).pictured,
        }
        found += [step + end for step in _PART if not left.get(step, False)]
    return found


def hands_split(counts: Counts) -> bool:
    """Whether no answer has most of the hands."""
    return max(counts) < SPLIT * sum(counts)


def current(shown: tuple[Screen, ...], turn: Turn) -> int:
    """Return which of the screens is the one of a turn; the first one of its place if none is."""
    there = [k for k, screen in enumerate(shown) if screen.place == turn.place]
    return next((k for k in there if shown[k].step == turn.step), there[0] if there else 0)
