r"""What decides along axes: symbolic crossings, exact intervals along a size, maps over two letters.

Two terms cross where their ratio is 1: a threshold of one letter in closed form,

.. math:: c_i \prod_k z_k^{p_{ik}} = c_j \prod_k z_k^{p_{jk}} \iff z_a = \Bigl[\frac{c_j}{c_i}
    \prod_{k \ne a} z_k^{p_{jk} - p_{ik}}\Bigr]^{1/(p_{ia} - p_{ja})}.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
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
Polynomial = tuple[Array, ...]  # coefficients, the highest degree first


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
        self.codes = np.array([self.labels.index(leaf.label) for leaf in order.leaves])

    def joined(self, rows: int) -> dict[str, tuple[pieces.Polygon, ...]]:
        """Join the rows."""
        low, high = self.heights.span
        y = self.heights.numbers(np.linspace(low, high, rows))
        return pieces.join_rows(
            self.table, y, self.labels, x=self.axis, log_y=self.y in self.order.sizes
        )

    def table(self, heights: Array) -> tuple[Array, NDArray[np.intp]]:
        """Return the inner edges and the codes of the cells of each row."""
        low, high = self.axis.span
        if self.x in self.order.sizes:
            slopes, levels = self._lines(heights)
            edges, leaf = pieces.leaves_along(self.order.maxima, slopes, levels, low, high)
            return edges, self.codes[leaf]
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

    def _meetings(self, heights: Array) -> Array:
        """The exponents at which two terms are equal, rows by pairs; others do no harm."""
        at, logs = self._exponents(heights, heights), self._logs(heights)
        found: list[Array] = [np.empty((len(heights), 0))]
        for a, b in itertools.combinations(self.order.leaves, 2):
            polynomial = self._difference(a, b, at, logs)
            if len(polynomial) > 1:
                wide = np.stack(np.broadcast_arrays(heights, *polynomial)[1:], axis=-1)
                found.append(_roots(wide))
        return np.concatenate(found, axis=-1)

    def _difference(
        self, a: Leaf, b: Leaf, at: tuple[Array, ...], logs: Mapping[str, Array]
    ) -> Polynomial:
        """The log of a ratio of two terms times its denominator, as a polynomial in x."""
        place = self.order.exponents.index(self.x)
        ratio = nodes.product(_bare(b), nodes.raised(_bare(a), -self.order.known.one, lambda _: 1))
        assert isinstance(ratio, Leaf)
        weights = [(powers.log_number(base), power) for base, power in ratio.factors]
        weights += [(logs[letter], power) for letter, power in ratio.powers]
        if not weights:
            return ()
        common = weights[0][1].denom
        for _, power in weights[1:]:
            common = common.lcm(power.denom)
        total: dict[int, Array] = {}
        for log, power in weights:
            above = power.numer * common.exquo(power.denom)
            for degree, coefficient in powers.numeric_in(above, place, at).items():
                total[degree] = total.get(degree, np.asarray(0.0)) + log * coefficient
        most = max(total)
        return tuple(total.get(degree, np.asarray(0.0)) for degree in range(most, -1, -1))


def _one(sizes: Mapping[str, ArrayLike], letter: str) -> ArrayLike:
    if letter not in sizes or np.size(sizes[letter]) != 1:
        raise DomainError(f"{letter} needs one number.", letter, sizes.get(letter))
    return sizes[letter]


def _roots(polynomials: Array) -> Array:
    """Return the real parts of the roots along the last axis, the highest degree first."""
    scale = np.abs(polynomials).max(axis=-1)
    head = polynomials[..., 0]
    with np.errstate(all="ignore"):
        if polynomials.shape[-1] == 2:
            return np.asarray(-polynomials[..., 1:] / head[..., None])
        floor = 1e-15 * np.where(scale > 0.0, scale, 1.0)
        head = np.where(np.abs(head) < floor, floor, head)
        rest = polynomials[..., 1:] / head[..., None]
        size = rest.shape[-1]
        matrix = np.zeros((*rest.shape, size))
        matrix[..., 0, :] = -rest
        matrix[..., range(1, size), range(size - 1)] = 1.0
        x = np.linalg.eigvals(matrix).real
        value, slope = np.zeros_like(x), np.zeros_like(x)
        for k in range(polynomials.shape[-1]):  # one step of Newton's, by Horner's rule
            slope = slope * x + value
            value = value * x + polynomials[..., k, None]
        step = value / slope
        return np.where(np.abs(step) < 1e-6 * np.maximum(1.0, np.abs(x)), x - step, x)
