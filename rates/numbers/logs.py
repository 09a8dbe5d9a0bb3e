"""Numbers from logarithms, and lists in words."""

from __future__ import annotations

import math


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
