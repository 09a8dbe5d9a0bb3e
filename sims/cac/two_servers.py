"""The experiment "split-columns": two servers estimate a correlation, apart or one listening.

Both mechanisms clip a value to its sign. Neighbours differ in one value of one server's column,
replaced by any other; everything that server releases is then (epsilon, 0)-private for its own
budget, also towards the other server.
"""

from __future__ import annotations

import math

import numpy as np

from rates import columns
from rates.tally import truth_chance
from sims.engine import (
    Array,
    Experiment,
    Number,
    Numbers,
    Point,
    Values,
    generators,
    noted,
    release,
)

APART, LISTENING = "Apart", "Listening"
ERROR = 0.1  # above it an estimate says next to nothing, and errors level off
PART = 0.2  # of one budget in another, from which both servers count apart
SPEAKER, LISTENER = "speaker", "listener"


def records(n: int, rho: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw both columns of n people: normal, mean 0, variance 1, correlation rho."""
    x, rest = rng.standard_normal((2, n))
    return x, rho * x + math.sqrt(1.0 - rho**2) * rest


def signs(column: Array) -> Array:
    """Clip every value to its sign, so that a replaced one moves it by at most 2."""
    return np.where(column < 0.0, -1.0, 1.0)


def apart(x: Array, y: Array, first: float, second: float, rng: np.random.Generator) -> float:
    """Estimate the correlation from means over batches, which both servers release with noise.

    Args:
        x: The column of server 1.
        y: That of server 2, of the same people.
        first: Budget of server 1.
        second: Budget of server 2.
        rng: Source of the noise.

    Source: [CAC], ``correlation_NI_signbatch`` of the authors' code.
    """
    m = columns.batch(len(x), first, second)
    k = len(x) // m
    sent = [
        release(
            signs(column[: k * m]).reshape(k, m).mean(axis=1),
            rng,
            of="means of batches",
            who=who,
            law="Laplace",
            sensitivity=2.0 / m,
            multiplier=1.0 / budget,
        )
        for who, column, budget in (("server 1", x, first), ("server 2", y, second))
    ]
    return _turned(m / k * float(sent[0] @ sent[1]))


def spoken(column: Array, epsilon: float, rng: np.random.Generator) -> Array:
    """Release every sign, flipped where the coins of `rates.tally` say so."""
    noted(of="signs, some flipped", who=SPEAKER, epsilon=epsilon)
    flipped = rng.random(len(column)) < 1.0 - truth_chance(epsilon)
    return np.where(flipped, -1.0, 1.0) * signs(column)


def listening(x: Array, y: Array, first: float, second: float, rng: np.random.Generator) -> float:
    """Estimate it where the server with the smaller budget hears the other's flipped signs.

    Args:
        x: The column of server 1.
        y: That of server 2, of the same people.
        first: Budget of server 1.
        second: Budget of server 2.
        rng: Source of the flips and of the noise.

    Source: [CAC], ``correlation_INT_signflip`` of the authors' code.
    """
    if second > first:
        x, y, first, second = y, x, second, first
    lift = columns.lift(first)
    products = spoken(x, first, rng) * signs(y)
    eta = release(
        lift * products.mean(),
        rng,
        of="mean product of signs",
        who=LISTENER,
        law="Laplace",
        sensitivity=2.0 * lift / len(x),
        multiplier=1.0 / second,
    )
    return _turned(float(eta))


def _turned(eta: float) -> float:
    return math.sin(math.pi / 2.0 * eta)


def points(values: Values) -> tuple[Point, ...]:
    """Return both series along the budget of server 2, with the rate and what is known exactly."""
    n, first, rho = values.whole("n"), values.number("epsilon_1"), values.number("rho")
    out = []
    for second in values.numbers("epsilon_2"):
        larger, smaller = max(first, second), min(first, second)
        exact = columns.listening_error(n, first, second, rho)
        about = columns.apart_error(n, first, second, rho)
        past = (smaller / min(columns.bend(n), columns.actual_bend(n, larger, rho))) ** 2
        equal = smaller / larger if math.isfinite(smaller) else 1.0
        for series, order, error, others in (
            (LISTENING, columns.LISTENING, exact, past > 1.0),
            (APART, columns.APART, about, equal > PART),
        ):
            reason = "saturated" if error > ERROR else "another term counts" if others else ""
            out.append(
                Point(
                    series=series,
                    x=second,
                    theory=columns.order_of(order, n, first, second),
                    exact=exact if series == LISTENING else None,
                    left_out=reason,
                )
            )
    return tuple(out)


def sample(values: Values, point: Point, seed: int, indices: range) -> Array:
    """Return squared errors of the correlation."""
    n, first, rho = values.whole("n"), values.number("epsilon_1"), values.number("rho")
    estimate = listening if point.series == LISTENING else apart
    found = [
        estimate(*records(n, rho, rng), first, point.x, rng)
        for rng in generators(seed, point.key, indices=indices)
    ]
    return (np.array(found) - rho) ** 2


SPLIT = Experiment(
    name="split-columns",
    question="Does it help if one of two servers with a column each hears the other first?",
    help=(
        "Two servers hold a column each of the same n people, jointly normal with known means and "
        "variances. They estimate the correlation from noisy means of signs, or one hears the "
        "flipped signs of the other. The line of the one that listens is exact."
    ),
    x_label="budget ε₂ of server 2",
    y_label="squared error of the correlation",
    privacy=(
        "Neighbours differ in one value of one server's column, replaced. All that a server "
        "releases, also to the other server, is (epsilon, 0)-private for its own budget: Laplace "
        "noise on means of signs, or each sign flipped with chance 1/(e^epsilon + 1). A person "
        "with a value at both is protected by the sum of both budgets."
    ),
    parameters=(
        Number(columns.FIRST, 1.0),
        Numbers(
            columns.SECOND,
            (0.0007, 0.0015, 0.003, 0.004, 0.015, 0.04, 0.07, 0.1, 0.2, 1.0),
        ),
        Number(columns.RECORDS, 50_000),
        Number(columns.RHO, 0.3),
    ),
    points=points,
    sample=sample,
    replicates=30,
    block=8,
    slopes=True,
    span=(0.0, 4.0),
)
