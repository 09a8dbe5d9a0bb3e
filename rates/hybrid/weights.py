"""Weights of which none is large: the projection that keeps one record's influence bounded."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def project(log_weights: Array, density: float, counts: Array | None = None) -> Array:
    r"""Return min(c w, 1) with the least c at which the sum is κ n.

    Args:
        log_weights: log w, one per record or per group of equal records.
        density: κ in (0, 1].
        counts: Records in each group; one each by default.

    >>> project(np.log([1.0, 2.0, 5.0]), 2 / 3).round(3).tolist()
    [0.333, 0.667, 1.0]

    Source: [KS] equation (2), after Bun, Carmosino, Sorrell (2020).
    """
    number = np.ones(len(log_weights)) if counts is None else np.asarray(counts, float)
    order = np.argsort(-log_weights, kind="stable")
    w = np.exp(log_weights[order] - log_weights[order[0]])
    size = number[order]
    full = np.concatenate([[0.0], np.cumsum(size)[:-1]])  # records at 1 before each group
    rest = np.cumsum((w * size)[::-1])[::-1]
    target = density * float(size.sum())
    with np.errstate(over="ignore"):
        c = (target - full) / rest
        allowed = (c * w <= 1.0 + 1e-12) & (full <= target)
    found = float(c[int(np.argmax(allowed))]) if allowed.any() else math.inf
    out = np.empty(len(w))
    out[order] = np.minimum(found * w, 1.0)
    return out
