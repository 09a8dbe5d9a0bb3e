"""Sheets to print: the questions of a list with room to write, then the solutions."""

from __future__ import annotations

import datetime
import urllib.parse
from collections.abc import Iterator
from dataclasses import replace
from itertools import count

from pages.charts import Figure, words
from pages.core import Text
from pages.lessons import reveals, said
from pages.orders import found
from pages.report import Block, Link, Room, Section, Table, document
from pages.report import sections as report
from rates.numbers import DomainError
from rates.orders import Inquiry
from sims.lessons import (
    CHOICE,
    PAUSES,
    SHARES,
    Entry,
    Lesson,
    Playlist,
    Question,
    explained,
    truth,
)

TITLE = "What do you expect?"
HIGH = 290  # pixels of a figure: two questions stand on a page
_TYPED = 300  # characters of a link that are printed; of a longer one the file holds the link
_EQUALS = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
_HOW = (
    "Answer each question alone, before anybody speaks: write a number on its line and mark it in "
    "the figure; of several options tick one and write how sure you are. Then say why."
)


def sheets(playlist: Playlist, home: str, when: datetime.datetime | None = None) -> str:
    """Return the sheets of a list as one HTML document.

    Args:
        playlist: The lessons in order.
        home: Where the app runs, without a page; empty where that is not known.
        when: When they are made; now by default.
    """
    lead = (Text(_HOW), Room(blanks=(("Name or number", ""),)))
    return document(TITLE, lead, [*_questions(playlist), *_solutions(playlist, home, when)])


def _lessons(playlist: Playlist) -> Iterator[tuple[int, Entry, Lesson]]:
    """The lessons with their numbers; pauses have none."""
    entries = [(entry, entry.lesson) for entry in playlist.entries]
    taught = [(entry, one) for entry, one in entries if one is not None]
    return ((place, *pair) for place, pair in enumerate(taught, 1))


def _questions(playlist: Playlist) -> Iterator[Section]:
    for place, entry, one in _lessons(playlist):
        title, first = f"{place}. {one.title}", place == 1
        read = () if playlist.brief else (Text(one.read), *_formula(entry.rate))
        asked = _asked(one.question, entry, f"question-{place}")
        page = not (first or playlist.brief)
        yield Section(f"question-{place}", title, (*read, *asked), kept=True, page=page)
        if not playlist.brief:
            more = tuple(_asked(one.transfer, entry, f"further-{place}"))
            yield Section(f"further-{place}", f"{place}. One step further", more, kept=True)


def _formula(rate: Inquiry | None) -> Iterator[Block]:
    """An own rate as a formula; its values stand in what is read."""
    order = None if rate is None else found.read(rate).order
    if order is not None:
        lines = order.latex.splitlines()
        if order.rate_latex is not None:
            lines.append(rf"\text{{rate}} = {order.rate_latex}")
        pieces = lines
        yield Text("\n".join(f"${piece}$" for piece in pieces))


def _asked(question: Question, entry: Entry, name: str) -> Iterator[Block]:
    yield Text(f"**{question.text}**")
    if question.kind != CHOICE:  # whose options stand below as well
        drawn = named(reveals.blank(question, study=entry.study), name)
        yield replace(drawn, figure=replace(drawn.figure, title=""))  # the question stands above
    details = question.details or ("",) * len(question.parts)
    parts = [
        words.md(f"{part} ({detail.replace(' = ', _EQUALS)})" if detail else part)
        for part, detail in zip(question.parts, details, strict=True)
    ]
    if question.kind == CHOICE:
        sure = f"per cent ({words.number(100 / len(parts))} is a guess, 100 is certain)"
        yield Room(options=parts, blanks=(("How sure you are", sure),))
    else:
        unit = "points" if question.kind == SHARES else words.md(question.unit)
        yield Room(blanks=[(part, unit) for part in parts])
    yield Room(said="Why? One sentence.", lines=2)


def named(drawn: Figure, name: str) -> Figure:
    """Return a figure for a sheet: low, without a caption, under a name of its own.

    A lesson may stand in a list twice.
    """
    alt = f"{name.replace('-', ' ').capitalize()}: {drawn.alt}"
    figure = replace(drawn.figure, height=min(drawn.figure.height or HIGH, HIGH))
    return replace(drawn, figure=figure, name=f"{drawn.name}-{name}", alt=alt, caption="")


def _solutions(playlist: Playlist, home: str, when: datetime.datetime | None) -> Iterator[Section]:
    made = when or datetime.datetime.now(datetime.UTC)
    yield Section("solutions", "For the lecturer", tuple(_lead(playlist, home, made)), page=True)
    for place, entry, one in _lessons(playlist):
        blocks = [*_solved(one, one.question, entry, f"solution-{place}")]
        blocks.append(Text(f"**What many expect.** {one.misconception}"))
        if not playlist.brief:
            blocks.append(Text(f"**One step further.** {one.transfer.text}"))
            blocks += _solved(one, one.transfer, entry)
        yield Section(f"solution-{place}", f"{place}. {one.title}", tuple(blocks), kept=True)


def _lead(playlist: Playlist, home: str, made: datetime.datetime) -> Iterator[Block]:
    number = count(1)
    rows: dict[str, list[str]] = {"Part": [], "Minutes": []}
    for entry in playlist.entries:
        title = f"{next(number)}. {entry.lesson.title}" if entry.lesson else PAUSES[entry.key]
        rows["Part"].append(title)
        rows["Minutes"].append(str(entry.minutes))
    yield Table(rows, "The list")
    yield Text(f"{playlist.minutes} minutes in sum. The pages before this one are for the class.")
    if home:
        query = urllib.parse.urlencode({"list": playlist.text()}, safe=",")
        for page, label in (("lessons", "For students"), ("present", "On the projector")):
            link = f"{home}/{page}?{query}"
            yield Link(
                f"{label}: {link}" if len(link) <= _TYPED else f"{label} (in the file)", link
            )
    yield Text(
        f"Made on {made:%Y-%m-%d %H:%M} UTC with {report.PACKAGE} {report.version()}. Every number "
        "below was computed then, by the source that stands with it."
    )


def _solved(of: Lesson, question: Question, entry: Entry, figure: str = "") -> Iterator[Block]:
    try:
        true = truth(question, entry.study, entry.rate)
    except DomainError as refusal:
        yield Text(f"No answer here: {words.plain(refusal)}")
        return
    if figure and question.kind != CHOICE:
        yield named(reveals.reveal(question, None, true, entry.study), figure)
    yield Text(f"**Answer: {said.truth(question, true)}**")
    yield Text(explained(of.explanation(question), true))
    seed = "" if true.seed is None else f" Simulated, seed {true.seed}"
    error = ", ".join(words.number(x, 2) for x in true.error)
    seed += f", standard error {error}." if error else "." if seed else ""
    yield Text(f"*Source:* {true.source}.{seed}")
