r"""What decides along axes: symbolic crossings, intervals along a size, maps over two letters.

Two terms cross where their ratio is 1: a threshold of one letter in closed form,

.. math:: c_i \prod_k z_k^{p_{ik}} = c_j \prod_k z_k^{p_{jk}} \iff z_a = \Bigl[\frac{c_j}{c_i}
    \prod_{k \ne a} z_k^{p_{jk} - p_{ik}}\Bigr]^{1/(p_{ia} - p_{ja})}.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import pieces
from rates.numbers import DomainError, check_array
from rates.orders.language import Letters, exponents_at, nodes, powers
from rates.orders.language.nodes import Leaf
from rates.orders.order import Order

Array = NDArray[np.float64]
Box = tuple[tuple[float, float], tuple[float, float]]
_CLEAR = 1e-9  # a log that is behind by more is no tie
Part = tuple[float | str, powers.Power]


@dataclass(frozen=True, slots=True)
class Crossing:
    """Where two terms are equal.

    Attributes:
        first: The label of one.
        second: The label of the other, which is read later.
        at: The threshold of the letter, in the other letters.
    """

    first: str
    second: str
    at: Order


@lru_cache(maxsize=128)
def crossings(order: Order, along: str) -> tuple[Crossing, ...]:
    """Return where each pair of terms is equal, as thresholds of one size.

    Args:
        order: A rate, or a balance, of which the explicit form counts.
        along: The size that varies. Terms with the same power of it do not cross.

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
    _size(order, along)
    rest = tuple(letter for letter in order.sizes if letter != along)
    known = Letters(rest, order.known.ranges)
    one = order.known.one
    zero = one - one
    out = []
    for a, b in itertools.combinations(order.leaves, 2):
        turn = powers.minus(a.power_of(along) or zero, b.power_of(along) or zero)
        if not turn:
            continue
        ratio = nodes.product(_bare(b), nodes.raised(_bare(a), -one, order.sign))
        at = nodes.raised(ratio, powers.over(one, turn), order.sign)
        assert isinstance(at, Leaf)
        kept = tuple(pair for pair in at.powers if pair[0] != along)
        node = nodes.as_node(Leaf("", kept, at.factors), one)
        out.append(Crossing(a.label, b.label, Order(node, None, None, known)))
    return tuple(out)


def _bare(leaf: Leaf) -> Leaf:
    return Leaf("", leaf.powers, leaf.factors)


def _size(order: Order, letter: str) -> None:
    if letter not in order.sizes:
        raise DomainError(f"{letter} is no size of this rate.", "along", letter)


def intervals(
    order: Order,
    along: str,
    sizes: Mapping[str, ArrayLike],
    exponents: Mapping[str, Any],
    *,
    lo: float,
    hi: float,
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
        [(0.1, '2'), (1, '1')]
    """
    _size(order, along)
    return pieces.intervals(order.at(exponents), along, sizes, lo=lo, hi=hi)


def regions(
    order: Order,
    x: str,
    y: str,
    sizes: Mapping[str, ArrayLike],
    exponents: Mapping[str, Any],
    *,
    box: Box,
    rows: int = 161,
) -> dict[str, tuple[pieces.Polygon, ...]]:
    """Return a map: per label the polygons in which its terms decide.

    Over two sizes the polygons are convex and exact on logarithmic axes. With an exponent, whose
    axis is linear, the ends along every row are exact, edges are straight in between, and rows
    are put on either side of each height at which the order of labels changes.

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
        DomainError: A letter or a number is outside its domain.
    """
    for letter in (x, y):
        if letter not in (*order.sizes, *order.exponents):
            raise DomainError(f"{letter} is no size and no exponent of this rate.", "axis", letter)
    if x == y:
        raise DomainError(f"{x} is on both axes.", "axis", x)
    if x in order.sizes and y in order.sizes:
        return pieces.regions(order.at(exponents), x, y, sizes, box=box)
    return _Map(order, x, y, sizes, exponents, box).joined(rows)


class _Map:
    """A map with an exponent on an axis: what decides along each row."""

    def __init__(
        self,
        order: Order,
        x: str,
        y: str,
        sizes: Mapping[str, ArrayLike],
        exponents: Mapping[str, Any],
        box: Box,
    ) -> None:
        self.order, self.x, self.y = order, x, y
        self.axis = pieces.Axis(low=box[0][0], high=box[0][1], log=x in order.sizes)
        self.heights = pieces.Axis(low=box[1][0], high=box[1][1], log=y in order.sizes)
        for end in (0, 1):  # both lie in the exponents' ranges
            given = {**exponents, x: box[0][end], y: box[1][end]}
            self.values = exponents_at(order.known.ranges, given)
        self.logs = {
            letter: float(np.log(check_array(letter, _one(sizes, letter))[0]))
            for letter in order.sizes
            if letter not in (x, y)
        }
        self.labels = list(dict.fromkeys(leaf.label for leaf in order.leaves))
        self.codes = np.array(
            [self.labels.index(leaf.label) for leaf in order.leaves], dtype=np.int16
        )

    def joined(self, rows: int) -> dict[str, tuple[pieces.Polygon, ...]]:
        """Join the rows."""
        low, high = self.heights.span
        y = self.heights.numbers(np.linspace(low, high, rows))
        return pieces.join_rows(
            self.table, y, self.labels, x=self.axis, log_y=self.heights.low > 0.0
        )

    def table(self, heights: Array) -> tuple[Array, pieces.Codes]:
        """Return the inner edges and the codes of the cells of each row."""
        low, high = self.axis.span
        if self.x in self.order.sizes:
            slopes, levels = self._lines(heights)
            kept = _in_play(self.order.maxima, levels + slopes * low, levels + slopes * high)
            tree = _only(self.order.maxima, {k: place for place, k in enumerate(kept)})
            assert tree is not None
            edges, leaf = pieces.leaves_along(tree, slopes[:, kept], levels[:, kept], low, high)
            return edges, self.codes[kept][leaf]
        cells = pieces.cut(self._meetings(heights), low, high)
        at = self._exponents(cells.middles, heights[:, None])
        logs = self._logs(heights[:, None])
        values = [self._log_of(leaf, at, logs) for leaf in self.order.leaves]
        _, leaf = pieces.decide(self.order.maxima, values)
        return cells.edges, self.codes[pieces.settle(leaf, cells.thin)]

    def _exponents(self, x: Array, y: Array) -> tuple[Array, ...]:
        varying = {self.x: x, self.y: y}
        return tuple(
            varying.get(letter, np.asarray(float(value)))
            for letter, value in zip(self.order.exponents, self.values, strict=True)
        )

    def _logs(self, y: Array) -> dict[str, Array]:
        logs = {letter: np.asarray(log) for letter, log in self.logs.items()}
        return logs | ({self.y: np.log(y)} if self.y in self.order.sizes else {})

    def _log_of(self, leaf: Leaf, at: tuple[Array, ...], logs: Mapping[str, Array]) -> Array:
        total = np.zeros(np.broadcast_shapes(*(a.shape for a in (*at, *logs.values()))))
        for base, power in leaf.factors:
            total = total + powers.log_number(base) * powers.numeric(power, at)
        for letter, power in leaf.powers:
            if letter in logs:
                total = total + logs[letter] * powers.numeric(power, at)
        return total

    def _lines(self, heights: Array) -> tuple[Array, Array]:
        """Slopes along a size and levels, rows by leaves."""
        at, logs = self._exponents(heights, heights), self._logs(heights)
        zero = np.zeros(heights.shape)
        slopes, levels = [], []
        for leaf in self.order.leaves:
            power = leaf.power_of(self.x)
            slopes.append(zero + (0.0 if power is None else powers.numeric(power, at)))
            levels.append(zero + self._log_of(leaf, at, logs))
        return np.stack(slopes, axis=-1), np.stack(levels, axis=-1)

    @cached_property
    def _differences(self) -> list[dict[int, list[Part]]]:
        """For each pair of terms the log of their ratio, times its denominator, by degree in x.

        A part is a number, or the letter of which the log counts, and what multiplies it.
        """
        place, back = self.order.exponents.index(self.x), -self.order.known.one
        bent = [powers.varies(leaf.factors + leaf.powers, place) for leaf in self.order.leaves]
        out = []
        for (k, a), (j, b) in itertools.combinations(enumerate(self.order.leaves), 2):
            if not (bent[k] or bent[j]):
                continue
            ratio = nodes.product(_bare(b), nodes.raised(_bare(a), back, lambda _: 1))
            assert isinstance(ratio, Leaf)
            parts: list[Part] = [(powers.log_number(base), power) for base, power in ratio.factors]
            parts += [(letter, power) for letter, power in ratio.powers]
            common = functools.reduce(
                lambda seen, part: seen.lcm(part[1].denom), parts, self.order.known.one.denom
            )
            total: dict[int, list[Part]] = {}
            for weight, power in parts:
                above = power.numer * common.exquo(power.denom)
                for degree, factor in powers.by_degree(above, place).items():
                    total.setdefault(degree, []).append((weight, factor))
            if max(total, default=0):
                out.append(total)
        return out

    def _meetings(self, heights: Array) -> Array:
        """The exponents at which two terms are equal, rows by pairs; others do no harm."""
        at, logs = self._exponents(heights, heights), self._logs(heights)
        zero = np.zeros(len(heights))

        def summed(parts: list[Part]) -> Array:
            out = zero
            for weight, factor in parts:
                log = logs[weight] if isinstance(weight, str) else weight
                out = out + log * powers.numeric(factor, at)
            return out

        found = [np.empty((len(heights), 0))]
        for difference in self._differences:
            degrees = range(max(difference), -1, -1)
            found.append(_roots([summed(difference.get(k, [])) for k in degrees]))
        return np.concatenate(found, axis=-1)


def _one(sizes: Mapping[str, ArrayLike], letter: str) -> ArrayLike:
    if letter not in sizes or np.size(sizes[letter]) != 1:
        raise DomainError(f"{letter} needs one number.", letter, sizes.get(letter))
    return sizes[letter]


def _in_play(tree: pieces.Tree, left: Array, right: Array) -> list[int]:
    """Return the leaves that may decide along some row, from their logs at both ends.

    A line that lies under another at both ends of a row never decides in their maximum.
    """
    if isinstance(tree, int):
        return [tree]
    kind, branches = tree
    lines = [branch for branch in branches if isinstance(branch, int)]
    side = 1.0 if kind == "max" else -1.0
    at = [side * end[:, lines] for end in (left, right)]
    behind = [x[:, :, None] < x[:, None, :] - _CLEAR for x in at]
    lost = np.asarray((behind[0] & behind[1]).any(axis=-1).all(axis=0))
    found = [line for line, gone in zip(lines, lost, strict=True) if not gone]
    for branch in branches:
        if not isinstance(branch, int):
            found += _in_play(branch, left, right)
    return sorted(found)


def _only(tree: pieces.Tree, places: Mapping[int, int]) -> pieces.Tree | None:
    """Return a tree of those leaves alone that have a place, None if there are none."""
    if isinstance(tree, int):
        return places.get(tree)
    kept = tuple(x for x in (_only(branch, places) for branch in tree[1]) if x is not None)
    return (tree[0], kept) if kept else None


def _roots(coefficients: list[Array]) -> Array:
    """Return real parts of the roots along a last axis, from coefficients of falling degree."""
    with np.errstate(all="ignore"):
        if len(coefficients) == 2:
            return np.asarray(-coefficients[1] / coefficients[0])[:, None]
        if len(coefficients) == 3:
            a, b, c = coefficients
            q = -0.5 * (b + np.copysign(np.sqrt(np.maximum(b * b - 4.0 * a * c, 0.0)), b))
            return np.stack([q / a, c / q], axis=-1)
        rows = np.stack(coefficients, axis=-1)
        scale = np.abs(rows).max(axis=-1)
        floor = 1e-15 * np.where(scale > 0.0, scale, 1.0)
        rows[:, 0] = np.where(np.abs(rows[:, 0]) < floor, floor, rows[:, 0])
        size = rows.shape[-1] - 1
        matrix = np.zeros((len(rows), size, size))
        matrix[:, 0, :] = -rows[:, 1:] / rows[:, :1]
        matrix[:, range(1, size), range(size - 1)] = 1.0
        x = np.linalg.eigvals(matrix).real
        value, slope = np.zeros_like(x), np.zeros_like(x)
        for k in range(size + 1):  # one step of Newton's, by Horner's rule
            slope = slope * x + value
            value = value * x + rows[:, k, None]
        step = value / slope
        return np.where(np.abs(step) < 1e-6 * np.maximum(1.0, np.abs(x)), x - step, x)
