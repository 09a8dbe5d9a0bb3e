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
from pages.core import Text
from pages.current import state
from pages.lessons.progress import LIST
from pages.lessons.task import Task, tasks, truth_words
from pages.orders import asked as orders
from pages.orders import found
from pages.report import Block, Link, Room, Section, Table, document
from pages.report import sections as report
from rates.numbers import DomainError
from sims.lessons import LESSONS, MINUTES, PAUSES, SHARES, Entry, Playlist

CLASSES = (45, 90)  # minutes
TITLE = "What do you expect?"
HIGH = 290  # pixels of a figure: two questions stand on a page
_TYPED = 300  # characters of a link that are printed; of a longer one the file holds the link
_EQUALS = "\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
_HOW = (
    "Answer each question alone, before anybody speaks: write a number on its line and mark it in "
    "the figure; of several options tick one and write how sure you are. Then say why."
)
_CHOSEN, _BOX, _LINK = "list_chosen", "list_add_box", "list_rate_link"
_BRIEF = " A tour only predicts and shows; once you change it, its lessons are whole."
_PAUSE = 5  # minutes of a new one
_STOPS = (1, 2, 3, 5, 7, 10, 15, 20, 30)


def show() -> None:
    """Draw the list with all that can be done to it."""
    with st.expander("For a lecturer"):
        st.caption(
            "It starts from the list that is open above." + (_BRIEF if LIST.get().brief else "")
        )
        _order()
        core.controls.refusal(LIST, "The list stays as it was.")
        st.markdown(minutes(LIST.get().minutes))
        _take_away()


def titled(entry: Entry) -> str:
    """Return what an entry of a list is called, plain.

    >>> titled(Entry("odds")), titled(Entry("break", minutes=5))
    ('What does ε = 1 promise? (6 min)', 'Break (5 min)')
    """
    title = entry.lesson.title if entry.lesson else PAUSES[entry.key]
    return f"{title} ({entry.minutes} min)"


def minutes(total: int) -> str:
    """Return how long a list takes, against a class of 45 and one of 90 minutes.

    >>> print(minutes(45))
    **45 minutes** in sum, pauses included: as long as a class of 45, 45 shorter than one of 90.
    """
    compared = []
    for most in CLASSES:
        than = "shorter than" if total < most else "longer than"
        compared.append("as long as" if total == most else f"{abs(most - total)} {than}")
    return (
        f"**{total} minutes** in sum, pauses included: {compared[0]} a class of {CLASSES[0]}, "
        f"{compared[1]} one of {CLASSES[1]}."
    )


def _chosen() -> int:
    held = int(st.session_state.get(_CHOSEN, 0))
    return min(held, len(LIST.get().entries) - 1)


def _choose(place: int) -> None:
    st.session_state[_CHOSEN] = place


def _order() -> None:
    """The list, one of it chosen, and what moves that one."""
    entries, place = LIST.get().entries, _chosen()
    places, chosen = range(len(entries)), entries[place]
    labels = [f"{k}. {words.md(titled(entry))}" for k, entry in enumerate(entries, 1)]
    title = "The list; choose an entry to move it or to take it out"
    radio = partial(st.radio, title, places, index=place, format_func=labels.__getitem__)
    core.ask("list_lesson", place, lambda given: _choose(core.offered(given, places)), radio)
    if chosen.lesson is None:
        title = f"Minutes of entry {place + 1}"
        core.number("list_pause", title, MINUTES, chosen.minutes, partial(_pause, place), _STOPS)
    with st.container(horizontal=True):
        for label, icon, to in (
            ("Earlier", ":material/arrow_upward:", place - 1),
            ("Later", ":material/arrow_downward:", place + 1),
        ):
            off = to not in places
            core.button(label, f"list_{label}", _move, place, to, icon=icon, disabled=off)
        only = len(LIST.get().lessons) == 1 and chosen.lesson is not None
        core.button("Take out", "list_out", _drop, place, icon=":material/close:", disabled=only)
        _add()


# A press that comes late may be on an entry that has gone meanwhile: it changes nothing.


def _pause(place: int, minutes: float) -> None:
    entries = list(LIST.get().entries)
    if place < len(entries):
        entries[place] = replace(entries[place], minutes=int(minutes))
        _take(entries, place)


def _move(place: int, to: int) -> None:
    entries = list(LIST.get().entries)
    if place < len(entries):
        entries.insert(max(to, 0), entries.pop(place))
        _take(entries, to)


def _drop(place: int) -> None:
    """Take an entry out; the last lesson stays."""
    entries = list(LIST.get().entries)
    if place < len(entries):
        entries.pop(place)
        if any(entry.lesson for entry in entries):
            _take(entries, place)


def _take(entries: list[Entry], place: int) -> None:
    """Make entries a list of one's own, which has no name and all of every lesson."""
    LIST.change(entries=tuple(entries), title="", brief=False)
    if not LIST.refusal:
        _choose(min(max(place, 0), len(entries) - 1))


def _add() -> None:
    """What can be added: lessons on examples or on what is the visitor's own, and pauses."""

    def offer_entry(key: str, entry: Entry) -> None:
        core.button(titled(entry), f"list_add_{key}", _put, entry)

    with core.box(_BOX, "Add to the list", ":material/add:"), st.container(gap="xsmall"):
        st.caption("It comes after the chosen entry.")
        for key in LESSONS:
            offer_entry(key, Entry(key))
        st.markdown("**A pause**")
        for key in PAUSES:
            offer_entry(key, Entry(key, minutes=_PAUSE))
        st.markdown("**On the current study**")
        for key, one in LESSONS.items():
            if one.own:
                try:
                    offer_entry(f"own_{key}", Entry(key, study=state.current()))
                except DomainError as refusal:
                    st.caption(f"{words.md(one.title)}: {words.plain(refusal)}")
        st.markdown("**On a rate of page Orders**")
        core.button("The rate that page Orders shows now", "list_rate_now", _use, "")
        st.text_input("Link of a rate", key=_LINK, on_change=core.address.touch)
        core.button("Use this link", "list_rate_link_use", _use, _LINK)


def _use(field: str) -> None:
    """Add the rate of page Orders, or that of a link in a field."""
    try:
        rate = orders.opened(st.session_state.get(field) or "") if field else orders.RATE.get()
        _put(Entry("rate", rate=rate))
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
        for whom, page in (("students", "lessons"), ("the projector", "present")):
            st.markdown(f"Link for {whom}")
            st.code(link(playlist, home, page), language=None, wrap_lines=True)
        st.page_link(
            core.layout.page("present"),
            label="Open the list on the projector",
            icon=":material/present_to_all:",
            query_params={LIST.parameter: playlist.text()},
        )
    core.offer(
        "Sheets to print (HTML)",
        lambda: sheets(playlist, home),
        "lessons.html",
        "list_sheets",
        icon=":material/print:",
        help="One file for A4: the questions with room to write, then the solutions on pages of "
        "their own. The truths are computed when it is made.",
    )


# Sheets to print --------------------------------------------------------------------------------


def sheets(playlist: Playlist, home: str, when: datetime.datetime | None = None) -> str:
    """Return the sheets of a list as one HTML document.

    Args:
        playlist: The lessons in order.
        home: Where the app runs, without a page; empty where that is not known.
        when: When they are made; now by default.
    """
    lead = (Text(_HOW), Room(blanks=(("Name or number", ""),)))
    about = tuple(_lead(playlist, home, when or datetime.datetime.now(datetime.UTC)))
    # Pauses have no number.
    numbered = list(enumerate(filter(None, map(tasks, playlist.entries)), 1))
    sections = [
        *(one for place, asked in numbered for one in _asked(place, asked, brief=playlist.brief)),
        Section("solutions", "For the lecturer", about, page=True),
        *(_solved(place, asked, brief=playlist.brief) for place, asked in numbered),
    ]
    return document(TITLE, lead, sections)


def _asked(place: int, asked: tuple[Task, ...], *, brief: bool) -> Iterator[Section]:
    first, second = asked
    name, page = f"question-{place}", not (place == 1 or brief)
    read = () if brief else (Text(first.lesson.read), *_formula(first))
    blocks = (*read, *_question(first, name))
    yield Section(name, f"{place}. {first.lesson.title}", blocks, kept=True, page=page)
    if not brief:
        name = f"further-{place}"
        yield Section(name, f"{place}. One step further", (*_question(second, name),), kept=True)


def _formula(task: Task) -> Iterator[Block]:
    """An own rate as a formula; its values stand in what is read."""
    order = None if task.rate is None else found.read(task.rate).order
    if order is not None:
        lines = order.latex.splitlines()
        if order.rate_latex is not None:
            lines.append(rf"\text{{rate}} = {order.rate_latex}")
        yield Text("\n".join(f"${line}$" for line in lines))


def _question(task: Task, name: str) -> Iterator[Block]:
    question = task.question
    yield Text(f"**{question.text}**")
    if not task.choice:  # whose options stand below as well
        yield named(task.blank(titled=False), name)
    details = question.details or ("",) * len(question.parts)
    parts = [
        words.md(f"{part} ({detail.replace(' = ', _EQUALS)})" if detail else part)
        for part, detail in zip(question.parts, details, strict=True)
    ]
    if task.choice:
        sure = f"per cent ({words.number(100 / len(parts))} is a guess, 100 is certain)"
        yield Room(options=parts, blanks=(("How sure you are", sure),))
    else:
        unit = "points" if question.kind == SHARES else words.md(question.unit)
        yield Room(blanks=[(part, unit) for part in parts])
    yield Room(said="Why? One sentence.", lines=2)


def named(figure: Figure, name: str) -> Figure:
    """Return a figure for a sheet: low, without a caption, under a name of its own.

    A lesson may stand in a list twice.
    """
    alt = f"{name.replace('-', ' ').capitalize()}: {figure.alt}"
    chart = replace(figure.figure, height=min(figure.figure.height or HIGH, HIGH))
    return replace(figure, figure=chart, name=f"{figure.name}-{name}", alt=alt, caption="")


def _solved(place: int, asked: tuple[Task, ...], *, brief: bool) -> Section:
    name, (first, second) = f"solution-{place}", asked
    blocks = [*_solution(first, name), Text(f"**What many expect.** {first.lesson.misconception}")]
    if not brief:
        blocks += [Text(f"**One step further.** {second.question.text}"), *_solution(second)]
    return Section(name, f"{place}. {first.lesson.title}", tuple(blocks), kept=True)


def _solution(task: Task, figure: str = "") -> Iterator[Block]:
    try:
        true = task.truth
    except DomainError as refusal:
        yield Text(f"No answer here: {words.plain(refusal)}")
        return
    if figure and not task.choice:
        yield named(task.reveal(), figure)
    yield Text(f"**Answer: {truth_words(task.question, true)}**")
    yield Text(task.why)
    seed = "" if true.seed is None else f" Simulated, seed {true.seed}"
    error = ", ".join(words.number(x, 2) for x in true.error)
    seed += f", standard error {error}." if error else "." if seed else ""
    yield Text(f"*Source:* {true.source}.{seed}")


def _lead(playlist: Playlist, home: str, made: datetime.datetime) -> Iterator[Block]:
    place = count(1)
    parts = [
        f"{next(place)}. {entry.lesson.title}" if entry.lesson else PAUSES[entry.key]
        for entry in playlist.entries
    ]
    minutes = [str(entry.minutes) for entry in playlist.entries]
    yield Table({"Part": parts, "Minutes": minutes}, "The list")
    yield Text(f"{playlist.minutes} minutes in sum. The pages before this one are for the class.")
    for page, label in (("lessons", "For students"), ("present", "On the projector")):
        if home:
            to = link(playlist, home, page)
            yield Link(f"{label}: {to}" if len(to) <= _TYPED else f"{label} (in the file)", to)
    yield Text(
        f"Made on {made:%Y-%m-%d %H:%M} UTC with {report.PACKAGE} {rates.__version__}. Every "
        "number below was computed then, by the source that stands with it."
    )
