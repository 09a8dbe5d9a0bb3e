"""Opening a room: which kind, what is asked, and the key that moves it."""

from __future__ import annotations

import math

import streamlit as st

from pages.figures.chart import words
from pages.parts.classroom import desk, said
from pages.parts.session import address, button, menu
from pages.parts.session import number as ask_number
from rates.numbers import EPSILON
from sims.classroom import CARDS, HIGHEST, LOWEST, MOST_QUESTIONS, PLAIN, Asked, RoomError
from sims.lessons import Playlist

_EPSILON = "room_epsilon"
_LN3 = round(math.log(3), 4)
_CARD = "Does your card say yes?"
_BUDGET = EPSILON.within(
    f"[{LOWEST}, {HIGHEST:g}]",
    noun="The budget of one question",
    help="Protects one answer, replaced by the other. ln 3 = 1.10 can be tossed with two coins.",
    stops=(0.1, 0.2, 0.5, 1.0, _LN3, 2.0, 3.0, 5.0),
)


def draw(shown: Playlist) -> None:
    """Draw what opens a room; a plain one asks the questions of a list.

    A room's lessons are those of the app: own studies and rates of a list are left out.
    """
    lessons = tuple(dict.fromkeys(q.key for one in shown.lessons for q in one.questions))
    st.header("Vote by phone")
    kind = menu("room_kind", "What becomes of the answers", said.NAMES)
    st.markdown(said.KINDS[kind])
    texts, epsilon = "", None
    if kind == PLAIN:
        st.caption(f"It asks the {len(lessons)} questions of the list.")
    else:
        epsilon = float(st.session_state.get(_EPSILON, _LN3))
        ask_number("room_budget", "Budget ε of one question", _BUDGET, epsilon, _keep)
    if kind == CARDS:
        texts = _CARD
    elif kind != PLAIN:
        texts = st.text_area(
            f"Questions for yes or no, one a line, at most {MOST_QUESTIONS}",
            "Have you ever copied homework?",
            max_chars=10_000,
            key="room_questions",
        )

    def open_room() -> None:
        given = texts.splitlines()
        asked = [Asked(text=line.strip()) for line in given if line.strip()]
        room = desk.rooms().open(
            kind, [Asked(key=key) for key in lessons] if kind == PLAIN else asked, epsilon
        )
        desk.enter(room.code, room.host, room.key)
        address.write({desk.ROOM: room.code, "list": "", "place": "", "step": "", "hands": ""})

    button("Open the room", "room_open", desk.guarded(open_room), type="primary")
    desk.said_refused()


def _keep(value: float) -> None:
    st.session_state[_EPSILON] = value


def new_key(code: str) -> None:
    """Show the key of a room that was just opened, once."""
    if key := desk.new_key(code):
        st.warning(
            f"The key of room {words.md(code)} is **{key}**. Write it down: it is shown only now, "
            "stored nowhere, and moves the room after a reload or from another computer."
        )
        button("I have it", "room_key_seen", desk.hide_key, code)


def ask_key(code: str) -> None:
    """Ask for the key where this window has no pass."""
    with st.form("key", border=False):
        given = st.text_input("The lecturer's key moves this room", type="password", max_chars=20)
        if not st.form_submit_button("Take over"):
            return
    try:
        desk.enter(code, desk.rooms().admit(code, given))
    except RoomError as error:
        st.error(words.plain(error))
        return
    st.rerun()
