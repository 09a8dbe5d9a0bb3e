"""Maps of the deciding term of [ACC] (4) as filled polygons; along each row the ends are exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rates.phases.homogeneous import LABELS, setting
from rates.phases.segments import intervals
from rates.pieces import Array, Axis, Codes, Polygon, Table, join_rows

Rows = Callable[[Array], Mapping[str, Any]]


def regions(
    rows: Rows,
    y: ArrayLike,
    *,
    low: float,
    high: float = 1.0,
    ratio: float = 1.0,
    log_y: bool = True,
) -> dict[str, tuple[Polygon, ...]]:
    """Return, per label, the polygons of a map with the budget along the horizontal axis.

    Args:
        rows: Takes an array of heights and returns n, m, n0, gamma, beta and d there, each
            a number or an array like the heights.
        y: Heights of the rows, positive; they are sorted. More rows are added where the
            order of labels changes.
        low: Left end of the map, > 0.
        high: Right end.
        ratio: The target's budget over the sources'.
        log_y: Whether heights are looked at on a logarithmic axis.

    Returns:
        Polygons by label, x the budget, y the height. They cover [low, high] times the
        range of y without overlap. Edges are exact at every row and straight in between, to
        1e-4 of the width; on logarithmic axes they are exact everywhere where only sizes vary.

    Raises:
        DomainError: An argument lies outside its domain.

    Source: [ACC] eq. (4).
    """
    x = Axis(low=low, high=high)
    return join_rows(_budget_table(rows, x, ratio), y, LABELS, x=x, log_y=log_y)


def gamma_regions(
    n: float, m: float, n0: float, *, gamma: ArrayLike, beta: float, d: float, **view: float
) -> dict[str, tuple[Polygon, ...]]:
    """Return the map of (budget, signal exponent); ``gamma`` holds the rows.

    The view, here and below: low, high and ratio, as in `regions`.

    >>> found = gamma_regions(1e4, 100, 8e4, gamma=[0.5, 2, 3], beta=0.5, d=2, low=1e-6)
    >>> {label: len(polygons) for label, polygons in found.items()}
    {'1': 1, 'Pt': 1, 'NPt': 1, 'Ps': 2, 'NPs': 1}

    Source: [ACC] Figure 1.
    """

    def rows(y: Array) -> Mapping[str, Any]:
        return {"n": n, "m": m, "n0": n0, "gamma": y, "beta": beta, "d": d}

    return regions(rows, gamma, log_y=False, **view)


def site_regions(
    total: float, n0: float, *, m: ArrayLike, gamma: float, beta: float, d: float, **view: float
) -> dict[str, tuple[Polygon, ...]]:
    """Return the map of (budget, number of sources) with ``total`` records over all sources.

    Source: [ACC] eq. (4) with n = total/m.
    """

    def rows(y: Array) -> Mapping[str, Any]:
        return {"n": total / y, "m": y, "n0": n0, "gamma": gamma, "beta": beta, "d": d}

    return regions(rows, m, log_y=True, **view)


def target_regions(
    n: float, m: float, *, n0: ArrayLike, gamma: float, beta: float, d: float, **view: float
) -> dict[str, tuple[Polygon, ...]]:
    """Return the map of (budget, records of the target).

    Source: [ACC] eq. (4).
    """

    def rows(y: Array) -> Mapping[str, Any]:
        return {"n": n, "m": m, "n0": y, "gamma": gamma, "beta": beta, "d": d}

    return regions(rows, n0, log_y=True, **view)


def _budget_table(rows: Rows, x: Axis, ratio: float) -> Table:
    def table(heights: Array) -> tuple[Array, Codes]:
        s = setting(**rows(heights), ratio=ratio)
        edges, codes = intervals(s, *x.span)
        shape = heights.shape
        return (
            np.broadcast_to(edges, shape + edges.shape[-1:]),
            np.broadcast_to(codes, shape + codes.shape[-1:]),
        )

    return table
