"""Where on the phase map a reading of the printed Table 1 names the wrong term."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rates.phases.homogeneous import codes_at, setting
from rates.phases.table_one import Reading, checked_reading, decides, reading_ends, table_codes
from rates.pieces import Array, Axis, Codes, Polygon, cut, join_rows, settle


def disagreement_regions(
    n: float,
    m: float,
    n0: float,
    *,
    gamma: ArrayLike,
    beta: float,
    d: float,
    reading: Reading,
    low: float,
) -> tuple[Polygon, ...]:
    """Return the part of the (budget, exponent) map on which a printed reading is wrong.

    Args:
        n: Records per source, > 0.
        m: Number of sources, > 0.
        n0: Records of the target, > 0.
        gamma: Signal exponents, the rows of the map; more are added at changes.
        beta: Smoothness, > 0.
        d: Dimension, > 0.
        reading: "A" or "B".
        low: Left end of the map; the right end is 1, where the paper's map stops.

    Examples:
        >>> wrong = disagreement_regions(
        ...     1e4, 100, 1e5, gamma=[1.1, 1.2, 1.3], beta=0.5, d=2, reading="A", low=1e-6
        ... )
        >>> len(wrong), round(float(wrong[0].x.max()), 3)
        (1, 0.862)

    Source: [ACC] Table 1 against eq. (4).
    """
    name = checked_reading(reading)
    axis = Axis(low=low, high=1.0)

    def table(heights: Array) -> tuple[Array, Codes]:
        s = setting(n, m, n0, gamma=heights, beta=beta, d=d)
        with np.errstate(all="ignore"):
            ends = (*s.crossings(), *reading_ends(s, name, True))
            found = np.stack([np.broadcast_to(x, heights.shape) for x in ends], axis=-1)
        cells = cut(found, *axis.span)
        column = s.column()
        printed = table_codes(column, cells.middles, name, True)
        truth = codes_at(column, cells.middles)
        wrong = (printed != truth) & ~decides(column, cells.middles, printed)
        return cells.edges, settle(wrong.astype(np.int16), cells.thin)

    return join_rows(table, gamma, ("right", "wrong"), x=axis)["wrong"]
