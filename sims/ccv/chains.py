"""The experiment "regression-constants": from the printed recipe to the best valid one.

What the printed recipe really does: privacy of its noise, and where it is worse than zero.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from rates.numbers import crossing, delta_of
from sims.ccv import settings
from sims.ccv.estimator import Noise, Plan, Recipe, World, exact_sensitivity
from sims.ccv.rate import ALIKE_SETTINGS
from sims.ccv.risk import best_clip, plan, printed_D, sites_of
from sims.ccv.settings import Servers, Setup, planned
from sims.engine import Point, Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What one server's release really guarantees, one record replaced.

    Attributes:
        law: "Laplace", "Gaussian" or "none".
        epsilon: Budget asked for.
        delta: Asked for; 0 for Laplace.
        actual_epsilon: Laplace: the epsilon that its scale gives. Gaussian: the one asked for.
        actual_delta: The delta that really holds at ``actual_epsilon``.
        valid: Whether the release is (epsilon, delta)-differentially private.
    """

    law: str
    epsilon: float
    delta: float
    actual_epsilon: float
    actual_delta: float
    valid: bool


def guarantees(made: Plan, servers: Servers) -> tuple[Guarantee, ...]:
    """Return what every releasing row of a plan guarantees, from its noise and sensitivity.

    Args:
        made: The plan.
        servers: The study it was made from.
    """
    with np.errstate(divide="ignore"):
        ratio = exact_sensitivity(made)[:, None] / (made.n * made.scale)  # sensitivity over scale
    laplace, out = made.world.pointwise, []
    releasing = (s for s in servers if s.informative)
    for s, worst in zip(releasing, ratio.max(axis=0).tolist(), strict=True):
        asked = s.delta if s.private and s.delta and not laplace else 0.0
        law, epsilon, delta, valid = "none", s.epsilon, 0.0, True
        if s.private and laplace:
            law, epsilon, valid = "Laplace", worst, worst <= s.epsilon * (1.0 + 1e-9)
        elif s.private:
            law, delta = "Gaussian", float(delta_of(1.0 / worst, epsilon))
            valid = delta <= asked * (1.0 + 1e-6)
        out.append(
            Guarantee(
                law=law,
                epsilon=s.epsilon,
                delta=asked,
                actual_epsilon=epsilon,
                actual_delta=delta,
                valid=valid,
            )
        )
    return tuple(out)


def shortfalls(found: Iterable[Guarantee]) -> tuple[Guarantee, ...]:
    """Return the guarantees that fail, the worst at each budget and delta, by budget."""
    worst: dict[tuple[str, float, float], Guarantee] = {}
    for g in found:
        key = (g.law, g.epsilon, g.delta)
        if not g.valid and (key not in worst or _loss(g) > _loss(worst[key])):
            worst[key] = g
    return tuple(worst[key] for key in sorted(worst))


def _loss(g: Guarantee) -> tuple[float, float]:
    return g.actual_epsilon, g.actual_delta


def run_shortfalls(values: Values, points: Iterable[Point], setup: Setup) -> tuple[Guarantee, ...]:
    """Return the guarantees that fail at the points of a run.

    A point without K is the heuristic of `sims.ccv.choices`, whose levels together have
    the noise of one release at the same budget; the other points there speak for it.

    Args:
        values: Checked values of the experiment.
        points: Its points.
        setup: Servers and recipe of a point.
    """
    known = [point for point in points if "K" in point.settings]
    releases = (guarantees(planned(setup, values, p), setup(values, p)[0]) for p in known)
    return shortfalls(itertools.chain.from_iterable(releases))


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
        worse_below: Budget up to which the printed recipe is worse than the estimate 0, sought
            from 1e-3 to `LARGEST_BUDGET`; nan if nowhere, inf if still there.
        worse_throughout: Whether it is so at every budget tried below that one.
    """

    steps: dict[str, Plan]
    kept: dict[str, Guarantee | None]
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
            name: None if name == "no privacy" else guarantees(made, servers)[0]
            for name, made in steps.items()
        },
        zero=world.zero,
        reason=against_zero(world, servers, chain_recipe("as printed")),
        worse_below=below,
        worse_throughout=throughout,
    )


def _worse_below(world: World, values: Values) -> tuple[float, bool]:
    """`Chain.worse_below` and `Chain.worse_throughout`, on a grid and then between two points."""

    def excess(log_epsilon: float) -> float:
        return chain_plan(values, "as printed", math.exp(log_epsilon)).exact - world.zero

    # Not one search: the risk may fall below zero's and rise again.
    grid = np.linspace(math.log(1e-3), math.log(LARGEST_BUDGET), 121).tolist()
    found = [excess(x) >= 0 for x in grid]
    count = sum(found)
    if not count:
        return math.nan, False
    last = len(found) - 1 - found[::-1].index(True)
    if last == len(found) - 1:
        return math.inf, all(found)
    return math.exp(crossing(excess, grid[last], grid[last + 1], xtol=1e-4)), count == last + 1
