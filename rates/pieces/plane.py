r"""Polygons: minima and maxima of planes over two log axes, and maps joined from exact rows.

A leaf gives the value where, at each branch above it, it is at least (under a max) or at most
(under a min) what the other branches give. Against one leaf that is a half-plane; against a
branch it is an intersection or a union of such sets, and unions are cut into disjoint parts. So
the region of every leaf comes out as convex polygons, by cuts along crossings of two leaves only.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError, check_array
from rates.pieces.form import TIE, Array, Codes, Form, Tree

Corners = list[tuple[float, float]]  # in units of the box
Line = tuple[float, float, float]  # level and both slopes
Cell = tuple[int, Corners]  # a leaf, and where it decides
Box = tuple[tuple[float, float], tuple[float, float]]

_BOX: Corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
_ON_THE_LINE = 1e-13  # distance in units of the box
_NO_AREA = 1e-14  # part of the box


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
    form: Form, x: str, y: str, sizes: Mapping[str, ArrayLike], *, box: Box
) -> dict[str, tuple[Polygon, ...]]:
    """Return, per label, the convex polygons of a map over two sizes on logarithmic axes.

    Args:
        form: A piecewise linear function of logs.
        x: The letter along the horizontal axis.
        y: The letter along the vertical axis.
        sizes: A number for every other letter.
        box: The ranges of x and of y, positive.

    Returns:
        Polygons by label, in the order of the leaves, straight on logarithmic axes; a label
        without area has none. They cover the box without overlap.

    Raises:
        DomainError: A letter or a number is outside its domain.

    Examples:
        >>> from fractions import Fraction as F
        >>> from rates.pieces import Leaf
        >>> private = Leaf("private", (("n", F(-1)), ("eps", F(-1))))
        >>> form = Form(("n", "eps"), (private, Leaf("free", (("n", F(-1, 2)),))), ("max", (0, 1)))
        >>> found = regions(form, "eps", "n", {}, box=((0.01, 1), (1, 1e4)))
        >>> [(label, p.x.round(3).tolist()) for label, (p,) in found.items()]
        [('private', [0.01, 1.0, 0.01, 0.01]), ('free', [1.0, 1.0, 0.01, 1.0])]
    """
    form = form.multiplied
    ends = np.array([check_array(name, part) for name, part in zip((x, y), box, strict=True)])
    if ends.shape != (2, 2) or not (ends[:, 0] < ends[:, 1]).all():
        raise DomainError("A box has a lower and an upper end on each axis.", "box", box)
    low = np.log(ends[:, 0])
    wide = np.log(ends[:, 1]) - low
    slopes, levels = form.along((x, y), sizes, single=True)
    planes = np.column_stack([levels + slopes @ low, slopes * wide])  # in units of the box
    out: dict[str, list[Polygon]] = {leaf.label: [] for leaf in form.leaves}
    for leaf, corners in _Partition(form.tree, planes).cells():
        unit = np.array([*corners, corners[0]])
        inner = np.where(unit == 1.0, ends[:, 1], np.exp(low + unit * wide))
        at = np.where(unit == 0.0, ends[:, 0], inner)  # on an edge they are the box's ends
        out[form.leaves[leaf].label].append(Polygon(x=at[:, 0], y=at[:, 1]))
    return {label: tuple(polygons) for label, polygons in out.items()}


class _Partition:
    """Parts of a box by the leaf that decides there.

    Args:
        tree: How the leaves are joined.
        planes: Level and both slopes of every leaf, in units of the box.
    """

    def __init__(self, tree: Tree, planes: Array) -> None:
        difference = planes[:, None] - planes  # of leaf i and leaf j
        at_corners = np.array([[1.0, *corner] for corner in _BOX]).T
        size = np.abs(planes @ at_corners).max(axis=1)
        scale = TIE * np.maximum(1.0, np.minimum(size[:, None], size))
        self._tree = tree
        self._tied = (np.abs(difference @ at_corners).max(axis=-1) <= scale).tolist()
        self._lines: list[list[Line]] = [[tuple(x) for x in row] for row in difference.tolist()]

    def cells(self) -> list[Cell]:
        """Return leaf and corners of each part of the box."""
        found: list[Cell] = []
        self._visit(self._tree, [], _BOX, found)
        return found

    def _visit(
        self, tree: Tree, rivals: list[tuple[bool, Tree]], within: Corners, found: list[Cell]
    ) -> None:
        """Collect the regions of all leaves of a branch, given the branches beside it."""
        if not isinstance(tree, int):
            kind, branches = tree
            for k, branch in enumerate(branches):
                beside = [(kind == "max", b) for j, b in enumerate(branches) if j != k]
                self._visit(branch, beside + rivals, within, found)
            return
        parts = [within]
        for above, rival in rivals:
            parts = [won for part in parts for won in self._against(tree, above, part, rival)[0]]
        found += [(tree, part) for part in parts if area(part) > _NO_AREA]

    def _against(
        self, leaf: int, above: bool, part: Corners, rival: Tree
    ) -> tuple[list[Corners], list[Corners]]:
        """Cut a polygon into where a leaf lies above (or below) a branch, and where it does not."""
        if isinstance(rival, int):
            if self._tied[leaf][rival]:
                return ([part], []) if leaf < rival else ([], [part])
            won, lost = halves(part, self._lines[leaf][rival])
            if not above:
                won, lost = lost, won
            return ([won] if won else []), ([lost] if lost else [])
        kind, branches = rival
        every = (kind == "max") == above  # it has to win against every branch, or against one
        settled = -1 if every else 1  # a leaf that settles the whole polygon goes first: no cuts
        open_, closed = [part], []
        for branch in sorted(branches, key=lambda b: self._sign(leaf, above, part, b) != settled):
            still: list[Corners] = []
            for piece in open_:
                won_, lost_ = self._against(leaf, above, piece, branch)
                still += won_ if every else lost_
                closed += lost_ if every else won_
            open_ = still
        return (open_, closed) if every else (closed, open_)

    def _sign(self, leaf: int, above: bool, part: Corners, rival: Tree) -> int:
        """Return 1 if a leaf wins against another on a whole polygon, -1 if it loses, or 0."""
        if not isinstance(rival, int):
            return 0
        if self._tied[leaf][rival]:
            return 1 if leaf < rival else -1
        a, p, q = self._lines[leaf][rival]
        height = [a + p * u + q * v for u, v in part]
        up = 1 if above else -1
        return up if min(height) >= 0.0 else -up if max(height) <= 0.0 else 0


def halves(corners: Corners, line: Line) -> tuple[Corners, Corners]:
    """Cut a convex polygon where level + p x + q y = 0: the part above 0, and the part below.

    >>> halves([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)], (-0.5, 1.0, 0.0))[1]
    [(0.5, 0.5), (0.0, 0.0), (0.5, 0.0)]
    """
    level, p, q = line
    slack = _ON_THE_LINE * (abs(p) + abs(q))
    height = [level + p * u + q * v for u, v in corners]
    height = [0.0 if abs(h) <= slack else h for h in height]
    if min(height) >= 0.0:
        return corners, []
    if max(height) <= 0.0:
        return [], corners
    over: Corners = []
    under: Corners = []
    for k, (corner, h) in enumerate(zip(corners, height, strict=True)):
        (u, v), g = corners[k - 1], height[k - 1]
        if g * h < 0.0:
            t = g / (g - h)
            meet = (u + t * (corner[0] - u), v + t * (corner[1] - v))
            over.append(meet)
            under.append(meet)
        if h >= 0.0:
            over.append(corner)
        if h <= 0.0:
            under.append(corner)
    return over, under


def area(corners: Corners) -> float:
    """Return the area of a polygon as a part of the box."""
    before = [corners[-1], *corners[:-1]]
    turns = (a * y - x * b for (a, b), (x, y) in zip(before, corners, strict=True))
    return 0.5 * abs(sum(turns))


Table = Callable[[Array], tuple[Array, Codes]]  # heights -> inner edges and cell codes by row

_SECTIONS = 32
_CLOSE = 1e-10  # how well the height of a change is known; those closer are drawn as one
_MAX_ROUNDS = 40
STRAIGHT = 1e-4  # of the map's width: how far an edge may bend away from its chord
_MAX_HALVINGS = 8


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
    """Join the rows of a map into polygons by label, where the ends along each row are exact.

    Between two rows with a different order of labels the height at which the order changes is
    found by sections to 1e-10, and a row is put on either side of it, so that no polygon reaches
    across. Where an edge is curved rows are halved until it is straight between them to `STRAIGHT`.

    Args:
        table: Takes heights and returns, per row, the inner edges in the coordinate of x,
            ascending, and the codes of the cells between them: places in the labels.
        y: Heights of the rows; more are added where the order of codes changes.
        labels: What the codes stand for.
        x: The horizontal axis.
        log_y: Whether the vertical axis is logarithmic; then heights are positive.

    Returns:
        Polygons by label. Edges are exact at every row and straight in between, from which the
        exact ones differ by about `STRAIGHT` of the width at most.

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
    rows = _Rows(table, heights, log_y)
    low, high = x.span
    heights = np.union1d(heights, rows.changes(heights))
    heights = np.union1d(heights, rows.bends(heights, STRAIGHT * (high - low)))
    # Pieces that touch in less than this only share a corner.
    least = 1e-9 * (1.0 if x.log else max(abs(low), abs(high)))
    out: dict[int, list[_Strip]] = {code: [] for code in range(len(labels))}
    for part, order, inner in rows.groups(heights):
        if rows.gap(part[0], part[-1]) < _CLOSE:
            continue  # changes at one height leave rows without area between them
        at = np.empty((len(part), len(order) + 1))
        at[:, 0], at[:, -1] = low, high
        at[:, 1:-1] = inner
        for j, code in enumerate(order):
            piece = _Strip([part], [at[:, j]], [at[:, j + 1]])
            below = (s for s in out[code] if s.carries(piece, rows, least))
            if (strip := next(below, None)) is None:
                out[code].append(piece)
            else:
                strip.add(piece)
    return {
        label: tuple(strip.polygon(x) for strip in out[code]) for code, label in enumerate(labels)
    }


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


class _Row(NamedTuple):
    order: int
    inner: list[float]  # the edges between different codes


class _Rows:
    """The rows of a table: the orders of codes along them, and where these change.

    A table may round a row another way when it is asked again in other company, so what it said
    first about a height stands. Heights are compared by their ratio; on a linear axis by their
    difference over a unit.
    """

    def __init__(self, table: Table, heights: Array, log: bool) -> None:
        self._table = table
        self._unit = None if log else float(np.abs(heights).max())
        self._numbers: dict[bytes, int] = {}
        self._kept: dict[float, _Row] = {}

    def gap(self, low: Array, high: Array) -> Array:
        """Return the relative distance of two heights."""
        return np.asarray(high / low - 1.0 if self._unit is None else (high - low) / self._unit)

    def groups(self, heights: Array) -> Iterator[tuple[Array, list[int], list[list[float]]]]:
        """Yield neighbours of one order among rows that are kept: heights, codes, inner edges."""
        orders = list(self._numbers)
        for order, group in groupby(heights.tolist(), key=lambda height: self._kept[height].order):
            part = list(group)
            codes = np.frombuffer(orders[order], dtype=np.int16).tolist()
            yield np.array(part), codes, [self._kept[height].inner for height in part]

    def changes(self, heights: Array) -> Array:
        """Keep rows, and rows just below and just above each change, whose heights return."""
        keys, row_at = self._ask(heights)
        self._keep(heights, row_at, np.arange(len(heights)))
        differ = np.flatnonzero(keys[1:] != keys[:-1])
        low, high = heights[differ], heights[differ + 1]
        low_key, high_key = keys[differ], keys[differ + 1]
        found: list[Array] = [np.empty(0)]
        for _ in range(_MAX_ROUNDS):
            if not len(low):
                break
            inner = self._between(low[:, None], high[:, None])
            asked = inner[:, 1:-1].ravel()
            orders, row_at = self._ask(asked)
            between = orders.reshape(len(low), -1)
            seen = np.column_stack([low_key, between, high_key])
            row = np.arange(len(low))
            first = np.argmax(seen != low_key[:, None], axis=1)
            new_low, new_high = inner[row, first - 1], inner[row, first]
            new_key = seen[row, first]
            place = np.arange(between.size).reshape(between.shape)
            place = np.pad(place, ((0, 0), (1, 1)), constant_values=-1)  # the ends are known
            ends = np.concatenate([place[row, first - 1], place[row, first]])
            self._keep(asked, row_at, ends[ends >= 0])
            done = self.gap(new_low, new_high) <= _CLOSE
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

    def bends(self, heights: Array, most: float) -> Array:
        """Keep rows, whose heights return, so that no edge is further than this from straight."""
        low, high = heights[:-1], heights[1:]
        found: list[Array] = [np.empty(0)]
        for _ in range(_MAX_HALVINGS):
            wide = self.gap(low, high) > _CLOSE
            low, high = low[wide], high[wide]
            if not len(low):
                break
            middle = 0.5 * (low + high) if self._unit is not None else np.sqrt(low * high)
            _, row_at = self._ask(middle)
            bent = np.array(
                [
                    self._bent(row_at(k), self._kept[a], self._kept[b], most)
                    for k, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True))
                ]
            )
            self._keep(middle, row_at, np.flatnonzero(bent))
            found.append(middle[bent])
            low = np.concatenate([low[bent], middle[bent]])
            high = np.concatenate([middle[bent], high[bent]])
        return np.concatenate(found)

    def _bent(self, middle: _Row, below: _Row, above: _Row, most: float) -> bool:
        """Whether a row between two of its own order has an edge off the chord of theirs."""
        if not middle.order == below.order == above.order:
            return False
        edges = zip(below.inner, middle.inner, above.inner, strict=True)
        return any(abs(x - 0.5 * (low + high)) > most for low, x, high in edges)

    def _ask(self, heights: Array) -> tuple[NDArray[np.intp], Callable[[int], _Row]]:
        """Return the number of each row's order, and a function from places to rows."""
        edges, codes = self._table(heights)
        changed = codes[:, 1:] != codes[:, :-1]
        other = (codes[1:] != codes[:-1]).any(axis=1)  # neighbours mostly have the same codes
        first = np.flatnonzero(np.append(True, other))
        known = self._numbers
        keys = [codes[k][np.append(True, changed[k])].astype(np.int16).tobytes() for k in first]
        numbers = [known.setdefault(key, len(known)) for key in keys]
        orders = np.repeat(numbers, np.diff(first, append=len(codes)))
        return orders, lambda k: _Row(int(orders[k]), edges[k][changed[k]].tolist())

    def _keep(
        self, heights: Array, row_at: Callable[[int], _Row], places: NDArray[np.intp]
    ) -> None:
        for k in places.tolist():
            self._kept.setdefault(float(heights[k]), row_at(k))

    def _between(self, low: Array, high: Array) -> Array:
        parts = np.linspace(0.0, 1.0, _SECTIONS + 1)
        log = self._unit is None
        inner = low * (high / low) ** parts if log else low + (high - low) * parts
        inner[:, :1], inner[:, -1:] = low, high
        return np.asarray(inner)
