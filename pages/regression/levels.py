"""Tab "Level": how many basis functions, by four rules that know α and one that does not."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import replace

from pages.charts import words
from pages.core import Between, Block, Listing, Note, Slider, Table
from pages.core.live import Folded, repetition
from pages.regression import world
from rates.numbers import decades
from sims.engine import Estimate, Point, Progress
from sims.regression import HEURISTIC, LEVELS_EXPERIMENT, levels_setup

_BEST = "best K"
_NAMES = {  # short enough for a legend on a phone
    "best K": "Best K",
    "best power of two": "Best power of two",
    "K of the calibrated equation": "Calibrated equation",
    "K = 2^(L+1) as printed": "2^(L+1) as printed",
    HEURISTIC: "Heuristic, unknown α",
}
_TOLD = {
    "best power of two": "the best power of two",
    "K of the calibrated equation": "the calibrated equation",
    "K = 2^(L+1) as printed": "2^(L+1) as printed",
}
_BUDGETS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)


def shown_at(points: tuple[Point, ...]) -> float:
    """Return the budget that is put into words: the one nearest to 1."""
    return min({p.x for p in points}, key=lambda x: (abs(math.log(x)), x))


def _row(progress: Progress, budget: float) -> dict[str, tuple[Point, Estimate]]:
    """Point and estimate of every rule at one budget."""
    return {p.series: (p, e) for p, e in progress.seen(0) if p.x == budget}


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    budget = shown_at(progress.request.points)
    row = _row(progress, budget)
    best = row[_BEST][0]
    assert best.exact is not None
    told = ", ".join(
        f"**{words.number((row[name][0].exact or math.nan) / best.exact)}** times it with "
        f"{_TOLD[name]} (K = {words.number(row[name][0].settings.number('K'))})"
        for name in _TOLD
    )
    return (
        f"At ε = {words.number(budget)} the best number of basis functions is K = "
        f"{words.number(best.settings.number('K'))}, with exact squared error "
        f"{words.number(best.exact)}. The error is {told}. {_heuristic(row, best.exact)}"
    )


def _heuristic(row: dict[str, tuple[Point, Estimate]], best: float) -> str:
    if HEURISTIC not in row:
        return (
            "The heuristic for unknown α is left out: it is for the error over the whole curve, "
            "with the exact sensitivity or the exact noise."
        )
    found = row[HEURISTIC][1]
    if not found.replicates:
        return "Run the simulation to see what not knowing α costs with the heuristic."
    low, high = found.interval()
    return (
        f"Without knowing α the heuristic has **{words.number(found.mean / best)}** times the "
        f"best exact error (95 % Monte-Carlo interval {words.number(low / best)} to "
        f"{words.number(high / best)}, R = {found.replicates})."
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure and the table of levels."""
    points = tuple(replace(p, series=_NAMES[p.series]) for p in progress.request.points)
    yield world.drawn(
        points,
        progress.estimates,
        x_title="Budget ε of every server",
        title="Squared error under five ways to choose K",
        curve="rate",
        name="level",
    )
    budgets = sorted({point.x for point in points})
    rows = {budget: _row(progress, budget) for budget in budgets}
    names = list(rows[budgets[0]])
    yield Table(
        {
            "ε": [words.number(budget) for budget in budgets],
            **{_NAMES[n]: [_cell(*rows[budget][n]) for budget in budgets] for n in names},
        },
        "K and squared error under each way to choose K, one row per budget",
    )
    yield Note(
        "K, then the squared error: exact for the first four ways; simulated, ± one Monte-Carlo "
        "standard error, for the heuristic, which chooses anew in every replicate."
    )


def _cell(point: Point, estimate: Estimate) -> str:
    if point.exact is not None:
        return f"{words.number(point.settings.number('K'))}: {words.number(point.exact)}"
    if not estimate.replicates:
        return "not run"
    return f"{words.number(estimate.mean)} ± {words.number(estimate.stderr)}"


TAB = world.tab(
    LEVELS_EXPERIMENT,
    levels_setup,
    name="levels",
    title="Level",
    fields=(
        Between("epsilon", "Range of ε", _BUDGETS),
        Slider("n", "Records of each server n", decades(2, 6, whole=True)),
        Slider("m", "Number of servers m", decades(0, 3, whole=True)),
        world.ask_curve,
        *repetition(most=200),
        Folded(
            "Noise, threshold, error, exact list",
            (world.RISK, *world.RECIPE, Listing("epsilon", "epsilon, exact list")),
        ),
    ),
    answer=answer,
    drawn=drawn,
    formula=r"\text{calibrated: } K = D, \qquad \text{printed: } K = 2^{L+1}, \quad "
    r"L = (l_0 + 1) \vee \lceil \log_2 D \rceil",
    why=(
        "Error is bias, which falls with K, and noise, which grows with K² once privacy decides. "
        "A level that is one too high doubles K and costs up to four times the noise. Every rule "
        "but the last knows α. The heuristic releases all levels once, the squared budgets "
        "split evenly over them, and then keeps those up to the level of least estimated error "
        "(Mallows's Cp); the choice looks at the release alone and costs no more privacy."
    ),
    limits=(
        "- The heuristic is **not in the paper**. It is private as stated, and no theorem says how "
        "close to the best K it comes.\n"
        "- Most of its price is the split of the budget over levels, not the choice.\n"
        "- The best K is found with the true curve in hand; nobody has it outside a simulation."
    ),
    statements={
        "CCV:Sec2:level": "The resolution level after Theorem 2.1",
        "CCV:Eq12:index": "The coefficients (12) and their index",
        "CCV:Thm3.2:bias": "The bias at that level",
    },
)
