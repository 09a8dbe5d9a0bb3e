"""What every site's epsilon promises: unit, neighbours, releases, and an attacker's edge."""

from __future__ import annotations

import math
from collections.abc import Sequence

import streamlit as st

from pages.parts import sites, state, tables, words
from rates.guarantee import EMPTY, Guarantee, guarantees
from rates.scenario import Study
from rates.scope import Scope

MOST_ROWS = 50


def records(scope: Scope) -> int:
    """Records per person, as far as said; 1 where nothing is said."""
    if scope.answer("records") != "several":
        return 1
    return scope.records_per_person or 2


def section() -> None:
    """Show the promises of the current study."""
    study = state.current()
    k = records(state.scope())
    rows = guarantees(study, k)
    st.markdown(EDGE)
    tables.wide(columns(rows[:MOST_ROWS], k), alt="What every site promises")
    if len(rows) > MOST_ROWS:
        st.caption(f"The first {MOST_ROWS} of {len(rows)} rows.")
    for text in warnings(rows):
        st.warning(text)
    st.markdown(TERMS)
    for text in more(study, state.scope(), k):
        st.markdown(text)
    sites.delta_help()


def columns(rows: Sequence[Guarantee], k: int) -> dict[str, list[str]]:
    """What every row promises, as columns of text; ``k`` records per person."""
    table = {
        "Site": [g.server.name for g in rows],
        "Budget ε": [_budget(g) for g in rows],
        "δ": [_delta(g) for g in rows],
        "Releases": [str(g.releases) for g in rows],
        "Edge, one record": [_edge(g, g.record_advantage) for g in rows],
    }
    if k > 1:
        table["ε of a person"] = [
            "none" if math.isinf(g.person[0]) else words.number(g.person[0]) for g in rows
        ]
        table["Edge, one person"] = [_edge(g, g.person_advantage) for g in rows]
    return table


def more(study: Study, scope: Scope, k: int) -> list[str]:
    """What several records, or people at two sites, do to the promise."""
    out = []
    if k > 1:
        out.append(
            f"**Several records per person.** Replacing all {k} records of one person multiplies "
            f"the odds {k} times, so a person has {k} times ε, and δ grows by the factor "
            f"(e^({k}ε) - 1)/(e^ε - 1)."
        )
    if scope.answer("overlap") == "yes":
        budgets = sorted((s.epsilon for s in study.servers if s.private), reverse=True)[:2]
        if len(budgets) == 2:
            out.append(
                "**People at two sites.** Their budgets add up: at most "
                f"{words.number(sum(budgets))} for a person at the two sites with the largest ones."
            )
    return out


EDGE = (
    "An attacker knows everything but one record and must tell from a site's release which of "
    "two values it has. The **edge** is the most by which such an attacker does better than "
    "guessing: hits minus false alarms, in points of 100. It is (e^ε - 1 + 2δ)/(e^ε + 1). "
    "0 is blind guessing, 100 is certainty."
)
TERMS = (
    "- **Unit**: one record of a site.\n"
    "- **Neighbours**: two data sets of the same size that differ in one record (one record "
    "replaced).\n"
    "- **Promise**: no event about the site's release changes its odds by more than a factor e^ε, "
    "except on a scale of probability δ.\n"
    "- **Releases**: each site releases one joint summary, once. Nothing else may be released from "
    "the same records under the same budget.\n"
    "- **Adding up**: sites hold different people, so a record has the budget of its own site only."
)


def _budget(row: Guarantee) -> str:
    if not row.server.private:
        return "unprotected" if row.server.informative else "nothing released"
    return words.number(row.server.epsilon)


def _delta(row: Guarantee) -> str:
    if not row.server.private:
        return "-"
    return "not stated" if row.server.delta is None else words.number(row.server.delta)


def _edge(row: Guarantee, advantage: float) -> str:
    if not row.server.private:
        return "100" if row.server.informative else "0"
    shown = words.number(100 * advantage)
    return "above 99.99" if advantage > 0.9999 else shown


def warnings(rows: tuple[Guarantee, ...]) -> list[str]:
    """Budgets that promise next to nothing."""
    large = [g for g in rows if g.server.private and g.server.epsilon >= EMPTY]
    if not large:
        return []
    most = max(g.server.epsilon for g in large)
    names = words.names([g.server.name for g in large])
    return [
        f"A budget of {words.number(most)} ({names}) promises next to nothing: "
        "the attacker above is right all but always. The paper's printed noise need not even be "
        "(ε, δ)-private there; the named mechanism here uses the exact one. All other numbers on "
        "this page still hold."
    ]
