"""The experiment "regression-weights": how much the weights of unequal servers matter."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np

from rates.study import Server
from sims.engine import Choice, Numbers, Point, Values
from sims.regression import settings
from sims.regression.estimator import WEIGHTINGS, Recipe, Weighting
from sims.regression.risk import plan

Rows = list[tuple[int, float, int]]  # n, epsilon, how many


def _hospitals() -> Rows:
    """Twenty hospitals of log-normal size, 1/5 to 5 times 5000, budgets in turn."""
    sizes = 5000.0 * np.exp(np.linspace(-1.6, 1.6, 20))
    return [(round(n), (0.2, 1.0, 5.0)[i % 3], 1) for i, n in enumerate(sizes.tolist())]


PRESETS: dict[str, Callable[[], Rows]] = {
    "hospitals": _hospitals,
    "budgets": lambda: [
        (5000, round(e, 4), 1) for e in np.exp(np.linspace(-2.4, 2.4, 20)).tolist()
    ],
    "two camps": lambda: [(10_000, 10.0, 5), (10_000, 0.1, 5)],
    "star": lambda: [(50_000, 0.5, 1), (1000, 1.0, 50)],
    "extremes": lambda: [(10_000, 10.0, 1), (10_000, 0.01, 1)],
    "nearly local": lambda: [(20, 1.0, 2500), (20, 4.0, 2500)],
}
PRESET = Choice(
    name="servers",
    options=tuple(PRESETS),
    default="hospitals",
    help=(
        "hospitals: 20 sizes from 1,000 to 25,000, budgets 0.2, 1, 5. budgets: 20 times 5,000, "
        "budgets from 0.09 to 11. two camps: 5 with epsilon 10, 5 with 0.1, 10,000 each. star: "
        "50,000 with 0.5 beside 50 times 1,000 with 1. extremes: two of 10,000 with 10 and 0.01. "
        "nearly local: 5,000 servers of 20 records, epsilon 1 or 4."
    ),
)
FACTOR = settings.BUDGET.within(
    "(0, inf)",
    name="factor",
    symbol="t",
    help="Multiplies every finite budget; 1 is the study as it stands.",
)


def preset_servers(name: str, delta: float) -> settings.Servers:
    """Return the servers of a preset.

    >>> sum(s.count for s in preset_servers("star", 1e-5))
    51
    """
    return tuple(
        Server(name=f"row {i + 1}", n=n, epsilon=epsilon, delta=delta, count=count)
        for i, (n, epsilon, count) in enumerate(PRESETS[name]())
    )


def _setup(values: Values, weighting: Weighting, factor: float) -> tuple[settings.Servers, Recipe]:
    servers = preset_servers(values.word("servers"), values.number("delta"))
    return settings.scaled(servers, factor), replace(settings.recipe_of(values), weights=weighting)


def weights_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-weights", one series per weighting, K its own."""
    world, out = settings.world_of(values), []
    for weighting, factor in itertools.product(WEIGHTINGS, values.numbers("factor")):
        made = plan(world, *_setup(values, weighting, factor))
        out.append(settings.point_of(weighting, factor, made, Values(factor=factor)))
    return tuple(out)


def weights_setup(values: Values, point: Point) -> tuple[settings.Servers, Recipe]:
    """Return servers and recipe of a point."""
    weighting = next(name for name in WEIGHTINGS if name == point.series)
    return _setup(values, weighting, point.x)


def shares(values: Values, *, factor: float = 1.0) -> dict[str, tuple[float, ...]]:
    """Return what part of the weight each row carries, count_j u_j, by weighting."""
    world = settings.world_of(values)
    out: dict[str, tuple[float, ...]] = {}
    for weighting in WEIGHTINGS:
        made = plan(world, *_setup(values, weighting, factor))
        out[weighting] = tuple((made.count * made.weight.mean(axis=0)).tolist())
    return out


WEIGHTS = settings.experiment(
    name="regression-weights",
    question="How should unequal servers be weighted?",
    help=(
        "Five ways to weigh the servers, each at its own best K. The printed weights (13) equal "
        "those by sample size as soon as n eps^2 exceeds 2^L everywhere, since the noise constant "
        "is not in them; with the constant they come close to the inverse variance."
    ),
    x_label="factor on every budget",
    parameters=(
        PRESET,
        Numbers(FACTOR, (0.25, 0.5, 1.0, 2.0, 4.0)),
        settings.LOSS,
        *settings.WORLD_SETTINGS,
        settings.NOISE,
        settings.LEVEL,
        settings.STEPS,
        settings.THRESHOLD,
    ),
    points=weights_points,
    sample=partial(settings.sampled, weights_setup),
)
