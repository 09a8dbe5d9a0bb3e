r"""Minima and maxima of planes over two log axes: exact convex polygons by the leaf that decides.

A leaf gives the value where, at each branch above it, it is at least (under a max) or at most
(under a min) what the other branches give. Against one leaf that is a half-plane; against a
branch it is an intersection or a union of such sets, and unions are cut into disjoint parts. So
the region of every leaf comes out as convex polygons, by cuts along crossings of two leaves only.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rates.numbers import DomainError, check_array
from rates.pieces.form import TIE, Array, Form, Tree

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
    form: Form,
    x: str,
    y: str,
    sizes: Mapping[str, ArrayLike],
    *,
    box: Box,
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
