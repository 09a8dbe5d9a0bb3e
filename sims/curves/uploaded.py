"""A true curve from an uploaded table of points."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rates.numbers import DomainError, check_array
from rates.rows import numeric_cell, numeric_table
from sims.curves.cells import CELLS
from sims.curves.filters import Array
from sims.curves.functions import Curve

MAX_ROWS = 10_000
LEAST_SQUARE = 1e-12  # errors are divided by the curve's mean square


def read_curve(text: str | bytes, *, bound: float = 1.0) -> Curve:
    r"""Read a curve from a table with columns x and y, joined by straight lines.

    Before the first point and after the last the curve is constant. Values beyond ``bound`` are
    clipped to it, which the curve's note says. A curve that is zero is refused: errors are
    compared with its size.

    Args:
        text: CSV with a header line; comma, semicolon or tab; x in [0, 1] and increasing.
        bound: Largest |y| kept, positive and finite.

    >>> line = read_curve("x,y\n0,0\n1,3")
    >>> line.values([0.25, 0.5]).tolist(), line.note
    ([0.25, 0.5], '1 of 2 values clipped to [-1, 1].')

    Raises:
        DomainError: The table is refused; the message names row and field.
    """
    limit = float(check_array("bound", bound)[0])
    header, rows = numeric_table(text, "A curve", ("x", "y"), records=(2, MAX_ROWS))
    x = np.empty(len(rows))
    y = np.empty(len(rows))
    for i, row in enumerate(rows):
        where = f"Row {i + 1}"
        named = dict(zip(header, row, strict=True))
        x[i], y[i] = (numeric_cell(named[name], name, where) for name in ("x", "y"))
        if not 0.0 <= x[i] <= 1.0:
            raise DomainError("x must lie in [0, 1].", field="x", value=x[i], where=where)
        if i and x[i] <= x[i - 1]:
            rule = "x must increase from row to row."
            raise DomainError(rule, field="x", value=x[i], where=where)
    outside = int(np.sum(np.abs(y) > limit))
    y = np.clip(y, -limit, limit)
    knots = np.unique(np.concatenate([[0.0], x, [1.0]]))
    heights = np.interp(knots, x, y)
    areas = np.diff(knots) * 0.5 * (heights[1:] + heights[:-1])
    total = np.concatenate([[0.0], np.cumsum(areas)])

    def values(at: ArrayLike) -> Array:
        return np.asarray(np.interp(np.asarray(at, float), x, y))

    def cell_means(cells: int) -> Array:
        ends = np.arange(cells + 1) / cells
        i = np.clip(np.searchsorted(knots, ends, side="right") - 1, 0, len(knots) - 2)
        partial = (ends - knots[i]) * 0.5 * (heights[i] + values(ends))
        return np.asarray(np.diff(total[i] + partial) * cells)

    square = float(np.mean(cell_means(CELLS) ** 2))
    if not square >= LEAST_SQUARE:
        rule = (
            "The curve must not be zero: the mean of y^2 over [0, 1] must be at least "
            f"{LEAST_SQUARE:g}."
        )
        raise DomainError(rule, field="y", value=square)
    clipped = f"{outside} of {len(y)} values clipped to [{-limit:g}, {limit:g}]."
    return Curve(
        kind="uploaded",
        formula=f"straight lines through {len(x)} points",
        smoothness=1.5,
        pointwise=1.0,
        periodic=bool(heights[0] == heights[-1]),
        values=values,
        breaks=tuple(x.tolist()),
        cell_means=cell_means,
        note=clipped if outside else "",
    )
