"""Kinds and states of a room, its limits, and the records that leave it."""

from __future__ import annotations

from dataclasses import dataclass, field

from rates.numbers import DomainError
from sims import lessons

PLAIN, COINS, CURATOR, CARDS, PAUSE = "plain", "coins", "curator", "cards", "pause"
KINDS = (PLAIN, COINS, CURATOR, CARDS, PAUSE)
PROTECTED = (COINS, CURATOR, CARDS)
# Phones join; a question is read, open, closed for talking, open again, closed for good, shown with
# what is true, then its picture, then why.
LOBBY, READ, OPEN, TALK, AGAIN, CLOSED, SHOWN, FIGURE, WHY, ENDED = (
    "lobby", "read", "open", "talk", "again", "closed", "shown", "figure", "why", "ended",
)  # fmt: skip
VOTING = (OPEN, AGAIN)
DONE = (CLOSED, SHOWN, FIGURE, WHY)  # the last vote has closed
TOLD = (SHOWN, FIGURE, WHY)  # what is true is known

MOST_ROOMS, MOST_VOTERS, MOST_QUESTIONS = 20, 250, 40
LEAST_SHOWN = 5  # answers, below which no histogram of a vote is shown
SPLIT = 0.7  # part of a class; where no answer has as much, the class talks and votes again
LIFE = 12 * 3600.0  # seconds after the last action
IDLE = 900.0  # seconds after which a room that no phone has joined gives way, if all are taken
LOWEST, HIGHEST = 0.01, 10.0  # epsilon of one question
_MAPPED = ("back", "back-transfer")  # choices that a map explains


class RoomError(ValueError):
    """What was asked of a room is refused; the message says why, in words for the one who asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One place of a room: a question of a lesson, one of the lecturer's own, or a pause.

    Attributes:
        key: Key of a question of an entry of a list, or of a pause; empty for one that is
            protected.
        text: A question that is protected, answered by yes or no; empty where `key` says it.
        own: The entry of the list, where something of the lecturer's stands in it, and of a pause;
            empty for the lesson as it is.
        kind: One of `KINDS`; what becomes of the answers.
        epsilon: Budget of the question; None where answers are not protected.
    """

    key: str = ""
    text: str = ""
    own: str = ""
    kind: str = PLAIN
    epsilon: float | None = None

    @classmethod
    def of(cls, entry: lessons.Entry) -> list[Asked]:
        """Return what a room asks for an entry of a list: a pause, or one or two questions."""
        own = "" if entry.text() == entry.key else entry.text()
        if entry.lesson is None:
            return [cls(entry.key, own=own, kind=PAUSE)]
        return [cls(asked.key, own=own) for asked in entry.lesson.questions]

    @property
    def entry(self) -> lessons.Entry:
        """The entry of a list that asks it; raises `DomainError` where there is none."""
        return lessons.read_entry(self.own or self.key.removesuffix(lessons.TRANSFER))

    @property
    def lesson(self) -> lessons.Lesson | None:
        """The lesson that asks it; None for a pause and where yes or no is asked."""
        return self.entry.lesson if self.key else None

    @property
    def first(self) -> bool:
        """Whether a lesson begins with it that has something to read."""
        lesson = self.lesson
        return lesson is not None and bool(lesson.read) and self.key == lesson.question.key

    @property
    def question(self) -> lessons.Question:
        """The question; raises `DomainError` where there is none, or yes or no is asked."""
        return self.entry.question(self.key)

    @property
    def truth(self) -> lessons.Truth:
        """What is true of it, computed when it is asked for."""
        return self.entry.truth(self.question)

    @property
    def known(self) -> bool:
        """Whether something is true of it that the room can show."""
        return self.kind == CARDS or (self.lesson is not None and not self.lesson.open)

    @property
    def pictured(self) -> bool:
        """Whether the lesson has a picture besides that of the class."""
        one = self.lesson
        numbers = one and one.explain and self.question.kind not in (lessons.CHOICE, lessons.TYPED)
        return bool(numbers) or self.key in _MAPPED

    def check(self, values: object) -> tuple[float, ...]:
        """Return a plain answer as it is kept: of a choice the option, from 0; else its numbers.

        Raises:
            DomainError: It is none of the question.
        """
        asked = self.question
        if asked.kind != lessons.CHOICE:
            return asked.check(values)
        option = values[0] if isinstance(values, tuple | list) and len(values) == 1 else values
        if type(option) is not int or not 0 <= option < len(asked.parts):
            raise DomainError(f"The answer is one of {len(asked.parts)} options.", asked.key)
        return (option,)

    def report(self, kept: tuple[float, ...]) -> tuple[float, ...]:
        """Return an answer that was kept with a number for each part; of the option all."""
        if self.question.kind == lessons.CHOICE:
            return lessons.spread(self.question, int(kept[0]), 1.0)
        return kept


@dataclass(frozen=True, slots=True)
class Opened:
    """A room that was just opened.

    Attributes:
        code: Its code, for everyone.
        key: The lecturer's key, shown this once.
        host: A pass for the window that opened it.
    """

    code: str
    key: str
    host: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What a phone or the projector may know of a room.

    Attributes:
        code: Its code.
        questions: What is asked, in order, with the pauses.
        place: Which one is on, from 0.
        state: `LOBBY` to `ENDED`.
        voters: How many phones have joined.
        answers: How many have answered in the round that is on, or in the last one.
        mine: This phone's answer of that round, as it was stored; None where there is none or
            it is kept without a link to the phone.
        answered: Whether this phone has answered in that round.
    """

    code: str
    questions: tuple[Asked, ...]
    place: int
    state: str
    voters: int
    answers: int
    mine: tuple[float, ...] | None = None
    answered: bool = False

    @property
    def asked(self) -> Asked:
        """The question that is on."""
        return self.questions[self.place]

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.asked.kind

    @property
    def round(self) -> int:
        """Which vote on the question is on, or was last: 0 or 1."""
        return int(self.state == AGAIN)

    @property
    def joining(self) -> bool:
        """Whether the screen is for joining: nothing has been asked yet."""
        return self.state == LOBBY and not self.place


@dataclass(frozen=True, slots=True)
class Voted:
    """The answers to one question, after its last vote closed.

    Attributes:
        rounds: Plain: the answers of each vote, without names, sorted; none of a vote in which
            fewer than `LEAST_SHOWN` answered.
        totals: How many answered in each vote.
        noisy: Coins and cards: how many noisy bits said yes.
        released: Curator and cards: the number of yes with noise, as it was released.
        dealt: Cards: how many dealt cards said yes.
    """

    rounds: tuple[tuple[tuple[float, ...], ...], ...] = field(default=())
    totals: tuple[int, ...] = ()
    noisy: int | None = None
    released: int | None = None
    dealt: int | None = None

    @property
    def few(self) -> tuple[int, ...]:
        """How many answered in each vote that is not shown, as they were too few."""
        return tuple(n for n in self.totals if 0 < n < LEAST_SHOWN)

    @property
    def total(self) -> int:
        """How many answered in the vote that most took part in."""
        return max(self.totals, default=0)
