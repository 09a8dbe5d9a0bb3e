"""Try a change: sliders on a log scale for one site's records and budget, or for all budgets."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from pages.core import menu, number
from pages.current import draft as drafts
from pages.current import state
from rates.numbers import EPSILON, SAMPLE_SIZE, DomainError, Parameter, decades
from rates.rows import number_from_text

ALL = "All protected sites"
RECORDS = decades(1, 7, whole=True)
BUDGETS = decades(-2, 2)
NO_BUDGET = "No site with records has a finite budget, so there is none to change."
FACTORS = decades(-1, 1)
BUDGET_FACTOR = Parameter(
    "factor",
    "factor",
    "[0.001, 1000]",
    rule="A factor on every budget must lie between 0.001 and 1,000.",
    help="Multiplies the budgets ε of all protected sites in the table once.",
)


def panel() -> None:
    """Show the panel for the current study."""
    servers = state.current().servers
    by_name = {server.name: server for server in servers}
    options = [ALL, *by_name]
    if st.session_state.get("lever_site", ALL) not in options:
        st.session_state["lever_site"] = options[0]
    chosen = menu(
        "lever_site",
        "Try a change at",
        {name: name for name in options},
        help="The sliders write into the table below. All protected sites: one common budget, or "
        "a factor where their budgets differ.",
    )
    private = [s for s in servers if s.private]
    if chosen == ALL:
        if not private:
            st.caption(NO_BUDGET)
            return
        if len({s.epsilon for s in private}) > 1:
            _factor()
        else:
            _budget(chosen, private[0].epsilon, len(private) > 1)
        return
    server = by_name[chosen]
    number(
        "lever_n",
        "Records n",
        SAMPLE_SIZE,
        server.n,
        lambda value: _write("n", value, lambda row: row["name"] == server.name),
        RECORDS,
    )
    if math.isinf(server.epsilon):
        st.caption("This site is unprotected in this calculation; untick it to set a budget.")
    else:
        _budget(chosen, server.epsilon, False)


def _budget(chosen: str, value: float, common: bool) -> None:
    number(
        "lever_epsilon",
        "Common budget ε" if common else "Budget ε",
        EPSILON,
        value,
        lambda epsilon: _write(
            "epsilon",
            epsilon,
            lambda row: not row[drafts.UNPROTECTED] if chosen == ALL else row["name"] == chosen,
        ),
        BUDGETS,
    )


def _factor() -> None:
    """Multiply budgets that differ; the slider then stands at 1 again."""
    number("lever_factor", "Multiply every ε by", BUDGET_FACTOR, 1.0, _multiply, FACTORS)


def _multiply(factor: float) -> None:
    draft = state.draft()
    rows = tuple(
        row if row[drafts.UNPROTECTED] else {**row, "epsilon": _times(row["epsilon"], factor)}
        for row in draft.rows
    )
    state.show(replace(draft, rows=rows))


def _times(text: str, factor: float) -> str:
    """A budget as typed, multiplied, to four digits; as it is where it is no number yet."""
    try:
        return f"{float(number_from_text(text, 'epsilon')) * factor:.4g}"
    except DomainError:
        return text


def _write(field: str, value: float, applies: Callable[[drafts.Row], bool]) -> None:
    """Write a value into the rows of the table that it applies to."""
    draft = state.draft()
    text = drafts.number_text(value)
    change: drafts.Row = {drafts.UNPROTECTED: True} if math.isinf(value) else {field: text}
    rows = tuple({**row, **change} if applies(row) else row for row in draft.rows)
    state.show(replace(draft, rows=rows))
