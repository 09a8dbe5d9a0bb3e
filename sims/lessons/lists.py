"""Lists of lessons: four that come with the app, and a lecturer's own as text for an address."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from rates.numbers import DomainError, Parameter, Words, listed, shown, unpack
from rates.study import Study, codec
from sims.lessons import own, plain
from sims.lessons.catalogue import LESSONS, lesson
from sims.lessons.records import Lesson, Question, Truth
from sims.lessons.truths import truth

if TYPE_CHECKING:
    from rates.orders import Inquiry

MOST = 40  # entries of a list
PAUSES: Mapping[str, str] = {
    "join": "Everybody joins",
    "break": "Break",
    "votes": "Second votes",
    "close": "An exit question, and the scores",
    "reserve": "Reserve",
}
MINUTES = Parameter("minutes", "min", "1, ..., 90", help="How long a pause takes.")
_PAUSE = re.compile(r"([a-z]+)-([0-9]{1,4})")


@dataclass(frozen=True, slots=True)
class Entry:
    """A lesson of a list, a pause, or a question of the lecturer's own.

    Attributes:
        key: One of `LESSONS`, of `PAUSES`, or `plain.KEY`.
        study: A study of one's own in the lesson, None for the lesson's.
        rate: A rate of one's own in it, likewise.
        minutes: What a pause takes; of all else its own.
        asked: The line of the lecturer's own question; empty for all else.

    Raises:
        DomainError: There is no such lesson or pause, a pause lacks minutes, or the lesson does
            not cover the study or rate.
    """

    key: str
    study: Study | None = None
    rate: Inquiry | None = None
    minutes: int = 0
    asked: str = ""

    def __post_init__(self) -> None:
        if self.lesson is not None:
            minutes = self.lesson.minutes
        else:
            minutes = int(MINUTES.check(self.minutes, self.key))
        object.__setattr__(self, "minutes", minutes)

    @property
    def lesson(self) -> Lesson | None:
        """The lesson, with what is one's own in it; None for a pause."""
        if self.asked:
            return plain.read(self.asked)
        return None if self.key in PAUSES else lesson(self.key, self.study, self.rate)

    @property
    def title(self) -> str:
        """What it is called, plain."""
        return self.lesson.title if self.lesson else PAUSES[self.key]

    def question(self, key: str) -> Question:
        """Return one of the lesson's two questions.

        Raises:
            DomainError: It has none of this key.
        """
        found = {asked.key: asked for asked in self.lesson.questions} if self.lesson else {}
        if key not in found:
            rule = f"The lesson asks {listed([*found]) or 'nothing'}."
            raise DomainError(rule, "question", Words(shown(key)))
        return found[key]

    def truth(self, asked: Question) -> Truth:
        """Return what is true of one of the lesson's questions, computed when it is asked for.

        Raises:
            DomainError: The lecturer has not said what is true.
        """
        given = self.lesson.given if self.lesson else None
        return given or truth(asked, self.study, self.rate)

    def text(self) -> str:
        """Return the short form for an address, in characters that need no escape."""
        if self.key in PAUSES:
            return f"{self.key}-{self.minutes}"
        if self.study is not None:
            return f"{self.key}.{codec.to_link(self.study)}"
        if self.rate is not None:
            return f"{self.key}.{own.packed(self.rate)}"
        if self.asked:
            return f"{self.key}.{codec.pack(self.asked)}"
        return self.key


@dataclass(frozen=True, slots=True)
class Playlist:
    """Lessons and pauses in order.

    Attributes:
        entries: At most 40.
        title: What a menu shows; empty for a list of one's own.

    Raises:
        DomainError: There are too many entries.

    >>> LISTS["45"].minutes, LISTS["90"].minutes
    (45, 90)
    """

    entries: tuple[Entry, ...]
    title: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if len(self.entries) > MOST:
            rule = f"A list has at most {MOST} entries."
            raise DomainError(rule, "list", Words(f"{len(self.entries):,} entries"))

    @property
    def lessons(self) -> tuple[Lesson, ...]:
        """Its lessons in order, pauses left out."""
        return tuple(found for entry in self.entries if (found := entry.lesson) is not None)

    @property
    def minutes(self) -> int:
        """What it takes in a class, pauses included."""
        return sum(entry.minutes for entry in self.entries)

    @property
    def named(self) -> dict[str, Entry]:
        """Its entries by the names that they have in lines and addresses, each another.

        >>> [*Playlist((Entry("odds"), Entry("break", minutes=5), Entry("odds"))).named]
        ['odds', 'break-5', 'odds.2']
        """
        found: dict[str, Entry] = {}
        for entry in self.entries:
            name = entry.asked or (entry.key if entry.lesson else entry.text())
            k = 1 + sum(known.partition(".")[0] == name for known in found)
            found[name if k == 1 else f"{name}.{k}"] = entry
        return found

    def text(self) -> str:
        """Return the short form for an address: its name, or its entries; `read_list` reads it.

        >>> LISTS["45"].text(), Playlist((Entry("join", minutes=2), Entry("odds"))).text()
        ('45', 'join-2,odds')
        """
        for name, known in LISTS.items():
            if known == self:
                return name
        return ",".join(entry.text() for entry in self.entries)


def read_list(text: str) -> tuple[Playlist, tuple[str, ...]]:
    """Read a list from an address: the name of one of `LISTS`, or entries between commas.

    What cannot be read is left out, the rest is kept. A lesson that does not cover the study or
    rate given to it stays with its own.

    Returns:
        The list, and one sentence for each thing that is wrong.

    >>> found, problems = read_list("odds,breakfast,free")
    >>> found.text(), problems[0][:43]
    ('odds,free', "Entry 2 of the list, 'breakfast', is left o")
    """
    if len(text) > codec.MAX_LINK:
        return Playlist(()), (
            f"A list in an address has at most {codec.MAX_LINK:,} characters; this one has "
            f"{len(text):,} and was not read.",
        )
    if text.strip() in LISTS:
        return LISTS[text.strip()], ()
    given = [part.strip() for part in text.split(",")] if text.strip() else []
    problems: list[str] = []
    if len(given) > MOST:
        problems.append(
            f"A list has at most {MOST} entries; of these {len(given):,} the first {MOST} are kept."
        )
    kept: list[Entry] = []
    for place, part in enumerate(given[:MOST], start=1):
        entry, problem, key = None, "", part.partition(".")[0]
        try:
            entry = read_entry(part)
        except DomainError as error:
            problem = f"is left out: {error}"
            if key in LESSONS:
                entry, problem = Entry(key), f"stays with its own example: {error}"
        # Of a lesson there is one progress, so it stands once; pauses may repeat.
        if entry is not None and entry.lesson and entry in kept:
            entry, problem = None, "is left out: it is there already."
        if problem:
            problems.append(f"Entry {place} of the list, {shown(part)}, {problem}")
        if entry is not None:
            kept.append(entry)
    return Playlist(tuple(kept)), tuple(problems)


def read_lines(text: str, known: Mapping[str, Entry]) -> Playlist:
    r"""Read a list that is written with one entry a line, each as `read_line` has it.

    Raises:
        DomainError: A line is no entry, or there twice, or there is no lesson.

    >>> read_lines("odds\nbreak-5\nIs it? | A | B", {}).minutes
    14
    """
    entries: list[Entry] = []
    for number, line in enumerate(map(str.strip, text.splitlines()), 1):
        try:
            entry = read_line(line, known) if line else None
            if entry is not None and entry.lesson and entry in entries:
                raise DomainError(f"{shown(line)} is there already.")
        except DomainError as error:
            raise DomainError(f"Line {number}: {error}") from None
        entries += [entry] if entry else []
    if not any(entry.lesson for entry in entries):
        raise DomainError("A list has a lesson, or a question of your own.")
    return Playlist(tuple(entries))


def read_line(line: str, known: Mapping[str, Entry]) -> Entry:
    """Read a line of a list: a name that is known, a lesson, a pause, or a question of one's own.

    Raises:
        DomainError: It is none.
    """
    if "|" in line and line not in known:
        return Entry(plain.KEY, asked=line)
    return known.get(line) or read_entry(line)


@lru_cache(maxsize=128)
def read_entry(text: str) -> Entry:
    """Read one entry of an address.

    Raises:
        DomainError: It cannot be read, or its lesson does not cover the study or rate in it.

    >>> read_entry("free").minutes
    8
    """
    if len(text) > codec.MAX_LINK:
        rule = f"An entry of a list has at most {codec.MAX_LINK:,} characters."
        raise DomainError(rule, "list", Words(f"{len(text):,}"))
    key, dot, packed = text.partition(".")
    if (found := _PAUSE.fullmatch(text)) and found[1] in PAUSES:
        return Entry(found[1], minutes=int(found[2]))
    if key == plain.KEY and dot:
        return Entry(key, asked=codec.unpack(packed).decode("utf-8", "replace"))
    if key not in LESSONS:
        lessons = listed([*LESSONS], most=len(LESSONS))
        pauses = listed([f"{name}-5" for name in PAUSES], most=len(PAUSES))
        rule = f"Known are the lessons {lessons} and pauses such as {pauses}."
        raise DomainError(rule, "list", Words(shown(text)))
    if key == "rate" and dot:
        from rates.orders import inquiry

        return Entry(key, rate=inquiry.from_json(unpack(packed)))
    return Entry(key, study=codec.from_link(packed) if dot else None)


def _list(title: str, text: str) -> Playlist:
    return Playlist(tuple(map(read_entry, text.split())), title)


LISTS: Mapping[str, Playlist] = {
    "tour": _list("A short tour", "odds carry class"),
    "alone": _list("Alone", "odds attack twice carry free pupils noise class columns spread back"),
    "45": _list("45 minutes with a class", "join-2 odds class twice free noise close-5"),
    "90": _list(
        "90 minutes with a class",
        "join-3 odds class twice spread break-5 carry free back noise votes-9 close-5 reserve-7",
    ),
    "orders": _list("Orders of growth", "cross sum price needed width"),
}
