"""Fields of the fit page: what the browser holds is read first, then everything is drawn.

A field is named after the version of the study, so that a study that is opened brings its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial

import streamlit as st

from pages.charts import words
from pages.core import ask, controls, inputs
from rates.numbers import DomainError, Words, as_number, as_read, number_from_text

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

    What takes a number that was given in per cent belongs into `in_percent`.

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


@contextmanager
def in_percent(percent: bool = True) -> Iterator[None]:
    """State a refusal of shares in per cent, as they were typed; as it is if not ``percent``.

    >>> try:
    ...     with in_percent():
    ...         raise DomainError("A share must lie above 0.", "share", -0.01)
    ... except DomainError as refusal:
    ...     print(refusal)
    A share must lie above 0. share: got -1%.
    """
    try:
        yield
    except DomainError as refusal:
        value = _in_percent(refusal.value) if percent else refusal.value
        raise DomainError(
            refusal.rule, field=refusal.field, value=value, where=refusal.where
        ) from None


def _in_percent(value: object) -> object:
    if isinstance(value, tuple):
        return Words(" and ".join(str(_in_percent(x)) for x in value))
    number = as_number(value)
    return value if number is None else Words(f"{100 * number:.12g}%")


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
