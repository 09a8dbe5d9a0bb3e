"""The experiment "regression-study": a federated study's own servers on a curve that is known."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from rates.answer import offered_delta
from rates.numbers import COUNT, DELTA, EPSILON, SAMPLE_SIZE, DomainError, Words
from rates.study import FederatedStudy, Server
from sims.engine import Array, Experiment, Numbers, Point, Value, Values
from sims.regression.estimator import PRIVACY, Recipe
from sims.regression.rate import LARGEST
from sims.regression.risk import plan
from sims.regression.settings import (
    NOISE,
    THRESHOLD,
    WORLD_SETTINGS,
    recipe_of,
    sampled,
    theory_of,
    world_of,
)
from sims.regression.verdicts import scaled
from sims.regression.weights import FACTOR

MOST_ROWS = 200
_LISTS = {"n": SAMPLE_SIZE, "epsilon": EPSILON, "delta": DELTA, "count": COUNT}

RULES: dict[str, Recipe] = {
    "best K and weights": Recipe(),
    "calibrated K and weights": Recipe(level="constants", weights="calibrated"),
    "K and weights as printed": Recipe(level="printed", weights="printed"),
}


def study_values(study: FederatedStudy) -> tuple[dict[str, Value], str]:
    """Return a study's rows as parameters of "regression-study", and what was capped.

    A simulation carries at most 1e9 records of one row; a larger row is cut to that. A missing
    delta becomes `rates.answer.mechanism.offered_delta`. The curve takes the study's smoothness,
    cut to (1/2, 2].

    Raises:
        DomainError: The study has more rows than the experiment takes.
    """
    if len(study.servers) > MOST_ROWS:
        rule = f"The simulation takes at most {MOST_ROWS} rows."
        raise DomainError(rule, field="servers", value=len(study.servers))
    delta, capped = offered_delta(study), []
    columns: dict[str, list[float]] = {name: [] for name in _LISTS}
    for row in study.servers:
        n = min(row.n, LARGEST // row.count)
        if n < row.n:
            capped.append(row.name)
        entries = (n, row.epsilon, row.delta or delta, row.count)
        for name, entry in zip(_LISTS, entries, strict=True):
            columns[name].append(float(entry))
    values: dict[str, Value] = {name: tuple(column) for name, column in columns.items()}
    values["smoothness"] = min(study.smoothness, 2.0)
    notes = [f"Cut to 1e9 records in all: {', '.join(capped)}."] if capped else []
    if study.smoothness > 2.0:
        notes.append(f"Smoothness {study.smoothness:g} cut to 2, the smoothest random curve.")
    if any(s.private and s.delta is None for s in study.servers):
        notes.append(f"delta {delta:.3g} where none is stated.")
    return values, " ".join(notes)


def study_servers(values: Values, factor: float) -> tuple[Server, ...]:
    """Return the servers of "regression-study", finite budgets multiplied by the factor."""
    lists = {name: cast("tuple[float, ...]", values[name]) for name in _LISTS}
    rows = max(len(entries) for entries in lists.values())
    for name, entries in lists.items():
        if len(entries) not in (1, rows):
            rule = "Lists of one study must have one entry per row, or one for all rows."
            raise DomainError(rule, field=name, value=Words(f"{len(entries)} of {rows}"))
        lists[name] = entries * rows if len(entries) == 1 else entries
    servers = tuple(
        Server(
            name=f"row {k + 1}",
            n=int(lists["n"][k]),
            epsilon=lists["epsilon"][k],
            delta=lists["delta"][k],
            count=int(lists["count"][k]),
        )
        for k in range(rows)
    )
    for s in servers:
        if s.n * s.count > LARGEST:
            rule = "A row must hold at most 1e9 records in all to be simulated."
            raise DomainError(rule, field="n", value=s.n * s.count, where=s.name)
    return scaled(servers, factor)


def _recipe(values: Values, series: str) -> Recipe:
    asked = recipe_of({**values, "level": "oracle", "dimensions": "every"})
    return replace(RULES[series], noise=asked.noise, clip=asked.clip)


def study_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "regression-study": three ways to choose K and the weights."""
    world = world_of(values)
    if world.exponent <= 0.5:
        rule = "The printed and the calibrated level need a smoothness above 1/2."
        raise DomainError(rule, field="curve", value=world.exponent)
    out = []
    for series in RULES:
        recipe = _recipe(values, series)
        for factor in cast("tuple[float, ...]", values["factor"]):
            servers = study_servers(values, factor)
            made = plan(world, servers, recipe)
            constants = recipe.level != "printed"
            out.append(
                Point(
                    series=series,
                    x=factor,
                    theory=theory_of(world, servers, recipe, constants=constants),
                    exact=made.exact,
                    settings={"factor": factor, "K": float(made.dimension)},
                )
            )
    return tuple(out)


def study_setup(values: Values, point: Point) -> tuple[tuple[Server, ...], Recipe]:
    """Return servers and recipe of a point."""
    return study_servers(values, point.x), _recipe(values, point.series)


def study_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return losses of "regression-study"."""
    servers, recipe = study_setup(values, point)
    return sampled(world_of(values), servers, recipe, point, seed, indices)


STUDY = Experiment(
    name="regression-study",
    question="What would the estimators of this study do on a curve that is known?",
    help=(
        "The study's own sizes and budgets, and a curve of its smoothness, with K and weights at "
        "their best, from the calibrated equation, and as printed. A row is cut to 1e9 records; "
        "beyond 1e6 the sums in each of 8192 cells come from normal laws of the same mean and "
        "variance. K is at most 2048."
    ),
    x_label="factor on every budget",
    y_label="squared error",
    privacy=PRIVACY,
    parameters=(
        Numbers(
            parameter=SAMPLE_SIZE, default=(20_000.0, 8000.0, 2500.0, 900.0, 300.0), most=MOST_ROWS
        ),
        Numbers(parameter=EPSILON, default=(0.2, 0.5, 1.0, 2.0, 4.0), most=MOST_ROWS),
        Numbers(parameter=DELTA, default=(1e-7, 1e-7, 1e-6, 1e-6, 1e-6), most=MOST_ROWS),
        Numbers(parameter=COUNT, default=(1.0,), most=MOST_ROWS),
        Numbers(parameter=FACTOR, default=(0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)),
        *WORLD_SETTINGS,
        NOISE,
        THRESHOLD,
    ),
    points=study_points,
    sample=study_sample,
    replicates=20,
    block=4,
    slopes=False,
)
