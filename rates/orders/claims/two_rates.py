"""Two rates at once: where they agree, where one is larger, and by how much at most."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import pieces
from rates.numbers import check_array
from rates.orders.order import Order
from rates.pieces import Polygon

Array = NDArray[np.float64]

_NO_AREA = 1e-12  # part of the box
_EDGE = 1e-13  # likewise
_SAME = 1e-9  # in logs

Larger = Literal["", "first", "second"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch:
    """A convex part of a map in which one term of each rate decides.

    Attributes:
        first: Label of the first rate's term.
        second: Label of the second rate's term.
        larger: Which rate is larger there, empty where they agree.
        polygon: Where it is, straight on logarithmic axes.
    """

    first: str
    second: str
    larger: Larger
    polygon: Polygon


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two rates in a box over two sizes, sums read as maxima.

    Attributes:
        patches: Parts that cover the box without overlap.
        agree: The part of the box, on logarithmic axes, where the two agree.
        factor: The largest ratio of one to the other.
        larger: Which one is larger there, empty if they agree everywhere.
        place: Where, by letter.
        sum_factor: What sums and balances may add to the ratio, as a factor.
    """

    patches: tuple[Patch, ...]
    agree: float
    factor: float
    larger: Larger
    place: dict[str, float]
    sum_factor: float


def compare(
    first: Order,
    second: Order,
    x: str,
    y: str,
    sizes: Mapping[str, ArrayLike],
    exponents: Mapping[str, Any],
    *,
    box: tuple[tuple[float, float], tuple[float, float]],
) -> Comparison:
    """Compare two rates over two sizes, the other sizes and the exponents given.

    The log of the ratio is linear on every patch, so it is largest at a corner of one.

    Args:
        first: One rate.
        second: Another.
        x: The letter along the horizontal axis.
        y: The letter along the vertical axis.
        sizes: A number for every other size.
        exponents: A number for every exponent.
        box: The ranges of x and of y, positive.

    Raises:
        DomainError: A letter or a number is outside its domain.

    Examples:
        >>> from rates.orders import parse
        >>> letters = dict(sizes=["n", "eps"])
        >>> private = parse("n^(-1/2) + 1/(n*eps)", **letters)
        >>> free = parse("n^(-1/2)", **letters)
        >>> found = compare(private, free, "n", "eps", {}, {}, box=((1, 1e4), (1e-2, 1)))
        >>> round(found.agree, 12), found.larger, found.place, round(found.factor, 9)
        (0.5, 'first', {'n': 1.0, 'eps': 0.01}, 100.0)
    """
    forms = (first.at(exponents), second.at(exponents))
    frame = _Frame((x, y), sizes, box)
    cells = [list(frame.cells(form)) for form in forms]
    planes = [frame.planes(form) for form in forms]
    patches: list[Patch] = []
    agree, best, larger, corner = 0.0, 0.0, "", np.zeros(2)
    for one, here in cells[0]:
        for other, there in cells[1]:
            common = _meet(here, there)
            if common is None:
                continue
            level, *slopes = planes[0][one] - planes[1][other]
            for part, which in _by_sign(common, level, np.array(slopes)):
                at = frame.sizes_at(np.vstack([part, part[:1]]))
                patches.append(
                    Patch(
                        first=forms[0].leaves[one].label,
                        second=forms[1].leaves[other].label,
                        larger=which,
                        polygon=Polygon(x=at[:, 0], y=at[:, 1]),
                    )
                )
                agree += 0.0 if which else abs(_area(part))
                gaps = np.abs(level + part @ np.array(slopes))
                if which and gaps.max() > best + _SAME:
                    best, larger, corner = float(gaps.max()), which, part[int(gaps.argmax())]
    place = dict(zip((x, y), map(float, frame.sizes_at(corner)), strict=True))
    return Comparison(
        patches=tuple(patches),
        agree=agree,
        factor=math.exp(min(best, 709.0)),
        larger=larger,  # type: ignore[arg-type]
        place=place if larger else {},
        sum_factor=first.sum_factor(exponents) * second.sum_factor(exponents),
    )


class _Frame:
    """A box over two sizes, and forms in units of it."""

    def __init__(
        self,
        axes: tuple[str, str],
        sizes: Mapping[str, ArrayLike],
        box: tuple[tuple[float, float], tuple[float, float]],
    ) -> None:
        self.axes, self.sizes, self.box = axes, sizes, box
        self.ends = np.array([check_array(x, part) for x, part in zip(axes, box, strict=True)])
        self.low, self.wide = np.log(self.ends[:, 0]), np.log(self.ends[:, 1] / self.ends[:, 0])

    def cells(self, form: pieces.Form) -> Iterator[tuple[int, Array]]:
        """Yield leaf and corners of every cell of a form."""
        leaves = tuple(replace(leaf, label=str(k)) for k, leaf in enumerate(form.leaves))
        numbered = replace(form, leaves=leaves)
        for label, polygons in pieces.regions(
            numbered, *self.axes, self.sizes, box=self.box
        ).items():
            for polygon in polygons:
                corners = np.log(np.column_stack([polygon.x, polygon.y])[:-1])
                yield int(label), (corners - self.low) / self.wide

    def planes(self, form: pieces.Form) -> Array:
        """Return level and slopes of every leaf."""
        slopes, intercepts = form.along(list(self.axes), self.sizes)
        return np.column_stack([intercepts + slopes @ self.low, slopes * self.wide])

    def sizes_at(self, units: Array) -> Array:
        """Return corners as sizes; those on an edge of the box are its ends."""
        at = np.exp(self.low + units * self.wide)
        at = np.where(np.abs(units) < _EDGE, self.ends[:, 0], at)
        return np.asarray(np.where(np.abs(units - 1.0) < _EDGE, self.ends[:, 1], at))


def _meet(one: Array, other: Array) -> Array | None:
    """Return the common part of two convex polygons, None without area."""
    if np.any(one.min(axis=0) >= other.max(axis=0)) or np.any(other.min(axis=0) >= one.max(axis=0)):
        return None
    turn = 1.0 if _area(other) > 0 else -1.0
    part: Array | None = one
    for start, end in zip(other, np.roll(other, -1, axis=0), strict=True):
        normal = turn * np.array([start[1] - end[1], end[0] - start[0]])
        if part is not None:
            part = _half(part, -float(normal @ start), normal)
    return part


def _by_sign(part: Array, level: float, slopes: Array) -> Iterator[tuple[Array, Larger]]:
    """Cut a polygon where a difference changes its sign."""
    gaps = level + part @ slopes
    if np.all(np.abs(gaps) <= _SAME):
        yield part, ""
        return
    for which, sign in (("first", 1.0), ("second", -1.0)):
        if np.any(sign * gaps > _SAME):
            piece = part
            if np.any(sign * gaps < -_SAME):
                cut = _half(part, sign * level, sign * slopes)
                if cut is None:
                    continue
                piece = cut
            yield piece, which  # type: ignore[misc]


def _half(part: Array, level: float, slopes: Array) -> Array | None:
    """Return where a linear function is at least 0 in a convex polygon, None without area."""
    height = level + part @ slopes
    out: list[Array] = []
    for k, (corner, h) in enumerate(zip(part, height, strict=True)):
        g = height[k - 1]
        if g * h < 0.0:
            out.append(part[k - 1] + g / (g - h) * (corner - part[k - 1]))
        if h >= 0.0:
            out.append(corner)
    found = np.array(out)
    return found if len(out) > 2 and abs(_area(found)) > _NO_AREA else None


def _area(corners: Array) -> float:
    """Return the area of a polygon, with the sign of its turn."""
    after = np.roll(corners, -1, axis=0)
    return 0.5 * float(np.sum(corners[:, 0] * after[:, 1] - after[:, 0] * corners[:, 1]))
