"""The one way to the file of rooms, and what the address says of a room."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import streamlit as st

from pages.charts import words
from pages.core import address
from sims.classroom import MOST_VOTERS, RoomError, Rooms, place_of_files

try:
    import resource
except ImportError:  # Windows, which knows no such limit
    resource = None  # type: ignore[assignment]

ROOM, ME = "room", "me"
_FILES = 4 * 4 * MOST_VOTERS  # four full rooms
_REFUSED, _HOSTS, _KEYS = "room_refused", "room_hosts", "room_keys"


@st.cache_resource(show_spinner=False)
def _rooms(path: Path) -> Rooms:
    open_files()
    return Rooms(path)


def open_files() -> None:
    """Let the server hold enough open files, where the system allows it.

    Every phone takes four: its line, and three of Streamlit's loop for its session. Many systems
    begin with 1,024 for all, macOS with 256, which sixty phones use up.
    """
    if resource is None:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if hard == resource.RLIM_INFINITY else min(_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def rooms() -> Rooms:
    """Return the rooms of this server.

    Raises:
        RoomError: Their file cannot be used.
    """
    return _rooms(place_of_files())


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
        st.error(words.plain(problem))


def enter(code: str, host: str, key: str = "") -> None:
    """Keep a room's pass in this session, and its new key until it has been written down."""
    memory = st.session_state
    memory[_HOSTS] = {**memory.get(_HOSTS, {}), code: host}
    if key:
        memory[_KEYS] = {**memory.get(_KEYS, {}), code: key}


def host(code: str) -> str:
    """Return this session's pass for a room; empty if it has none."""
    return str(st.session_state.get(_HOSTS, {}).get(code, ""))


def new_key(code: str) -> str:
    """Return the key of a room that was just opened; empty once it has been written down."""
    return str(st.session_state.get(_KEYS, {}).get(code, ""))


def hide_key(code: str) -> None:
    """Forget the key: whoever sees the screen shall not read it for longer than needed."""
    memory = st.session_state
    memory[_KEYS] = {one: key for one, key in memory.get(_KEYS, {}).items() if one != code}
