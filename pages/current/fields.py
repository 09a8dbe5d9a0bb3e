"""Fields of the current study: what the browser holds is read first, then everything is drawn.

A field is named after the version of the study, so that a study that is opened brings its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from pages.charts import words
from pages.core import ask, controls, inputs
from rates.numbers import DomainError, as_read, number_from_text

UNKNOWN = "unknown"


def key(name: str) -> str:
    """Widget key of a field."""
    return f"fit_{st.session_state['version']}_{name}"


def held(name: str) -> str | None:
    """What the browser holds; None if the field has not been drawn."""
    value = st.session_state.get(key(name))
    return None if value is None else str(value)


def choose(
    name: str, label: str, options: Mapping[str, str], current: str, *, help: str | None = None
) -> str:
    """Draw a choice that starts at the current value."""
    # What the browser holds may be no option any more, of a study that has changed.
    before = (held(name), current, *options)
    now = next(word for word in before if word is not None and word in options)
    return controls.choose(key(name), label, options, now, str, help=help)


def text(name: str, label: str, current: str, *, help: str | None = None) -> None:
    """Draw a field for a number that starts at the current text."""
    before = held(name)
    now = current if before is None else before
    ask(key(name), now, str, partial(st.text_input, label, now, help=help))
    if read := as_read(now):
        st.caption(words.md(f"Read as {read}."))


def number(name: str, field: str, *, percent: bool = False) -> float | None:
    """Return the number that a field holds; None if it is empty or not drawn.

    Raises:
        DomainError: It holds something else.
    """
    given = (held(name) or "").strip()
    given = given.removesuffix("%").strip() if percent else given
    if not given:
        return None
    value = float(number_from_text(given, field))
    # After the check of what was typed, so that a refusal names that.
    return value / 100.0 if percent else value


def take(name: str, action: Callable[[], None]) -> None:
    """Take over what fields hold, or remember why not; nothing else changes then."""
    memory = st.session_state
    try:
        action()
        memory.pop(inputs.ERROR + key(name), None)
    except DomainError as refusal:
        memory[inputs.ERROR + key(name)] = str(refusal)


def problem(name: str) -> None:
    """Say beside a field why it was not taken over, if it was not."""
    if refusal := st.session_state.get(inputs.ERROR + key(name)):
        st.error(f"{words.plain(refusal)} Nothing was changed.")
