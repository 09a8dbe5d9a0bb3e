r"""What decides along axes: symbolic crossings, intervals along a size, maps over two letters.

Two terms cross where their ratio is 1: a threshold of one letter in closed form,

.. math:: c_i \prod_k z_k^{p_{ik}} = c_j \prod_k z_k^{p_{jk}} \iff z_a = \Bigl[\frac{c_j}{c_i}
    \prod_{k \ne a} z_k^{p_{jk} - p_{ik}}\Bigr]^{1/(p_{ia} - p_{ja})}.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import pieces
from rates.numbers import DomainError, check_array
from rates.orders.language import Letters, exponents_at, powers
from rates.orders.order import Order, single
from rates.orders.value import Setting, line

Array = NDArray[np.float64]
Sizes = Mapping[str, ArrayLike]
Exponents = Mapping[str, Any]
Box = pieces.Box
_POINTS = 241  # along one size


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where two terms are equal.

    Attributes:
        first: The label of one.
        second: The label of the other, which is read later.
        at: The threshold of the letter, in the other letters.
        up_to_logs: Whether logarithms of the letter itself were left out of it.
    """

    first: str
    second: str
    at: Order
    up_to_logs: bool = False


@lru_cache(maxsize=128)
def crossings(order: Order, along: str) -> tuple[Crossing, ...]:
    """Return where each pair of terms is equal, as thresholds of one size.

    Args:
        order: A rate, or a balance, of which the explicit form counts.
        along: The size that varies. Terms with the same power of it do not cross, those with
            an exponential not in closed form.

    Returns:
        One record per pair, in reading order.

    Raises:
        DomainError: The letter is no size, or the order sums over sites.

    Examples:
        >>> from rates.orders import parse
        >>> order = parse("max(NP: n^(-1/(2*b+d)), P: (n*eps)^(-1/(b+d)))",
        ...               sizes=["n", "eps"], exponents=["b", "d"])
        >>> [(c.first, c.second, str(c.at)) for c in crossings(order, "eps")]
        [('NP', 'P', 'n^(-b/(2*b+d))')]

    Source: [ACC] Corollary 3.2 lists them for eq. (4).
    """
    _size(order.whole(), along)
    known = Letters(tuple(x for x in order.sizes if x != along), order.known.ranges)
    found = []
    # Parallel terms never meet, and beside an exponential no threshold is in closed form.
    for a, b in itertools.combinations(order.leaves, 2):
        calls = [call for leaf in (a, b) for call, _ in leaf.calls]
        if a.power_of(along) != b.power_of(along) and all(x.name == "log" for x in calls):
            at = single(b.meets(a, along, powers.over), known)
            left_out = any(along in call.of.letters for call in calls)
            found.append(Crossing(a.label, b.label, at, left_out))
    return tuple(found)


def _size(order: Order, letter: str) -> None:
    if letter not in order.sizes:
        raise DomainError(f"{letter} is no size of this rate.", "along", letter)


def intervals(
    order: Order, along: str, sizes: Sizes, exponents: Exponents, *, lo: float, hi: float
) -> tuple[pieces.Interval, ...]:
    """Return the term that decides on each interval of one size, with the slope of the log rate.

    Args:
        order: A rate, or a balance, of which the explicit form counts; sums read as maxima.
        along: The size that varies.
        sizes: A number for every other size.
        exponents: A number for every exponent.
        lo: Lower end, >= 0.
        hi: Upper end; ``inf`` allowed.

    Returns:
        Intervals (lo, hi] in ascending order; neighbours differ in label or slope.

    Raises:
        DomainError: A letter or a number is outside its domain.

    Examples:
        >>> from rates.orders import parse
        >>> order = parse("max(n^(-1/2), (n*eps)^(-1))", sizes=["n", "eps"])
        >>> [(round(x.hi, 9), x.label) for x in intervals(order, "eps", {"n": 100}, {}, lo=0, hi=1)]
        [(0.1, '2'), (1.0, '1')]
    """
    _size(order, along)
    return pieces.intervals(order.at(exponents), along, sizes, lo=lo, hi=hi)


def regions(
    order: Order, x: str, y: str, sizes: Sizes, exponents: Exponents, *, box: Box, rows: int = 161
) -> dict[str, tuple[pieces.Polygon, ...]]:
    """Return a map: per label the polygons in which its terms decide.

    Over two sizes the polygons are convex and exact on logarithmic axes. With an exponent, whose
    axis is linear, the ends along every row are exact, edges are straight in between, and rows
    are put on either side of each height at which the order of labels changes. An exponent along
    the horizontal axis changes places with the size: then ends are exact along columns.

    Args:
        order: A rate, or a balance, of which the explicit form counts; sums read as maxima.
        x: The letter along the horizontal axis.
        y: The letter along the vertical axis.
        sizes: A number for every size that is on no axis.
        exponents: A number for every exponent that is on no axis.
        box: The ranges of x and of y.
        rows: How many rows, if one axis is an exponent.

    Returns:
        Polygons by label, in reading order; a label without area has none.

    Raises:
        DomainError: A letter or a number is outside its domain, or both axes are exponents.

    Examples:
        >>> from rates.orders import parse
        >>> order = parse("max(A: n^-b, B: 1/m)", sizes=["n", "m"], exponents=["b"])
        >>> found = regions(order, "n", "m", {}, {"b": 1}, box=((1, 9), (1, 9)))
        >>> [polygon.x.tolist() for polygon in found["B"]]
        [[1.0, 9.0, 9.0, 1.0]]
    """
    for letter in (x, y):
        if letter not in (*order.sizes, *order.exponents):
            raise DomainError(f"{letter} is no size and no exponent of this rate.", "axis", letter)
    if x == y:
        raise DomainError(f"{x} is on both axes.", "axis", x)
    if x in order.sizes and y in order.sizes:
        return pieces.regions(order.at(exponents), x, y, sizes, box=box)
    # Along a size the terms are lines, so that the ends of a row are exact.
    if x in order.exponents:
        if y in order.exponents:
            raise DomainError("One axis of a map must be a size.", "axis", y)
        turned = regions(order, y, x, sizes, exponents, box=(box[1], box[0]), rows=rows)
        return {
            label: tuple(pieces.Polygon(x=p.y, y=p.x) for p in polygons)
            for label, polygons in turned.items()
        }
    table = _rows_over(order, x, y, sizes, exponents, box)
    labels = list(dict.fromkeys(leaf.label for leaf in order.leaves))
    heights = np.linspace(*box[1], rows)
    return pieces.join_rows(
        table, heights, labels, x=pieces.Axis(low=box[0][0], high=box[0][1]), log_y=box[1][0] > 0.0
    )


def _rows_over(
    order: Order, x: str, y: str, sizes: Sizes, exponents: Exponents, box: Box
) -> Callable[[Array], tuple[Array, pieces.Codes]]:
    """Return what decides along rows over a size, each at a height of an exponent."""
    for height in box[1]:  # both ends lie in the exponent's range
        values = exponents_at(order.known.ranges, {**exponents, y: height})
    logs = {}
    for letter in order.sizes:
        # One number each: a map is of one study.
        if letter != x:
            given = sizes.get(letter)
            if given is None or np.size(given) != 1:
                raise DomainError(f"{letter} needs one number.", letter, given)
            logs[letter] = np.log(check_array(letter, given)[0])
    # What is no line is refused before the first row.
    pieces.Form(order.sizes, order.whole().leaves, 0).check_lines()
    # A logarithm would bend borders that are straight in powers.
    leaves = [leaf.without_logs() for leaf in order.leaves]
    labels = list(dict.fromkeys(leaf.label for leaf in order.leaves))
    codes = np.array([labels.index(leaf.label) for leaf in leaves], dtype=np.int16)
    maxima, ends = order.maxima, np.log(box[0])

    def table(heights: Array) -> tuple[Array, pieces.Codes]:
        """Return the inner edges and the codes of the cells of each row."""
        at = {k: np.asarray(float(v)) for k, v in zip(order.exponents, values, strict=True)}
        numbers = Setting(logs, tuple((at | {y: heights}).values()), x)
        both = [part for leaf in leaves for part in line(numbers, leaf)]
        levels = np.stack(np.broadcast_arrays(heights, *both), axis=-1)[..., 1:]
        edges, leaf = pieces.leaves_along(maxima, levels[..., 1::2], levels[..., 0::2], *ends)
        return edges, codes[leaf]

    return table


def along(
    order: Order, letter: str, sizes: Sizes, exponents: Exponents, *, lo: float, hi: float
) -> tuple[Array, Array, Array | None]:
    """Return places along one size, the rate there, and its order, None where sums change nothing.

    >>> from rates.orders import parse
    >>> found = along(parse("n^(-1/2) + 1/n", sizes=["n"]), "n", {}, {}, lo=1, hi=1e4)
    >>> [round(float(part[0]), 9) for part in found]
    [1.0, 2.0, 1.0]
    """
    # Even in logs, where a rate is straight between few corners.
    x = np.geomspace(lo, hi, _POINTS)
    at: dict[str, ArrayLike] = {**sizes, letter: x}
    rate, maxima = order.value(at, exponents), order.at(exponents).value(at)
    x, rate, maxima = np.broadcast_arrays(x, rate, maxima)
    return x, rate, None if np.allclose(rate, maxima, rtol=1e-9) else maxima
