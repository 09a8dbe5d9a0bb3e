"""Maps of the deciding term of [ACC] (4) as filled polygons, and the curves between them.

Along each row the ends are the closed-form crossings. Between two rows with a different
order of labels the height at which the order changes is found by bisection to 1e-12, and a
row is put on either side of it, so that no polygon reaches across a change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from rates.numbers import DomainError, check_array
from rates.phases.homogeneous import LABELS, Array, Codes, Setting, codes_at, cut, setting, settle
from rates.phases.homogeneous import log_budget as log_of
from rates.phases.segments import intervals

Rows = Callable[[Array], Mapping[str, Any]]
Table = Callable[[Array], tuple[Array, Codes]]  # heights -> inner edges and cell codes by row

_SECTIONS = 32
_NARROW = 1e-13
_CLOSE = 1e-10  # changes closer than this are drawn as one
_MAX_ROUNDS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Polygon:
    """A closed polygon: the last corner repeats the first.

    Attributes:
        x: Horizontal coordinates.
        y: Vertical coordinates.
    """

    x: Array
    y: Array


def regions(
    rows: Rows, y: ArrayLike, *, low: float, high: float = 1.0, ratio: float = 1.0
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

    Returns:
        Polygons by label, x the budget, y the height. They cover [low, high] times the
        range of y without overlap. Edges are exact at every row and straight in between;
        on logarithmic axes they are exact everywhere where only sizes vary.

    Raises:
        DomainError: An argument lies outside its domain.

    Source: [ACC] eq. (4).
    """
    ends = _range(low, high, "low and high")
    return join_rows(_budget_table(rows, ends, ratio), y, np.log(ends), np.exp, ends)


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

    return regions(rows, gamma, **view)


def site_regions(
    total: float, n0: float, *, m: ArrayLike, gamma: float, beta: float, d: float, **view: float
) -> dict[str, tuple[Polygon, ...]]:
    """Return the map of (budget, number of sources) with ``total`` records over all sources.

    Source: [ACC] eq. (4) with n = total/m.
    """

    def rows(y: Array) -> Mapping[str, Any]:
        return {"n": total / y, "m": y, "n0": n0, "gamma": gamma, "beta": beta, "d": d}

    return regions(rows, m, **view)


def target_regions(
    n: float, m: float, *, n0: ArrayLike, gamma: float, beta: float, d: float, **view: float
) -> dict[str, tuple[Polygon, ...]]:
    """Return the map of (budget, records of the target).

    Source: [ACC] eq. (4).
    """

    def rows(y: Array) -> Mapping[str, Any]:
        return {"n": n, "m": m, "n0": y, "gamma": gamma, "beta": beta, "d": d}

    return regions(rows, n0, **view)


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
    ends = _range(low, high, "low and high")
    log_epsilon = log_of(epsilon)

    def table(heights: Array) -> tuple[Array, Codes]:
        s = setting(**rows(heights), gamma=1.0, ratio=ratio)
        with np.errstate(all="ignore"):
            found = _gamma_crossings(s, log_epsilon)
        columns = [np.broadcast_to(x, heights.shape) for x in found]
        cells = cut(np.stack(columns, axis=-1), *ends)
        at = replace(s.column(), gamma=cells.middles)
        return cells.edges, settle(codes_at(at, log_epsilon), cells.thin)

    return join_rows(table, y, np.asarray(ends), np.asarray, ends)


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


def _range(low: float, high: float, name: str) -> tuple[float, float]:
    ends = check_array(name, [low, high])
    if not ends[0] < ends[1]:
        raise DomainError("low must be below high.", name, (low, high))
    return float(ends[0]), float(ends[1])


def _budget_table(rows: Rows, ends: tuple[float, float], ratio: float) -> Table:
    low, high = np.log(ends).tolist()

    def table(heights: Array) -> tuple[Array, Codes]:
        s = setting(**rows(heights), ratio=ratio)
        edges, codes = intervals(s, low, high)
        shape = heights.shape
        return (
            np.broadcast_to(edges, shape + edges.shape[-1:]),
            np.broadcast_to(codes, shape + codes.shape[-1:]),
        )

    return table


def join_rows(
    table: Table,
    y: ArrayLike,
    span: Array,
    to_x: Callable[[Array], Array],
    ends: tuple[float, float],
) -> dict[str, tuple[Polygon, ...]]:
    """Join the rows of a map into polygons by label.

    Args:
        table: Takes heights and returns, per row, the inner edges and the cells' codes.
        y: Heights of the rows; more are added where the order of codes changes.
        span: The horizontal range in the table's coordinate.
        to_x: Takes that coordinate to the map's.
        ends: The horizontal range of the map.
    """
    heights = np.unique(check_array("y", y))
    if len(heights) < 2:
        raise DomainError("A map needs at least two rows.", "y", len(heights))
    heights = np.union1d(heights, _changes(table, heights))
    edges, codes = table(heights)
    keys = _keys(codes)
    starts = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    stops = np.append(starts[1:], len(heights))
    out: dict[str, list[_Strip]] = {label: [] for label in LABELS}
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        if heights[stop - 1] / heights[start] - 1.0 < _CLOSE:
            continue  # changes at one height leave rows without area between them
        rows = slice(start, stop)
        changed = codes[rows, 1:] != codes[rows, :-1]
        count = int(changed[0].sum())
        inner = edges[rows][changed].reshape(stop - start, count)
        x = np.empty((stop - start, count + 2))
        x[:, 0], x[:, -1] = ends
        x[:, 1:-1] = to_x(inner)
        labels = [int(codes[start, 0])]
        labels += codes[start, 1:][changed[0]].tolist()
        for j, code in enumerate(labels):
            _extend(out[LABELS[code]], heights[rows], x[:, j], x[:, j + 1])
    return {label: tuple(strip.polygon() for strip in strips) for label, strips in out.items()}


@dataclass(slots=True)
class _Strip:
    """A polygon in the making: stacked pieces with a left and a right edge."""

    y: list[Array]
    left: list[Array]
    right: list[Array]

    def polygon(self) -> Polygon:
        y, left, right = (np.concatenate(part) for part in (self.y, self.left, self.right))
        return Polygon(
            x=np.concatenate([left, right[::-1], left[:1]]),
            y=np.concatenate([y, y[::-1], y[:1]]),
        )


def _extend(strips: list[_Strip], y: Array, left: Array, right: Array) -> None:
    """Put a piece on top of the first strip that it lies on, or start a new one.

    The edge may jump there: then two corners of the polygon lie at (nearly) one height.
    """
    for strip in strips:
        touches = abs(strip.y[-1][-1] / y[0] - 1.0) < 1e2 * _CLOSE
        common = min(strip.right[-1][-1], right[0]) / max(strip.left[-1][-1], left[0])
        if touches and common > 1.0 + 1e-9:
            strip.y.append(y)
            strip.left.append(left)
            strip.right.append(right)
            return
    strips.append(_Strip([y], [left], [right]))


def _keys(codes: Codes) -> Array:
    """Number the order of labels along each row."""
    key = codes[:, 0].astype(np.int64) + 1
    for k in range(1, codes.shape[1]):
        key = np.where(codes[:, k] != codes[:, k - 1], 8 * key + codes[:, k] + 1, key)
    return np.asarray(key)


def _changes(table: Table, heights: Array) -> Array:
    """Return heights just below and just above each change of the order of labels."""
    keys = _keys(table(heights)[1])
    differ = np.flatnonzero(keys[1:] != keys[:-1])
    low, high = heights[differ], heights[differ + 1]
    low_key, high_key = keys[differ], keys[differ + 1]
    found: list[Array] = [np.empty(0)]
    parts = np.linspace(0.0, 1.0, _SECTIONS + 1)
    for _ in range(_MAX_ROUNDS):
        if not len(low):
            break
        inner = low[:, None] * (high / low)[:, None] ** parts
        inner[:, 0], inner[:, -1] = low, high
        seen = _keys(table(inner.ravel())[1]).reshape(inner.shape)
        first = np.maximum(np.argmax(seen != low_key[:, None], axis=1), 1)
        row = np.arange(len(low))
        new_low, new_high = inner[row, first - 1], inner[row, first]
        new_key = seen[row, first]
        done = new_high / new_low - 1.0 <= _NARROW
        found += [new_low[done], new_high[done]]
        # Above the change that is being closed in on there may be others.
        more, wide = new_key != high_key, high / low - 1.0 > _CLOSE
        found.append(high[more & ~wide])
        rest = more & wide
        low = np.concatenate([new_low[~done], new_high[rest]])
        low_key = np.concatenate([low_key[~done], new_key[rest]])
        high = np.concatenate([new_high[~done], high[rest]])
        high_key = np.concatenate([new_key[~done], high_key[rest]])
    return np.concatenate(found)
