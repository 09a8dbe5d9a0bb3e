"""The experiment "regression-study": a federated study's own servers on a curve that is known."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial

from rates.answer import offered_delta
from rates.numbers import COUNT, DELTA, EPSILON, SAMPLE_SIZE, DomainError
from rates.study import FederatedStudy
from sims.engine import MOST_ROWS, Numbers, Point, Values, rows_of, servers_from
from sims.regression import settings
from sims.regression.estimator import Recipe
from sims.regression.rate import LARGEST
from sims.regression.risk import plan
from sims.regression.weights import FACTOR

_LISTS = {"n": SAMPLE_SIZE, "epsilon": EPSILON, "delta": DELTA, "count": COUNT}

RULES: dict[str, Recipe] = {
    "best K and weights": Recipe(),
    "calibrated K and weights": Recipe(level="constants", weights="calibrated"),
    "K and weights as printed": Recipe(level="printed", weights="printed"),
}


def study_values(study: FederatedStudy) -> tuple[Values, str]:
    """Return a study's rows as parameters of "regression-study", and what was changed.

    A simulation carries at most 1e9 records of one row; a larger row is cut to that. A missing
    delta becomes `rates.answer.mechanism.offered_delta`. The curve takes the study's smoothness,
    cut to (1/2, 2].

    Raises:
        DomainError: The study has more rows than the experiment takes.
    """
    values, capped = rows_of(study, tuple(_LISTS), LARGEST)
    notes = [capped] if capped else []
    if study.smoothness > 2.0:
        notes.append(f"Smoothness {study.smoothness:g} cut to 2, the smoothest random curve.")
    if any(s.private and s.delta is None for s in study.servers):
        notes.append(f"delta {offered_delta(study):.3g} where none is stated.")
    return values.changed(smoothness=min(study.smoothness, 2.0)), " ".join(notes)


def study_servers(values: Values, factor: float) -> settings.Servers:
    """Return the servers of "regression-study", finite budgets multiplied by the factor."""
    servers = servers_from(values, tuple(_LISTS), factor)
    for s in servers:
        if s.n * s.count > LARGEST:
            rule = "A row must hold at most 1e9 records in all to be simulated."
            raise DomainError(rule, field="n", value=s.n * s.count, where=s.name)
    return servers


def study_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-study": three ways to choose K and the weights."""
    world, out = settings.smooth_world(values), []
    for series, factor in itertools.product(RULES, values.numbers("factor")):
        servers, recipe = _setup(values, series, factor)
        theory = settings.theory_of(world, servers, recipe, constants=recipe.level != "printed")
        made = plan(world, servers, recipe)
        out.append(settings.point_of(series, factor, made, Values(factor=factor), theory))
    return tuple(out)


def _setup(values: Values, series: str, factor: float) -> tuple[settings.Servers, Recipe]:
    asked = settings.recipe_of(values)
    recipe = replace(RULES[series], noise=asked.noise, clip=asked.clip)
    return study_servers(values, factor), recipe


def study_setup(values: Values, point: Point) -> tuple[settings.Servers, Recipe]:
    """Return servers and recipe of a point."""
    return _setup(values, point.series, point.x)


STUDY = settings.experiment(
    name="regression-study",
    question="What would the estimators of this study do on a curve that is known?",
    help=(
        "The study's own sizes and budgets, and a curve of its smoothness, with K and weights at "
        "their best, from the calibrated equation, and as printed. A row is cut to 1e9 records; "
        "beyond 1e6 the sums in each of 8192 cells come from normal laws of the same mean and "
        "variance. K is at most 2048."
    ),
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
    sample=partial(settings.sampled, study_setup),
)
