"""The parameters of the current kind of study, and the change between kinds."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.charts import words
from pages.core import number, pick
from pages.current import draft as drafts
from pages.current import state
from pages.study import sites
from rates import numbers
from rates.numbers import EPSILON, DomainError, Parameter, decades, number_from_text
from rates.study import TransferStudy

CONTROLS: Mapping[str, tuple[tuple[Parameter, str], ...]] = {  # parameters with their titles
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


def control(parameter: Parameter, title: str) -> None:
    """Show one parameter of the current kind."""
    draft = state.draft()
    number(
        f"{draft.kind}_{parameter.name}",
        title,
        parameter,
        draft.parameters[draft.kind][parameter.name],
        functools.partial(_moved, draft.kind, parameter.name),
    )


def _moved(kind: str, name: str, value: float) -> None:
    """Take a parameter over; of a dimension the number of covariates is told with it."""
    put(kind, name, value)
    scope = state.scope().told(name)
    if name == "dimension":
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


BUDGETS = decades(-2, 2)
BUDGET_FACTOR = Parameter(
    "factor",
    "factor",
    "[0.001, 1000]",
    rule="A factor on every budget must lie between 0.001 and 1,000.",
    stops=decades(-1, 1),
    help="Multiplies the budgets ε of all protected sites in the table once.",
)


def levers() -> None:
    """A slider for the budgets of all protected sites, if any are; it writes into the table."""
    private = [s for s in state.current().servers if s.private]
    if len({s.epsilon for s in private}) > 1:  # the slider then stands at 1 again
        number("lever_factor", "Multiply every ε by", BUDGET_FACTOR, 1.0, _multiply)
    else:
        title = "Common budget ε" if len(private) > 1 else "Budget ε"
        take = functools.partial(
            sites.write, "epsilon", applies=lambda row: not row[drafts.UNPROTECTED]
        )
        number("lever_epsilon", title, EPSILON, private[0].epsilon, take, BUDGETS)


def _multiply(factor: float) -> None:
    """Multiply budgets that differ, to four digits; what is no number yet stays as typed."""

    def times(row: drafts.Row) -> drafts.Row:
        try:
            value = factor * float(number_from_text(row["epsilon"], "epsilon"))
        except DomainError:
            return {}
        return {} if row[drafts.UNPROTECTED] else {"epsilon": f"{value:.4g}"}

    sites.change(times)
