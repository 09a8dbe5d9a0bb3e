"""Numbers from logarithms, and lists in words."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray


def safe_exp(x: float) -> float:
    """Return exp(x), ``inf`` where it overflows.

    >>> safe_exp(1e4)
    inf
    """
    return math.inf if x > 709.0 else math.exp(x)


def listed(names: list[str], most: int = 3) -> str:
    """Join names for a sentence, cutting long lists.

    >>> listed(["A", "B", "C", "D", "E"])
    'A, B, C and 2 more'
    """
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def log0(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(x), minus infinity at 0, without a warning."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(x))


def log_sum(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log of the sum of exponentials along the last axis; minus infinity of none.

    >>> float(log_sum(np.log([1.0, 2.0])).round(12)) == float(np.log(3.0).round(12))
    True
    """
    return np.asarray(np.logaddexp.reduce(x, axis=-1))
