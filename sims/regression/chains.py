"""The experiment "regression-constants": from the printed recipe to the best valid one."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from rates.study import Server
from sims.engine import Array, Experiment, Number, Numbers, Point, Values
from sims.regression.estimator import PRIVACY, Noise, Plan, Recipe, World
from sims.regression.rate import M, N
from sims.regression.risk import best_clip, plan
from sims.regression.settings import BUDGET, LOSS, WORLD_SETTINGS, sampled, world_of

STEPS: dict[str, str] = {
    "as printed": "2^L from D, the paper's sensitivity and noise, tau = C + sqrt((2 alpha + 1) L).",
    "best K": "K minimises the exact risk; the rest as printed.",
    "exact sensitivity": "The most that one record can really move the release.",
    "exact noise": "The least Gaussian noise for epsilon and delta (no change at a point).",
    "best threshold": "tau minimises the exact risk too.",
    "no privacy": "No noise and no clipping.",
}


def chain_recipe(world: World, servers: tuple[Server, ...], step: str) -> Recipe:
    """Return the recipe of one step; each step keeps what the steps before it changed."""
    at = list(STEPS).index(step)
    noise: Noise = "printed" if at < 2 else "tight" if at == 2 else "analytic"
    recipe = Recipe(
        noise=noise,
        weights="printed" if at == 0 else "inverse variance",
        level="printed" if at == 0 else "oracle",
        clip=0.0,
    )
    if at == 4:
        return replace(recipe, clip=best_clip(world, servers, recipe))
    return replace(recipe, clip=60.0) if at == 5 else recipe


def chain_plan(
    world: World, servers: tuple[Server, ...], step: str, *, dimension: int | None = None
) -> Plan:
    """Return the estimator of one step of the chain."""
    recipe = chain_recipe(world, servers, step)
    if step == "no privacy":
        servers = tuple(replace(s, epsilon=math.inf) for s in servers)
    return plan(world, servers, recipe, dimension=dimension)


def _servers(values: Values, epsilon: float) -> tuple[Server, ...]:
    n, m = int(cast(float, values["n"])), int(cast(float, values["m"]))
    delta = cast(float, values["delta"])
    return (Server(name="servers", n=n, epsilon=epsilon, delta=delta, count=m),)


def chain_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-constants", one series per step."""
    world = world_of(values)
    out = []
    for step in STEPS:
        for epsilon in cast("tuple[float, ...]", values["epsilon"]):
            made = chain_plan(world, _servers(values, epsilon), step)
            out.append(
                Point(
                    series=step,
                    x=epsilon,
                    exact=made.exact,
                    settings={"epsilon": epsilon, "K": float(made.dimension), "clip": made.clip},
                )
            )
    return tuple(out)


def chain_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return losses of "regression-constants"."""
    settings = cast("Mapping[str, float]", point.settings)
    recipe = chain_recipe_at(point.series, settings["clip"])
    servers = _servers(values, math.inf if point.series == "no privacy" else point.x)
    return sampled(world_of(values), servers, recipe, point, seed, indices)


def chain_recipe_at(step: str, clip: float) -> Recipe:
    """Return the recipe of a step whose threshold is known; K is stated by the point."""
    at = list(STEPS).index(step)
    noise: Noise = "printed" if at < 2 else "tight" if at == 2 else "analytic"
    return Recipe(noise=noise, weights="printed" if at == 0 else "inverse variance", clip=clip)


CONSTANTS = Experiment(
    name="regression-constants",
    question="What do the constants of the printed recipe cost?",
    help=(
        "Six steps from the recipe as printed to no privacy, each with its exact risk and "
        "simulated. The largest step is K: equation (6) leaves the noise constant out, which is "
        "in the thousands, and asks for far too many basis functions."
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
    ),
    points=chain_points,
    sample=chain_sample,
    replicates=20,
    block=4,
    slopes=False,
)
