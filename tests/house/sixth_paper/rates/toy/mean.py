"""The error of a private mean."""

from __future__ import annotations

from rates.numbers import EPSILON, SAMPLE_SIZE


def mean_error(n: float, epsilon: float) -> float:
    """Return the mean squared error of the mean of n fair coins, released with Laplace noise.

    >>> mean_error(100, 1)
    0.0027
    """
    size, budget = SAMPLE_SIZE.check(n), EPSILON.check(epsilon)
    return 0.25 / size + 2 / (size * budget) ** 2
