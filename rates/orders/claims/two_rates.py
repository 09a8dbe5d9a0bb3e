"""Two rates at once: where they agree, where one is larger, and by how much at most."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import ArrayLike

from rates import pieces
from rates.orders.order import Order
from rates.pieces import Corners, Line, Polygon

_NO_AREA = 1e-12  # part of the box
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
    box: pieces.Box,
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
    frame = pieces.Frame(x, y, sizes, box=box)
    planes = [frame.planes(form) for form in forms]
    parts = [pieces.Partition(form.tree, own) for form, own in zip(forms, planes, strict=True)]
    patches: list[Patch] = []
    agree, best, larger, corner = 0.0, 0.0, "", (0.0, 0.0)
    for one, here in parts[0].cells():
        for other, common in parts[1].cells(here):
            level, p, q = (planes[0][one] - planes[1][other]).tolist()
            gap = (level, p, q)
            for part, which in _by_sign(common, gap):
                patches.append(
                    Patch(
                        first=forms[0].leaves[one].label,
                        second=forms[1].leaves[other].label,
                        larger=which,
                        polygon=frame.polygon(part),
                    )
                )
                agree += 0.0 if which else pieces.area(part)
                heights = map(abs, _heights(part, gap))
                high, at = max(zip(heights, part, strict=True))
                if which and high > best + _SAME:
                    best, larger, corner = high, which, at
    place = dict(zip((x, y), frame.numbers([corner])[0].tolist(), strict=True))
    return Comparison(
        patches=tuple(patches),
        agree=agree,
        factor=math.exp(min(best, 709.0)),
        larger=larger,  # type: ignore[arg-type]
        place=place if larger else {},
        sum_factor=first.sum_factor(exponents) * second.sum_factor(exponents),
    )


def _heights(part: Corners, gap: Line) -> list[float]:
    level, p, q = gap
    return [level + p * u + q * v for u, v in part]


def _by_sign(part: Corners, gap: Line) -> Iterator[tuple[Corners, Larger]]:
    """Cut a polygon where a difference changes its sign."""
    heights = _heights(part, gap)
    over, under = max(heights) > _SAME, min(heights) < -_SAME
    if not (over and under):
        yield part, "first" if over else "second" if under else ""
        return
    first, second = pieces.halves(part, gap)
    if first and pieces.area(first) > _NO_AREA:
        yield first, "first"
    if second and pieces.area(second) > _NO_AREA:
        yield second, "second"
