"""The figures about a study, each with caption, words and numbers: for a page and for a report."""

from __future__ import annotations

from pages.figures import budget, shares
from pages.figures.chart import Drawn
from pages.parts.session import state
from rates.study import Study


def shares_of(study: Study, risk: str) -> Drawn:
    """Who carries the answer to one error."""
    return shares.of_study(study, next(cost for cost in state.cost(study) if cost.risk == risk))


def budgets_of(study: Study, risk: str) -> Drawn | None:
    """What the sample keeps if all budgets change together, for one error."""
    return budget.of_study(study, state.sweep(study, risk, state.FACTORS))
