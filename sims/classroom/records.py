"""Kinds and states of a room, its limits, and the records that leave it."""

from __future__ import annotations

from dataclasses import dataclass, field

from sims.lessons import TRANSFER, Entry, Question, Truth, read_entry, truth

PLAIN, COINS, CURATOR, CARDS = "plain", "coins", "curator", "cards"
KINDS = (PLAIN, COINS, CURATOR, CARDS)
# A question is waited for, open, closed for talking, open again, closed for good, and shown.
LOBBY, OPEN, TALK, AGAIN, CLOSED, SHOWN, ENDED = (
    "lobby", "open", "talk", "again", "closed", "shown", "ended",
)  # fmt: skip
VOTING = (OPEN, AGAIN)

MOST_ROOMS, MOST_VOTERS, MOST_QUESTIONS = 20, 250, 40
MOST_TEXT = 200  # characters of a question of the lecturer's own
LEAST_SHOWN = 5  # answers, below which a plain room shows no histogram
LIFE = 12 * 3600.0  # seconds after the last action
TRIES, WINDOW = 5, 60.0  # of the key, in so many seconds
LOWEST, HIGHEST = 0.01, 10.0  # epsilon of one question


class RoomError(ValueError):
    """What was asked of a room is refused; the message says why, in words for the one who asked."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One question of a room: a key of the lessons (plain and cards), or a text of its own.

    Attributes:
        key: Key of a question of the lessons; empty for a text of the lecturer's.
        text: A yes-or-no question; empty where `key` says it.
        own: The lesson as an entry of a list, where a study or a rate of the lecturer's stands in
            it; empty for the lesson as it is.
    """

    key: str = ""
    text: str = ""
    own: str = ""

    @property
    def entry(self) -> Entry:
        """The lesson of `key`; raises `DomainError` where there is none."""
        return read_entry(self.own or self.key.removesuffix(TRANSFER))

    @property
    def question(self) -> Question:
        """The question of `key`; raises `DomainError` where there is none."""
        return self.entry.question(self.key)

    @property
    def truth(self) -> Truth:
        """What is true of it, computed when it is asked for."""
        return truth(self.question, self.entry.study, self.entry.rate)


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
        kind: One of `KINDS`.
        epsilon: Budget of one question; None in a plain room.
        questions: What is asked, in order.
        place: Which one is on, from 0.
        state: `LOBBY` to `ENDED`.
        voters: How many phones have joined.
        answers: How many have answered in the round that is on, or in the last one.
        mine: This phone's answer of that round, as it was stored; None where there is none or
            it is kept without a link to the phone.
        answered: Whether this phone has answered in that round.
    """

    code: str
    kind: str
    epsilon: float | None
    questions: tuple[Asked, ...]
    place: int
    state: str
    voters: int
    answers: int
    mine: tuple[float, ...] | None = None
    answered: bool = False

    @property
    def round(self) -> int:
        """Which vote on the question is on, or was last: 0 or 1."""
        return int(self.state == AGAIN)


@dataclass(frozen=True, slots=True)
class Voted:
    """The answers to one question, after its last vote closed.

    Attributes:
        rounds: Plain: the answers of each round, without names, sorted.
        noisy: Coins and cards: how many noisy bits said yes.
        total: Coins and cards: how many answered.
        released: Curator and cards: the number of yes with noise, as it was released.
        dealt: Cards: how many dealt cards said yes.
        few: Whether a histogram is held back because too few answered.
    """

    rounds: tuple[tuple[tuple[float, ...], ...], ...] = field(default=())
    noisy: int | None = None
    total: int = 0
    released: int | None = None
    dealt: int | None = None
    few: bool = False
