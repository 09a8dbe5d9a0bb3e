"""The squared error of a private mean against the number of records."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from rates.toy import mean_error

from rates.numbers import EPSILON, SAMPLE_SIZE
from sims.engine import Array, Experiment, Number, Numbers, Point, Values, generators, release

SIZES = replace(SAMPLE_SIZE, name="n")


def _points(values: Values) -> tuple[Point, ...]:
    budget = values.number("epsilon")
    return tuple(
        Point(series="private mean", x=n, exact=mean_error(n, budget)) for n in values.numbers("n")
    )


def _sample(values: Values, point: Point, seed: int, block: range) -> Array:
    errors = []
    for generator in generators(seed, point.key, indices=block):
        mean = release(
            generator.binomial(int(point.x), 0.5) / point.x,
            generator,
            of="mean",
            law="Laplace",
            sensitivity=1 / point.x,
            multiplier=1 / values.number("epsilon"),
        )
        errors.append(float((mean - 0.5) ** 2))
    return np.array(errors)


MEAN = Experiment(
    name="toy-mean",
    question="What does a private mean cost?",
    x_label="records n",
    y_label="squared error",
    privacy="epsilon-differentially private, one record replaced",
    parameters=(Numbers(SIZES, (100.0, 1000.0)), Number(EPSILON, 1.0)),
    points=_points,
    sample=_sample,
    replicates=20,
)
