"""Maps of the deciding term of [ACC] (4) as filled polygons; along each row the ends are exact."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rates.numbers import check_array
from rates.phases.homogeneous import LABELS, Setting, codes_at, setting
from rates.phases.homogeneous import log_budget as log_of
from rates.phases.segments import intervals
from rates.pieces import Array, Axis, Codes, Polygon, Table, cut, join_rows, settle

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


def exponent_regions(
    rows: Rows,
    y: ArrayLike,
    *,
    epsilon: float,
    low: float,
    high: float,
    ratio: float = 1.0,
) -> dict[str, tuple[Polygon, ...]]:
    r"""Return, per label, the polygons of a map with the signal exponent along the axis.

    At a fixed budget the target's term T is constant along a row and each of the sources'
    crosses it once, and one another once:

    .. math::
        \mathrm{NP}_s = T:\; 2\beta\gamma + d = \frac{\log mn}{-T}, \qquad
        \mathrm{P}_s = T:\; \beta\gamma + d = \frac{\log(\sqrt m\,n\,\varepsilon)}{-T}.

    Args:
        rows: As in `regions`, without gamma: n, m, n0, beta and d at given heights.
        y: Heights of the rows, positive.
        epsilon: The sources' budget, in (0, inf].
        low: Left end of the map, > 0.
        high: Right end.
        ratio: The target's budget over the sources'.

    Returns:
        Polygons by label, x the exponent, y the height.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> def rows(m):
        ...     return {"n": 1e6 / m, "m": m, "n0": 8e4, "beta": 0.5, "d": 2}
        >>> found = exponent_regions(rows, [1, 100], epsilon=0.1, low=0.5, high=3)
        >>> [label for label, polygons in found.items() if polygons]
        ['Pt', 'Ps', 'NPs']

    Source: [ACC] eq. (4).
    """
    check_array("low", low)
    x = Axis(low=low, high=high, log=False)
    log_epsilon = log_of(epsilon)

    def table(heights: Array) -> tuple[Array, Codes]:
        s = setting(**rows(heights), gamma=1.0, ratio=ratio)
        with np.errstate(all="ignore"):
            found = _gamma_crossings(s, log_epsilon)
        columns = [np.broadcast_to(x, heights.shape) for x in found]
        cells = cut(np.stack(columns, axis=-1), *x.span)
        at = replace(s.column(), gamma=cells.middles)
        return cells.edges, settle(codes_at(at, log_epsilon), cells.thin)

    return join_rows(table, y, LABELS, x=x)


def _gamma_crossings(s: Setting, log_epsilon: Array) -> tuple[Array, Array, Array]:
    """The exponents at which Ps = NPs, NPs = T and Ps = T; those outside (0, inf) are void."""
    b, d = s.beta, s.d
    terms = s.terms(log_epsilon)
    own = -np.maximum(terms.Pt, terms.NPt)
    worth = s.spread + log_epsilon
    return (
        d * (s.pooled - worth) / (b * (2.0 * worth - s.pooled)),
        (s.pooled / own - d) / (2.0 * b),
        (worth / own - d) / b,
    )


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
