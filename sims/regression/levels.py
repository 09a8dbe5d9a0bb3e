"""The experiment "regression-levels": ways to choose the dimension, known smoothness or not."""

from __future__ import annotations

from dataclasses import replace

from sims.engine import Array, Point, Values, generators
from sims.regression import settings
from sims.regression.adaptive import adaptive, adaptive_losses
from sims.regression.estimator import Level, Recipe
from sims.regression.rate import ALIKE_SETTINGS
from sims.regression.risk import plan

RULES: dict[str, tuple[Level, bool]] = {
    "best K": ("oracle", False),
    "best power of two": ("oracle", True),
    "K of the calibrated equation": ("constants", False),
    "K = 2^(L+1) as printed": ("printed", True),
}
HEURISTIC = "unknown smoothness (heuristic)"


def levels_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-levels"; the heuristic has no exact risk."""
    world, recipe = settings.smooth_world(values), settings.recipe_of(values)
    budgets = [Values(epsilon=epsilon) for epsilon in values.numbers("epsilon")]
    out = []
    for series, (level, dyadic) in RULES.items():
        asked = replace(recipe, level=level, dyadic=dyadic)
        for at in budgets:
            made = plan(world, settings.servers_of(values.changed(**at)), asked)
            out.append(settings.point_of(series, at.number("epsilon"), made, at))
    if not world.pointwise and recipe.noise != "printed":
        out += [Point(series=HEURISTIC, x=at.number("epsilon"), settings=at) for at in budgets]
    return tuple(out)


def levels_setup(values: Values, point: Point) -> tuple[settings.Servers, Recipe]:
    """Return servers and recipe of a point; its K is stated by the point."""
    return settings.servers_of(values.changed(**point.settings)), settings.recipe_of(values)


def levels_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return losses of "regression-levels"."""
    if point.series == HEURISTIC:
        made = adaptive(settings.world_of(values), *levels_setup(values, point))
        return adaptive_losses(made, generators(seed, point.key, indices=indices))
    return settings.sampled(levels_setup, values, point, seed, indices)


LEVELS_EXPERIMENT = settings.experiment(
    name="regression-levels",
    question="How is the number of basis functions chosen, and what if alpha is unknown?",
    help=(
        "The best K, the best power of two, K of the calibrated equation and K as printed. The "
        "last series is a heuristic that is not in the paper: one release with the budget split "
        "evenly over the levels, then the level by Cp. It does not know alpha; most of its price "
        "is the split of the budget."
    ),
    x_label="epsilon of every server",
    parameters=(*ALIKE_SETTINGS, settings.NOISE, settings.THRESHOLD),
    points=levels_points,
    sample=levels_sample,
)
