"""[TOY]: the mean of records in [0, 1] under Laplace noise, by its rate and exactly."""

from __future__ import annotations

from rates.numbers import EPSILON, SAMPLE_SIZE

RATE = "max(sampling: 1/n, privacy: 1/(n^2*eps^2))"


def mean_error(n: float, epsilon: float) -> float:
    """Return the mean squared error of the mean of n fair coins, released with Laplace noise.

    >>> mean_error(100, 1)
    0.0027
    """
    size, budget = SAMPLE_SIZE.check(n), EPSILON.check(epsilon)
    return 0.25 / size + 2 / (size * budget) ** 2


def threshold(n: float) -> float:
    """Return the budget from which privacy is free by the rate."""
    from rates.orders import crossings, parse

    (meeting,) = crossings(parse(RATE, sizes=("n", "eps")), "eps")
    return float(meeting.at.value({"n": n}, {}))
