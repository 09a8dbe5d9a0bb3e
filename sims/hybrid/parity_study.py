"""The experiment "hybrid-parity-private": volunteers learn PARITY, users test."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rates.hybrid import BITS, RARE, USERS_PER_TEST, learner_chance, run_chance
from rates.numbers import COUNT, DELTA, EPSILON
from sims.engine import Array, Experiment, Number, Numbers, Point, Values, generators
from sims.hybrid import parity

ONE, ALL = "one batch", "all batches"
MOST_BITS = BITS.within("1, ..., 128")
RECORDS = COUNT.within("0, ..., 1e5", name="records", symbol="n", help="Volunteers in each batch.")
BATCHES = COUNT.within(
    "1, ..., 100",
    name="batches",
    symbol="B",
    help="Disjoint groups of volunteers, each with one run of the learner and one test by users.",
)
BUDGET = replace(
    EPSILON,
    domain="(0, 1/2]",
    rule="The budget epsilon must be above 0 and at most 1/2: beyond it the learner is not "
    "private as stated.",
    limit_rule="The private PARITY learner is private for epsilon of at most 1/2.",
    help="Budget of each volunteer, and of each user's one answer.",
)
USERS = USERS_PER_TEST.within(
    "1, ..., 1e7", help="Users who say whether one answer is right for them."
)


def design(values: Values) -> dict[str, Any]:
    """Return the numbers of a run that all points share, by the words of `parity.run`."""
    return {
        **{name: values.whole(name) for name in ("bits", "batches", "users_per_test")},
        **{name: values.number(name) for name in ("rare", "epsilon", "delta")},
    }


def points(values: Values) -> tuple[Point, ...]:
    """Return the points of "hybrid-parity-private": the chance to find the bits, exactly."""
    whole = design(values)
    out = []
    for records in values.numbers("records"):
        n = int(records)
        one = learner_chance(whole["bits"], n, whole["rare"], whole["epsilon"])
        found = run_chance(records=n, **whole)
        for series, exact, count in ((ONE, one, 1), (ALL, found, whole["batches"])):
            settings = Values(records=records, batches=float(count))
            out.append(Point(series=series, x=records, exact=exact, settings=settings))
    return tuple(sorted(out, key=lambda point: point.series != ONE))


def sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return 1 where the answer is the truth."""
    whole = design(values)
    if point.series == ONE:
        whole["batches"] = 1
    drawn = generators(seed, point.key, indices=indices)
    return np.array(
        [float(parity.run(records=int(point.x), generator=g, **whole).right) for g in drawn]
    )


PRIVATE_PARITY = Experiment(
    name="hybrid-parity-private",
    question="How many volunteers does a private PARITY learner need?",
    help=(
        "Each batch of volunteers gives one answer of the private learner, and fresh users test "
        "it; the answer of least noisy test is kept. Lines are exact, by counting."
    ),
    x_label="records in a batch",
    y_label="share of runs that find the bits",
    privacy=(
        "Each volunteer is (epsilon, 0)-private under replacement of one record, being in one "
        "batch; each user's one answer is (epsilon, delta)-private by Gaussian noise of the exact "
        "size. epsilon is at most 1/2."
    ),
    parameters=(
        Number(MOST_BITS, 16.0),
        Number(RARE, 0.2),
        Numbers(RECORDS, (25.0, 50.0, 75.0, 100.0, 150.0, 200.0, 300.0, 500.0, 1000.0)),
        Number(BATCHES, 19.0),
        Number(BUDGET, 0.5),
        Number(DELTA, 1e-6),
        Number(USERS, 20_000.0),
    ),
    points=points,
    sample=sample,
    replicates=100,
    block=10,
    span=(0.0, 1.0),
)
