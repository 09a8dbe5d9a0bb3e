"""What a run on adaptation tells apart: ratios of errors, and moves of the best share."""

from __future__ import annotations

import math
from collections.abc import Mapping

from sims.engine import Array, Estimate, Progress

UNCLEAR, SAME, TO_SOURCE, TO_TARGET = "not told apart", "same", "to the source", "to the target"
Place = tuple[str, float]  # series and x


def below(a: Estimate, b: Estimate) -> bool:
    """Say whether one mean lies below another beyond both 95% intervals.

    >>> below(Estimate(1.0, 0.1, 9), Estimate(2.0, 0.1, 9)), below(Estimate(1.0, 0.1, 9),
    ...     Estimate(1.3, 0.1, 9))
    (True, False)
    """
    return a.interval()[1] < b.interval()[0]


def apart(a: Estimate, b: Estimate) -> bool:
    """Say whether the 95% intervals of two means do not meet."""
    return below(a, b) or below(b, a)


def ratio(above: Array, under: Array) -> Estimate:
    r"""Return a ratio of two means over paired replicates, by the delta method.

    .. math:: r = \bar a/\bar b, \qquad \mathrm{se}(r) = \frac{\mathrm{sd}(a_k - r\,b_k)}
        {\bar b\sqrt R}.

    Args:
        above: One value per replicate.
        under: One value per replicate, those of the same draws.

    Returns:
        The ratio; nan with no replicates where the lower mean is not positive.

    >>> import numpy as np
    >>> found = ratio(np.array([2.0, 4.0]), np.array([1.0, 2.0]))
    >>> found.mean, found.stderr
    (2.0, 0.0)
    """
    if not len(under) or under.mean() <= 0:
        return Estimate(math.nan, math.nan, 0)
    mean, scale = float(above.mean() / under.mean()), float(under.mean())
    rest = Estimate.of((above - mean * under) / scale)
    return Estimate(mean, rest.stderr, rest.replicates, mean + rest.low, mean + rest.high)


def ratio_at(progress: Progress, above: Place, under: Place) -> Estimate | None:
    """Return the ratio of the errors at two points over the replicates that both have.

    Args:
        progress: A run; its points share their data in every replicate.
        above: Series and x.
        under: Series and x.

    Returns:
        The ratio; None where a point is missing or has fewer than two replicates.
    """
    rows = {
        (point.series, point.x): row[:count]
        for point, row, count in zip(
            progress.request.points, progress.replicated, progress.counts, strict=True
        )
    }
    a, b = rows.get(above), rows.get(under)
    if a is None or b is None or min(len(a), len(b)) < 2:
        return None
    both = min(len(a), len(b))
    return ratio(a[:both], b[:both])


def lowest(curve: Mapping[float, Estimate]) -> float:
    """Return the share with the smallest mean error."""
    return min(curve, key=lambda share: curve[share].mean)


def move(first: Mapping[float, Estimate], second: Mapping[float, Estimate]) -> str:
    """Say where the best share goes from one curve to another.

    A move counts only where both curves tell the two shares apart. Else one curve is so flat
    that its minimum may lie where that of the other does.

    Args:
        first: Errors by share of the source.
        second: Errors by share of the source.

    Returns:
        `SAME`, `TO_SOURCE`, `TO_TARGET` or `UNCLEAR`.

    >>> low, high = Estimate(1.0, 0.01, 9), Estimate(2.0, 0.01, 9)
    >>> move({0.0: low, 1.0: high}, {0.0: high, 1.0: low})
    'to the source'
    """
    start, end = lowest(first), lowest(second)
    if start == end:
        return SAME
    for curve in (first, second):
        if start not in curve or end not in curve or not apart(curve[start], curve[end]):
            return UNCLEAR
    return TO_SOURCE if end > start else TO_TARGET
