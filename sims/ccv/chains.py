"""The experiment "regression-constants": from the printed recipe to the best valid one."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from rates.numbers import crossing
from sims.ccv import settings, verdicts
from sims.ccv.estimator import Noise, Plan, Recipe, World
from sims.ccv.rate import ALIKE_SETTINGS
from sims.ccv.risk import best_clip, plan
from sims.engine import Point, Values

STEPS: dict[str, str] = {
    "as printed": "2^L from D, the paper's sensitivity and noise, tau = C + sqrt((2 alpha + 1) L).",
    "best K": "K minimises the exact risk; the rest as printed.",
    "exact sensitivity": "The most that one record can really move the release.",
    "exact noise": "The least Gaussian noise for ε and δ (no change at a point).",
    "best threshold": "τ minimises the exact risk too.",
    "no privacy": "No noise and no clipping.",
}

LARGEST_BUDGET = 1e3  # budget up to which the printed recipe is compared with the estimate 0


def chain_recipe(step: str, clip: float = 0.0) -> Recipe:
    """Return the recipe of one step at a threshold; each keeps what those before it changed."""
    at = list(STEPS).index(step)
    noise: Noise = "printed" if at < 2 else "tight" if at == 2 else "analytic"
    return Recipe(
        noise=noise,
        weights="printed" if at == 0 else "inverse variance",
        level="printed" if at == 0 else "oracle",
        clip=60.0 if step == "no privacy" else clip,
    )


def chain_setup(values: Values, point: Point) -> tuple[settings.Servers, Recipe]:
    """Return servers and recipe of a point; a threshold of 0 is the step's own."""
    epsilon = math.inf if point.series == "no privacy" else point.x
    servers = settings.servers_of(values.changed(epsilon=epsilon))
    recipe = chain_recipe(point.series, point.settings.number("clip"))
    if point.series == "best threshold" and not recipe.clip:
        recipe = replace(recipe, clip=best_clip(settings.world_of(values), servers, recipe))
    return servers, recipe


def chain_plan(values: Values, step: str, epsilon: float) -> Plan:
    """Return the estimator of one step of the chain."""
    return plan(settings.world_of(values), *chain_setup(values, _bare(step, epsilon)))


def _bare(step: str, epsilon: float) -> Point:
    return Point(series=step, x=epsilon, settings=Values(epsilon=epsilon, K=0.0, clip=0.0))


def chain_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-constants", one series per step."""
    asked = itertools.product(STEPS, values.numbers("epsilon"))
    return settings.placed(chain_setup, values, (_bare(*at) for at in asked))


CONSTANTS = settings.experiment(
    name="regression-constants",
    question="What do the constants of the printed recipe cost?",
    help=(
        "Six steps from the recipe as printed to no privacy, each with its exact risk and "
        "simulated. The largest step is K: equation (6) leaves the noise constant out, which is "
        "in the thousands, and asks for far too many basis functions."
    ),
    x_label="epsilon of every server",
    parameters=ALIKE_SETTINGS,
    points=chain_points,
    sample=partial(settings.sampled, chain_setup),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The chain at one budget.

    Attributes:
        steps: The estimators by step, from the printed recipe to no privacy.
        kept: What the releases of each step really guarantee; None without privacy.
        zero: Risk of the estimate 0.
        reason: Why the printed K is what it is, in sentences.
        worse_below: Budget up to which the printed recipe is worse than the estimate 0, sought
            from 1e-3 to `LARGEST_BUDGET`; nan if nowhere, inf if still there.
        worse_throughout: Whether it is so at every budget tried below that one.
    """

    steps: dict[str, Plan]
    kept: dict[str, verdicts.Guarantee | None]
    zero: float
    reason: str
    worse_below: float
    worse_throughout: bool


def chain(values: Values, epsilon: float) -> Chain:
    """Return the chain of "regression-constants" for checked values at one budget."""
    world, servers = settings.world_of(values), settings.servers_of(values.changed(epsilon=epsilon))
    steps = {name: chain_plan(values, name, epsilon) for name in STEPS}
    below, throughout = _worse_below(world, values)
    return Chain(
        steps=steps,
        kept={
            name: None if name == "no privacy" else verdicts.guarantees(made, servers)[0]
            for name, made in steps.items()
        },
        zero=world.zero,
        reason=verdicts.against_zero(world, servers, chain_recipe("as printed")),
        worse_below=below,
        worse_throughout=throughout,
    )


def _worse_below(world: World, values: Values) -> tuple[float, bool]:
    """`Chain.worse_below` and `Chain.worse_throughout`, on a grid and then between two points."""

    def excess(log_epsilon: float) -> float:
        return chain_plan(values, "as printed", math.exp(log_epsilon)).exact - world.zero

    grid = np.linspace(math.log(1e-3), math.log(LARGEST_BUDGET), 121).tolist()
    found = [excess(x) >= 0 for x in grid]
    count = sum(found)
    if not count:
        return math.nan, False
    last = len(found) - 1 - found[::-1].index(True)
    if last == len(found) - 1:
        return math.inf, all(found)
    return math.exp(crossing(excess, grid[last], grid[last + 1], xtol=1e-4)), count == last + 1
