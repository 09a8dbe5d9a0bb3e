"""A question with what is true of it and what is read before it; where its lesson stands.

What is true is computed when it is asked for: whoever shows a task before its lock leaves alone
what comes after `blank`. What a reader has in session and address is the list, the lesson that is
open, and what is locked. An address adds answers and takes none away: where it says another answer
than the session has locked, the locked one stays and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass

import streamlit as st

from pages import core
from pages.charts import Figure, words
from pages.core import Packed, Single, Texts, UrlState, address
from pages.current import state
from pages.lessons import reveals
from pages.orders import asked as orders
from rates.numbers import DomainError
from sims import lessons
from sims.lessons import LESSONS, LISTS, Entry, Lesson, Locked, Playlist, Question

Report = tuple[float, ...]

# What is locked ---------------------------------------------------------------------------------


class _Locked(UrlState[Locked]):
    """The locked answers, packed; the packing holds a check sum, so damage is noticed."""

    def open(self, texts: Texts) -> tuple[Locked, list[str]]:
        """Return what is locked together with what an address adds, and what of it is refused."""
        return lessons.locked.taken(self.get(), texts.get(self.parameter, ""))

    def write(self, value: Locked) -> Texts:
        """Return what an address says of it."""
        return {self.parameter: lessons.locked.packed(value)}

    def lock(self, name: str, report: Report) -> None:
        """Lock an answer; one that is locked stays as it is."""
        address.touch()
        self.keep({name: report, **self.get()})
        self.refuse("")


PROGRESS = _Locked(
    parameter="locked",
    start={},
    noun="An answer",
    refused="Of the answers in the address not all could be taken over.",
)


# The list ---------------------------------------------------------------------------------------


class _List(UrlState[Playlist]):
    """The list in its short form; of one that holds unknown lessons the rest is kept."""

    def open(self, texts: Texts) -> tuple[Playlist, list[str]]:
        """Return the list that an address asks for, and what of it was refused."""
        if not (given := texts.get(self.parameter, "")):
            return self.start, []
        found, problems = lessons.read_list(given)
        return (found, list(problems)) if found.entries else (self.get(), list(problems))

    def write(self, value: Playlist) -> Texts:
        """Return what an address says of a list."""
        return {self.parameter: "" if value == self.start else value.text()}


LIST = _List(
    parameter="list",
    start=LISTS["tour"],
    noun="A list",
    refused="Of the list in the address not all could be taken over.",
)


# The lesson that is open -------------------------------------------------------------------------


LESSON: Single[str] = Single(
    parameter="lesson",
    start="",
    settings=(Packed("lesson", write=str, read=str),),
    noun="A lesson",
    refused="The lesson in the address could not be opened.",
)


# A question ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Task:
    """One question as it is asked in a place.

    Attributes:
        entry: What asks it, with a study or a rate of one's own if there is one.
        question: The question.
    """

    entry: Entry
    question: Question

    @property
    def lesson(self) -> Lesson:
        """The lesson that asks it."""
        lesson = self.entry.lesson
        assert lesson is not None
        return lesson

    @property
    def name(self) -> str:
        """Its name in the address."""
        own = self.entry.study or self.entry.rate
        return lessons.locked.mark(self.question, self.entry.text() if own else "")

    @property
    def locked(self) -> Report | None:
        """The answer that is locked; None before."""
        return PROGRESS.get().get(self.name)

    @property
    def text(self) -> str:
        """What is asked, as Markdown."""
        return words.md(self.question.text) if self.entry.asked else self.question.text

    @property
    def choice(self) -> bool:
        """Whether one of several options is right, or a rate: nothing lies on a scale."""
        return self.question.kind in (lessons.CHOICE, lessons.TYPED)

    def blank(self, report: Report | None = None) -> Figure:
        """Return its axes with the prediction alone."""
        return reveals.figure(self.question, report, study=self.entry.study)

    @property
    def truth(self) -> lessons.Truth:
        """What is true."""
        return self.entry.truth(self.question)

    def reveal(self, report: Report | None = None) -> Figure:
        """Return its figure with what is true."""
        return reveals.figure(self.question, report, self.truth, self.entry.study)

    @property
    def why(self) -> str:
        """Our explanation, Markdown."""
        return lessons.explained(self.lesson.explanation(self.question), self.truth)

    def reasons(self) -> Iterator[core.Block]:
        """What many believe, our explanation, and where what is true comes from."""
        if self.question == self.lesson.question:
            yield core.Text(f"*{self.lesson.misconception}*")
        yield core.Text(self.why)
        yield core.Note(f"True by: {self.truth.source.rstrip('.')}.")


def tasks(entry: Entry) -> tuple[Task, ...]:
    """Return the questions of an entry of a list; none of a pause."""
    asked = entry.lesson.questions if entry.lesson else ()
    return tuple(Task(entry, question) for question in asked)


def done(entry: Entry) -> bool:
    """Whether the questions of a lesson are answered."""
    return all(task.locked is not None for task in tasks(entry))


def reading(lesson: Lesson) -> str:
    """Return what is read as Markdown, with the sites in a list."""
    if (facts := lesson.facts) is None:
        return lesson.read
    sites = "\n".join(f"- {line}" for line in _lines(facts))
    return f"{lesson.read}\n\n{sites}\n\n{words.md(facts.said)}"


def sites_line(facts: lessons.Facts) -> str:
    """Return the sites of a lesson in one paragraph, Markdown."""
    return "  ·  ".join([*_lines(facts), words.md(facts.said)])


def _lines(facts: lessons.Facts) -> list[str]:
    return [f"**{words.md(name)}**: {words.md(held)}" for name, held in facts.sites]


# Where lessons stand ------------------------------------------------------------------------------

OWN = ".own"  # ends the name of a lesson with the app's current study or rate in it
AT_THE_END = ("carry", "free")  # with one's own study, for who is alone


def own(key: str) -> Entry:
    """Return a lesson with the app's current study or rate in it.

    Raises:
        DomainError: The lesson does not cover what is one's own.
    """
    return Entry(key, rate=orders.RATE.get()) if key == "rate" else Entry(key, state.current())


def owned(*keys: str) -> dict[str, Entry]:
    """Return by name those of some lessons that cover the app's current study or rate."""
    found: dict[str, Entry] = {}
    for key in keys:
        with suppress(DomainError):
            found[key + OWN] = own(key)
    return found


def places(playlist: Playlist) -> dict[str, Entry]:
    """Return the lessons of a list by name.

    Pauses and a lecturer's own questions are for a class. Who is alone ends with the app's current
    study.
    """
    found = {name: entry for name, entry in playlist.named.items() if entry.key in LESSONS}
    return found | owned(*(AT_THE_END if playlist == LISTS["alone"] else ()))


def now(all_places: dict[str, Entry]) -> str:
    """Return the name of the lesson that is open; one that the list lacks is put into it.

    Where there is no such lesson, the first is shown, and why.
    """
    name = LESSON.get()
    key, first = name.removesuffix(OWN), next(iter(all_places))
    if name in all_places or not name:
        return name or first
    try:
        all_places[name] = Entry(key) if key == name else own(key)
    except DomainError as problem:
        said = f"The lesson {words.md(name[:80])} is not here; the first of the list is shown."
        st.error(f"{said} {words.plain(problem)}")
        return first
    return name
