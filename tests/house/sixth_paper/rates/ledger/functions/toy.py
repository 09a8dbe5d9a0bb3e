"""The price of a private mean, against the sum by hand."""

from __future__ import annotations

import numpy as np
from rates.toy import mean_error

from rates.ledger.functions.base import Draws, Tests, by_row
from rates.numbers import EPSILON

TESTS = Tests()


def _draw(generator: np.random.Generator, number: int) -> Draws:
    sizes = generator.integers(1, 10**4, number).astype(float)
    return {"n": sizes, EPSILON.name: generator.uniform(0.1, 10, number)}


@TESTS.add(_draw, "is the relative difference", number=200)
@by_row("n epsilon")
def noise(form: str, n: float, epsilon: float) -> float:
    """The error of the mean against its two parts."""
    return abs(mean_error(n, epsilon) / (0.25 / n + 2 * (n * epsilon) ** -2.0) - 1)
