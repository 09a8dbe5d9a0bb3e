"""A test of [CAC]: the error of the server that listens, against a sum over all counts."""

from __future__ import annotations

import math

import numpy as np

from rates import columns
from rates.ledger.functions.base import Tests, by_row
from rates.ledger.functions.laws import drawn, even, logs
from rates.ledger.texts import Form

TESTS = Tests()


@TESTS.add(
    drawn(n=logs(2, 400), first=logs(0.1, 10), second=logs(0.01, 10), rho=even(-0.95, 0.95)),
    "difference of the errors",
    number=200,
)
@by_row("n first second rho")
def _exact(form: Form, n: float, first: float, second: float, rho: float) -> float:
    """Sum over the counts of equal signs; the mean of a sine over Laplace noise is elementary."""
    from scipy.stats import binom

    people, speaker, listener = int(n), max(first, second), min(first, second)
    c = columns.lift(speaker)
    counts = np.arange(people + 1)
    chances = binom.pmf(counts, people, 0.5 + math.asin(rho) / math.pi / c)
    means = c * (2.0 * counts / people - 1.0)
    scale = math.pi * c / people / listener  # of the noise, times pi/2
    sine = np.sin(math.pi / 2.0 * means) / (1.0 + scale**2)
    square = 0.5 - np.cos(math.pi * means) / (1.0 + 4.0 * scale**2) / 2.0
    error = float(chances @ (square - 2.0 * rho * sine + rho**2))
    return abs(error - columns.listening_error(people, first, second, rho))
