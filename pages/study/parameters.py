"""The parameters of the current kind of study, and the change between kinds."""

from __future__ import annotations

import functools
from dataclasses import replace

import streamlit as st

from pages.charts import words
from pages.core import number, pick
from pages.current import draft as drafts
from pages.current import state
from rates import numbers
from rates.study import TransferStudy

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


def switch_kind(kind: str) -> None:
    """Show a study of the other kind; sites and the other kind's parameters are kept."""
    before = state.draft()
    rows = [dict(row) for row in before.rows]
    if kind == "transfer" and rows and not any(row[drafts.TARGET] for row in rows):
        rows[0][drafts.TARGET] = True
    state.show(replace(before, kind=kind, rows=tuple(rows)))


def of(kind: str) -> tuple[tuple[numbers.Parameter, str], ...]:
    """Return the parameters of a kind of study with their titles."""
    return _CONTROLS[kind]


def controls() -> None:
    """Show the parameters of the current kind."""
    for parameter, title in of(state.draft().kind):
        control(parameter, title)


def control(parameter: numbers.Parameter, title: str, where: str = "") -> None:
    """Show one parameter of the current kind; `where` tells apart places that show the same."""
    draft = state.draft()
    key = f"{draft.kind}_{parameter.name}"
    number(
        f"{where}_{key}" if where else key,
        title,
        parameter,
        draft.parameters[draft.kind][parameter.name],
        functools.partial(_moved, draft.kind, parameter.name),
    )


def _moved(kind: str, name: str, value: float) -> None:
    """Take a parameter over; where the number of covariates was told, it follows."""
    put(kind, name, value)
    scope = state.scope().told(name)
    if name == "dimension" and scope.answer("covariates"):
        scope = scope.with_answer("covariates", size(int(value)))
    state.set_scope(scope)


def size(d: int) -> str:
    """Return the answer about a number of covariates."""
    return "one" if d == 1 else "few" if d <= 5 else "many"


def put(kind: str, name: str, value: float) -> None:
    """Set a parameter of one kind of study."""
    draft = state.draft()
    changed = {**draft.parameters[kind], name: value}
    st.session_state["draft"] = replace(draft, parameters={**draft.parameters, kind: changed})
