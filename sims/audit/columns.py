"""Audited releases of [CAC]: means over batches of signs, and a mean product of signs."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rates import columns
from sims import cac
from sims.audit.setup import RECORDS, Setup, laplace_reading
from sims.engine import Array, Release

_SPEAKER = 2.0  # budget of the server whose flipped signs the audited one hears


def apart(epsilon: float, delta: float) -> Setup:
    """Audit server 1 apart: the first value changes its sign, in the first batch."""
    change = np.zeros(RECORDS // (m := columns.batch(RECORDS, epsilon, epsilon)))
    change[0] = 2.0 / m
    return _setup(cac.two_servers.apart, (epsilon, epsilon), "server 1", change)


def listener(epsilon: float, delta: float) -> Setup:
    """Audit the server that listens: a value of its own changes its sign."""
    budgets = max(_SPEAKER, epsilon), epsilon
    change = np.array(2.0 * columns.lift(budgets[0]) / RECORDS)
    return _setup(cac.two_servers.listening, budgets, cac.two_servers.LISTENER, change)


def _setup(
    estimate: Callable[..., float], budgets: tuple[float, float], who: str, change: Array
) -> Setup:
    x = np.linspace(-1.0, 1.0, RECORDS)

    def added(entry: Release, value: Array) -> Array:
        return change if entry.who == who else np.zeros_like(value)

    return Setup(
        run=lambda rng: estimate(x, x, *budgets, rng),
        change=added,
        reading=laplace_reading(change),
        reads=lambda entry: entry.who == who,
        delta=0.0,
    )
