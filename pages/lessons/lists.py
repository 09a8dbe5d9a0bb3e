"""A lecturer's list of lessons: chosen, ordered, linked, and printed on sheets.

Sheets have the questions with room to write, then the solutions on pages of their own.
"""

from __future__ import annotations

import datetime
import urllib.parse
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import count

import streamlit as st

import rates
from pages import core
from pages.charts import Figure, words
from pages.core import Address, Block, Chapter, Room, Text, document
from pages.lessons.task import LIST, Task, owned, reading, tasks
from rates.numbers import DomainError
from rates.version import PACKAGE
from sims.classroom import MOST_LINES
from sims.lessons import CHOICE, LESSONS, PAUSES, Entry, Playlist, plain, read_lines, true_answer

TITLE = "What do you expect?"
HIGH = 290  # pixels of a figure: two questions stand on a page
_TYPED = 300  # characters of a link that are printed; of a longer one the file holds the link
_HOW = "Answer each question alone, before anybody speaks; mark numbers in the figure too."
_BOX = "list_lines"


def show() -> None:
    """Draw the list with all that can be done to it."""
    with st.expander("For a lecturer"):
        _order()
        core.controls.refusal(LIST, "The list stays as it was.")
        st.markdown(f"**{LIST.get().minutes} minutes** in sum, pauses included.")
        _take_away()


def titled(entry: Entry) -> str:
    """Return what an entry of a list is called, plain.

    >>> titled(Entry("odds")), titled(Entry("break", minutes=5))
    ('What does ε = 1 promise? (6 min)', 'Break (5 min)')
    """
    return f"{entry.title} ({entry.minutes} min)"


def _order() -> None:
    """The list, one entry a line, and what a line may say."""
    known = owned(*LESSONS)
    now = "\n".join(LIST.get().named)
    if LIST.refusal:  # what was refused stays to be mended
        now = st.session_state.get(_BOX, now)

    def take(text: str) -> None:
        try:
            LIST.set(read_lines(text, known | LIST.get().named))
        except DomainError as refusal:
            LIST.refuse(str(refusal))

    box = partial(st.text_area, "The list, one entry a line", now, height=200, max_chars=MOST_LINES)
    core.ask(_BOX, now, take, box)
    lines = [f"- `{key}`: {words.md(titled(Entry(key)))}" for key in LESSONS]
    lines += [
        f"- `{name}`: {words.md(titled(one))}, on what is yours" for name, one in known.items()
    ]
    lines += [f"- `{key}-5`: {title}, five minutes" for key, title in PAUSES.items()]
    with st.popover("What a line may say"):
        st.markdown("\n".join([*lines, f"- of your own: {plain.HOW}"]))


def link(playlist: Playlist, home: str, page: str) -> str:
    """Return the link that opens a list on a page."""
    query = urllib.parse.urlencode({LIST.parameter: playlist.text()}, safe=",")
    return f"{home}/{page}?{query}".lstrip("/")


def _take_away() -> None:
    playlist, home = LIST.get(), core.address.home()
    if not LIST.fits():
        st.warning("This list is too long for a link: take out own studies or rates.")
    else:
        st.markdown("Link for students")
        st.code(link(playlist, home, "lessons"), language=None, wrap_lines=True)
        query = {LIST.parameter: playlist.text()}
        core.layout.link("present", "Open the list on the projector", "present_to_all", query)
    core.offer(
        "Sheets to print (HTML)",
        lambda: sheets(playlist, home),
        "lessons.html",
        "list_sheets",
        icon=":material/print:",
        help="Questions with room to write, then solutions on pages of their own.",
    )


# Sheets to print --------------------------------------------------------------------------------


def sheets(playlist: Playlist, home: str, when: datetime.datetime | None = None) -> str:
    """Return the sheets of a list as one HTML document.

    Args:
        playlist: The lessons in order.
        home: Where the app runs, without a page; empty where that is not known.
        when: When they are made; now by default.
    """
    about = tuple(_lead(playlist, home, when or datetime.datetime.now(datetime.UTC)))
    # Pauses have no number.
    numbered = list(enumerate(filter(None, map(tasks, playlist.entries)), 1))
    sections = [
        *(one for place, asked in numbered for one in _asked(place, asked)),
        Chapter("solutions", "For the lecturer", about, page=True),
        *(_solved(place, asked) for place, asked in numbered),
    ]
    return document(TITLE, (Text(_HOW), Room(blanks=(("Name or number", ""),))), sections)


def _asked(place: int, asked: tuple[Task, ...]) -> Iterator[Chapter]:
    first, *more = asked
    name = f"question-{place}"
    blocks = (Text(reading(first.lesson)), *_question(first, name))
    yield Chapter(name, f"{place}. {first.lesson.title}", blocks, kept=True, page=place > 1)
    for second in more:
        name = f"further-{place}"
        yield Chapter(name, f"{place}. One step further", (*_question(second, name),), kept=True)


def _question(task: Task, name: str) -> Iterator[Block]:
    question, parts = task.question, [*map(words.md, task.question.options)]
    yield Text(f"**{task.text}**")
    if question.kind == CHOICE:
        sure = f"per cent ({words.number(100 / len(parts))} is a guess, 100 is certain)"
        yield Room(options=parts, blanks=(("How sure you are", sure),))
    elif task.question.rate is not None:
        yield Room(blanks=(("Its order", ""),))
    else:  # of a choice the options stand in the figure as well
        yield named(task.blank(), name)
        yield Room(blanks=[(part, words.md(question.unit)) for part in parts])
    yield Room(said="Why? One sentence.", lines=2)


def named(figure: Figure, name: str) -> Figure:
    """Return a figure for a sheet: low, under a name of its own.

    A lesson may stand in a list twice.
    """
    alt = f"{name.replace('-', ' ').capitalize()}: {figure.alt}"
    layout = figure.figure["layout"]
    low = {**figure.figure, "layout": layout | {"height": min(layout["height"] or HIGH, HIGH)}}
    return replace(figure, figure=low, name=f"{figure.name}-{name}", alt=alt)


def _solved(place: int, asked: tuple[Task, ...]) -> Chapter:
    name, (first, *more) = f"solution-{place}", asked
    blocks = [*_solution(first, name)]
    for second in more:
        blocks += [Text(f"**One step further.** {second.question.text}"), *_solution(second)]
    return Chapter(name, f"{place}. {first.lesson.title}", tuple(blocks), kept=True)


def _solution(task: Task, figure: str = "") -> Iterator[Block]:
    try:
        true = words.md(true_answer(task.question, task.truth))
    except DomainError as refusal:
        yield Text(f"No answer here: {words.plain(refusal)}")
        return
    if figure and not task.choice:
        yield named(task.reveal(), figure)
    yield Text(f"**Answer: {true}**")
    yield from task.reasons() if task.lesson.explain else ()


def _lead(playlist: Playlist, home: str, made: datetime.datetime) -> Iterator[Block]:
    place = count(1)
    parts = [f"{next(place)}. {titled(e)}" if e.lesson else titled(e) for e in playlist.entries]
    minutes = f"{playlist.minutes} minutes in sum. The pages before this one are for the class."
    yield Text(f"The list: {words.md('; '.join(parts))}. {minutes}")
    for page, label in (("lessons", "For students"), ("present", "On the projector")):
        if home:
            to = link(playlist, home, page)
            yield Address(f"{label}: {to}" if len(to) <= _TYPED else f"{label} (in the file)", to)
    yield Text(f"Made on {made:%Y-%m-%d %H:%M} UTC with {PACKAGE} {rates.__version__}.")
