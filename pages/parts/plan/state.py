"""What is asked on the plan page: kept for the session, and shared by ``?plan=``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages.figures.chart import words
from pages.parts.plan import view as plan_view
from pages.parts.plan.view import PARAMETER, View
from pages.parts.session import fields, state
from rates.numbers import DomainError
from rates.study import codec

_VIEW, _LINK, _PROBLEM = "plan_view", "plan_link", "plan_link_error"


def load() -> None:
    """Make sure that something is asked, and open what is new in the address."""
    memory = st.session_state
    memory.setdefault(_VIEW, View())
    text = st.query_params.get(PARAMETER, "")
    if state.arrived([memory.get(_LINK)], [text]):
        memory[_LINK] = text
        try:
            memory[_VIEW] = plan_view.from_text(text) if text else View()
            memory[_PROBLEM] = None
            state.show(state.draft())  # as new widgets: the old ones would keep their values
        except DomainError as error:
            memory[_PROBLEM] = str(error)
    if problem := memory.get(_PROBLEM):
        st.error(f"The plan in the address could not be opened. {words.plain(problem)}")


def current() -> View:
    """What is asked, as far as the current study has it."""
    return plan_view.fitted(st.session_state[_VIEW], state.current())


def change(**fields_: object) -> None:
    """Ask something else."""
    st.session_state[_VIEW] = replace(st.session_state[_VIEW], **fields_)  # type: ignore[arg-type]


def setter(name: str) -> Callable[[float], None]:
    """Return what takes over one number."""
    return lambda value: change(**{name: value})


def take_choice(name: str) -> None:
    """Take over a choice that the browser holds."""
    given = fields.held(f"plan_{name}")
    if given is not None:
        change(**{name: given})


def publish() -> bool:
    """Write what is asked into the address; False if it is too long for a link."""
    memory, text = st.session_state, plan_view.to_text(current())
    if not text or len(text) > codec.MAX_LINK:
        st.query_params.pop(PARAMETER, None)
        memory[_LINK] = None
        return not text
    if st.query_params.get(PARAMETER) != text or memory.get(_LINK) != text:
        memory[_LINK] = text
        st.query_params[PARAMETER] = text
    return True
