"""The experiment "regression-levels": ways to choose the dimension, known smoothness or not."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rates.numbers import DomainError
from rates.study import Server
from sims.engine import Array, Experiment, Number, Numbers, Point, Values, generators
from sims.regression.adaptive import adaptive, adaptive_losses
from sims.regression.estimator import PRIVACY, Level, Recipe
from sims.regression.rate import M, N
from sims.regression.risk import plan
from sims.regression.settings import (
    BUDGET,
    LOSS,
    NOISE,
    THRESHOLD,
    WORLD_SETTINGS,
    recipe_of,
    sampled,
    world_of,
)

RULES: dict[str, tuple[Level, bool]] = {
    "best K": ("oracle", False),
    "best power of two": ("oracle", True),
    "K of the calibrated equation": ("constants", False),
    "K = 2^(L+1) as printed": ("printed", True),
}
HEURISTIC = "unknown smoothness (heuristic)"


def _setup(values: Values, epsilon: float) -> tuple[tuple[Server, ...], Recipe]:
    n, m = int(cast(float, values["n"])), int(cast(float, values["m"]))
    delta = cast(float, values["delta"])
    row = Server(name="servers", n=n, epsilon=epsilon, delta=delta, count=m)
    return (row,), recipe_of({**values, "level": "oracle", "dimensions": "every"})


def levels_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-levels"; the heuristic has no exact risk."""
    world = world_of(values)
    if world.exponent <= 0.5:
        rule = "The printed and the calibrated level need a smoothness above 1/2."
        raise DomainError(rule, field="curve", value=world.exponent)
    budgets = cast("tuple[float, ...]", values["epsilon"])
    out = []
    for series, (level, dyadic) in RULES.items():
        for epsilon in budgets:
            servers, recipe = _setup(values, epsilon)
            made = plan(world, servers, replace(recipe, level=level, dyadic=dyadic))
            settings = {"epsilon": epsilon, "K": float(made.dimension)}
            out.append(Point(series=series, x=epsilon, exact=made.exact, settings=settings))
    if not world.pointwise and values["noise"] != "printed":
        out += [Point(series=HEURISTIC, x=e, settings={"epsilon": e}) for e in budgets]
    return tuple(out)


def levels_setup(values: Values, point: Point) -> tuple[tuple[Server, ...], Recipe]:
    """Return servers and recipe of a point; its K is stated by the point."""
    return _setup(values, point.x)


def levels_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return losses of "regression-levels"."""
    world, (servers, recipe) = world_of(values), levels_setup(values, point)
    if point.series == HEURISTIC:
        made = adaptive(world, servers, recipe)
        return adaptive_losses(made, generators(seed, point.key, indices=indices))
    return sampled(world, servers, recipe, point, seed, indices)


LEVELS_EXPERIMENT = Experiment(
    name="regression-levels",
    question="How is the number of basis functions chosen, and what if alpha is unknown?",
    help=(
        "The best K, the best power of two, K of the calibrated equation and K as printed. The "
        "last series is a heuristic that is not in the paper: one release with the budget split "
        "evenly over the levels, then the level by Cp. It does not know alpha; most of its price "
        "is the split of the budget."
    ),
    x_label="epsilon of every server",
    y_label="squared error",
    privacy=PRIVACY,
    parameters=(
        Numbers(
            parameter=replace(
                BUDGET, high_open=True, rule="epsilon must be positive and finite here."
            ),
            default=(0.1, 0.2, 0.5, 1.0, 2.0, 5.0),
        ),
        Number(parameter=N, default=10_000.0),
        Number(parameter=M, default=10.0),
        LOSS,
        *WORLD_SETTINGS,
        NOISE,
        THRESHOLD,
    ),
    points=levels_points,
    sample=levels_sample,
    replicates=20,
    block=4,
    slopes=False,
)
