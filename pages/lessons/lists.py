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
from pages.lessons.task import LIST, Task, own, sites_of, tasks
from rates.numbers import DomainError
from rates.version import PACKAGE
from sims.lessons import LESSONS, PAUSES, SHARES, TYPED, Entry, Playlist, plain, true_answer

TITLE = "What do you expect?"
HIGH = 290  # pixels of a figure: two questions stand on a page
_TYPED = 300  # characters of a link that are printed; of a longer one the file holds the link
_HOW = "Answer each question alone, before anybody speaks; mark numbers in the figure too."
_CHOSEN, _BOX, _LINE = "list_chosen", "list_add_box", "list_add_text"


def show() -> None:
    """Draw the list with all that can be done to it."""
    with st.expander("For a lecturer"):
        st.caption("It starts from the list above; of a tour that is changed, lessons are whole.")
        _order()
        core.controls.refusal(LIST, "The list stays as it was.")
        st.markdown(f"**{LIST.get().minutes} minutes** in sum, pauses included.")
        _take_away()


def titled(entry: Entry) -> str:
    """Return what an entry of a list is called, plain.

    >>> titled(Entry("odds")), titled(Entry("break", minutes=5))
    ('What does ε = 1 promise? (6 min)', 'Break (5 min)')
    """
    title = entry.lesson.title if entry.lesson else PAUSES[entry.key]
    return f"{title} ({entry.minutes} min)"


def _chosen() -> int:
    return min(int(st.session_state.get(_CHOSEN, 0)), len(LIST.get().entries) - 1)


def _choose(place: int) -> None:
    st.session_state[_CHOSEN] = place


def _order() -> None:
    """The list, one of it chosen, and what moves that one."""
    entries, place = LIST.get().entries, _chosen()
    places, chosen = range(len(entries)), entries[place]
    labels = {k: f"{k + 1}. {words.md(titled(entry))}" for k, entry in enumerate(entries)}
    title = "The list; choose an entry to move it or to take it out"
    radio = partial(st.radio, title, places, index=place, format_func=labels.__getitem__)
    core.ask("list_lesson", place, lambda given: _choose(core.offered(given, places)), radio)
    only = len(LIST.get().lessons) == 1 and chosen.lesson is not None
    with st.container(horizontal=True):
        for label, icon, to, off in (
            ("Earlier", ":material/arrow_upward:", place - 1, place == 0),
            ("Later", ":material/arrow_downward:", place + 1, place == places[-1]),
            ("Take out", ":material/close:", None, only),
        ):
            core.button(label, f"list_{label}", _change, place, to, icon=icon, disabled=off)
        _add()


def _change(place: int, to: int | None) -> None:
    """Move an entry, or take it out where it goes nowhere.

    A press that comes late may be on an entry that has gone meanwhile, or on the last lesson: it
    changes nothing.
    """
    entries = list(LIST.get().entries)
    if place < len(entries):
        entry = entries.pop(place)
        if to is not None:
            entries.insert(max(to, 0), entry)
        if any(entry.lesson for entry in entries):
            _take(entries, place if to is None else to)


def _take(entries: list[Entry], place: int) -> None:
    """Make entries a list of one's own, which has no name and all of every lesson."""
    LIST.change(entries=tuple(entries), title="", brief=False)
    if not LIST.refusal:
        _choose(min(max(place, 0), len(entries) - 1))


def _add() -> None:
    """What can be added: lessons on examples or on what is the visitor's own, and pauses."""
    with core.box(_BOX, "Add to the list", ":material/add:"), st.container(gap="xsmall"):
        st.caption("It comes after the chosen entry.")
        for key in (*LESSONS, *PAUSES):
            entry = Entry(key, minutes=5)  # of a pause; a lesson has minutes of its own
            core.button(titled(entry), f"list_add_{key}", _put, entry)
        st.text_input("Your own question", key=_LINE, help=plain.HOW, max_chars=plain.MOST_LINE)
        core.button("Add the question", "list_add_line", _ask)
        st.markdown("**On the current study, or the rate of My own rate**")
        for key, one in LESSONS.items():
            if (mine := own(key)) is not None:
                try:
                    entry = Entry(key, mine.study, mine.rate)
                    core.button(titled(entry), f"list_add_own_{key}", _put, entry)
                except DomainError as refusal:
                    st.caption(f"{words.md(one.title)}: {words.plain(refusal)}")


def _ask() -> None:
    """Add the question that was typed."""
    try:
        _put(Entry(plain.KEY, asked=plain.read(st.session_state[_LINE])))
        st.session_state[_LINE] = ""
    except DomainError as refusal:
        LIST.refuse(str(refusal))


def _put(entry: Entry) -> None:
    """Add an entry behind the chosen one; a lesson that is there already is refused."""
    entries, place = LIST.get().entries, _chosen() + 1
    if entry.lesson and entry in entries:
        LIST.refuse(f"“{entry.lesson.title}” is there already.")
    else:
        _take([*entries[:place], entry, *entries[place:]], place)
    core.shut(_BOX)


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
        *(one for place, asked in numbered for one in _asked(place, asked, brief=playlist.brief)),
        Chapter("solutions", "For the lecturer", about, page=True),
        *(_solved(place, asked, brief=playlist.brief) for place, asked in numbered),
    ]
    return document(TITLE, (Text(_HOW), Room(blanks=(("Name or number", ""),))), sections)


def _asked(place: int, asked: tuple[Task, ...], *, brief: bool) -> Iterator[Chapter]:
    first, *more = asked
    name, page = f"question-{place}", not (place == 1 or brief)
    read = () if brief else (Text(first.lesson.read),)
    sites = sites_of(first.lesson, f"Sites of question {place}", paper=True)
    blocks = (*read, *sites, *_question(first, name))
    yield Chapter(name, f"{place}. {first.lesson.title}", blocks, kept=True, page=page)
    for second in () if brief else more:
        name = f"further-{place}"
        yield Chapter(name, f"{place}. One step further", (*_question(second, name),), kept=True)


def _question(task: Task, name: str) -> Iterator[Block]:
    question, parts = task.question, [*map(words.md, task.question.options)]
    yield Text(f"**{task.text}**")
    if task.choice:
        sure = f"per cent ({words.number(100 / len(parts))} is a guess, 100 is certain)"
        yield Room(options=parts, blanks=(("How sure you are", sure),))
    elif question.kind == TYPED:
        yield Room(blanks=(("Its order", ""),))
    else:  # of a choice the options stand in the figure as well
        yield named(task.blank(), name)
        if question.kind != SHARES:  # those are written beside the sites
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


def _solved(place: int, asked: tuple[Task, ...], *, brief: bool) -> Chapter:
    name, (first, *more) = f"solution-{place}", asked
    blocks = [*_solution(first, name)]
    for second in () if brief else more:
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
