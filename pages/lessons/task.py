"""A question with what is true of it and what is read before it; where its lesson stands.

What is true is computed when it is asked for: whoever shows a task before its lock leaves alone
what comes after `blank`. What a reader has in session and address is the list, the lesson that is
open, and what is locked. An address adds answers and takes none away: where it says another answer
than the session has locked, the locked one stays and the page says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace

import streamlit as st

from pages import core
from pages.charts import Figure, words
from pages.core import Packed, Single, Texts, UrlState, address
from pages.current import state
from pages.lessons import reveals
from pages.orders import asked as orders
from rates.numbers import DomainError
from rates.orders import Inquiry
from rates.study import Study
from sims import lessons
from sims.lessons import LESSONS, LISTS, Entry, Lesson, Playlist, Progress, Question

Report = tuple[float, ...]

# What is locked ---------------------------------------------------------------------------------


class _Locked(UrlState[Progress]):
    """The locked answers, packed; the packing holds a check sum, so damage is noticed."""

    def open(self, texts: Texts) -> tuple[Progress, list[str]]:
        """Return what is locked together with what an address adds, and what of it is refused."""
        return lessons.locked.taken(self.get(), texts.get(self.parameter, ""))

    def write(self, value: Progress) -> Texts:
        """Return what an address says of it."""
        return {self.parameter: lessons.locked.packed(value)}

    def lock(self, name: str, report: Report) -> None:
        """Lock an answer."""
        address.touch()
        self.keep(self.get().with_answer(name, report))
        self.refuse("")

    def settle(self, question: Question, name: str) -> None:
        """Drop an answer of a link that is none to its question, and say so.

        What is asked about a study of one's own is known only where that study is open.
        """
        held = self.get().answer(name)
        try:
            if held is not None:
                question.check(held)
        except DomainError as problem:
            rest = tuple(pair for pair in self.get().locked if pair[0] != name)
            self.keep(replace(self.get(), locked=rest))
            st.error(f"{self.refused} {words.plain(problem)}")

    def explain(self, name: str) -> None:
        """Note that our explanation was asked for, of a question that is locked; for a button."""
        now = self.get()
        self.keep(replace(now, ours=tuple(dict.fromkeys((*now.ours, name)))))


PROGRESS = _Locked(
    parameter="locked",
    start=Progress(),
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

OWN = ".own"
AT_THE_END = ("carry", "free")  # with one's own study, for who is alone


@dataclass(frozen=True, slots=True)
class Task:
    """One question as it is asked in a place.

    Attributes:
        lesson: The lesson that asks it.
        question: The question.
        study: The study that stands in for the lesson's own; None for that.
        rate: The rate that does.
    """

    lesson: Lesson
    question: Question
    study: Study | None = None
    rate: Inquiry | None = None

    @property
    def name(self) -> str:
        """Its name in the address."""
        return lessons.locked.mark(self.question, self.study or self.rate)

    @property
    def locked(self) -> Report | None:
        """The answer that is locked; None before."""
        return PROGRESS.get().answer(self.name)

    @property
    def text(self) -> str:
        """What is asked, as Markdown."""
        own = self.lesson.key == lessons.plain.KEY
        return words.md(self.question.text) if own else self.question.text

    @property
    def choice(self) -> bool:
        """Whether one of several options is right."""
        return self.question.kind == lessons.CHOICE

    def blank(self, report: Report | None = None) -> Figure:
        """Return its axes with the prediction alone."""
        return reveals.figure(self.question, report, study=self.study)

    @property
    def truth(self) -> lessons.Truth:
        """What is true."""
        return self.lesson.given or lessons.truth(self.question, self.study, self.rate)

    def reveal(self, report: Report | None = None) -> Figure:
        """Return its figure with what is true."""
        return reveals.figure(self.question, report, self.truth, self.study)

    @property
    def why(self) -> str:
        """Our explanation, Markdown."""
        return lessons.explained(self.lesson.explanation(self.question), self.truth)

    def reasons(self) -> Iterator[core.Block]:
        """What many believe, our explanation, and where what is true comes from."""
        if self.question == self.lesson.question:
            yield core.Text(f"*{self.lesson.misconception}*")
        yield core.Text(self.why)
        seed = "" if self.truth.seed is None else f" Simulated, seed {self.truth.seed}."
        yield core.Note(f"True by: {self.truth.source.rstrip('.')}.{seed}")


def tasks(entry: Entry) -> tuple[Task, ...]:
    """Return the questions of an entry of a list; none of a pause."""
    lesson = entry.lesson
    asked = lesson.questions if lesson else ()
    return tuple(Task(lesson, question, entry.study, entry.rate) for question in asked if lesson)


# What is read before a question ------------------------------------------------------------------


def sites_of(lesson: Lesson, alt: str, *, paper: bool = False) -> Iterator[core.Block]:
    """Return the sites of a lesson, on paper with room for the points that it asks for."""
    if (facts := lesson.facts) is None:
        return
    more = ("Your points",) * (paper and lesson.question.kind == lessons.SHARES)
    rows = ((*row, *("" for _ in more)) for row in facts.rows)
    yield core.Table.of((*facts.titles, *more), rows, alt=alt)
    yield core.Text(words.md(facts.said))


def reading(lesson: Lesson, *, narrow: bool = False) -> str:
    """Return what is read as Markdown: the sites in a table, or in a list where it is narrow."""
    if (facts := lesson.facts) is None:
        return lesson.read
    if narrow:
        shown = "\n".join(f"- {one}" for one in _lines(facts))
    else:
        rows = [[*map(words.md, row)] for row in facts.rows]
        lines = [facts.titles, ["---"] * len(facts.titles), *rows]
        shown = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{lesson.read}\n\n{shown}\n\n{words.md(facts.said)}"


def sites_line(facts: lessons.Facts) -> str:
    """Return the sites of a lesson in one paragraph, Markdown."""
    return "  ·  ".join([*_lines(facts), words.md(facts.said)])


def _lines(facts: lessons.Facts) -> list[str]:
    return [f"**{words.md(name)}**: {words.md(held)}" for name, held in facts.lines]


# Where lessons stand ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Place:
    """One lesson as it stands in the list.

    Attributes:
        name: In the address: the lesson's key, numbered where it stands there again, and with
            `OWN` where the current study or rate of the app is in it.
        key: The lesson's key.
        study: A study of one's own in it; None for the lesson's.
        rate: A rate of one's own in it; None for the lesson's.
    """

    name: str
    key: str
    study: Study | None = None
    rate: Inquiry | None = None

    def tasks(self, *, brief: bool) -> tuple[Task, ...]:
        """Return its questions, or the first where it is brief.

        Raises:
            DomainError: The lesson does not cover what is one's own.
        """
        return tasks(Entry(self.key, self.study, self.rate))[: 1 if brief else None]

    @property
    def title(self) -> str:
        """Its title, with what is one's own only if the lesson covers that."""
        with suppress(DomainError):
            return lessons.lesson(self.key, self.study, self.rate).title
        return f"{LESSONS[self.key].title} (your own)"

    def done(self, *, brief: bool) -> bool:
        """Whether its questions are answered."""
        with suppress(DomainError):
            return all(task.locked is not None for task in self.tasks(brief=brief))
        return False


def own(key: str) -> Place | None:
    """Return a lesson with the app's current study or rate in it; None where none fits."""
    if key == "rate":
        return Place(key + OWN, key, rate=orders.RATE.get())
    return Place(key + OWN, key, study=state.current()) if key in lessons.own.STUDIES else None


def places(playlist: Playlist) -> list[Place]:
    """Return the lessons of a list, each with a name of its own.

    Pauses and a lecturer's own questions are for a class. Who is alone ends with the app's current
    study.
    """
    out: list[Place] = []
    for entry in playlist.entries:
        if entry.key in LESSONS:
            k = 1 + sum(place.key == entry.key for place in out)
            name = entry.key if k == 1 else f"{entry.key}.{k}"
            out.append(Place(name, entry.key, entry.study, entry.rate))
    if playlist == LISTS["alone"]:
        out += filter(None, map(own, AT_THE_END))
    return out


def now(all_places: list[Place]) -> Place:
    """Return the lesson that is open; one that the list lacks is shown all the same.

    Where there is no such lesson, the first is shown, and why.
    """
    name = LESSON.get()
    key = name.removesuffix(OWN)
    here = next((place for place in all_places if place.name == name), None)
    if here is None and key in LESSONS:
        here = Place(key, key) if key == name else own(key)
    if here is None and name:
        st.error(
            f"There is no lesson {words.md(name[:80])} here; the first of the list is shown. Known "
            f"are {', '.join(LESSONS)}."
        )
    return here or all_places[0]
