"""What the chain of "regression-constants" shows besides its risks: privacy, zero, Lemma 3.3."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import cast

import numpy as np

from rates.study import Server
from sims.curves import Family
from sims.engine import Values
from sims.regression.chains import STEPS, chain_plan, chain_recipe
from sims.regression.estimator import World
from sims.regression.settings import world_of
from sims.regression.verdicts import (
    Comparison,
    Guarantee,
    LaplaceConstants,
    against_zero,
    guarantees,
    laplace_constants,
)

LARGEST_BUDGET = 1e3  # budget up to which the printed recipe is compared with the estimate 0
BASES: tuple[tuple[Family, int], ...] = (
    ("haar", 1),
    ("periodic", 2),
    ("periodic", 3),
    ("periodic", 4),
    ("boundary", 2),
    ("boundary", 3),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of the chain at one budget.

    Attributes:
        name: Its key in `sims.regression.chains.STEPS`.
        dimension: K.
        clip: tau.
        risk: Exact risk.
        guarantee: What its release really guarantees; None without privacy.
    """

    name: str
    dimension: int
    clip: float
    risk: float
    guarantee: Guarantee | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The chain at one budget.

    Attributes:
        steps: From the printed recipe to no privacy.
        zero: Risk of the estimate 0.
        comparison: The printed recipe against it, with the reason.
        worse_below: Budget up to which the printed recipe is worse than the estimate 0, sought
            from 1e-3 to `LARGEST_BUDGET`; nan if nowhere, inf if still there.
        worse_throughout: Whether it is so at every budget tried below that one.
    """

    steps: tuple[Step, ...]
    zero: float
    comparison: Comparison
    worse_below: float
    worse_throughout: bool


def chain(values: Values, epsilon: float) -> Chain:
    """Return the chain of "regression-constants" for checked values at one budget."""
    world = world_of(values)
    steps = []
    for name in STEPS:
        servers = _servers(values, epsilon)
        made = chain_plan(world, servers, name)
        steps.append(
            Step(
                name=name,
                dimension=made.dimension,
                clip=made.clip,
                risk=made.exact,
                guarantee=None if name == "no privacy" else guarantees(made, servers)[0],
            )
        )
    servers = _servers(values, epsilon)
    below, throughout = _worse_below(world, values)
    return Chain(
        steps=tuple(steps),
        zero=world.zero,
        comparison=against_zero(world, servers, chain_recipe(world, servers, "as printed")),
        worse_below=below,
        worse_throughout=throughout,
    )


def _worse_below(world: World, values: Values) -> tuple[float, bool]:
    """`Chain.worse_below` and `Chain.worse_throughout`, on a grid and by bisection after it."""

    def worse(epsilon: float) -> bool:
        return chain_plan(world, _servers(values, epsilon), "as printed").exact >= world.zero

    grid = np.geomspace(1e-3, LARGEST_BUDGET, 121).tolist()
    found = [worse(epsilon) for epsilon in grid]
    count = sum(found)
    if not count:
        return math.nan, False
    last = len(found) - 1 - found[::-1].index(True)
    if last == len(found) - 1:
        return math.inf, all(found)
    low, high = grid[last], grid[last + 1]
    while high > low * 1.0005:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if worse(middle) else (low, middle)
    return low, count == last + 1


def _servers(values: Values, epsilon: float) -> tuple[Server, ...]:
    n, m = int(cast(float, values["n"])), int(cast(float, values["m"]))
    delta = cast(float, values["delta"])
    return (Server(name="servers", n=n, epsilon=epsilon, delta=delta, count=m),)


def lemma(values: Values, *, dimension: int = 32) -> tuple[tuple[str, LaplaceConstants], ...]:
    """Return the constants of Lemma 3.3 at the values' place, for several bases.

    >>> from sims.regression.chains import CONSTANTS
    >>> from sims.experiment import Request
    >>> found = lemma(Request(experiment=CONSTANTS, replicates=2).values)
    >>> found[0][0], round(found[0][1].factor, 9)
    ('haar', 2.0)
    """
    world = world_of(values)
    place = (float(values["at"]),)
    out = []
    for family, moments in BASES:
        here = replace(world, curves=world.curves[:1], places=place, family=family, moments=moments)
        name = family if family == "haar" else f"{family}, {moments} moments"
        out.append((name, laplace_constants(here, dimension)))
    return tuple(out)
