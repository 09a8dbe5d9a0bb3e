"""Checks of the simulations that [DPLR] reports: its table, and what can depend on what."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import bdtrc

from rates.logistic import LAWS, best_accuracy, signal_variance
from rates.statements.checks.base import Array, Checks, Draws, Form, by_row

# Table 1 in per cent: by error law, the target alone and the transfer, at 0.1 and at 0.01.
TABLE = {
    "normal": (87.67, 92.33, 90.00, 96.67),
    "mixture": (82.33, 84.33, 83.67, 89.00),
    "t3": (80.00, 82.67, 82.33, 85.67),
}
POINTS = 300
LEVEL = 0.05 / 12  # Bonferroni over the twelve entries


CHECKS = Checks()


def _table_draws(generator: np.random.Generator, number: int) -> Draws:
    """Return the twelve entries; nothing is random about them."""
    return {
        "law": np.repeat(np.arange(3.0), 4),
        "percent": np.array([value for law in LAWS for value in TABLE[law]]),
    }


@CHECKS.add(_table_draws, "in per cent beyond rounding", number=12)
def _hits(draws: Draws, form: Form) -> Array:
    """Distance of an entry from the nearest multiple of 1/300, beyond the rounding."""
    percent = draws["percent"]
    hits = np.round(percent * POINTS / 100)
    return np.asarray(np.abs(percent - 100 * hits / POINTS) - 0.005 - 1e-9)


@CHECKS.add(
    _table_draws, "above the best accuracy, or in the log of a chance below the level", number=12
)
def _best(draws: Draws, form: Form) -> Array:
    """By how much an entry exceeds the best accuracy; as a test of a sample in our reading."""
    signal = signal_variance(np.ones(10))
    best = np.array([best_accuracy(signal, LAWS[int(k)]) for k in draws["law"].tolist()])
    share = draws["percent"] / 100
    if form == "printed":
        return np.asarray(share - best)
    hits = np.round(share * POINTS)
    return np.asarray(math.log(LEVEL) - np.log(bdtrc(hits - 1, POINTS, best)))


def _h_draws(generator: np.random.Generator, number: int) -> Draws:
    low = generator.uniform(0, 10, number)
    return {
        "seed": generator.integers(0, 10**6, number).astype(float),
        "low": low,
        "high": low + generator.uniform(0.5, 10, number),
    }


def _target_error(seed: int, h: float) -> float:
    """Error of the surrogate's fit to the target alone, in a design with sources of deviation h."""
    rng = np.random.default_rng(seed)
    beta = np.array([1.0, 1.0, 0.0])
    sources = beta + h / 3 * rng.choice([-1.0, 1.0], (2, 3))
    data = []
    for w in (beta, *sources):
        x = rng.standard_normal((40, 3))
        data.append((x, (x @ w + rng.standard_normal(40) > 0).astype(float)))
    x, y = data[0]
    fitted = np.linalg.solve(x.T @ x / 4, x.T @ (y - 0.5))
    return float(np.linalg.norm(fitted - beta))


@CHECKS.add(_h_draws, "where the error does not rise", number=200)
@by_row("seed low high")
def _h(form: Form, seed: float, low: float, high: float) -> float:
    """1 where the error of the target alone does not rise with h; its change in our reading."""
    change = _target_error(int(seed), high) - _target_error(int(seed), low)
    return abs(change) if form == "reading" else -1.0 if change > 0 else 1.0
