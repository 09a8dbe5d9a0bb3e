"""A slider for intuition beside a box for the exact value, for one parameter."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from pages.parts import draft as drafts
from pages.parts import state
from rates.parameters import (
    DIMENSION,
    INTEGRABILITY,
    MARGIN,
    SMOOTHNESS_CLASSIFICATION,
    SMOOTHNESS_REGRESSION,
    DomainError,
    Parameter,
)
from rates.tables import number_from_text

KINDS = {"transfer": "A classifier (transfer)", "federated": "A curve (regression)"}
_SLIDERS: dict[str, list[tuple[Parameter, str, float, float, float]]] = {
    "transfer": [
        (SMOOTHNESS_CLASSIFICATION, "Smoothness β", 0.05, 1.0, 0.05),
        (DIMENSION, "Dimension d", 1, 10, 1),
        (MARGIN, "Margin α", 0.0, 4.0, 0.25),
    ],
    "federated": [
        (SMOOTHNESS_REGRESSION, "Smoothness α", 0.6, 4.0, 0.1),
    ],
}
_INTEGRABILITIES = [2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, math.inf]


def kind_switch() -> None:
    """Choose what is learned; sites and the other kind's parameters are kept."""
    memory = st.session_state
    memory["kind"] = state.draft().kind
    st.segmented_control(
        "What is learned",
        list(KINDS),
        format_func=KINDS.__getitem__,
        key="kind",
        required=True,
        on_change=_switch_kind,
        help="A classifier for one target site, helped by other sites [ACC]; or a curve that "
        "every site observes with noise [CCV].",
    )


def _switch_kind() -> None:
    before = state.draft()
    rows = [dict(row) for row in before.rows]
    kind = st.session_state["kind"]
    if kind == "transfer" and not any(row[drafts.TARGET] for row in rows) and rows:
        rows[0][drafts.TARGET] = True
    state.show(replace(before, kind=kind, rows=tuple(rows)))


def controls() -> None:
    """Show the parameters of the current kind."""
    draft = state.draft()
    for parameter, title, low, high, step in _SLIDERS[draft.kind]:
        _slider_and_box(draft.kind, parameter, title, (low, high, step))
    if draft.kind == "federated":
        _integrability()


def _slider_and_box(
    kind: str, parameter: Parameter, title: str, grid: tuple[float, float, float]
) -> None:
    memory = st.session_state
    name = parameter.name
    value = state.draft().parameters[kind][name]
    low, high, step = grid
    slider, box = f"slider_{kind}_{name}", f"box_{kind}_{name}"
    whole = parameter.whole
    nearest = min(max(low + round((value - low) / step) * step, low), high)
    memory[slider] = int(nearest) if whole else round(nearest, 10)
    if memory.get(f"error_{box}") is None:
        memory[box] = drafts.number_text(value)
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    left.slider(
        title,
        int(low) if whole else float(low),
        int(high) if whole else float(high),
        step=int(step) if whole else float(step),
        key=slider,
        help=parameter.help,
        on_change=_from_slider,
        args=(kind, name, slider, box),
    )
    right.text_input(
        f"{title}, exact value",
        key=box,
        label_visibility="collapsed",
        on_change=_from_box,
        args=(kind, parameter, box),
    )
    if problem := memory.get(f"error_{box}"):
        st.error(problem)


def _from_slider(kind: str, name: str, slider: str, box: str) -> None:
    st.session_state[f"error_{box}"] = None
    _set(kind, name, st.session_state[slider])


def _from_box(kind: str, parameter: Parameter, box: str) -> None:
    memory = st.session_state
    try:
        value = parameter.check(number_from_text(memory[box], parameter.name))
    except DomainError as error:
        memory[f"error_{box}"] = str(error)
        return
    memory[f"error_{box}"] = None
    _set(kind, parameter.name, value)


def _integrability() -> None:
    memory = st.session_state
    value = state.draft().parameters["federated"]["integrability"]
    options = sorted({*_INTEGRABILITIES, value})
    memory["integrability"] = value
    st.select_slider(
        "Integrability p",
        options,
        format_func=lambda p: "∞" if math.isinf(p) else f"{p:g}",
        key="integrability",
        help=INTEGRABILITY.help,
        on_change=lambda: _set("federated", "integrability", memory["integrability"]),
    )


def _set(kind: str, name: str, value: float) -> None:
    draft = state.draft()
    changed = {**draft.parameters[kind], name: value}
    st.session_state["draft"] = replace(draft, parameters={**draft.parameters, kind: changed})
