"""The lecturer's own screen of a room: key, remote, numbers, notes, results, and its end.

It stands in a window or on a phone that nobody else sees; the projected screen has none of this.
"""

from __future__ import annotations

import streamlit as st

from pages import core
from pages.charts import words
from pages.classroom import room
from pages.core import address, button, presenter
from sims import classroom
from sims.classroom import PAUSE, Seen, sayings

_ENDING = "room_ending"


def draw() -> None:
    """Draw the screen of the room that the address names."""
    presenter.style("phone")
    try:
        seen = room.look()
    except classroom.RoomError as error:
        room.gone(error)
        return
    st.title(f"Room {words.md(seen.code)}")
    if not room.host(seen.code):
        room.ask_key(seen.code)
        return
    base = room.base(seen.code).partition("://")[2]
    remote = words.md(f"{base}/present?room={seen.code}&side={room.PRIVATE}")
    st.caption(f"This window stays off the projector. A phone is a remote at {remote}")
    room.show_key(seen.code)
    with st.container(horizontal=True):
        room.keys(seen)
    room.said_refused()
    st.fragment(_watch, run_every=1.0)()
    _notes(seen)
    _seldom(seen)


def _watch() -> None:
    """Count phones and answers, and minutes."""
    if seen := room.follow():
        one = seen.asked
        minutes = one.entry.minutes if one.key and (one.first or one.kind == PAUSE) else 0
        told = f"phones that have joined: **{seen.voters}**"
        if seen.state != classroom.LOBBY and one.kind != PAUSE:
            told += f", answered: **{seen.answers}**"
        st.markdown(f"Question {sayings.at(seen)} · {told} · {room.clock(seen.place, minutes)}")


def _notes(seen: Seen) -> None:
    """What is asked, and folded what is true of it, for nobody but the lecturer."""
    one = seen.asked
    if one.kind == PAUSE:
        return
    st.markdown(f"**{room.text(one)}**")
    st.caption(sayings.NAMES[one.kind])
    told = one.lesson and one.lesson.explain
    if told and (place := core.fold("Notes: what is true, and why", "room_notes")):
        with place:
            core.blocks.show(room.task(one).reasons(), page="room")


def _seldom(seen: Seen) -> None:
    """Draw the screens of the class, the address, the results, and the end of the room."""
    code = seen.code
    where = f"{address.home()}/present?{room.ROOM}={code}"
    with st.container(horizontal=True):
        st.link_button("Projected screen in a new window", where, icon=":material/open_in_new:")
        button("Project in this window", "room_project", address.write, {room.SIDE: ""})
    if place := core.fold("Address that phones use", "room_address", expanded=seen.joining):
        with place:
            room.ask_address(code)
    core.offer(
        "Results (CSV)",
        lambda: classroom.results(room.rooms(), code),
        f"room-{code}.csv",
        "room_results",
        help="By question, vote and option; nobody is in it. Votes of fewer than five are not.",
    )
    if place := core.fold("End the room", "room_end"):
        with place:
            _end(seen)


def _end(seen: Seen) -> None:
    """Ask whether the room shall end; the way back stands where that was asked for."""
    memory = st.session_state
    if memory.get(_ENDING) != seen.code:
        button("End the room and delete it", "turn_end", memory.__setitem__, _ENDING, seen.code)
        return
    button("Keep the room", "turn_keep", memory.__setitem__, _ENDING, "")
    st.markdown("All answers are deleted with the room. Take the results before.")
    button("Delete the room", "turn_delete", room.step(seen, "end"))
