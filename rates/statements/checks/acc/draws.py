"""Draws for [ACC], and its formulas evaluated by hand: the other side of every test.

Nothing here calls the engine. Sizes and budgets are drawn evenly in their logs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rates.ledger.functions.laws import drawn, even, integers, spread
from rates.statements.checks import base
from rates.statements.checks.base import Array, Check, Draw, Draws, F, Form, pick

NEVER = -np.inf  # the gap of a parameter set that a form does not speak about
Bools = NDArray[np.bool_]
Bounds = Callable[[Draws, Form], tuple[Array, Array, Array]]


# Draw gamma in (0.2, 4), beta in (0.05, 1) and d in {1, ..., 5}.
shape = drawn(gamma=even(0.2, 4), beta=even(0.05, 1), d=integers(1, 6))


def corollary(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Draw inside Corollary 3.2: n <= n0 <= mn, 0 < beta <= 1, d >= 1, gamma > 0."""
    n = spread(generator, 10, 1e6, number)
    m = spread(generator, 2, 1e4, number)
    sizes = {"n": n, "m": m, "n0": n * m ** generator.uniform(0, 1, number)}
    return sizes | shape(generator, number)


def enough(number: int, times: int) -> int:
    """Return how many draws to make where only some of them will be kept."""
    return times * number + 1000


def keep(draws: dict[str, Array], where: Bools, number: int) -> dict[str, Array]:
    """Keep the first parameter sets at which a condition holds."""
    index = np.flatnonzero(where)[:number]
    return {name: values[index] for name, values in draws.items()}


def four_terms(draws: Draws, log_epsilon: Array, log_ratio: Array | float = 0.0) -> list[Array]:
    """Return log NPt, Pt, NPs, Ps of (4) by hand, per unit of beta (1 + alpha)."""
    n, m, n0, g, b, d = pick(draws, "n m n0 gamma beta d")
    return [
        np.log(n0 ** (-1 / (2 * b + d))),
        -2 * (np.log(n0) + log_ratio + log_epsilon) / (2 * b + 2 * d),
        np.log((m * n) ** (-1 / (2 * b * g + d))),
        -(np.log(m * n * n) + 2 * log_epsilon) / (2 * b * g + 2 * d),
    ]


def log_left(
    log_r: Array,
    n: Array,
    epsilon: Array,
    gamma: Array,
    beta: Array,
    d: Array,
    count: Array | float = 1.0,
) -> Array:
    """Return the log of the left side of (5) by hand; the last axis runs over the servers."""
    u, b, step = log_r[..., None], beta[..., None], d[..., None]
    with np.errstate(divide="ignore"):
        free, private = np.log(n), 2 * np.log(n) + 2 * np.log(epsilon) + step * u
        terms = np.log(count) + np.minimum(free, private) + (2 * b * gamma + step) * u
    return np.asarray(np.logaddexp.reduce(terms, axis=-1))


@dataclass(frozen=True, slots=True)
class Beyond:
    """The gap of a statement up to constants: by how much a log ratio leaves its bounds."""

    bounds: Bounds

    def __call__(self, draws: Draws, form: Form) -> Array:
        """Return one gap per parameter set."""
        ratio, low, high = self.bounds(draws, form)
        with np.errstate(invalid="ignore"):
            below = np.where(np.isneginf(low), NEVER, low - ratio)
        return np.asarray(np.maximum(below, ratio - high))


class Checks(base.Checks):
    """The checks of a module of [ACC]."""

    def bounded(self, draw: Draw, unit: str, *, name: str = "", **how: Any) -> Callable[[F], F]:
        """Return what adds the check of a statement up to constants from its proved bounds.

        The function decorated takes parameter sets and a form to a log ratio and the logs of its
        lower and upper bound: minus infinity where there is no lower bound.

        Args:
            draw: As for `Check`.
            unit: As for `Check`.
            name: As for `add`.
            how: What the function takes besides.
        """

        def put(bounds: F) -> F:
            gap = Beyond(partial(bounds, **how))
            self[name or bounds.__name__.lstrip("_")] = Check(draw, gap, unit, constants=True)
            return bounds

        return put


def mismatch(one: Bools, other: Bools, distance: Array) -> Array:
    """Return 1 where two answers to a yes-or-no question differ, away from a tie."""
    return np.where((one != other) & (np.abs(distance) > 1e-6), 1.0, 0.0)
