r"""Minima and maxima of lines along one axis: exact intervals by the line that decides.

Every change of the deciding line lies at a crossing of two lines,

.. math:: a_i + s_i x = a_j + s_j x, \qquad x = \frac{a_j - a_i}{s_i - s_j},

so the tree is evaluated once between neighbouring crossings; nothing is scanned. Arrays broadcast
over many problems, and the last axis runs over lines, crossings or cells.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError
from rates.pieces.form import TIE, Array, Codes, Form, Tree, decide

_SLIVER = 1e-3  # width, in logs, of a cell that rounding may have made
_FEW = 6  # leaves of which all pairs are crossed
FINITE = (-745.0, 709.7)  # logs of the least and the largest number that a float holds


class Cells(NamedTuple):
    """The cells into which crossings cut an interval, one row per problem.

    Attributes:
        edges: The inner edges, ascending, as many as the fullest row has; the others' rest are
            put at the upper end.
        middles: A point inside each of the cells, one more than edges.
        thin: Which cells have no width.
    """

    edges: Array
    middles: Array
    thin: NDArray[np.bool_]


def cut(crossings: Array, low: float, high: float) -> Cells:
    """Cut (low, high) at those of the crossings that lie inside; rows along the first axes.

    The interval may be infinite: it ends where floats do. Crossings that are not finite, or within
    1e-12 of an end or of each other, do not open a cell.
    """
    # A middle of an infinite cell would be infinite: cells end where floats do.
    low, high = max(low, FINITE[0]), min(high, FINITE[1])
    slack = TIE * np.maximum(1.0, np.abs(crossings))
    with np.errstate(invalid="ignore"):
        inside = (crossings > low + slack) & (crossings < high - slack)
    most = int(np.count_nonzero(inside, axis=-1).max(initial=0))
    edges = np.sort(np.where(inside, crossings, high), axis=-1)[..., :most]
    ends = (*edges.shape[:-1], 1)
    left = np.concatenate([np.full(ends, low), edges], axis=-1)
    right = np.concatenate([edges, np.full(ends, high)], axis=-1)
    thin = right - left <= TIE * np.maximum(1.0, np.abs(left))
    return Cells(edges, 0.5 * (left + right), thin)


def settle(codes: Codes, thin: NDArray[np.bool_]) -> Codes:
    """Give every cell without width the code of the cell before it."""
    place = np.where(thin, 0, np.arange(thin.shape[-1]))
    return np.take_along_axis(codes, np.maximum.accumulate(place, axis=-1), axis=-1)


def joined(edges: Array, codes: Codes, lo: float, hi: float) -> list[tuple[float, float, int]]:
    """Join neighbouring cells of one code; the edges are logs, the ends are given as they are.

    >>> joined(np.array([-1.0, 0.0, 1.0]), np.array([1, 1, 0, 0]), 0.25, 4.0)
    [(0.25, 1.0, 1), (1.0, 4.0, 0)]
    """
    changes = np.flatnonzero(codes[1:] != codes[:-1])
    ends = [lo, *map(math.exp, edges[changes].tolist()), hi]
    return [
        (left, right, code)
        for (left, right), code in zip(
            pairwise(ends), codes[[0, *(changes + 1)]].tolist(), strict=True
        )
    ]


def crossings(slopes: Array, intercepts: Array) -> Array:
    """Return where each pair of lines meets, not finite where they are parallel.

    >>> crossings(np.array([1.0, 0.0, 1.0]), np.array([0.0, 3.0, 5.0])).tolist()
    [3.0, inf, -2.0]
    """
    first, second = _pairs(slopes.shape[-1])
    with np.errstate(all="ignore"):
        rise = intercepts[..., second] - intercepts[..., first]
        return np.asarray(rise / (slopes[..., first] - slopes[..., second]))


_pairs = functools.lru_cache(maxsize=32)(functools.partial(np.triu_indices, k=1))


def leaves_along(
    tree: Tree, slopes: Array, intercepts: Array, low: float, high: float
) -> tuple[Array, Codes]:
    """Return the inner edges and the leaf that decides in each cell of (low, high).

    Neighbours may have one leaf. Edges that are not needed are put at the upper end; the cells
    behind them have its leaf.
    A tree of many leaves is halved and the halves' cells are put on each other, so that few
    crossings are looked at.

    Args:
        tree: How the lines are joined.
        slopes: Slopes, the last axis over lines; they broadcast with the intercepts.
        intercepts: Values at 0.
        low: Lower end, or minus infinity.
        high: Upper end, or infinity.

    >>> edges, leaf = leaves_along(("min", (0, 1)), np.array([1.0, 0.0]), np.zeros(2), -1, 1)
    >>> edges.tolist(), leaf.tolist()
    ([0.0], [0, 1])
    """
    slopes, intercepts = np.broadcast_arrays(slopes, intercepts)
    leaves = _leaves(tree)
    if isinstance(tree, int) or len(leaves) <= _FEW:
        cells = cut(crossings(slopes[..., leaves], intercepts[..., leaves]), low, high)
        lines = {k: intercepts[..., k, None] + slopes[..., k, None] * cells.middles for k in leaves}
        _, leaf = decide(tree, lines)
        return _steady(cells, leaf, slopes, intercepts)
    kind, branches = tree
    if len(branches) == 1:
        return leaves_along(branches[0], slopes, intercepts, low, high)
    # All pairs of 64 leaves cross 2,016 times, of two halves that are settled a few times.
    half = len(branches) // 2
    parts = [
        _needed(*leaves_along((kind, part), slopes, intercepts, low, high), high)
        for part in (branches[:half], branches[half:])
    ]

    def lines_at(cells: Cells) -> tuple[list[Codes], list[Array], list[Array]]:
        found = [_codes_at(edges, codes, cells.middles) for edges, codes in parts]
        return (
            found,
            [np.take_along_axis(slopes, code, axis=-1) for code in found],
            [np.take_along_axis(intercepts, code, axis=-1) for code in found],
        )

    edges = np.concatenate([edges for edges, _ in parts], axis=-1)
    _, slope, level = lines_at(cut(edges, low, high))
    with np.errstate(all="ignore"):
        meet = (level[1] - level[0]) / (slope[0] - slope[1])
    cells = cut(np.concatenate([edges, meet], axis=-1), low, high)
    found, slope, level = lines_at(cells)
    values = [a + s * cells.middles for a, s in zip(level, slope, strict=True)]
    _, second = decide((kind, (0, 1)), values)
    leaf = np.where(second == 1, found[1], found[0])
    return _steady(cells, leaf, slopes, intercepts)


def _leaves(tree: Tree) -> list[int]:
    return [tree] if isinstance(tree, int) else [k for branch in tree[1] for k in _leaves(branch)]


def _codes_at(edges: Array, codes: Codes, x: Array) -> Codes:
    """Return the codes of the cells in which points lie."""
    place = np.count_nonzero(edges[..., None, :] < x[..., None], axis=-1)
    return np.take_along_axis(codes, place, axis=-1)


def _steady(cells: Cells, codes: Codes, slopes: Array, intercepts: Array) -> tuple[Array, Codes]:
    """Return edges and codes without what rounding made of places where three lines meet.

    Lines that are nearly parallel meet where rounding puts them. A narrow cell in which its leaf
    ties with that of a neighbour gets the nearer one's, and beside a narrow cell an edge stands
    where the two leaves beside it meet.
    """
    edges, codes = cells.edges, settle(codes, cells.thin)
    width = np.diff(edges, axis=-1)
    narrow = (width > 0.0) & (width < _SLIVER)
    if not narrow.any():
        return edges, codes
    slope, level = (np.take_along_axis(x, codes, axis=-1) for x in (slopes, intercepts))
    # Of three neighbours at the middle of the narrow one.
    before, own, after = (
        level[..., k : k + width.shape[-1]] + slope[..., k : k + width.shape[-1]] * middles
        for middles in [cells.middles[..., 1:-1]]
        for k in range(3)
    )
    alone = (codes[..., 1:-1] != codes[..., :-2]) & (codes[..., 1:-1] != codes[..., 2:])
    back, ahead = np.abs(before - own), np.abs(after - own)
    slack = TIE * np.maximum(1.0, np.abs(own))
    left, right = (narrow & alone & (gap <= slack) for gap in (back, ahead))
    # Each narrow cell goes to one side: the one that it is nearer to.
    left &= ~(right & (ahead < back))
    right &= ~left
    codes[..., 1:-1] = np.select([left, right], [codes[..., :-2], codes[..., 2:]], codes[..., 1:-1])
    slope, level = (np.take_along_axis(x, codes, axis=-1) for x in (slopes, intercepts))
    with np.errstate(all="ignore"):
        meet = -np.diff(level, axis=-1) / np.diff(slope, axis=-1)
        return np.where(np.abs(meet - edges) < _SLIVER, meet, edges), codes


def _needed(edges: Array, codes: Codes, high: float) -> tuple[Array, Codes]:
    """Keep the edges at which the code changes; every row has as many as the fullest."""
    changed = codes[..., 1:] != codes[..., :-1]
    most = int(np.count_nonzero(changed, axis=-1).max(initial=0))
    edges = np.sort(np.where(changed, edges, high), axis=-1)[..., :most]
    order = np.argsort(~changed, axis=-1, kind="stable")[..., :most]
    after = np.take_along_axis(codes, order + 1, axis=-1)
    count = np.count_nonzero(changed, axis=-1)[..., None]
    after = np.where(np.arange(most) < count, after, codes[..., -1:])
    return edges, np.concatenate([codes[..., :1], after], axis=-1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """One interval (lo, hi] of a size and the leaf that decides on it.

    Attributes:
        lo: Lower end, excluded.
        hi: Upper end.
        label: The leaf's label.
        slope: The leaf's power of the size: the slope of the log of the rate.
    """

    lo: float
    hi: float
    label: str
    slope: float


@dataclass(frozen=True, slots=True)
class Lines:
    """Leaves as lines in the log of one size, for many problems at once.

    Attributes:
        tree: How they are joined.
        lines: By label slope and value at 0, which broadcast; a value is infinite where what the
            leaf stands for is missing.

    >>> private, free = np.array([[-1.0, -3.0], [0.0, -2.0]])
    >>> found = Lines(("max", (0, 1)), {"private": tuple(private), "free": tuple(free)})
    >>> float(found.meeting("private", "free")), found.codes(np.array([-2.0, 0.0])).tolist()
    (-1.0, [0, 1])
    """

    tree: Tree
    lines: Mapping[str, tuple[Array, Array]]

    def at(self, x: Array) -> list[Array]:
        """The leaves' values at places that broadcast with the problems, one by one."""
        return [a + s * x if s.any() else a for s, a in self.lines.values()]

    def codes(self, x: Array) -> Codes:
        """The leaf that decides at places."""
        return decide(self.tree, self.at(x))[1]

    def column(self) -> Lines:
        """The same with a last axis of length 1, along which places can run."""
        lines = {label: (s[..., None], a[..., None]) for label, (s, a) in self.lines.items()}
        return Lines(self.tree, lines)

    def meeting(self, first: str, second: str) -> Array:
        """Where two leaves are equal; nan where one is missing, infinite where parallel."""
        (s, a), (t, b) = self.lines[first], self.lines[second]
        with np.errstate(all="ignore"):
            return np.where(np.isfinite(a) & np.isfinite(b), (b - a) / (s - t), np.nan)

    @property
    def stacked(self) -> tuple[Array, Array]:
        """Slopes and levels with a last axis over the leaves."""
        shape = np.broadcast_shapes(*(part.shape for line in self.lines.values() for part in line))
        slopes, levels = np.empty((2, *shape, len(self.lines)))
        for k, line in enumerate(self.lines.values()):
            slopes[..., k], levels[..., k] = line
        return slopes, levels

    def cells(self, low: float, high: float) -> tuple[Array, Codes]:
        """The inner edges and the leaf that decides in each cell, as `leaves_along` has them."""
        return leaves_along(self.tree, *self.stacked, low, high)

    def intervals(
        self, lo: float, hi: float, labels: Sequence[str] | None = None
    ) -> tuple[Interval, ...]:
        """The leaves of one problem on each interval of the size, from 0 or above on.

        Leaves of one label and slope are one, if labels are given beside the lines' own.
        """
        edges, leaf = self.cells(math.log(lo) if lo else -math.inf, math.log(hi))
        slopes = [float(slope) for slope, _ in self.lines.values()]
        names = list(zip(labels or self.lines, slopes, strict=True))
        alike = np.array([names.index(name) for name in names], dtype=np.int16)
        return tuple(
            Interval(lo=left, hi=right, label=names[k][0], slope=names[k][1])
            for left, right, k in joined(edges, alike[leaf], float(lo), float(hi))
        )


def intervals(
    form: Form, along: str, sizes: Mapping[str, ArrayLike], *, lo: float, hi: float
) -> tuple[Interval, ...]:
    """Return the deciding leaf on each interval of one size, in ascending order.

    Args:
        form: A piecewise linear function of logs.
        along: The letter that varies.
        sizes: A number for every other letter.
        lo: Lower end, >= 0.
        hi: Upper end, above the lower one; ``inf`` allowed.

    Returns:
        Intervals that partition (lo, hi]; neighbours differ in label or slope.

    Raises:
        DomainError: A letter or a number is outside its domain.

    Examples:
        >>> from fractions import Fraction as F
        >>> from rates.pieces import Leaf
        >>> private = Leaf("private", (("n", F(-1)), ("eps", F(-1))))
        >>> form = Form(("n", "eps"), (private, Leaf("free", (("n", F(-1, 2)),))), ("max", (0, 1)))
        >>> for row in intervals(form, "eps", {"n": 100}, lo=0, hi=1):
        ...     print(f"{row.lo:.3g} to {row.hi:.3g}: {row.label}, slope {row.slope:g}")
        0 to 0.1: private, slope -1
        0.1 to 1: free, slope 0
    """
    if not 0.0 <= lo < hi:
        raise DomainError("An interval has 0 <= lo < hi.", "lo and hi", (lo, hi))
    form = form.multiplied
    slopes, levels = form.along([along], sizes, single=True)
    lines = zip(slopes[:, 0], levels, strict=True)
    numbered = {str(k): line for k, line in enumerate(lines)}
    return Lines(form.tree, numbered).intervals(lo, hi, [leaf.label for leaf in form.leaves])
