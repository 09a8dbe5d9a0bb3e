"""The one way to the file of rooms, and what the address says of a room."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.parts.session import address
from sims.classroom import RoomError, Rooms

ROOM, ME = "room", "me"
_REFUSED = "room_refused"


@st.cache_resource(show_spinner=False)
def _rooms() -> Rooms:
    return Rooms()


def rooms() -> Rooms:
    """Return the rooms of this server.

    Raises:
        RoomError: Their file cannot be used.
    """
    return _rooms()


def asked() -> str:
    """Return the code of a room that the address names, as people write it; empty for none."""
    return "".join(address.get(ROOM).upper().split())[:20]


def guarded(act: Callable[[], None]) -> Callable[[], None]:
    """Return what a button calls: what is refused is remembered for the run that follows."""

    def called() -> None:
        st.session_state[_REFUSED] = ""
        try:
            act()
        except RoomError as error:
            st.session_state[_REFUSED] = str(error)

    return called


def said_refused() -> None:
    """Say what was refused last, once."""
    if problem := st.session_state.pop(_REFUSED, ""):
        st.error(problem)
