"""The experiment "regression-constants": from the printed recipe to the best valid one.

It shows how private the noise of the printed recipe really is, and where its error is worse than
that of the zero curve.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from sims.ccv import settings
from sims.ccv.estimator import Noise, Plan, Recipe, World, exact_sensitivity
from sims.ccv.rate import ALIKE_SETTINGS
from sims.ccv.risk import best_clip, plan, printed_D, sites_of
from sims.ccv.settings import Servers, Setup, planned
from sims.engine import Point, Spent, Values, spent


def guarantees(made: Plan, servers: Servers) -> tuple[Spent | None, ...]:
    """Return what every releasing row of a plan guarantees; None for one without noise.

    Laplace noise is asked for delta = 0; where its scale is too small for epsilon, a delta holds.

    Args:
        made: The plan.
        servers: The study it was made from.
    """
    with np.errstate(divide="ignore"):
        ratio = exact_sensitivity(made)[:, None] / (made.n * made.scale)  # sensitivity over scale
    releasing = (s for s in servers if s.informative)
    pairs = zip(releasing, ratio.max(axis=0).tolist(), strict=True)
    if not made.world.pointwise:
        return tuple(spent(1.0 / worst, s.epsilon, s.delta or 0.0) for s, worst in pairs)
    return tuple(_laplace(s.epsilon, worst) if s.private else None for s, worst in pairs)


def _laplace(epsilon: float, worst: float) -> Spent:
    """What holds at epsilon if the noise is that of another one; rounding apart."""
    over = max(0.0, worst - epsilon * (1.0 + 1e-9))
    return Spent(epsilon=epsilon, delta=0.0, actual=-math.expm1(-over / 2.0))


def run_spent(values: Values, points: Iterable[Point], setup: Setup) -> tuple[Spent, ...]:
    """Return what the releases at the points of a run guarantee, each once.

    Args:
        values: Checked values of the experiment.
        points: Its points.
        setup: Servers and recipe of a point.
    """
    found = (guarantees(planned(setup, values, p), setup(values, p)[0]) for p in points)
    every = {one for row in found for one in row if one}
    return tuple(sorted(every, key=lambda one: (one.epsilon, one.delta, one.actual)))


def against_zero(world: World, servers: Servers, recipe: Recipe) -> str:
    """Compare the printed level with the estimate 0 and the best K, in sentences.

    (6) balances bias against K^2 / (n epsilon)^2, but the noise is b times that, with b in the
    hundreds or thousands: the printed K is too large, and the noise on it may exceed the curve.
    """
    literal = plan(world, servers, replace(recipe, level="printed"))
    oracle = plan(world, servers, replace(recipe, level="oracle"))
    K, risk = literal.dimension, literal.exact
    sites = sites_of(servers, recipe, pointwise=world.pointwise)
    per = literal.scale.mean(axis=0) * sites.n * sites.epsilon
    constants = 2.0 * per**2 / K**2 if world.pointwise else per**2 / K
    b = float(constants.max(where=np.isfinite(sites.epsilon), initial=0.0))
    start = f"D = {printed_D(world, servers):.3g} asks for K = {K}"
    if risk >= world.zero:
        return (
            f"{start}, as (6) takes the noise variance as K/(nε)² per coefficient. It is "
            f"b = {b:.3g} times that. The risk is {risk:.3g}, the curve's own size "
            f"{world.zero:.3g}: estimating by zero is better. The best K is {oracle.dimension}."
        )
    return (
        f"{start}; the noise constant b = {b:.3g} is not in D, and the risk {risk:.3g}"
        f" is {risk / oracle.exact:.3g} times that of the best K, {oracle.dimension}."
    )


STEPS: dict[str, str] = {
    "as printed": "2^L from D, the paper's sensitivity and noise, tau = C + sqrt((2 alpha + 1) L).",
    "best K": "K minimises the exact risk; the rest as printed.",
    "exact sensitivity": "The most that one record can really move the release.",
    "exact noise": "The least Gaussian noise for ε and δ (no change at a point).",
    "best threshold": "τ minimises the exact risk too.",
    "no privacy": "No noise and no clipping.",
}


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
    help="Six steps from the recipe as printed to no privacy, each with its exact risk and "
    "simulated. The largest step is K: equation (6) leaves the noise constant out, which is "
    "in the thousands, and asks for far too many basis functions.",
    x_label="epsilon of every server",
    parameters=ALIKE_SETTINGS,
    points=chain_points,
    setup=chain_setup,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The chain at one budget.

    Attributes:
        steps: The estimators by step, from the printed recipe to no privacy.
        kept: What the releases of each step really guarantee; None without privacy.
        zero: Risk of the estimate 0.
        reason: Why the printed K is what it is, in sentences.
    """

    steps: dict[str, Plan]
    kept: dict[str, Spent | None]
    zero: float
    reason: str


def chain(values: Values, epsilon: float) -> Chain:
    """Return the chain of "regression-constants" for checked values at one budget."""
    world, servers = settings.world_of(values), settings.servers_of(values.changed(epsilon=epsilon))
    steps = {name: chain_plan(values, name, epsilon) for name in STEPS}
    return Chain(
        steps=steps,
        kept={
            name: None if name == "no privacy" else guarantees(made, servers)[0]
            for name, made in steps.items()
        },
        zero=world.zero,
        reason=against_zero(world, servers, chain_recipe("as printed")),
    )
