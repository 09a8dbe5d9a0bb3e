"""Maps joined from rows: filled polygons by label where the ends along each row are exact.

Between two rows with a different order of labels the height at which the order changes is found
by sections to 1e-13, and a row is put on either side of it, so that no polygon reaches across.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from rates.numbers import DomainError, check_array
from rates.pieces.form import Array, Codes
from rates.pieces.plane import Polygon

Table = Callable[[Array], tuple[Array, Codes]]  # heights -> inner edges and cell codes by row

_SECTIONS = 32
_NARROW = 1e-13
_CLOSE = 1e-10  # changes closer than this are drawn as one
_MAX_ROUNDS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """The range of one axis of a map.

    Attributes:
        low: Lower end.
        high: Upper end.
        log: Whether the axis is logarithmic: then both ends are positive.

    Raises:
        DomainError: The ends are not finite numbers in ascending order, or not positive.
    """

    low: float
    high: float
    log: bool = True

    def __post_init__(self) -> None:
        _checked("low and high", [self.low, self.high], self.log)
        if not self.low < self.high:
            raise DomainError("low must be below high.", "low and high", (self.low, self.high))

    @property
    def span(self) -> tuple[float, float]:
        """The ends in the axis's own coordinate: logs on a logarithmic axis."""
        if self.log:
            return math.log(self.low), math.log(self.high)
        return self.low, self.high

    def numbers(self, coordinate: Array) -> Array:
        """Return the numbers at places in the axis's own coordinate, the ends exactly."""
        low, high = self.span
        at = np.exp(coordinate) if self.log else coordinate
        return np.where(coordinate == low, self.low, np.where(coordinate == high, self.high, at))


def _checked(name: str, values: ArrayLike, log: bool) -> Array:
    if log:
        return check_array(name, values)
    array = np.asarray(values, dtype=float)
    if not np.isfinite(array).all():
        raise DomainError(f"{name} must be finite.", name, values)
    return array


def join_rows(
    table: Table, y: ArrayLike, labels: Sequence[str], *, x: Axis, log_y: bool = True
) -> dict[str, tuple[Polygon, ...]]:
    """Join the rows of a map into polygons by label.

    Args:
        table: Takes heights and returns, per row, the inner edges in the coordinate of x,
            ascending, and the codes of the cells between them: places in the labels.
        y: Heights of the rows; more are added where the order of codes changes.
        labels: What the codes stand for.
        x: The horizontal axis.
        log_y: Whether the vertical axis is logarithmic; then heights are positive.

    Returns:
        Polygons by label. Edges are exact at every row and straight in between.

    Raises:
        DomainError: There are fewer than two rows, or a height lies outside its domain.

    Examples:
        >>> def table(heights):  # "above" right of x = height
        ...     return heights[:, None], np.tile([0, 1], (len(heights), 1))
        >>> axis = Axis(low=-2, high=2, log=False)
        >>> found = join_rows(table, [-1, 1], ["below", "above"], x=axis, log_y=False)
        >>> found["above"][0].x.tolist(), found["above"][0].y.tolist()
        ([-1.0, 1.0, 2.0, 2.0, -1.0], [-1.0, 1.0, 1.0, -1.0, -1.0])
    """
    heights = np.unique(_checked("y", y, log_y))
    if len(heights) < 2:
        raise DomainError("A map needs at least two rows.", "y", len(heights))
    rows = _Rows(heights, log_y)
    heights = np.union1d(heights, rows.changes(lambda y: table(y)[1], heights))
    edges, codes = table(heights)
    orders = rows.orders(codes)
    starts = np.flatnonzero(np.concatenate([[True], orders[1:] != orders[:-1]]))
    stops = np.append(starts[1:], len(heights))
    low, high = x.span
    least = 1e-9 * (1.0 if x.log else max(abs(low), abs(high)))
    out: dict[int, list[_Strip]] = {code: [] for code in range(len(labels))}
    for start, stop in zip(starts.tolist(), stops.tolist(), strict=True):
        if rows.gap(heights[start], heights[stop - 1]) < _CLOSE:
            continue  # changes at one height leave rows without area between them
        part = slice(start, stop)
        changed = codes[part, 1:] != codes[part, :-1]
        count = int(changed[0].sum())
        at = np.empty((stop - start, count + 2))
        at[:, 0], at[:, -1] = low, high
        at[:, 1:-1] = edges[part][changed].reshape(stop - start, count)
        order = [int(codes[start, 0]), *codes[start, 1:][changed[0]].tolist()]
        for j, code in enumerate(order):
            piece = _Strip([heights[part]], [at[:, j]], [at[:, j + 1]])
            below = (s for s in out[code] if s.carries(piece, rows, least))
            if (strip := next(below, None)) is None:
                out[code].append(piece)
            else:
                strip.add(piece)
    return {
        label: tuple(strip.polygon(x) for strip in out[code]) for code, label in enumerate(labels)
    }


def changes(codes: Callable[[Array], Codes], y: Array, *, log: bool = True) -> Array:
    """Return heights just below and just above each change of the codes, to 1e-13.

    Args:
        codes: Takes heights and returns a row of codes for each.
        y: Ascending heights between which changes are looked for.
        log: Whether heights are compared by their ratio; then they are positive.

    >>> found = changes(lambda y: (y[:, None] > 0.3).astype(int), np.array([-1.0, 1.0]), log=False)
    >>> found.round(12).tolist()
    [0.3, 0.3]
    """
    return np.sort(_Rows(y, log).changes(codes, y))


@dataclass(slots=True)
class _Strip:
    """A polygon in the making: stacked pieces with a left and a right edge."""

    y: list[Array]
    left: list[Array]
    right: list[Array]

    def carries(self, piece: _Strip, rows: _Rows, least: float) -> bool:
        """Whether a piece lies on top of this one.

        The edge may jump there: then two corners of the polygon lie at (nearly) one height.
        """
        touches = abs(rows.gap(self.y[-1][-1], piece.y[0][0])) < 1e2 * _CLOSE
        left = max(self.left[-1][-1], piece.left[0][0])
        return bool(touches and min(self.right[-1][-1], piece.right[0][0]) - left > least)

    def add(self, piece: _Strip) -> None:
        self.y += piece.y
        self.left += piece.left
        self.right += piece.right

    def polygon(self, x: Axis) -> Polygon:
        y, left, right = (np.concatenate(part) for part in (self.y, self.left, self.right))
        return Polygon(
            x=x.numbers(np.concatenate([left, right[::-1], left[:1]])),
            y=np.concatenate([y, y[::-1], y[:1]]),
        )


class _Rows:
    """Orders of codes along rows, and where these change.

    Heights are compared by their ratio; on a linear axis by their difference over a unit.
    """

    def __init__(self, heights: Array, log: bool) -> None:
        self._unit = None if log else float(np.abs(heights).max())
        self._numbers: dict[bytes, int] = {}

    def gap(self, low: Array, high: Array) -> Array:
        """Return the relative distance of two heights."""
        return np.asarray(high / low - 1.0 if self._unit is None else (high - low) / self._unit)

    def orders(self, codes: Codes) -> Array:
        """Number the orders of codes along rows, neighbours of one code joined."""
        first = np.ones((len(codes), 1), dtype=bool)
        changed = np.concatenate([first, codes[:, 1:] != codes[:, :-1]], axis=1)
        ends = np.cumsum(np.count_nonzero(changed, axis=1)).tolist()
        short = codes[changed].astype(np.int16)
        known = self._numbers
        return np.array(
            [known.setdefault(short[a:b].tobytes(), len(known)) for a, b in pairwise([0, *ends])]
        )

    def changes(self, codes: Callable[[Array], Codes], heights: Array) -> Array:
        """Return heights just below and just above each change of the order of codes."""
        keys = self.orders(codes(heights))
        differ = np.flatnonzero(keys[1:] != keys[:-1])
        low, high = heights[differ], heights[differ + 1]
        low_key, high_key = keys[differ], keys[differ + 1]
        found: list[Array] = [np.empty(0)]
        for _ in range(_MAX_ROUNDS):
            if not len(low):
                break
            inner = self._between(low[:, None], high[:, None])
            seen = self.orders(codes(inner.ravel())).reshape(inner.shape)
            first = np.maximum(np.argmax(seen != low_key[:, None], axis=1), 1)
            row = np.arange(len(low))
            new_low, new_high = inner[row, first - 1], inner[row, first]
            new_key = seen[row, first]
            done = self.gap(new_low, new_high) <= _NARROW
            found += [new_low[done], new_high[done]]
            # Above the change that is being closed in on there may be others.
            more, wide = new_key != high_key, self.gap(low, high) > _CLOSE
            found.append(high[more & ~wide])
            rest = more & wide
            low = np.concatenate([new_low[~done], new_high[rest]])
            low_key = np.concatenate([low_key[~done], new_key[rest]])
            high = np.concatenate([new_high[~done], high[rest]])
            high_key = np.concatenate([new_key[~done], high_key[rest]])
        return np.concatenate(found)

    def _between(self, low: Array, high: Array) -> Array:
        parts = np.linspace(0.0, 1.0, _SECTIONS + 1)
        log = self._unit is None
        inner = low * (high / low) ** parts if log else low + (high - low) * parts
        inner[:, :1], inner[:, -1:] = low, high
        return np.asarray(inner)
