"""The parameters of the current kind of study, and the switch between kinds."""

from __future__ import annotations

import functools
from dataclasses import replace

import streamlit as st

from pages.figures.chart import words
from pages.parts.session import ask, number, pick, state
from pages.parts.session import draft as drafts
from rates import numbers
from rates.study import TransferStudy

KINDS = {"transfer": "A classifier (transfer)", "federated": "A curve (regression)"}
_CONTROLS = {
    "transfer": (
        (numbers.SMOOTHNESS_CLASSIFICATION, "Smoothness β"),
        (numbers.DIMENSION, "Dimension d"),
        (numbers.MARGIN, "Margin α"),
    ),
    "federated": (
        (numbers.SMOOTHNESS_REGRESSION, "Smoothness α"),
        (numbers.INTEGRABILITY, "Integrability p"),
    ),
}


def risk(key: str) -> str:
    """Ask which error counts for a curve; a classifier has one only."""
    if isinstance(state.current(), TransferStudy):
        return "classification"
    return str(pick(key, "Error that counts", words.RISKS, kept=False))


def kind_switch() -> None:
    """Choose what is learned; sites and the other kind's parameters are kept."""
    now = state.draft().kind
    ask(
        "kind",
        now,
        _switch_kind,
        lambda **how: st.segmented_control(
            "What is learned",
            list(KINDS),
            format_func=KINDS.__getitem__,
            default=now,
            required=True,
            help="A classifier for one target site, helped by other sites [ACC]; or a curve that "
            "every site observes with noise [CCV].",
            **how,
        ),
    )


def _switch_kind(kind: str) -> None:
    before = state.draft()
    rows = [dict(row) for row in before.rows]
    if kind == "transfer" and rows and not any(row[drafts.TARGET] for row in rows):
        rows[0][drafts.TARGET] = True
    state.show(replace(before, kind=kind, rows=tuple(rows)))


def controls() -> None:
    """Show the parameters of the current kind."""
    draft = state.draft()
    for parameter, title in _CONTROLS[draft.kind]:
        number(
            f"{draft.kind}_{parameter.name}",
            title,
            parameter,
            draft.parameters[draft.kind][parameter.name],
            functools.partial(_set, draft.kind, parameter.name),
        )


def _set(kind: str, name: str, value: float) -> None:
    draft = state.draft()
    changed = {**draft.parameters[kind], name: value}
    st.session_state["draft"] = replace(draft, parameters={**draft.parameters, kind: changed})
