"""Servers that release a sum behind Gaussian noise: how far apart two laws of all transcripts are.

Sums are sorted into bins, which keeps the budget and brings laws no further apart; the distance of
what is left is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce

import numpy as np
from scipy.special import ndtr

from rates.ledger.functions.base import Array

BINS = 40


def released(laws: Sequence[Array], values: Array, noise: float) -> list[Array]:
    """Return several laws of a sum, each behind noise and in bins.

    Args:
        laws: Probabilities of the values, one array a law.
        values: The values of the sum, rising.
        noise: Standard deviation of the noise; 0 for none.
    """
    means = [float(law @ values) for law in laws]
    spreads = [float(law @ (values - x) ** 2) for law, x in zip(laws, means, strict=True)]
    wide = 4 * math.sqrt(max(spreads) + noise**2)
    ends = np.linspace(min(means) - wide, max(means) + wide, BINS - 1)
    away = ends[:, None] - values
    below = ndtr(away / noise) if noise > 0 else (away >= 0).astype(float)
    whole = np.vstack([np.zeros_like(values), below, np.ones_like(values)])
    return [np.diff(whole @ law) for law in laws]


def apart(pairs: Sequence[Sequence[Array]]) -> float:
    """Return the total variation distance of two laws of independent transcripts.

    Args:
        pairs: For each server its transcript's two laws.
    """
    one, other = (reduce(np.multiply.outer, [pair[k] for pair in pairs]).ravel() for k in (0, 1))
    return float(np.abs(one - other).sum() / 2)
