"""Tests of the accuracies that Table 1 of [DPLR] prints: counts of hits, and their chances."""

from __future__ import annotations

import math

import numpy as np
from scipy.special import bdtrc

from rates.ledger.functions.base import Array, Draws, Tests
from rates.ledger.texts import Form
from rates.logistic import LAWS, TABLE_1, best_accuracy, signal_variance

TESTS = Tests()

POINTS = 300
LEVEL = 0.05 / 12  # Bonferroni over the twelve entries


def _table(generator: np.random.Generator, number: int) -> Draws:
    """Return the twelve entries; nothing is random about them."""
    return {
        "law": np.repeat(np.arange(3.0), 4),
        "percent": np.array([value for law in LAWS for value in TABLE_1[law]]),
    }


@TESTS.add(_table, "in per cent beyond rounding", number=12)
def _hits(draws: Draws, form: Form) -> Array:
    """Distance of an entry from the nearest multiple of 1/300, beyond the rounding."""
    percent = draws["percent"]
    hits = np.round(percent * POINTS / 100)
    return np.asarray(np.abs(percent - 100 * hits / POINTS) - 0.005 - 1e-9)


@TESTS.add(_table, "above the best accuracy, or in the log of a chance below the level", number=12)
def _best(draws: Draws, form: Form) -> Array:
    """By how much an entry exceeds the best accuracy; as a test of a sample in our reading."""
    signal = signal_variance(np.ones(10))
    best = np.array([best_accuracy(signal, LAWS[int(k)]) for k in draws["law"].tolist()])
    share = draws["percent"] / 100
    if form == "printed":
        return np.asarray(share - best)
    hits = np.round(share * POINTS)
    return np.asarray(math.log(LEVEL) - np.log(bdtrc(hits - 1, POINTS, best)))
