"""A tiny experiment for tests; in an importable module, so that other processes find it."""

from __future__ import annotations

import time
from dataclasses import replace

import numpy as np

from rates.numbers.parameters import EPSILON, SAMPLE_SIZE, DomainError
from sims.engine import Choice, Experiment, Number, Numbers, Point, Values, generators

SIZES = replace(SAMPLE_SIZE, domain="1, ..., 1e15", rule="n must be a positive integer.")
PAUSE = EPSILON.within("[0, 1]", name="pause", help="Seconds per call.")


def points(values: Values) -> tuple[Point, ...]:
    if len(values.numbers("n")) > 1 and values["epsilon"] == 0:
        raise DomainError("With epsilon 0 there is one n only.", field="epsilon", value=0)
    out = []
    for series in ("slow, first", "fast"):
        for n in values.numbers("n"):
            power = -0.5 if series == "fast" else -0.25
            out.append(Point(series=series, x=n, theory=2 * n**power, settings=Values(n=n)))
    return tuple(out)


def sample(values: Values, point: Point, seed: int, indices: range) -> np.ndarray:
    time.sleep(values.number("pause"))
    draws = generators(seed, point.key, indices=indices)
    scale = 3.0 if values["law"] == "gamma" else 1.0
    return np.array([point.theory * rng.gamma(scale) for rng in draws])


TOY = Experiment(
    name="toy",
    question="Does the machinery work?",
    x_label="n",
    y_label="nothing",
    privacy="none",
    parameters=(
        Numbers(parameter=SIZES, default=(10, 100, 1000), most=20),
        Number(parameter=EPSILON, default=1.0),
        Number(parameter=PAUSE, default=0.0),
        Choice(name="law", options=("gamma", "exponential"), default="gamma", help=""),
    ),
    points=points,
    sample=sample,
    replicates=50,
    block=16,
    slopes=True,
)


def broken(values: Values, point: Point, seed: int, indices: range) -> np.ndarray:
    return np.full(len(indices), np.nan)


BROKEN = replace(TOY, name="broken", sample=broken)
