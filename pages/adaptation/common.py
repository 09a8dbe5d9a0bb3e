"""What the tabs of the adaptation page share: words, fields, the figure."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

from pages.charts import words
from pages.core import Block, Note, Slider
from pages.core.live import Tab
from pages.core.live import panel as live
from rates.adaptation import deployed_budget
from rates.numbers import steps
from sims.engine import Estimate, Progress, Values

METHODS = {
    "printed": "The printed algorithm",
    "profiled": "Our minimiser, weights profiled out",
    "descent": "Noisy descent, target alone",
}
LOSSES = {"squared": "Numbers", "logistic": "±1"}
ERRORS = {"squared": "Mean squared error", "logistic": "Share of wrong signs"}
LIMITS = (
    f"{live.ERRORS}\n\n"
    "- The world is synthetic: features in the unit ball, labels near a line, ten of them by "
    "default. Other data behave otherwise; the last tab has two real tables.\n"
    "- α, the penalty and the steps are chosen by you. Choosing them by private data costs "
    "budget, which no figure here includes.\n"
    "- One record per person. People with several records are less protected; see *Budget*.\n"
    "- This is a simulation, not a tool to release data."
)
tab = functools.partial(Tab, page="adaptation", limits=LIMITS)
CONCEPT = Slider("concept", "Concept shift s", steps(0, 2, 0.1))
COVARIATE = Slider("covariate", "Covariate shift c", steps(0, 1.5, 0.1))
PUBLIC = Slider("public", "Public records m", [100, 500, 1000, 2000, 5000, 10_000])
DIMENSION = Slider("dimension", "Dimension d", [2, 5, 10, 20, 50])
SHARE = Slider("alpha", "Share α of the source", steps(0.05, 0.95, 0.05))
PENALTY = Slider("penalty", "Penalty κ₁", [0.001, 0.01, 0.04, 0.1, 0.3, 1.0])
BOUND = Slider("norm_bound", "Bound Λ of the coefficients", steps(1, 4, 0.5))
DELTA = Slider("delta", "δ", [1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 0.01])


_deployed = functools.lru_cache(maxsize=128)(deployed_budget)


def promises(values: Values) -> Iterable[Block]:
    """Say at which budgets the printed noise gives less than it promises."""
    budgets, delta = values.numbers("epsilon"), values.number("delta")
    broken = [_deployed(e, delta) for e in budgets if not math.isinf(e)]
    broken = [found for found in broken if not found.valid]
    if broken:
        told = "; ".join(
            f"ε = {words.number(x.nominal)} is really {words.number(x.epsilon)}" for x in broken
        )
        yield Note(
            f"**The printed noise breaks its promise here**, at δ = {words.number(delta)}: {told}. "
            "See *Budget and bounds*.",
            "warning",
            ":material/shield:",
        )


def by_place(progress: Progress) -> dict[tuple[str, float], Estimate]:
    """Return estimates by series and place; those without replicates are left out."""
    return {(p.series, p.x): e for p, e in progress.seen()}


def told(estimate: Estimate) -> str:
    """Return a mean with its 95 % interval, in bold.

    >>> told(Estimate(0.5, 0.01, 1000))
    '**0.5 (95 %: 0.48 to 0.52)**'
    """
    return f"**{words.around(estimate)}**"
