"""Which reading of the printed Table 1 the map shows hatched: kept, and shared by ``?table=``."""

from __future__ import annotations

import streamlit as st

from pages.figures import phase_maps
from pages.figures.chart import words
from pages.parts.session import inputs, state
from rates.numbers import DomainError

PARAMETER = "table"
_KEY, _LINK, _PROBLEM = "phase_reading", "phase_table_link", "phase_table_error"
_NONE = "none"


def load() -> None:
    """Take over a reading from a new address, with the map that can show it; say what is wrong."""
    memory, text = st.session_state, st.query_params.get(PARAMETER, "")
    entering = state.untouched() and text and memory.get("published") is None
    if entering or state.arrived([memory.get(_LINK)], [text]):
        memory[_LINK], memory[_PROBLEM] = text, None
        try:
            _take(text)
        except DomainError as error:
            memory[_PROBLEM] = str(error)
    if problem := memory.get(_PROBLEM):
        st.error(f"The table in the address could not be shown. {words.plain(problem)}")


def _take(text: str) -> None:
    allowed = [name for name in phase_maps.READINGS if name != _NONE]
    if text and text not in allowed:
        rule = f"The reading of Table 1 must be one of {', '.join(allowed)}."
        raise DomainError(rule, field=PARAMETER, value=text[:40])
    memory = st.session_state
    memory[_KEY] = text or _NONE
    if text:  # the table is about the first map
        memory["phase_view"], memory["phase_axes"] = "map", next(iter(phase_maps.AXES))


def box() -> str:
    """Ask which reading is shown; return it."""
    held = current()
    inputs.hold(_KEY, held)
    return st.selectbox(
        "Table 1 as printed",
        list(phase_maps.READINGS),
        list(phase_maps.READINGS).index(held),
        format_func=phase_maps.READINGS.__getitem__,
        key=_KEY,
        on_change=_chosen,
        persist_state="session",
        help="The first row of the printed table has three cells for four columns, so it can be "
        "read in two ways. Hatched: where that reading names a term that does not decide.",
    )


def _chosen() -> None:
    state.touch()
    st.session_state[_PROBLEM] = None


def current() -> str:
    """The reading that is shown, or "none"."""
    return st.session_state.get(_KEY, _NONE)


def publish() -> None:
    """Write the reading into the address where one is shown."""
    memory, text = st.session_state, current()
    if memory.get(_PROBLEM):
        return
    if text == _NONE:
        st.query_params.pop(PARAMETER, None)
        memory[_LINK] = None
    elif st.query_params.get(PARAMETER) != text or memory.get(_LINK) != text:
        memory[_LINK] = st.query_params[PARAMETER] = text
