"""A slider for intuition beside a box for the exact value."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import streamlit as st

from pages.parts.draft import number_text
from rates.parameters import DomainError, Parameter
from rates.tables import number_from_text

ERROR = "error_"
STALE = 2.0  # seconds in which a replaced text may still come back from the browser


@dataclass(frozen=True, slots=True)
class Control:
    """What a slider with its box shows and does.

    Attributes:
        key: Widget name, unique on the page.
        title: Label.
        parameter: Domain and help.
        value: The current value.
        options: Values the slider stops at; the current value is added to them.
        apply: Called with a value that has been checked.
    """

    key: str
    title: str
    parameter: Parameter
    value: float
    options: Sequence[float]
    apply: Callable[[float], None]


def show(control: Control) -> None:
    """Draw a slider, its box, and below them what is wrong with the box, if anything."""
    memory = st.session_state
    slider, box, error = f"slider_{control.key}", f"box_{control.key}", ERROR + control.key
    # A value written here overrules what the browser holds, which may already be further on
    # while a key is held down; so it is written only where it differs.
    if memory.get(slider) != control.value:
        memory[slider] = control.value
    text = number_text(control.value)
    if not memory.get(error) and memory.get(box) != text:
        memory.setdefault(f"old_{box}", {})[memory.get(box)] = time.monotonic()
        memory[box] = text
    left, right = st.columns([5, 3], vertical_alignment="bottom", gap="small")
    left.select_slider(
        control.title,
        sorted({*control.options, control.value}),
        format_func=number_text,
        key=slider,
        help=control.parameter.help,
        on_change=_from_slider,
        args=(control, slider, error),
    )
    right.text_input(
        f"{control.title}, exact value",
        key=box,
        label_visibility="collapsed",
        on_change=_from_box,
        args=(control, box, error),
    )
    if problem := memory.get(error):
        st.error(problem)


def _from_slider(control: Control, slider: str, error: str) -> None:
    st.session_state["touched"] = True
    st.session_state[error] = None
    control.apply(st.session_state[slider])


def _from_box(control: Control, box: str, error: str) -> None:
    memory = st.session_state
    memory["touched"] = True
    written = memory.get(f"old_{box}", {}).get(memory[box], -STALE)
    if time.monotonic() - written < STALE:
        return  # not typed: the browser had not yet received the text that replaced this one
    try:
        typed = number_from_text(memory[box], control.parameter.name)
        value = control.parameter.check(float("inf") if typed == "inf" else typed)
    except DomainError as refusal:
        memory[error] = str(refusal)
        return
    memory[error] = None
    control.apply(value)


def steps(low: float, high: float, step: float) -> list[float]:
    """Return evenly spaced slider stops.

    >>> steps(0.05, 0.2, 0.05)
    [0.05, 0.1, 0.15, 0.2]
    """
    return [round(low + k * step, 10) for k in range(round((high - low) / step) + 1)]


def decades(low: int, high: int, *, whole: bool = False) -> list[float]:
    """Return slider stops on a log scale, ten per decade, to two digits.

    >>> decades(0, 1)[:4], decades(0, 1, whole=True)[:4]
    ([1.0, 1.3, 1.6, 2.0], [1.0, 2.0, 3.0, 4.0])
    """
    stops = [float(f"{10 ** (k / 10):.1e}") for k in range(10 * low, 10 * high + 1)]
    return sorted({float(round(s)) for s in stops}) if whole else stops
