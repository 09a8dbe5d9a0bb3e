"""The experiment "regression-rate": do real private estimators of a curve follow D?

And the exact risk along its axis as curves: no simulation, at any N.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from rates.numbers import COUNT, SAMPLE_SIZE, crossing
from sims import engine
from sims.ccv import settings
from sims.ccv.estimator import Plan, Recipe, World
from sims.ccv.risk import plan
from sims.ccv.settings import recipe_of, scaled, servers_of, world_of
from sims.engine import Array, Point, Sweep, Values

LARGEST = 10**9  # records that a simulation carries
N = SAMPLE_SIZE.within(
    f"1, ..., {LARGEST}",
    help="Records per server. With sweep m it is the total, split evenly over the servers.",
)
M = COUNT.within("1, ..., 1e6", name="m", symbol="m", help="Number of identical servers.")
ABOVE = 3.0  # times the risk without privacy
BELOW = 0.3  # times the risk of the estimate 0
FEWEST = 8  # basis functions


def sweep_of(values: Values) -> Sweep:
    """Return what runs along the axis of "regression-rate", and what makes the series."""
    return Sweep.of(values, ("epsilon", "m", "n")).possible("server")


def outside(world: World, risk: float, K: int, without: float, *, private: bool) -> str:
    """Return why a point lies outside the private window, empty if it lies inside.

    Args:
        world: For the risk of the estimate 0.
        risk: Exact risk of the point.
        K: Its dimension.
        without: Exact risk without privacy.
        private: Whether the point is protected; unprotected ones need only the other conditions.
    """
    # There the estimate is hardly better than none, and the curve flattens.
    if risk >= BELOW * world.zero:
        return f"risk above {BELOW:g} of the squared norm of the curve"
    if K < FEWEST:
        return f"fewer than {FEWEST} basis functions"
    # There sampling decides, and the slope is that of the other branch.
    if private and risk <= ABOVE * without:
        return f"risk below {ABOVE:g} times that without privacy"
    return ""


def rate_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-rate", with the exact risk of each."""
    world, sweep = settings.world_of(values), sweep_of(values)

    def left_out(made: Plan, servers: settings.Servers, recipe: Recipe) -> str:
        private = math.isfinite(servers[0].epsilon)
        free = plan(world, settings.scaled(servers, math.inf), recipe) if private else made
        return outside(world, made.exact, made.dimension, free.exact, private=private)

    bare = (
        Point(series=sweep.label(at), x=at.number(sweep.name), settings=at)
        for at in sweep.settings()
    )
    return settings.placed(
        rate_setup,
        values,
        bare,
        constants=lambda _: True,
        left_out=left_out if values["window"] == "private" else None,
    )


def rate_setup(values: Values, point: Point) -> tuple[settings.Servers, Recipe]:
    """Return servers and recipe of a point."""
    return settings.servers_of(values.changed(**point.settings)), settings.recipe_of(values)


@dataclass(frozen=True, slots=True, kw_only=True)
class Elbow:
    """Where privacy starts to cost, for m servers with n records each.

    Attributes:
        printed: epsilon at which n eps^2 = D, from (6).
        actual: epsilon at which the exact risk is twice that without privacy; nan if it never is
            between 1e-3 and 1e3.
    """

    printed: float
    actual: float


def elbow(world: World, *, n: int, m: int, delta: float, recipe: Recipe) -> Elbow:
    """Return both elbows; the noise constant, which (6) leaves out, moves the actual one.

    >>> from sims.curves.functions import curve
    >>> w = World(curves=(curve("fourier"),))
    >>> e = elbow(w, n=10_000, m=10, delta=1e-5, recipe=Recipe(noise="tight"))
    >>> round(e.printed, 3), 5 < e.actual / e.printed < 50
    (0.068, True)

    Source: [CCV] Section 2.1, below eq. (4).
    """

    def risk(epsilon: float) -> float:
        return plan(world, settings.alike(n, m, epsilon, delta), recipe).exact

    g, goal, actual = world.exponent, 2.0 * risk(math.inf), math.nan
    # Outside of these budgets a search would find a corner of its range, no elbow.
    if risk(1e-3) > goal > risk(1e3):
        ends = math.log(1e-3), math.log(1e3)
        actual = math.exp(crossing(lambda x: math.log(risk(math.exp(x)) / goal), *ends, xtol=1e-8))
    printed = math.sqrt((m * n) ** (1.0 / (2.0 * g + 1.0)) / n) if g > 0 else math.nan
    return Elbow(printed=printed, actual=actual)


def asymptotic_slopes(values: Values) -> engine.Exponents | None:
    r"""Return the exponents of [CCV] (4), (5); None where the curve has no rate.

    .. math:: (mn)^{-2g/(2g+1)}, \qquad (m n^2 \varepsilon^2)^{-2g/(2g+2)}

    With sweep m the total mn is fixed, and privacy's term grows like m^(g/(g+1)).

    Source: [CCV] eqs. (4), (5), Corollaries 1, 2.
    """
    g = settings.world_of(values).exponent
    if g <= 0:
        return None
    power = engine.POWERS[values.word("sweep")]
    return engine.Exponents(
        sampling=-2.0 * g / (2.0 * g + 1.0) * power[0],
        privacy=-2.0 * g / (2.0 * g + 2.0) * power[1],
    )


ALIKE_SETTINGS = (
    settings.BUDGETS,
    engine.Number(N, 10_000.0),
    engine.Number(M, 10.0),
    settings.LOSS,
    *settings.WORLD_SETTINGS,
)
_EPSILONS = (0.03, 0.05, 0.08, 0.13, 0.21, 0.34, 0.55, 0.9, 1.5, 2.5, 4.0, 10.0)

RATE = settings.experiment(
    name="regression-rate",
    question="Do real private estimators of a curve follow D?",
    help="m servers with n records each estimate a known curve together. The exact risk stands at "
    "every point, at any n; simulation draws the same estimator. Beyond 1e6 records the sums "
    "of clipped responses in each of 8192 cells come from normal laws of the same mean and "
    "variance, which leaves the expected loss as it is.",
    x_label="epsilon, n or m",
    parameters=(
        engine.Choice(
            name="sweep",
            options=("epsilon", "n", "m"),
            default="epsilon",
            help="What runs along the axis; the lists of the others make the series.",
        ),
        engine.Numbers(settings.BUDGET, _EPSILONS),
        engine.Numbers(N, (10_000.0,)),
        engine.Numbers(M, (10.0,)),
        settings.LOSS,
        *settings.WORLD_SETTINGS,
        settings.NOISE,
        settings.LEVEL,
        settings.THRESHOLD,
        engine.Choice(
            name="window",
            options=("private", "all"),
            default="private",
            help="Which points a slope is fitted to: those with K of at least 8 and a risk between "
            "3 times that without privacy and 0.3 of the curve's squared norm, or all.",
        ),
    ),
    points=rate_points,
    setup=rate_setup,
    slopes=True,
)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ExactCurve:
    """Exact risk of one series.

    Attributes:
        x: Values of the swept quantity, (n,).
        risk: Exact risk, (n,).
        without: Exact risk of the same servers without privacy, K chosen for it, (n,).
        dimension: K, (n,).
        elbow: Where privacy starts to cost, along budgets; None along another axis.
    """

    x: Array = field(repr=False)
    risk: Array = field(repr=False)
    without: Array = field(repr=False)
    dimension: Array = field(repr=False)
    elbow: Elbow | None


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
            elbow=_elbow(at, world, recipe) if swept == "epsilon" else None,
        )
    return out


def _elbow(at: Values, world: World, recipe: Recipe) -> Elbow:
    n, m, delta = at.whole("n"), at.whole("m"), at.number("delta")
    return elbow(world, n=n, m=m, delta=delta, recipe=recipe)


def exact_fits(points: Sequence[Point]) -> tuple[engine.Fit, ...]:
    """Return the slopes of the exact risk over the points that a fit takes, equally weighted.

    The standard error of such a slope measures how much the curve bends, not noise.
    """
    return engine.fits(points, [engine.Estimate(p.exact or math.nan, 0.0, 2) for p in points])


def transcript_noise(made: Plan) -> tuple[float, ...]:
    """Return, by row, the root mean square over [0, 1] of one server's noise, scale sqrt(K)."""
    return tuple((made.scale.mean(axis=0) * math.sqrt(made.dimension)).tolist())


def on_curve(points: Sequence[Point], estimates: Sequence[engine.Estimate]) -> tuple[int, int]:
    """Count the points whose 95% interval holds the exact risk, and those that have both.

    >>> p = [Point(series="a", x=1.0, exact=1.0), Point(series="a", x=2.0, exact=1.0)]
    >>> on_curve(p, [engine.Estimate(1.1, 0.1, 9), engine.Estimate(1.5, 0.1, 9)])
    (1, 2)
    """
    held = [
        estimate.interval()[0] <= point.exact <= estimate.interval()[1]
        for point, estimate in zip(points, estimates, strict=True)
        if point.exact is not None and estimate.replicates >= 2
    ]
    return sum(held), len(held)
