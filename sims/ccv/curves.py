"""Exact risk along the axis of "regression-rate", as curves: no simulation, at any N."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from sims.ccv.estimator import Plan, Recipe, World
from sims.ccv.rate import Elbow, elbow, rate_points, sweep_of
from sims.ccv.risk import plan
from sims.ccv.settings import recipe_of, scaled, servers_of, world_of
from sims.engine import Array, Estimate, Fit, Point, Values, fits

DOUBLED = 2.0  # times the risk without privacy, which is where the elbow is said to lie


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactCurve:
    """Exact risk of one series.

    Attributes:
        x: Values of the swept quantity, (n,).
        risk: Exact risk, (n,).
        without: Exact risk of the same servers without privacy, K chosen for it, (n,).
        dimension: K, (n,).
        elbow: Where privacy starts to cost, on the axis that is swept; nan where it does not.
    """

    x: Array = field(repr=False)
    risk: Array = field(repr=False)
    without: Array = field(repr=False)
    dimension: Array = field(repr=False)
    elbow: Elbow


def dense(low: float, high: float, count: int, *, whole: bool) -> tuple[float, ...]:
    """Return values from low to high at equal ratios, each once.

    >>> dense(1, 8, 4, whole=True)
    (1.0, 2.0, 4.0, 8.0)
    """
    values = np.geomspace(low, high, count) if high > low else np.array([float(low)])
    values[0], values[-1] = low, high
    return tuple(np.unique(np.rint(values) if whole else values).tolist())


def exact_curves(values: Values, *, count: int = 48) -> dict[str, ExactCurve]:
    """Return the exact risk of every series on a dense axis.

    Args:
        values: Checked values of "regression-rate".
        count: Points of each curve, at most.

    Raises:
        DomainError: As for the points of the experiment.
    """
    swept, ends = values.word("sweep"), sweep_of(values)
    axis = ends.axes[swept]
    many = values.changed(
        **{swept: dense(min(axis), max(axis), count, whole=swept != "epsilon")}, window="all"
    )
    world, recipe = world_of(values), recipe_of(values)
    free = lru_cache(maxsize=256)(lambda servers: plan(world, servers, recipe).exact)
    series: dict[str, list[tuple[float, ...]]] = {}
    for point in rate_points(many):
        without = free(scaled(servers_of(values.changed(**point.settings)), math.inf))
        row = (point.x, point.exact or math.nan, without, point.settings.number("K"))
        series.setdefault(point.series, []).append(row)
    out = {}
    for at in ends.ends():
        x, risk, without, dimension = np.array(series[ends.label(at)]).T
        out[ends.label(at)] = ExactCurve(
            x=x,
            risk=risk,
            without=without,
            dimension=dimension,
            elbow=_elbow(at, world, recipe, (x, risk / without)),
        )
    return out


def _elbow(at: Values, world: World, recipe: Recipe, ratio: tuple[Array, Array]) -> Elbow:
    """Return the elbow on the swept axis: n eps^2 = (mn)^(1/(2g+1)) solved for that quantity."""
    swept, g = at.word("sweep"), world.exponent
    n, m, epsilon = at.whole("n"), at.whole("m"), at.number("epsilon")
    if swept == "epsilon":
        return elbow(world, n=n, m=m, delta=at.number("delta"), recipe=recipe)
    actual = crossing(*ratio, DOUBLED)
    if g <= 0 or math.isinf(epsilon):
        return Elbow(printed=math.nan, actual=math.nan if math.isinf(epsilon) else actual)
    if swept == "n":
        log_n = (math.log(m) - 2.0 * (2.0 * g + 1.0) * math.log(epsilon)) / (2.0 * g)
        return Elbow(printed=math.exp(min(log_n, 700.0)), actual=actual)
    log_m = 2.0 * g / (2.0 * g + 1.0) * math.log(n) + 2.0 * math.log(epsilon)
    return Elbow(printed=math.exp(log_m), actual=actual)


def crossing(x: Array, y: Array, height: float) -> float:
    """Return where y first crosses a height, between points by logarithms; nan if it does not.

    >>> round(crossing(np.array([1.0, 10.0, 100.0]), np.array([8.0, 4.0, 1.0]), 2.0), 2)
    31.62
    """
    above = y > height
    changes = np.flatnonzero(above[1:] != above[:-1])
    if not changes.size:
        return math.nan
    i = int(changes[0])
    part = math.log(height / y[i]) / math.log(y[i + 1] / y[i])
    return float(x[i] * (x[i + 1] / x[i]) ** part)


def exact_fits(points: Sequence[Point]) -> tuple[Fit, ...]:
    """Return the slopes of the exact risk over the points that a fit takes, equally weighted.

    The standard error of such a slope measures how much the curve bends, not noise.
    """
    return fits(points, [Estimate(p.exact or math.nan, 0.0, 2) for p in points])


def transcript_noise(made: Plan) -> tuple[float, ...]:
    """Return, by row, the root mean square over [0, 1] of one server's noise, scale sqrt(K)."""
    return tuple((made.scale.mean(axis=0) * math.sqrt(made.dimension)).tolist())


def on_curve(points: Sequence[Point], estimates: Sequence[Estimate]) -> tuple[int, int]:
    """Count the points whose 95% interval holds the exact risk, and those that have both.

    >>> p = [Point(series="a", x=1.0, exact=1.0), Point(series="a", x=2.0, exact=1.0)]
    >>> on_curve(p, [Estimate(1.1, 0.1, 9), Estimate(1.5, 0.1, 9)])
    (1, 2)
    """
    held = [
        estimate.interval()[0] <= point.exact <= estimate.interval()[1]
        for point, estimate in zip(points, estimates, strict=True)
        if point.exact is not None and estimate.replicates >= 2
    ]
    return sum(held), len(held)
