"""The experiment "regression-rate": do real private estimators of a curve follow D?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import cast

from rates.numbers import COUNT, SAMPLE_SIZE, DomainError
from rates.study import Server
from sims.engine import Array, Choice, Experiment, Numbers, Point, Values
from sims.regression.estimator import PRIVACY, Recipe, World
from sims.regression.risk import plan
from sims.regression.settings import (
    BUDGET,
    LEVEL,
    LOSS,
    NOISE,
    STEPS,
    THRESHOLD,
    WORLD_SETTINGS,
    recipe_of,
    sampled,
    theory_of,
    world_of,
)

LARGEST = 10**9  # records that a simulation carries
N = replace(
    SAMPLE_SIZE,
    low=1,
    high=LARGEST,
    rule="n must be a whole number of at least 1.",
    limit_rule="n must be at most 1e9 to be simulated.",
    help="Records per server. With sweep m it is the total, split evenly over the servers.",
)
M = replace(
    COUNT,
    name="m",
    symbol="m",
    high=10**6,
    rule="m must be a whole number of at least 1.",
    limit_rule="m must be at most 1e6 to be simulated.",
    help="Number of identical servers.",
)
ABOVE = 3.0  # times the risk without privacy
BELOW = 0.3  # times the risk of the estimate 0
FEWEST = 8  # basis functions

_ORDER = ("epsilon", "m", "n")
_SYMBOLS = {"epsilon": "ε", "m": "m", "n": "n"}


def servers_at(values: Values, settings: Mapping[str, float]) -> tuple[Server, ...]:
    """Return the servers of one point: one row of m identical ones."""
    m = int(settings["m"])
    n = int(settings["n"]) // (m if values["sweep"] == "m" else 1)
    delta = cast(float, values["delta"])
    return (Server(name="servers", n=n, epsilon=settings["epsilon"], delta=delta, count=m),)


def _axes(values: Values) -> dict[str, tuple[float, ...]]:
    """Every quantity with its values; the swept one last."""
    swept = cast(str, values["sweep"])
    order = [*(name for name in _ORDER if name != swept), swept]
    axes = {name: cast("tuple[float, ...]", values[name]) for name in order}
    if swept == "epsilon" and any(math.isinf(e) for e in axes["epsilon"]):
        rule = "With sweep epsilon every budget must be finite, to have a place on the axis."
        raise DomainError(rule, field="epsilon", value=math.inf)
    if swept == "m" and min(axes["n"]) < max(axes["m"]):
        rule = "With sweep m every server needs a record: n must be at least m."
        raise DomainError(rule, field="n", value=min(axes["n"]))
    return axes


def _label(settings: Mapping[str, float], axes: Mapping[str, tuple[float, ...]]) -> str:
    """Name a series by what tells it from the others, and by its budget."""
    *fixed, _ = axes
    parts = [
        "no privacy"
        if name == "epsilon" and math.isinf(settings[name])
        else f"{_SYMBOLS[name]} = {settings[name]:g}"
        for name in fixed
        if len(axes[name]) > 1 or name == "epsilon"
    ]
    return ", ".join(parts) or "all"


def outside(world: World, risk: float, K: int, without: float, *, private: bool) -> str:
    """Return why a point lies outside the private window, empty if it lies inside.

    Args:
        world: For the risk of the estimate 0.
        risk: Exact risk of the point.
        K: Its dimension.
        without: Exact risk without privacy.
        private: Whether the point is protected; unprotected ones need only the other conditions.
    """
    if risk >= BELOW * world.zero:
        return f"risk above {BELOW:g} of the squared norm of the curve"
    if K < FEWEST:
        return f"fewer than {FEWEST} basis functions"
    if private and risk <= ABOVE * without:
        return f"risk below {ABOVE:g} times that without privacy"
    return ""


def rate_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-rate", with the exact risk of each."""
    world, recipe, axes = world_of(values), recipe_of(values), _axes(values)
    out = []
    for combination in itertools.product(*axes.values()):
        settings = dict(zip(axes, combination, strict=True))
        servers = servers_at(values, settings)
        made = plan(world, servers, recipe)
        private = math.isfinite(settings["epsilon"])
        reason = ""
        if values["window"] == "private":
            free = tuple(replace(s, epsilon=math.inf) for s in servers)
            without = plan(world, free, recipe).exact if private else made.exact
            reason = outside(world, made.exact, made.dimension, without, private=private)
        constants = values["theory"] == "calibrated"
        out.append(
            Point(
                series=_label(settings, axes),
                x=combination[-1],
                theory=theory_of(world, servers, recipe, constants=constants),
                exact=made.exact,
                settings={**settings, "K": float(made.dimension)},
                left_out=reason,
            )
        )
    return tuple(out)


def rate_setup(values: Values, point: Point) -> tuple[tuple[Server, ...], Recipe]:
    """Return servers and recipe of a point."""
    return servers_at(values, cast("Mapping[str, float]", point.settings)), recipe_of(values)


def rate_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return losses of "regression-rate"."""
    servers, recipe = rate_setup(values, point)
    return sampled(world_of(values), servers, recipe, point, seed, indices)


Theories = tuple[float, float | None, float | None]


def both_theories(values: Values) -> dict[str, tuple[Theories, ...]]:
    """Return x, D^(-2g) of (6) and of the calibrated equation for every point, by series."""
    world, recipe, axes = world_of(values), recipe_of(values), _axes(values)
    out: dict[str, list[Theories]] = {}
    for combination in itertools.product(*axes.values()):
        settings = dict(zip(axes, combination, strict=True))
        servers = servers_at(values, settings)
        plain = theory_of(world, servers, recipe, constants=False)
        named = theory_of(world, servers, recipe, constants=True)
        out.setdefault(_label(settings, axes), []).append((combination[-1], plain, named))
    return {series: tuple(rows) for series, rows in out.items()}


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

    def risk(log_epsilon: float) -> float:
        budget = math.inf if math.isinf(log_epsilon) else math.exp(log_epsilon)
        row = Server(name="servers", n=n, epsilon=budget, delta=delta, count=m)
        return plan(world, (row,), recipe).exact

    g, goal = world.exponent, 2.0 * risk(math.inf)
    low, high = math.log(1e-3), math.log(1e3)
    actual = math.nan
    if risk(low) > goal > risk(high):
        for _ in range(30):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if risk(middle) > goal else (low, middle)
        actual = math.exp(0.5 * (low + high))
    printed = math.sqrt((m * n) ** (1.0 / (2.0 * g + 1.0)) / n) if g > 0 else math.nan
    return Elbow(printed=printed, actual=actual)


@dataclass(frozen=True, slots=True, kw_only=True)
class Exponents:
    """Slopes of log risk in the logarithm of the swept quantity, far out.

    Attributes:
        sampling: Where sampling decides.
        privacy: Where privacy decides.
    """

    sampling: float
    privacy: float


def asymptotic_slopes(values: Values) -> Exponents | None:
    r"""Return the exponents of [CCV] (4), (5); None where the curve has no rate.

    .. math:: (mn)^{-2g/(2g+1)}, \qquad (m n^2 \varepsilon^2)^{-2g/(2g+2)}

    With sweep m the total mn is fixed, and privacy's term grows like m^(g/(g+1)).

    Source: [CCV] eqs. (4), (5), Corollaries 1, 2.
    """
    g = world_of(values).exponent
    if g <= 0:
        return None
    power = {"n": (1.0, 2.0), "epsilon": (0.0, 2.0), "m": (0.0, -1.0)}[cast(str, values["sweep"])]
    return Exponents(
        sampling=-2.0 * g / (2.0 * g + 1.0) * power[0],
        privacy=-2.0 * g / (2.0 * g + 2.0) * power[1],
    )


_EPSILONS = (0.03, 0.05, 0.08, 0.13, 0.21, 0.34, 0.55, 0.9, 1.5, 2.5, 4.0, 10.0)

RATE = Experiment(
    name="regression-rate",
    question="Do real private estimators of a curve follow D?",
    help=(
        "m servers with n records each estimate a known curve together. The exact risk stands at "
        "every point, at any n; simulation draws the same estimator. Beyond 1e6 records the sums "
        "of clipped responses in each of 8192 cells come from normal laws of the same mean and "
        "variance, which leaves the expected loss as it is."
    ),
    x_label="epsilon, n or m",
    y_label="squared error",
    privacy=PRIVACY,
    parameters=(
        Choice(
            name="sweep",
            options=("epsilon", "n", "m"),
            default="epsilon",
            help="What runs along the axis; the lists of the others make the series.",
        ),
        Numbers(parameter=BUDGET, default=_EPSILONS),
        Numbers(parameter=N, default=(10_000.0,)),
        Numbers(parameter=M, default=(10.0,)),
        LOSS,
        *WORLD_SETTINGS,
        NOISE,
        LEVEL,
        STEPS,
        THRESHOLD,
        Choice(
            name="window",
            options=("private", "all"),
            default="private",
            help=(
                "Which points a slope is fitted to: those with K of at least 8 and a risk between "
                "3 times that without privacy and 0.3 of the curve's squared norm, or all."
            ),
        ),
        Choice(
            name="theory",
            options=("calibrated", "equation (6)"),
            default="calibrated",
            help="Which curve a point is compared with: with the mechanism's constants, or D.",
        ),
    ),
    points=rate_points,
    sample=rate_sample,
    replicates=20,
    block=4,
)
