"""What the adaptation page says: weights of one draw, and ratios of errors of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rates import adaptation
from rates.numbers import DELTA
from sims.bcmm.algorithms import algorithm_1, private_gap
from sims.bcmm.curves import CONCEPT, COVARIATE, STEPS, design_of, world_of
from sims.bcmm.data import world_pair
from sims.bcmm.exact import minimise
from sims.engine import Array, Estimate, Number, Progress, Setting, Values, generator

WEIGHTS_SETTINGS: tuple[Setting, ...] = (
    Number(adaptation.PUBLIC.within("20, ..., 5000"), 1000),
    Number(adaptation.PRIVATE.within("10, ..., 5000"), 200),
    Number(CONCEPT, 1.0),
    Number(COVARIATE, 0.3),
    Number(adaptation.MIXTURE, 0.5),
    Number(adaptation.PENALTY.within("(0, inf)"), 0.04),
    Number(adaptation.BUDGET.within("(0, inf)", name="budget"), 1.0),
    Number(STEPS.within("1, ..., 3000"), 1000),
    Number(adaptation.NORM_BOUND, 2.0),
    Number(DELTA, 0.01),
)


BINS = 20


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class WeightsLook:
    """Weights of one draw, over the reference weights: shares of the records in bins of [0, 1].

    Attributes:
        public: Of the public records, by the exact minimiser.
        private: Of the private records, by the exact minimiser.
        printed: Of the public records, after Algorithm 1.
        halved: Share of the public records with less than half, by the exact minimiser.
        moved: Largest relative change of a public inverse weight in Algorithm 1.
        deaf: How far the coefficients of Algorithm 1 move if the discrepancy is set to 0.
        hears: The same for the exact minimiser.
    """

    public: Array
    private: Array
    printed: Array
    halved: float
    moved: float
    deaf: float
    hears: float


def weights_look(values: Values, seed: int = 0) -> WeightsLook:
    """Return the weights of one draw of the synthetic world in ten dimensions.

    >>> from sims.engine.settings import check_values
    >>> found = weights_look(check_values(WEIGHTS_SETTINGS, {"public": 100, "steps": 50}))
    >>> found.moved < 0.01, round(float(found.public.sum()), 9)
    (True, 1.0)
    """
    world = world_of(values.changed(loss="squared", dimension=10))
    m, n, steps = values.whole("public"), values.whole("private"), values.whole("steps")
    half = values.number("budget") / 2.0
    design = design_of(values.changed(epsilon=half, dimension=world.dimension))
    pair = world_pair(world, m, n, seed, 0)
    gaps = (private_gap(pair, design, None), 0.0)
    best = [minimise(pair, design, d) for d in gaps]
    paths = [
        algorithm_1(pair, design, generator(seed, "weights"), steps=steps, gap=d) for d in gaps
    ]
    public, private = best[0][1][:m], best[0][1][m:]
    printed = m / design.alpha / paths[0].inverse[:m]
    return WeightsLook(
        public=_shares(public),
        private=_shares(private),
        printed=_shares(printed),
        halved=float(np.mean(public < 0.5)),
        moved=paths[0].moved,
        deaf=float(np.linalg.norm(paths[0].w - paths[1].w)),
        hears=float(np.linalg.norm(best[0][0] - best[1][0])),
    )


def _shares(ratio: Array) -> Array:
    counts, _ = np.histogram(np.clip(ratio, 0.0, 1.0), bins=BINS, range=(0.0, 1.0))
    return np.asarray(counts / len(ratio))


Place = tuple[str, float]  # series and x


def apart(a: Estimate, b: Estimate) -> bool:
    """Say whether the 95% intervals of two means do not meet."""
    return a.high < b.low or b.high < a.low


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
