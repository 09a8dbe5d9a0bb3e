"""Experiments on choices: the weights of unequal servers, and the number of basis functions K.

"regression-weights" has ways to weigh servers; "regression-study" ways to choose K and weights on a
federated study's own servers.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rates.answer import offered_delta
from rates.numbers import COUNT, DELTA, EPSILON, SAMPLE_SIZE, DomainError
from rates.study import FederatedStudy, Server
from sims import engine
from sims.ccv import settings
from sims.ccv.estimator import WEIGHTINGS, Recipe
from sims.ccv.rate import LARGEST
from sims.ccv.risk import plan
from sims.ccv.settings import Servers
from sims.engine import MOST_ROWS, Numbers, Point, Values

Rows = list[tuple[int, float, int]]  # n, epsilon, how many


def _spread(middle: float, reach: float) -> list[float]:
    """Twenty numbers evenly spread in logarithms around one."""
    return [float(x) for x in middle * np.exp(np.linspace(-reach, reach, 20))]


PRESETS: dict[str, Rows] = {
    "hospitals": [
        (round(n), (0.2, 1.0, 5.0)[i % 3], 1) for i, n in enumerate(_spread(5000.0, 1.6))
    ],
    "budgets": [(5000, round(e, 4), 1) for e in _spread(1.0, 2.4)],
    "two camps": [(10_000, 10.0, 5), (10_000, 0.1, 5)],
    "star": [(50_000, 0.5, 1), (1000, 1.0, 50)],
    "extremes": [(10_000, 10.0, 1), (10_000, 0.01, 1)],
    "nearly local": [(20, 1.0, 2500), (20, 4.0, 2500)],
}
PRESET = engine.Choice(
    name="servers",
    options=tuple(PRESETS),
    default="hospitals",
    help="hospitals: 20 sizes from 1,000 to 25,000, budgets 0.2, 1, 5. budgets: 20 times 5,000, "
    "budgets from 0.09 to 11. two camps: 5 with epsilon 10, 5 with 0.1, 10,000 each. star: "
    "50,000 with 0.5 beside 50 times 1,000 with 1. extremes: two of 10,000 with 10 and 0.01. "
    "nearly local: 5,000 servers of 20 records, epsilon 1 or 4.",
)
FACTOR = settings.BUDGET.within(
    "(0, inf)",
    name="factor",
    symbol="t",
    help="Multiplies every finite budget; 1 is the study as it stands.",
)


def preset_servers(name: str, delta: float) -> Servers:
    """Return the servers of a preset.

    >>> sum(s.count for s in preset_servers("star", 1e-5))
    51
    """
    return tuple(
        Server(name=f"row {i + 1}", n=n, epsilon=epsilon, delta=delta, count=count)
        for i, (n, epsilon, count) in enumerate(PRESETS[name])
    )


def weights_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-weights", one series per weighting, K its own."""
    asked = settings.bare(WEIGHTINGS, "factor", values)
    return settings.placed(weights_setup, values, asked)


def weights_setup(values: Values, point: Point) -> tuple[Servers, Recipe]:
    """Return servers and recipe of a point."""
    weighting = next(name for name in WEIGHTINGS if name == point.series)
    servers = preset_servers(values.word("servers"), values.number("delta"))
    recipe = replace(settings.recipe_of(values), weights=weighting)
    return settings.scaled(servers, point.x), recipe


def shares(values: Values, *, factor: float = 1.0) -> dict[str, tuple[float, ...]]:
    """Return what part of the weight each row carries, count_j u_j, by weighting."""
    out: dict[str, tuple[float, ...]] = {}
    for point in settings.bare(WEIGHTINGS, "factor", values.changed(factor=(factor,))):
        made = plan(settings.world_of(values), *weights_setup(values, point))
        out[point.series] = tuple((made.count * made.weight.mean(axis=0)).tolist())
    return out


WEIGHTS = settings.experiment(
    name="regression-weights",
    question="How should unequal servers be weighted?",
    help="Five ways to weigh the servers, each at its own best K. The printed weights (13) equal "
    "those by sample size as soon as n eps^2 exceeds 2^L everywhere, since the noise constant "
    "is not in them; with the constant they come close to the inverse variance.",
    x_label="factor on every budget",
    parameters=(
        PRESET,
        Numbers(FACTOR, (0.25, 0.5, 1.0, 2.0, 4.0)),
        settings.LOSS,
        *settings.WORLD_SETTINGS,
        settings.NOISE,
        settings.LEVEL,
        settings.THRESHOLD,
    ),
    points=weights_points,
    setup=weights_setup,
)


_LISTS = {"n": SAMPLE_SIZE, "epsilon": EPSILON, "delta": DELTA, "count": COUNT}

STUDY_RULES: dict[str, Recipe] = {
    "best K and weights": Recipe(),
    "calibrated K and weights": Recipe(level="constants", weights="calibrated"),
    "K and weights as printed": Recipe(level="printed", weights="printed"),
}


def study_values(study: FederatedStudy) -> tuple[Values, str]:
    """Return a study's rows as parameters of "regression-study", and what was changed.

    A simulation carries at most 1e9 records of one row; a larger row is cut to that. A missing
    delta becomes `rates.answer.offered_delta`. The curve takes the study's smoothness,
    cut to (1/2, 2].

    Raises:
        DomainError: The study has more rows than the experiment takes.
    """
    values, capped = engine.rows_of(study, tuple(_LISTS), LARGEST)
    notes = [capped] if capped else []
    if study.smoothness > 2.0:
        notes.append(f"Smoothness {study.smoothness:g} cut to 2, the smoothest random curve.")
    if study.without_delta:
        notes.append(f"delta {offered_delta(study):.3g} where none is stated.")
    return values.changed(smoothness=min(study.smoothness, 2.0)), " ".join(notes)


def study_servers(values: Values, factor: float) -> Servers:
    """Return the servers of "regression-study", finite budgets multiplied by the factor."""
    servers = engine.servers_from(values, tuple(_LISTS), factor)
    for s in servers:
        if s.n * s.count > LARGEST:
            rule = "A row must hold at most 1e9 records in all to be simulated."
            raise DomainError(rule, field="n", value=s.n * s.count, where=s.name)
    return servers


def study_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-study": three ways to choose K and the weights."""
    settings.smooth_world(values)
    return settings.placed(
        study_setup,
        values,
        settings.bare(STUDY_RULES, "factor", values),
        constants=lambda recipe: recipe.level != "printed",
    )


def study_setup(values: Values, point: Point) -> tuple[Servers, Recipe]:
    """Return servers and recipe of a point."""
    asked = settings.recipe_of(values)
    recipe = replace(STUDY_RULES[point.series], noise=asked.noise, clip=asked.clip)
    return study_servers(values, point.x), recipe


STUDY = settings.experiment(
    name="regression-study",
    question="What would the estimators of this study do on a curve that is known?",
    help="The study's own sizes and budgets, and a curve of its smoothness, with K and weights at "
    "their best, from the calibrated equation, and as printed. A row is cut to 1e9 records; "
    "beyond 1e6 the sums in each of 8192 cells come from normal laws of the same mean and "
    "variance. K is at most 2048.",
    x_label="factor on every budget",
    parameters=(
        Numbers(SAMPLE_SIZE, (20_000.0, 8000.0, 2500.0, 900.0, 300.0), most=MOST_ROWS),
        Numbers(EPSILON, (0.2, 0.5, 1.0, 2.0, 4.0), most=MOST_ROWS),
        Numbers(DELTA, (1e-7, 1e-7, 1e-6, 1e-6, 1e-6), most=MOST_ROWS),
        Numbers(COUNT, (1.0,), most=MOST_ROWS),
        Numbers(FACTOR, (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)),
        *settings.WORLD_SETTINGS,
        settings.NOISE,
        settings.THRESHOLD,
    ),
    points=study_points,
    setup=study_setup,
)
