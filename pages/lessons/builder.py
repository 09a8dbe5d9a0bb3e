"""A lecturer's list of lessons: chosen, ordered, linked and printed."""

from __future__ import annotations

import urllib.parse

import streamlit as st

from pages.charts import words
from pages.core import address, ask, box, button, controls, layout, number, offer, offered, shut
from pages.current import state
from pages.lessons.listed import LIST
from pages.lessons.sheets import sheets
from pages.orders import asked as orders
from rates.numbers import DomainError
from sims.lessons import LESSONS, MINUTES, PAUSES, Entry

CLASSES = (45, 90)  # minutes
_CHOSEN, _BOX, _LINK = "list_chosen", "list_add_box", "list_rate_link"
_BRIEF = " A tour only predicts and shows; once you change it, its lessons are whole."
_PAUSE = 5  # minutes of a new one
_STOPS = (1, 2, 3, 5, 7, 10, 15, 20, 30)


def show() -> None:
    """Draw the list with all that can be done to it."""
    with st.expander("For a lecturer: a list of your own, its link, sheets to print"):
        st.caption(
            "It starts from the list that is open above." + (_BRIEF if LIST.get().brief else "")
        )
        _order()
        controls.refusal(LIST, "The list stays as it was.")
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
    one, other = (
        f"{abs(most - total)} {'shorter than' if total < most else 'longer than'}"
        if total != most
        else "as long as"
        for most in CLASSES
    )
    return (
        f"**{total} minutes** in sum, pauses included: {one} a class of {CLASSES[0]}, {other} one "
        f"of {CLASSES[1]}."
    )


def _chosen() -> int:
    held = int(st.session_state.get(_CHOSEN, 0))
    return min(held, len(LIST.get().entries) - 1)


def _choose(place: int) -> None:
    st.session_state[_CHOSEN] = place


def _order() -> None:
    """The list, one of it chosen, and what moves that one."""
    entries, place = LIST.get().entries, _chosen()
    labels = [f"{k}. {words.md(titled(entry))}" for k, entry in enumerate(entries, 1)]
    ask(
        "list_lesson",
        place,
        lambda given: _choose(offered(given, range(len(entries)))),
        lambda **how: st.radio(
            "The list; choose an entry to move it or to take it out",
            range(len(entries)),
            index=place,
            format_func=labels.__getitem__,
            **how,
        ),
    )
    if entries[place].lesson is None:
        number(
            "list_pause",
            f"Minutes of entry {place + 1}",
            MINUTES,
            entries[place].minutes,
            lambda given: LIST.paused(place, int(given)),
            _STOPS,
        )
    with st.container(horizontal=True):
        for label, icon, by, off in (
            ("Earlier", "arrow_upward", -1, place == 0),
            ("Later", "arrow_downward", 1, place == len(entries) - 1),
        ):
            shown = f":material/{icon}:"
            button(label, f"list_{label}", _move, place, by, icon=shown, disabled=off)
        only = len(LIST.get().lessons) == 1 and entries[place].lesson is not None
        button("Take out", "list_out", _drop, place, icon=":material/close:", disabled=only)
        _add()


def _move(place: int, by: int) -> None:
    _choose(LIST.moved(place, by))


def _drop(place: int) -> None:
    LIST.without(place)
    _choose(_chosen())


def _add() -> None:
    """What can be added: lessons on examples or on what is the visitor's own, and pauses."""
    with box(_BOX, "Add to the list", ":material/add:"), st.container(gap="xsmall"):
        st.caption("It comes after the chosen entry.")
        for key in LESSONS:
            _offer(Entry(key), key)
        st.markdown("**A pause**")
        for key in PAUSES:
            _offer(Entry(key, minutes=_PAUSE), key)
        st.markdown("**On the current study**")
        for key, one in LESSONS.items():
            if one.own:
                try:
                    _offer(Entry(key, study=state.current()), f"own_{key}")
                except DomainError as refusal:
                    st.caption(f"{words.md(one.title)}: {words.plain(refusal)}")
        st.markdown("**On a rate of page Orders**")
        button("The rate that page Orders shows now", "list_rate_now", _use, "")
        st.text_input("Link of a rate", key=_LINK, on_change=address.touch)
        button("Use this link", "list_rate_link_use", _use, _LINK)


def _offer(entry: Entry, key: str) -> None:
    button(titled(entry), f"list_add_{key}", _put, entry)


def _use(field: str) -> None:
    """Add the rate of page Orders, or that of a link in a field."""
    try:
        rate = orders.opened(st.session_state.get(field) or "") if field else orders.RATE.get()
        _put(Entry("rate", rate=rate))
    except DomainError as refusal:
        LIST.refuse(str(refusal))


def _put(entry: Entry) -> None:
    place = _chosen()
    if LIST.added(entry, after=place):
        _choose(place + 1)
    shut(_BOX)


def link(page: str) -> str:
    """Return the link that opens the list on a page; empty where it is too long for one."""
    if not LIST.fits():
        return ""
    query = urllib.parse.urlencode({LIST.parameter: LIST.get().text()}, safe=",")
    return f"{address.home()}/{page}?{query}".lstrip("/")


def _take_away() -> None:
    if not (students := link("lessons")):
        st.warning("This list is too long for a link: take out own studies or rates.")
    else:
        st.markdown("Link for students")
        st.code(students, language=None, wrap_lines=True)
        st.markdown("Link for the projector")
        st.code(link("present"), language=None, wrap_lines=True)
        st.page_link(
            layout.page("present"),
            label="Open the list on the projector",
            icon=":material/present_to_all:",
            query_params={LIST.parameter: LIST.get().text()},
        )
    playlist, home = LIST.get(), address.home()
    offer(
        "Sheets to print (HTML)",
        lambda: sheets(playlist, home),
        "lessons.html",
        "list_sheets",
        icon=":material/print:",
        help="One file for A4: the questions with room to write, then the solutions on pages of "
        "their own. The truths are computed when it is made.",
    )
