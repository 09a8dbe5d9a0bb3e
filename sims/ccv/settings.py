"""What the regression experiments may be asked, and the world, recipe and points made of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from rates.numbers import DELTA, EPSILON, DomainError
from rates.study import Server
from sims import curves, engine
from sims.ccv.estimator import CLIP, LEVELS, NOISES, PRIVACY, Plan, Recipe, World, replicates
from sims.ccv.risk import calibrated_D, plan, printed_D
from sims.engine import Array, Values

Servers = tuple[Server, ...]
Setup = Callable[[Values, engine.Point], tuple[Servers, Recipe]]  # servers and recipe of a point
NOISE = engine.Choice(
    name="noise",
    options=NOISES,
    default="tight",
    help="printed: sensitivity and noise as in the paper. tight: exact sensitivity with the "
    "printed multiplier, exactly proportional to 1/epsilon. analytic: both exact; this noise "
    "falls more slowly than 1/epsilon, which flattens slopes.",
)
LEVEL = engine.Choice(
    name="level",
    options=LEVELS,
    default="oracle",
    help="K that minimises the exact risk, K of the calibrated equation, or 2^(L+1) with "
    "L = ceil(log2 D) as printed.",
)
THRESHOLD = engine.Number(CLIP, 4.0)
LOSS = engine.Number(DELTA, 1e-5)
BUDGET = EPSILON.within("(0, inf]")
BUDGETS = engine.Numbers(BUDGET.within("(0, inf)"), (0.1, 0.2, 0.5, 1.0, 2.0, 5.0))
WORLD_SETTINGS: tuple[engine.Setting, ...] = (
    engine.Choice(
        name="risk",
        options=("integrated", "pointwise"),
        default="integrated",
        help="Squared error integrated over [0, 1], or at one point (the cusp, for a cusp).",
    ),
    engine.Choice(
        name="curve",
        options=curves.KINDS,
        default="fourier",
        help="The true curve, scaled to sup 1. Random series have the smoothness below.",
    ),
    engine.Number(curves.RANDOM_SMOOTHNESS, 1.0),
    engine.Number(curves.EXPONENT, 0.75),
    engine.Number(
        replace(
            curves.PLACE, help="Place of the cusp, and where the error at a point is measured."
        ),
        0.37,
    ),
    engine.Number(replace(curves.SEED, name="curve_seed"), 0.0),
    engine.Number(
        curves.SEED.within(
            "1, ..., 16",
            name="curves",
            symbol="P",
            help="Over how many random curves, or places, risk is averaged. One alone carries the "
            "accidents of its phases into the slope.",
        ),
        4.0,
    ),
    engine.Choice(
        name="basis",
        options=curves.FAMILIES,
        default="periodic",
        help="Haar steps, Daubechies wavelets with the ends glued, or with edge functions as in "
        "the paper; an edge function costs every coefficient more noise.",
    ),
    engine.Number(curves.MOMENTS, 2.0),
)


def experiment(*, setup: Setup | None = None, **stated: Any) -> engine.Experiment:
    """Return an experiment on regression, which draws the estimators of its points by default."""
    usual: dict[str, Any] = {
        "y_label": "squared error",
        "privacy": PRIVACY,
        "replicates": 20,
        "block": 4,
    }
    if setup:
        usual["sample"] = partial(sampled, setup)
    return engine.Experiment(**usual, **stated)


_GOLDEN = 0.6180339887498949


def world_of(values: Mapping[str, Any]) -> World:
    """Return the world that the values of `WORLD_SETTINGS` ask for.

    Raises:
        DomainError: Basis and moments do not fit.
    """
    return _world(Values({one.name: values[one.name] for one in WORLD_SETTINGS}))


@lru_cache(maxsize=8)
def _world(asked: Values) -> World:
    kind, family = asked.among("curve", curves.KINDS), asked.among("basis", curves.FAMILIES)
    pointwise, at = asked["risk"] == "pointwise", asked.number("at")
    random = kind == "fourier"
    copies = asked.whole("curves") if pointwise or random or kind == "cusp" else 1
    # Further places fill the middle half evenly; edges would change the problem.
    places = [at, *(0.25 + 0.5 * ((2 * at + i * _GOLDEN) % 1.0) for i in range(1, copies))]
    smoothness = asked.number("smoothness") if random else 1.0
    exponent = asked.number("exponent") if kind == "cusp" else 1.0
    seed = asked.whole("curve_seed")
    return World(
        curves=tuple(
            curves.curve(kind, smoothness=smoothness, exponent=exponent, at=x, seed=seed + i)
            for i, x in enumerate(places)
        ),
        places=tuple(places) if pointwise else (),
        family=family,
        moments=1 if family == "haar" else asked.whole("moments"),
    )


def recipe_of(values: Values) -> Recipe:
    """Return the recipe that noise, level, dimensions and clip ask for."""
    return Recipe(
        noise=values.among("noise", NOISES),
        level=values.among("level", LEVELS) if "level" in values else "oracle",
        clip=values.number("clip"),
    )


def alike(n: int, m: int, epsilon: float, delta: float) -> Servers:
    """Return m identical servers as one row."""
    return (Server(name="servers", n=n, epsilon=epsilon, delta=delta, count=m),)


UNLIKE = (2.0, 1.5, 1.0, 0.75, 0.5)  # records of five unlike sites, over n


def groups(n: int, m: int, epsilon: float, delta: float) -> Servers:
    """Return m sites as at most five rows, of twice n records down to half of it.

    >>> [(s.name, s.n, s.count) for s in groups(1000, 7, 1.0, 1e-5)][1:3]
    [('B', 1500, 2), ('C', 1000, 1)]
    """
    return tuple(
        Server(
            name=name,
            n=max(1, round(n * factor)),
            epsilon=epsilon,
            delta=delta,
            count=(m + 4 - i) // 5,
        )
        for i, (name, factor) in enumerate(zip("ABCDE", UNLIKE, strict=True))
        if i < m
    )


def servers_of(at: Values) -> Servers:
    """Return the m identical servers that n, m, epsilon and delta ask for, or share n records."""
    n, m = at.whole("n"), at.whole("m")
    # With sweep m the total is fixed, so that only the distribution costs.
    n //= m if at.get("sweep") == "m" else 1
    return alike(n, m, at.number("epsilon"), at.number("delta"))


def scaled(servers: Servers, factor: float) -> Servers:
    """Return the servers with every finite budget multiplied.

    >>> scaled((Server(name="A", n=10, epsilon=0.5),), 4.0)[0].epsilon
    2.0
    """
    return tuple(replace(s, epsilon=s.epsilon * factor) for s in servers)


def smooth_world(values: Values) -> World:
    """Return the world, or refuse one on which two of the levels say nothing.

    Raises:
        DomainError: Its exponent is at most 1/2.
    """
    world = world_of(values)
    if world.exponent <= 0.5:
        rule = "The printed and the calibrated level need a smoothness above 1/2."
        raise DomainError(rule, field="curve", value=world.exponent)
    return world


def theory_of(world: World, servers: Servers, recipe: Recipe, *, constants: bool) -> float | None:
    """Return D^(-2g) of equation (6), or of the calibrated one; None where there is no rate."""
    g = world.exponent
    if g <= 0 or (constants and g <= 0.5):
        return None
    D = calibrated_D(world, servers, recipe) if constants else printed_D(world, servers)
    return float(D ** (-2.0 * g)) if D > 0 else None


def bare(series: Iterable[str], axis: str, values: Values) -> Iterator[engine.Point]:
    """Yield the points of some series along one list of the values, as they are asked for."""
    for name, x in itertools.product(series, values.numbers(axis)):
        yield engine.Point(series=name, x=x, settings=Values({axis: x}))


def placed(
    setup: Setup,
    values: Values,
    points: Iterable[engine.Point],
    *,
    constants: Callable[[Recipe], bool] | None = None,
    left_out: Callable[[Plan, Servers, Recipe], str] | None = None,
) -> tuple[engine.Point, ...]:
    """Return points with the exact risk of their estimators, and their K among the settings.

    Args:
        setup: Servers and recipe of a point.
        values: Checked values of the experiment.
        points: By series, x and settings; a threshold among these becomes the one in use.
        constants: Whether theory is the calibrated equation, by recipe; None for no theory.
        left_out: Why a point takes no part in fits.
    """
    world, out = world_of(values), []
    for point in points:
        servers, recipe = setup(values, point)
        made = plan(world, servers, recipe)
        at = {"K": float(made.dimension)}
        if "clip" in point.settings:
            at["clip"] = made.clip
        theory = None
        if constants is not None:
            theory = theory_of(world, servers, recipe, constants=constants(recipe))
        out.append(
            engine.Point(
                series=point.series,
                x=point.x,
                theory=theory,
                exact=made.exact,
                settings=point.settings.changed(**at),
                left_out=left_out(made, servers, recipe) if left_out else "",
            )
        )
    return tuple(out)


def planned(setup: Setup, values: Values, point: engine.Point) -> Plan:
    """Return the estimator of a point at the dimension that it states as K."""
    return plan(world_of(values), *setup(values, point), dimension=point.settings.whole("K"))


def sampled(setup: Setup, values: Values, point: engine.Point, seed: int, indices: range) -> Array:
    """Return one loss per replicate of a point's estimator."""
    return replicates(
        planned(setup, values, point), engine.generators(seed, point.key, indices=indices)
    )
