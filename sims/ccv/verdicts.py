"""What the printed recipe really does: privacy of its noise, and where it is worse than zero."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from rates.answer import solve_D
from rates.numbers import delta_of
from rates.study import columns
from sims.ccv.estimator import Plan, Recipe, World, exact_sensitivity
from sims.ccv.risk import effective_smoothness, plan, sites_of
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

    A point without K is the heuristic of `sims.ccv.adaptive`, whose levels together have
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
    c, K, risk = columns(servers), literal.dimension, literal.exact
    g = effective_smoothness(world)
    D = float(solve_D(c["n"], c["epsilon"], smoothness=g, count=c["count"]))
    sites = sites_of(servers, recipe, pointwise=world.pointwise)
    per = literal.scale.mean(axis=0) * sites.n * sites.epsilon
    constants = 2.0 * per**2 / K**2 if world.pointwise else per**2 / K
    b = float(constants.max(where=np.isfinite(sites.epsilon), initial=0.0))
    start = f"D = {D:.3g} asks for K = {K}"
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
