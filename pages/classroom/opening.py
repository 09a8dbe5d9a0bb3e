"""Opening a room: which kind, what is asked, and the key that moves it."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.charts import words
from pages.classroom import desk, said
from pages.core import address, box, button, menu, shut
from pages.core import number as ask_number
from rates.numbers import EPSILON
from sims.classroom import (
    CARDS,
    HIGHEST,
    LOWEST,
    MOST_QUESTIONS,
    PLAIN,
    Asked,
    Opened,
    RoomError,
)  # fmt: skip
from sims.lessons import Entry, Playlist

_EPSILON, _BOX = "room_epsilon", "room_opening"
_LN3 = round(math.log(3), 4)
_CARD = "Does your card say yes?"
_BUDGET = EPSILON.within(
    f"[{LOWEST}, {HIGHEST:g}]",
    noun="The budget of one question",
    help="Protects one answer, replaced by the other. ln 3 = 1.10 can be tossed with two coins.",
    stops=(0.1, 0.2, 0.5, 1.0, _LN3, 2.0, 3.0, 5.0),
)


def offer(shown: Playlist) -> None:
    """Draw the box that opens a room, which closes when that is done."""
    with box(_BOX, "Vote by phone", ":material/smartphone:"):
        draw(shown)


def draw(shown: Playlist) -> None:
    """Draw what opens a room; a plain one asks the questions of a list."""
    lessons = asked_by(shown)
    kind = menu("room_kind", "What becomes of the answers", said.NAMES)
    st.markdown(said.KINDS[kind])
    texts, epsilon = "", None
    if kind == PLAIN:
        st.caption(f"It asks the {len(lessons)} questions of the list.{_taken(shown)}")
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

    @functools.cache  # a second click, which may cut the first one short, finds the same room
    def opened() -> Opened:
        given = texts.splitlines()
        asked = [Asked(text=line.strip()) for line in given if line.strip()]
        return desk.rooms().open(kind, lessons if kind == PLAIN else asked, epsilon)

    def open_room() -> None:
        room = opened()
        desk.enter(room.code, room.host, room.key)
        shut(_BOX)
        address.write({desk.ROOM: room.code, "list": "", "place": "", "step": "", "hands": ""})

    button("Open the room", "room_open", desk.guarded(open_room), type="primary")
    desk.said_refused()


def asked_by(shown: Playlist) -> tuple[Asked, ...]:
    """Return the questions of a list, with the studies and rates of one's own in it."""
    found = [
        Asked(key=asked.key, own=entry.text() if _own(entry) else "")
        for entry in shown.entries
        for asked in (entry.lesson.questions if entry.lesson else ())
    ]
    return tuple(dict.fromkeys(found))


def _own(entry: Entry) -> str:
    """Name what of one's own stands in a lesson; empty where nothing does."""
    if entry.study is not None:
        sites = sum(server.count for server in entry.study.servers)
        return f"{entry.key} (a study of {sites:,} sites)"
    return f"{entry.key} (a rate)" if entry.rate is not None else ""


def _taken(shown: Playlist) -> str:
    """Say which lessons hold something of the lecturer's own."""
    own = [name for entry in shown.entries if (name := _own(entry))]
    if not own:
        return ""
    return f" With your own in them: {', '.join(own)}, which the room stores and all phones show."


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
