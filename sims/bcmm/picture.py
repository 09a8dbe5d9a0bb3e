"""What the adaptation page says: weights of one draw, budgets and bounds, what a run tells apart.

A run tells ratios of errors, and moves of the best share.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from rates import adaptation
from rates.numbers import DELTA, DIMENSION, Parameter
from sims.bcmm.algorithms import algorithm_1, private_gap
from sims.bcmm.curves import CONCEPT, COVARIATE, STEPS, design_of, world_of
from sims.bcmm.data import world_pair
from sims.bcmm.exact import minimise
from sims.engine import Array, Estimate, Number, Progress, Setting, Values, generator

START = Parameter(
    "start",
    "u₀",
    "[1, 1000]",
    help="Inverse weights at the start over their smallest values; the paper leaves it open.",
)
_SMALL = adaptation.PUBLIC.within("20, ..., 5000")
_FINITE = adaptation.BUDGET.within("(0, inf)")
_POSITIVE = adaptation.PENALTY.within("(0, inf)")
_MANY = adaptation.PRIVATE.within("1, ..., 1e9")
WEIGHTS_SETTINGS: tuple[Setting, ...] = (
    Number(_SMALL, 1000),
    Number(adaptation.PRIVATE.within("10, ..., 5000"), 200),
    Number(CONCEPT, 1.0),
    Number(COVARIATE, 0.3),
    Number(adaptation.MIXTURE, 0.5),
    Number(_POSITIVE, 0.04),
    Number(replace(_FINITE, name="budget"), 1.0),
    Number(STEPS.within("1, ..., 3000"), 1000),
    Number(START, 1.0),
    Number(adaptation.NORM_BOUND, 2.0),
    Number(DELTA, 0.01),
)
BUDGET_SETTINGS: tuple[Setting, ...] = (
    Number(_FINITE.within("(0, 100)", name="budget"), 10.0),
    Number(DELTA, 0.01),
    Number(adaptation.COPIES, 1.0),
    Number(adaptation.PUBLIC, 5000),
    Number(_MANY, 1000),
    Number(DIMENSION, 10),
    Number(adaptation.MIXTURE, 0.5),
    Number(adaptation.NORM_BOUND, 2.0),
    Number(STEPS, 1000),
)
_GRID = tuple(round(float(e), 3) for e in np.geomspace(0.25, 25.0, 25))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WeightsLook:
    """Weights of one draw, over the reference weights.

    Attributes:
        public: Of the public records, by the exact minimiser.
        private: Of the private records, by the exact minimiser.
        printed: Of the public records, after Algorithm 1.
        gap: The discrepancy, without noise.
        noise: Scale of its Laplace noise.
        moved: Largest relative change of a public inverse weight in Algorithm 1.
        deaf: How far the coefficients of Algorithm 1 move if the discrepancy is set to 0.
        hears: The same for the exact minimiser.
    """

    public: Array
    private: Array
    printed: Array
    gap: float
    noise: float
    moved: float
    deaf: float
    hears: float


def weights_look(values: Values, seed: int = 0) -> WeightsLook:
    """Return the weights of one draw of the synthetic world in ten dimensions.

    >>> from sims.engine.settings import check_values
    >>> found = weights_look(check_values(WEIGHTS_SETTINGS, {"public": 100, "steps": 50}))
    >>> found.moved < 0.01, bool(found.public.max() <= 1)
    (True, True)
    """
    world = world_of(values.changed(loss="squared", dimension=10))
    m, n, steps = values.whole("public"), values.whole("private"), values.whole("steps")
    budget, start = values.number("budget"), values.number("start")
    design = design_of(values.changed(epsilon=budget / 2.0, dimension=world.dimension))
    pair = world_pair(world, m, n, seed, 0)
    gaps = (gap := private_gap(pair, design, None), 0.0)
    best = [minimise(pair, design, d) for d in gaps]
    paths = [
        algorithm_1(pair, design, generator(seed, "weights"), steps=steps, gap=d, start=start)
        for d in gaps
    ]
    return WeightsLook(
        public=best[0][1][:m],
        private=best[0][1][m:],
        printed=m / design.alpha / paths[0].inverse[:m],
        gap=gap,
        noise=adaptation.discrepancy_noise(replace(design, epsilon=budget))[1],
        moved=paths[0].moved,
        deaf=float(np.linalg.norm(paths[0].w - paths[1].w)),
        hears=float(np.linalg.norm(best[0][0] - best[1][0])),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetLook:
    """Budgets of the printed noise and bounds of one design.

    Attributes:
        alone: Algorithm 1 at the nominal budget.
        whole: The procedure as deployed, half and half.
        copies: Records that a person stands behind.
        person: ε of such a person, by Algorithm 1.
        limit: The largest ε for which the printed noise keeps its promise.
        grid: Nominal budgets of the curves.
        alone_curve: True budgets of Algorithm 1 along them.
        whole_curve: True budgets of the whole procedure.
        moved_bound: The bound of Theorem 4.2 where every public weight has to halve.
        steps: Steps that Theorem 4.2 asks for.
        records: Private records that Theorem 4.3 asks for where every public weight has to halve.
        largest: The largest loss B, which no bound below it can miss.
        halving: Fewest steps after which a public weight can have halved.
    """

    alone: adaptation.TrueBudget
    whole: adaptation.TrueBudget
    copies: float
    person: float
    limit: float
    grid: tuple[float, ...]
    alone_curve: tuple[float, ...]
    whole_curve: tuple[float, ...]
    moved_bound: float
    steps: float
    records: float
    largest: float
    halving: float


def budget_look(values: Values) -> BudgetLook:
    """Return the budgets and bounds that checked values ask for.

    Source: [BCMM] Theorems 4.2 and 4.3; `rates.adaptation`.
    """
    epsilon, delta, steps = values.number("budget"), values.number("delta"), values.whole("steps")
    design = design_of(values.changed(epsilon=epsilon / 2.0))
    halved = adaptation.weight_gap(records=design.public, share=design.alpha, factor=2.0)
    grid = tuple(sorted({*_GRID, epsilon}))
    return BudgetLook(
        alone=adaptation.true_budget(epsilon, delta),
        whole=adaptation.deployed_budget(epsilon, delta),
        copies=(copies := values.number("copies")),
        person=adaptation.person_budget(epsilon, delta, copies),
        limit=adaptation.validity_limit(delta),
        grid=grid,
        alone_curve=tuple(adaptation.true_budget(e, delta).epsilon for e in grid),
        whole_curve=tuple(adaptation.deployed_budget(e, delta).epsilon for e in grid),
        moved_bound=adaptation.descent_bound(design, steps=steps, public_gap=halved),
        steps=adaptation.steps_needed(design),
        records=adaptation.records_needed(design, halved),
        largest=design.loss_bound,
        halving=adaptation.steps_to_halve(design),
    )


def histogram(ratio: Array, bins: int = 20) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the middles of bins of [0, 1] and the share of weights in each.

    >>> histogram(np.array([0.1, 0.9, 0.9, 1.0]), bins=2)
    ((0.25, 0.75), (0.25, 0.75))
    """
    counts, edges = np.histogram(np.clip(ratio, 0.0, 1.0), bins=bins, range=(0.0, 1.0))
    middles = (edges[1:] + edges[:-1]) / 2.0
    return tuple(middles.tolist()), tuple((counts / max(len(ratio), 1)).tolist())


def share_below(ratio: Array, level: float) -> float:
    """Return the share of weights below a level.

    >>> share_below(np.array([0.1, 0.6]), 0.5)
    0.5
    """
    return float(np.mean(ratio < level)) if len(ratio) else math.nan


UNCLEAR, SAME, TO_SOURCE, TO_TARGET = "not told apart", "same", "to the source", "to the target"
Place = tuple[str, float]  # series and x


def below(a: Estimate, b: Estimate) -> bool:
    """Say whether one mean lies below another beyond both 95% intervals.

    >>> below(Estimate(1.0, 0.1, 9), Estimate(2.0, 0.1, 9)), below(Estimate(1.0, 0.1, 9),
    ...     Estimate(1.3, 0.1, 9))
    (True, False)
    """
    return a.interval()[1] < b.interval()[0]


def apart(a: Estimate, b: Estimate) -> bool:
    """Say whether the 95% intervals of two means do not meet."""
    return below(a, b) or below(b, a)


def ratio(above: Array, under: Array) -> Estimate:
    r"""Return a ratio of two means over paired replicates, by the delta method.

    .. math:: r = \bar a/\bar b, \qquad \mathrm{se}(r) = \frac{\mathrm{sd}(a_k - r\,b_k)}
        {\bar b\sqrt R}.

    Args:
        above: One value per replicate.
        under: One value per replicate, those of the same draws.

    Returns:
        The ratio; nan with no replicates where the lower mean is not positive.

    >>> import numpy as np
    >>> found = ratio(np.array([2.0, 4.0]), np.array([1.0, 2.0]))
    >>> found.mean, found.stderr
    (2.0, 0.0)
    """
    if not len(under) or under.mean() <= 0:
        return Estimate(math.nan, math.nan, 0)
    mean, scale = float(above.mean() / under.mean()), float(under.mean())
    # What both share in a replicate cancels here.
    rest = Estimate.of((above - mean * under) / scale)
    return Estimate(mean, rest.stderr, rest.replicates, mean + rest.low, mean + rest.high)


def ratio_at(progress: Progress, above: Place, under: Place) -> Estimate | None:
    """Return the ratio of the errors at two points over the replicates that both have.

    Args:
        progress: A run; its points share their data in every replicate.
        above: Series and x.
        under: Series and x.

    Returns:
        The ratio; None where a point is missing or has fewer than two replicates.
    """
    rows = {
        (point.series, point.x): row[:count]
        for point, row, count in zip(
            progress.request.points, progress.replicated, progress.counts, strict=True
        )
    }
    a, b = rows.get(above), rows.get(under)
    if a is None or b is None or min(len(a), len(b)) < 2:
        return None
    both = min(len(a), len(b))
    return ratio(a[:both], b[:both])


def lowest(curve: Mapping[float, Estimate]) -> float:
    """Return the share with the smallest mean error."""
    return min(curve, key=lambda share: curve[share].mean)


def move(first: Mapping[float, Estimate], second: Mapping[float, Estimate]) -> str:
    """Say where the best share goes from one curve to another.

    A move counts only where both curves tell the two shares apart. Else one curve is so flat
    that its minimum may lie where that of the other does.

    Args:
        first: Errors by share of the source.
        second: Errors by share of the source.

    Returns:
        `SAME`, `TO_SOURCE`, `TO_TARGET` or `UNCLEAR`.

    >>> low, high = Estimate(1.0, 0.01, 9), Estimate(2.0, 0.01, 9)
    >>> move({0.0: low, 1.0: high}, {0.0: high, 1.0: low})
    'to the source'
    """
    start, end = lowest(first), lowest(second)
    if start == end:
        return SAME
    for curve in (first, second):
        if start not in curve or end not in curve or not apart(curve[start], curve[end]):
            return UNCLEAR
    return TO_SOURCE if end > start else TO_TARGET
