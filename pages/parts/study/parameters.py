"""The parameters of the current kind of study, and the switch between kinds."""

from __future__ import annotations

import math
from dataclasses import replace

import streamlit as st

from pages.parts.session import draft as drafts
from pages.parts.session import inputs, state
from rates.numbers import (
    DIMENSION,
    INTEGRABILITY,
    MARGIN,
    SMOOTHNESS_CLASSIFICATION,
    SMOOTHNESS_REGRESSION,
    steps,
)

KINDS = {"transfer": "A classifier (transfer)", "federated": "A curve (regression)"}
_CONTROLS = {
    "transfer": [
        (SMOOTHNESS_CLASSIFICATION, "Smoothness β", steps(0.05, 1.0, 0.05)),
        (DIMENSION, "Dimension d", steps(1, 10, 1)),
        (MARGIN, "Margin α", steps(0.0, 4.0, 0.25)),
    ],
    "federated": [
        (SMOOTHNESS_REGRESSION, "Smoothness α", steps(0.6, 4.0, 0.1)),
        (INTEGRABILITY, "Integrability p", [2.0, 2.5, 3.0, 4.0, 6.0, 10.0, 20.0, math.inf]),
    ],
}


def kind_switch() -> None:
    """Choose what is learned; sites and the other kind's parameters are kept."""
    inputs.hold("kind", state.draft().kind)
    st.segmented_control(
        "What is learned",
        list(KINDS),
        format_func=KINDS.__getitem__,
        default=state.draft().kind,
        key="kind",
        required=True,
        on_change=_switch_kind,
        help="A classifier for one target site, helped by other sites [ACC]; or a curve that "
        "every site observes with noise [CCV].",
    )


def _switch_kind() -> None:
    state.touch()
    before = state.draft()
    rows = [dict(row) for row in before.rows]
    kind = st.session_state["kind"] or before.kind
    if kind == "transfer" and rows and not any(row[drafts.TARGET] for row in rows):
        rows[0][drafts.TARGET] = True
    state.show(replace(before, kind=kind, rows=tuple(rows)))


def controls() -> None:
    """Show the parameters of the current kind."""
    draft = state.draft()
    for parameter, title, options in _CONTROLS[draft.kind]:
        inputs.show(
            inputs.Control(
                key=f"{draft.kind}_{parameter.name}",
                title=title,
                parameter=parameter,
                value=float(draft.parameters[draft.kind][parameter.name]),
                options=options,
                apply=lambda value, kind=draft.kind, name=parameter.name: _set(kind, name, value),
            )
        )


def _set(kind: str, name: str, value: float) -> None:
    draft = state.draft()
    changed = {**draft.parameters[kind], name: value}
    st.session_state["draft"] = replace(draft, parameters={**draft.parameters, kind: changed})
