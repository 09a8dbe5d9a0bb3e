"""The best private test between two laws of one cell: a bound on every private transcript.

A server holds n records; K of them fall into the cell, and each of those is 1 with probability
1/2 + h or 1/2 - h. A private test that sees K as it is, and keeps only the K values private, is a
relaxation: what it cannot tell apart, no private transcript of the server can.
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import gammaln

from rates.ledger.functions.base import Array


def rises(odd: bool, steps: int, epsilon: float, delta: float) -> Array:
    """Return with which probabilities the best private test says "more", from the middle upwards.

    Neighbours differ by one: phi(k + 1) <= e^eps phi(k) + delta, and likewise for 1 - phi. The
    problem is symmetric about half the count, so phi can be; from there it rises as fast as it may.
    """
    grow = math.exp(min(epsilon, 700.0))
    phi = np.ones(steps)
    phi[0] = min((grow + delta) / (1 + grow), 1.0) if odd else 0.5
    for k in range(1, steps):
        now = float(phi[k - 1])
        phi[k] = min(grow * now + delta, 1 - (1 - now - delta) / grow, 1.0)
        if phi[k] == 1:
            break
    return phi


def log_binomial(count: int, chance: float, upto: int | None = None) -> Array:
    """Return the logs of the binomial probabilities of 0 to `upto`, by default to the count."""
    k = np.arange((count if upto is None else upto) + 1)
    ways = gammaln(count + 1) - gammaln(k + 1) - gammaln(count - k + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        hits = np.where(k > 0, k * np.log(chance), 0.0)
        misses = np.where(k < count, (count - k) * np.log1p(-chance), 0.0)
    return np.asarray(ways + hits + misses)


def distance(count: int, signal: float, phi: Array) -> float:
    """Return how far apart a private transcript of `count` records in the cell can be."""
    upper = np.arange((count + 1) // 2, count + 1)
    law = np.exp(log_binomial(count, 0.5 + signal))
    return float(((law[upper] - law[count - upper]) * (2 * phi[: upper.size] - 1)).sum())


def best_distance(count: int, signal: float, epsilon: float, delta: float) -> float:
    """Return the same for the best test at a budget."""
    return distance(count, signal, rises(count % 2 == 1, count // 2 + 1, epsilon, delta))


def error(n: float, mass: float, signal: float, epsilon: float, delta: float) -> float:
    """Return a lower bound on the error of every private test of n records, at best 1/2.

    The number in the cell is binomial; where it is too large to be listed, the test is right.
    """
    n = int(n)
    mean = n * min(mass, 1.0)
    most = min(n, int(mean + 8 * mean**0.5 + 8))
    chances = np.exp(log_binomial(n, min(mass, 1.0), most))
    phi = [rises(odd, most // 2 + 1, epsilon, delta) for odd in (False, True)]
    apart = sum(
        chance * distance(k, signal, phi[k % 2])
        for k, chance in enumerate(chances.tolist())
        if chance > 1e-12
    )
    missing = max(1 - chances[chances > 1e-12].sum(), 0.0)
    return float((1 - apart - missing) / 2)
