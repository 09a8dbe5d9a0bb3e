"""The figures about a study, each with caption, words and numbers: for a page and for a report."""

from __future__ import annotations

from pages.figures import budget, shares
from pages.figures.chart import Drawn, theme
from pages.parts.session import state
from pages.parts.study import verdict
from rates.answer import Cost, Sweep
from rates.study import Study, TransferStudy


def shares_of(study: Study, risk: str) -> Drawn:
    """Who carries the answer to one error."""
    return of_shares(study, next(cost for cost in state.cost(study) if cost.risk == risk))


def budgets_of(study: Study, risk: str) -> Drawn | None:
    """What the sample keeps if all budgets change together, for one error."""
    return of_budgets(study, state.sweep(study, risk, state.FACTORS))


def of_shares(study: Study, cost: Cost) -> Drawn:
    """Who carries the answer, by equation and by mechanism."""
    has_target = isinstance(study, TransferStudy)
    names = [server.name for server in study.servers]
    panels = [("Equation", cost.equation.answer)]
    if cost.mechanism:
        panels.append(("Mechanism", verdict.middle(cost).answer))
    marks = f" {theme.TARGET_MARK} target, {theme.SOURCE_MARK} source." if has_target else ""
    caption = f"{verdict.root_text(cost)}.{marks} A row with a count speaks for all its sites."
    return shares.drawn(names, panels, has_target=has_target, caption=caption)


def of_budgets(study: Study, sweep: Sweep) -> Drawn | None:
    """What the sample keeps if all budgets change together; None without a protected site."""
    budgets = {s.epsilon for s in study.servers if s.private}
    if not budgets:
        return None
    common = len(budgets) == 1
    return budget.drawn(
        sweep,
        unit=budgets.pop() if common else 1.0,
        label="Common budget ε" if common else "Every budget ε multiplied by",
        title="What the sample is still worth, if all budgets change together",
        name="budgets",
        caption="Effective sample as a fraction of its value without privacy. The circle is where "
        "the rate equation stops seeing a cost, the diamond where the mechanism keeps one half. "
        "More budget may help long after the equation has stopped noticing.",
    )
