"""The Haar basis in the indexing of [CCV] Section 3.1, where its sensitivities are exact.

Level l0 holds the 2^(l0+1) father functions of scale l0 + 1, the levels above it the mother
functions; all are constant on the 2^(L+1) dyadic cells of level L + 1. For this basis at most
c_A = 1 function of a level is not zero at a point, and sup |psi| = 1.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np

from rates.ledger.functions.base import Array, Draws, Tests
from rates.ledger.texts import Form

TESTS = Tests()


def mother(t: Array) -> Array:
    """Return psi: 1 on [0, 1/2), -1 on [1/2, 1), else 0."""
    return np.where((t >= 0) & (t < 0.5), 1.0, 0.0) - np.where((t >= 0.5) & (t < 1), 1.0, 0.0)


def midpoints(level: int) -> Array:
    """Return the middles of the 2^level dyadic cells of [0, 1]."""
    return np.asarray((np.arange(2**level) + 0.5) / 2**level)


def father(scale: int, x: Array, factor: float) -> Array:
    """Return factor phi(2^scale x - k) at x, one row per k."""
    t = 2.0**scale * x - np.arange(2**scale)[:, None]
    return np.where((t >= 0) & (t < 1), factor, 0.0)


@cache
def basis(first: int, last: int) -> tuple[Array, ...]:
    """Return the functions of levels l0 = first to L = last on the cells of level L + 1.

    One array per level, one row per function.
    """
    x = midpoints(last + 1)
    levels = [father(first + 1, x, 2.0 ** ((first + 1) / 2))]
    for level in range(first + 1, last + 1):
        levels.append(2.0 ** (level / 2) * mother(2.0**level * x - np.arange(2**level)[:, None]))
    return tuple(levels)


@cache
def kernel(first: int, last: int) -> Array:
    """Return the projection kernel K(x, y), the sum of psi(x) psi(y), on pairs of cells."""
    rows = np.concatenate(basis(first, last))
    return np.asarray(rows.T @ rows)


@cache
def vector_change(first: int, last: int) -> float:
    """Return n/tau times the largest Euclidean change of all coefficients, over all pairs.

    One record (x, y) is replaced by any other; the norm is convex in the responses, so only
    the ends -tau and tau count.
    """
    gram = kernel(first, last)
    size = np.diag(gram)[:, None] + np.diag(gram)[None, :]
    return float(np.sqrt((size + 2 * np.abs(gram)).max()))


@cache
def value_change(first: int, last: int) -> float:
    """Return n/tau times the largest change of the estimate at a point, over points and pairs."""
    return float(2 * np.abs(kernel(first, last)).max())


def haar_draws(generator: np.random.Generator, number: int) -> Draws:
    """Draw levels l0 < L <= 6, a record's weight and a clip."""
    first = generator.integers(0, 3, number)
    return {
        "first_level": first.astype(float),
        "last_level": first + generator.integers(1, 5, number).astype(float),
        "n": np.round(np.exp(generator.uniform(0, 14, number))),
        "clip": np.exp(generator.uniform(-1, 2, number)),
    }


def by_levels(draws: Draws, function: Callable[[int, int], float]) -> Array:
    """Apply a function of (l0, L) to every draw."""
    levels = (draws[name].astype(int).tolist() for name in ("first_level", "last_level"))
    return np.array([function(a, b) for a, b in zip(*levels, strict=True)], dtype=float)


@TESTS.add(haar_draws, "in the kernel", name="kernel", number=100)
def _kernel(draws: Draws, form: Form) -> Array:
    """Compare the kernel with 2^(L+1) on pairs from one cell and 0 on others."""

    def worst(first: int, last: int) -> float:
        found = kernel(first, last)
        return float(np.abs(found - 2 ** (last + 1) * np.eye(len(found))).max())

    return by_levels(draws, worst)


@TESTS.add(haar_draws, "in the log of the sensitivity", name="vector_change", number=100)
def _vector(draws: Draws, form: Form) -> Array:
    """Exact L2 sensitivity of the coefficients over 2 sqrt(2) sqrt(2^L)."""
    exact = by_levels(draws, vector_change)
    return np.asarray(np.log(exact / (2 * np.sqrt(2 ** (draws["last_level"] + 1)))))


@TESTS.add(haar_draws, "in the log of the sensitivity", name="value_change", number=100)
def _value(draws: Draws, form: Form) -> Array:
    """Exact sensitivity at a point over 2 (printed) or 4 (reading) times 2^L."""
    exact = by_levels(draws, value_change)
    return np.log(exact / ((2 if form == "printed" else 4) * 2 ** draws["last_level"]))
