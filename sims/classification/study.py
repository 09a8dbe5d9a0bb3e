"""The experiment "classification-study": a study's own servers on a world that is known."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np
from numpy.typing import NDArray

from rates.answer import offered_delta
from rates.numbers import COUNT, DELTA, EPSILON, SAMPLE_SIZE, DomainError, Mechanism, Words
from rates.study import Server, TransferStudy
from sims.classification.lattice import RECORDS
from sims.classification.trials import (
    BUDGET,
    GAMMA,
    MECHANISM,
    PRIVACY,
    WIDTH,
    WORLD,
    WORLDS,
    Rule,
    Trial,
    point_of,
    sample_of,
)
from sims.engine import Experiment, Numbers, Point, Spent, Value, Values, each_spent

Array = NDArray[np.float64]

_ROWS = 200
_FACTOR = replace(
    BUDGET,
    name="factor",
    rule="A factor must be positive and finite.",
    high_open=True,
    typical=(0.1, 10),
    help="Multiplies every finite budget; 1 is the study as it stands.",
)
_LISTS = {"n": SAMPLE_SIZE, "epsilon": EPSILON, "delta": DELTA, "gamma": GAMMA, "count": COUNT}


def study_values(study: TransferStudy) -> tuple[dict[str, Value], str]:
    """Return a study's rows as parameters of "classification-study", and what was capped.

    A simulation carries at most 1e15 records of one row; a larger row is cut to that. A
    missing delta becomes `rates.answer.mechanism.offered_delta`.

    Raises:
        DomainError: The study has more rows than the experiment takes.
    """
    if len(study.servers) > _ROWS:
        rule = f"The simulation takes at most {_ROWS} rows."
        raise DomainError(rule, field="servers", value=len(study.servers))
    delta, capped = offered_delta(study), []
    columns: dict[str, list[float]] = {name: [] for name in _LISTS}
    for row in study.servers:
        n = min(row.n, RECORDS // row.count)
        if n < row.n:
            capped.append(row.name)
        entries = (n, row.epsilon, row.delta or delta, row.signal_exponent, row.count)
        for name, entry in zip(_LISTS, entries, strict=True):
            columns[name].append(float(entry))
    note = f"Cut to 1e15 records in all: {', '.join(capped)}." if capped else ""
    return {name: tuple(column) for name, column in columns.items()}, note


def study_trial(values: Values, factor: float, rule: Rule) -> Trial:
    """Return the trial of one point of the experiment "classification-study"."""
    lists = {name: cast("tuple[float, ...]", values[name]) for name in _LISTS}
    rows = max(len(entries) for entries in lists.values())
    for name, entries in lists.items():
        if len(entries) not in (1, rows):
            what = "Lists of one study must have one entry per row, or one for all rows."
            raise DomainError(what, field=name, value=Words(f"{len(entries)} of {rows}"))
        lists[name] = entries * rows if len(entries) == 1 else entries
    servers = [
        Server(
            name=f"row {k + 1}",
            n=int(lists["n"][k]),
            epsilon=lists["epsilon"][k] * factor,
            delta=lists["delta"][k],
            signal_exponent=lists["gamma"][k],
            count=int(lists["count"][k]),
        )
        for k in range(rows)
    ]
    world = WORLDS[cast(str, values["world"])]
    study = TransferStudy(
        target=servers[0],
        sources=tuple(servers[1:]),
        smoothness=world.smoothness,
        dimension=world.dimension,
        margin=world.margin,
    )
    return Trial(
        world=world,
        study=study,
        mechanism=cast(Mechanism, values["mechanism"]),
        kappa=cast(float, values["kappa"]),
        rule=rule,
    )


def study_spent(values: Values) -> tuple[Spent, ...]:
    """Return what a row's release guarantees, one entry per finite budget and delta."""
    budgets = [
        (row.epsilon, cast(float, row.delta))
        for factor in cast("tuple[float, ...]", values["factor"])
        for row in study_trial(values, factor, "matched").study.servers
    ]
    return each_spent(budgets, cast(str, values["mechanism"]))


RULES: dict[str, Rule] = {
    "mechanism's own equation": "matched",
    "paper's bandwidth (11) and weights (12)": "printed",
}


def study_points(values: Values) -> tuple[Point, ...]:
    """Return the points of "classification-study": two ways to choose h and the weights."""
    return tuple(
        point_of(
            study_trial(values, factor, rule), series=series, x=factor, settings={"factor": factor}
        )
        for series, rule in RULES.items()
        for factor in cast("tuple[float, ...]", values["factor"])
    )


def study_sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return excess risks of the experiment "classification-study"."""
    return sample_of(study_trial(values, point.x, RULES[point.series]), point, seed, indices)


STUDY = Experiment(
    name="classification-study",
    question="What would the classifier of this study do on a world that is known?",
    help=(
        "The study's own sizes, budgets and signal exponents on the cusp, whose smoothness and "
        "margin replace the study's. One series takes bandwidth and weights from the "
        "mechanism's own equation and stands beside that rate, the other takes them from the "
        "paper's (11) and (12) and stands beside the rate of (5)."
    ),
    x_label="factor on every budget",
    y_label="excess risk (probability)",
    privacy=PRIVACY,
    parameters=(
        WORLD,
        Numbers(parameter=SAMPLE_SIZE, default=(142.0, 303.0, 141.0, 116.0), most=_ROWS),
        Numbers(parameter=EPSILON, default=(1.0,), most=_ROWS),
        Numbers(parameter=DELTA, default=(1e-6,), most=_ROWS),
        Numbers(parameter=GAMMA, default=(1.0, 0.8, 0.8, 0.8), most=_ROWS),
        Numbers(parameter=COUNT, default=(1.0,), most=_ROWS),
        Numbers(parameter=_FACTOR, default=(0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)),
        MECHANISM,
        WIDTH,
    ),
    points=study_points,
    sample=study_sample,
    slopes=False,
)
