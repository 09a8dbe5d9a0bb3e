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
from rates.orders.value import Setting, line

Array = NDArray[np.float64]
_FEW = 16  # terms up to which crossings along an exponent are found for every pair
Parts = dict[int, list[tuple[float | str, powers.Power]]]  # by degree


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
        [(0.1, '2'), (1.0, '1')]
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
    box: pieces.Box,
    rows: int = 161,
) -> dict[str, tuple[pieces.Polygon, ...]]:
    """Return a map: per label the polygons in which its terms decide.

    Over two sizes the polygons are convex and exact on logarithmic axes. With an exponent, whose
    axis is linear, the ends along every row are exact, edges are straight in between, and rows
    are put on either side of each height at which the order of labels changes. With many terms
    and an exponent along the horizontal axis alone, ends are exact along columns instead.

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
    if x in order.exponents and y in order.sizes and len(order.leaves) > _FEW:
        turned = regions(order, y, x, sizes, exponents, box=(box[1], box[0]), rows=rows)
        return {
            label: tuple(pieces.Polygon(x=p.y, y=p.x) for p in polygons)
            for label, polygons in turned.items()
        }
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
        box: pieces.Box,
    ) -> None:
        self.order, self.x, self.y = order, x, y
        self.axis = pieces.Axis(low=box[0][0], high=box[0][1], log=x in order.sizes)
        self.heights = pieces.Axis(low=box[1][0], high=box[1][1], log=y in order.sizes)
        for end in (0, 1):  # both lie in the exponents' ranges
            given = {**exponents, x: box[0][end], y: box[1][end]}
            self.values = exponents_at(order.known.ranges, given)
        self.logs = {
            letter: np.log(check_array(letter, _one(sizes, letter))[0])
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
            numbers = self._numbers(heights)
            both = [x for leaf in self.order.leaves for x in line(numbers, leaf)]
            levels = np.stack(np.broadcast_arrays(heights, *both), axis=-1)[..., 1:]
            edges, leaf = pieces.leaves_along(
                self.order.maxima, levels[..., 1::2], levels[..., 0::2], low, high
            )
            return edges, self.codes[leaf]
        meetings = np.sort(self._meetings(heights), axis=-1)
        with np.errstate(invalid="ignore"):
            inside = (meetings > low) & (meetings < high)
        cells = pieces.cut(meetings[:, inside.any(axis=0)], low, high)
        numbers = self._numbers(heights[:, None], cells.middles)
        _, leaf = pieces.decide(
            self.order.maxima, [line(numbers, leaf)[0] for leaf in self.order.leaves]
        )
        return cells.edges, self.codes[pieces.settle(leaf, cells.thin)]

    def _numbers(self, y: Array, x: Array | None = None) -> Setting:
        """Return the letters' numbers on rows; with x an exponent, that is given or left out."""
        varying = {self.y: y} if x is None else {self.x: x, self.y: y}
        names = self.order.exponents
        at = {k: np.asarray(float(v)) for k, v in zip(names, self.values, strict=True)} | varying
        logs = self.logs | ({self.y: np.log(y)} if self.y in self.order.sizes else {})
        return Setting(logs, tuple(at[name] for name in names), names, unknown=self.x)

    @cached_property
    def _ratios(self) -> list[tuple[Parts, Parts, object]]:
        """Each term's log as a ratio of polynomials in x, by degree; and what identifies the lower.

        A part is a number, or the letter of which the log counts, and what multiplies it.
        """
        place, one = self.order.exponents.index(self.x), self.order.known.one
        out = []
        for leaf in self.order.leaves:
            pairs: list[tuple[float | str, powers.Power]] = [
                (powers.log_number(base), power) for base, power in leaf.factors
            ]
            pairs += [(letter, power) for letter, power in leaf.powers]
            common = functools.reduce(lambda seen, pair: seen.lcm(pair[1].denom), pairs, one.denom)
            above: Parts = {}
            for weight, power in pairs:
                whole = power.numer * common.exquo(power.denom)
                for degree, factor in powers.by_degree(whole, place).items():
                    above.setdefault(degree, []).append((weight, factor))
            below: Parts = {k: [(1.0, x)] for k, x in powers.by_degree(common, place).items()}
            out.append((above, below, common))
        return out

    @cached_property
    def _pairs(self) -> dict[tuple[bool, int], list[tuple[int, int]]]:
        """Pairs of terms by whether their denominators are the same, and by degree."""
        out: dict[tuple[bool, int], list[tuple[int, int]]] = {}
        tops = [(max(a, default=0), max(b), common) for a, b, common in self._ratios]
        for (i, (a, b, common)), (j, (c, d, other)) in itertools.combinations(enumerate(tops), 2):
            same = common == other
            degree = max(a, c) if same else max(a + d, c + b)
            if degree:
                out.setdefault((same, degree), []).append((i, j))
        return out

    def _meetings(self, heights: Array) -> Array:
        """The exponents at which two terms are equal, rows by pairs; others do no harm."""
        numbers = self._numbers(heights)
        at, logs = numbers.exponents, numbers.logs
        most = max(max((*a, *b)) for a, b, _ in self._ratios) + 1
        above, below = np.zeros((2, len(self._ratios), most, len(heights)))
        for k, (*both, _) in enumerate(self._ratios):
            for table, by_degree in zip((above, below), both, strict=True):
                for degree, parts in by_degree.items():
                    for weight, factor in parts:
                        log = logs[weight] if isinstance(weight, str) else weight
                        table[k, degree] += log * powers.numeric(factor, at)
        found = [np.empty((0, len(heights)))]
        for (same, degree), pairs in self._pairs.items():
            i, j = np.array(pairs).T
            total = np.zeros((len(pairs), 2 * most - 1, len(heights)))
            if same:
                total[:, :most] = above[j] - above[i]
            else:
                for a, b in itertools.product(range(most), repeat=2):
                    total[:, a + b] += above[j, a] * below[i, b] - above[i, a] * below[j, b]
            found.append(_roots(total[:, degree::-1].swapaxes(0, 1)))
        return np.concatenate(found).T


def _one(sizes: Mapping[str, ArrayLike], letter: str) -> ArrayLike:
    if letter not in sizes or np.size(sizes[letter]) != 1:
        raise DomainError(f"{letter} needs one number.", letter, sizes.get(letter))
    return sizes[letter]


def _roots(coefficients: Array) -> Array:
    """Return real parts of roots, a polynomial per index of the last two axes.

    Coefficients of falling degree run along the first axis; roots are stacked along it.
    """
    with np.errstate(all="ignore"):
        if len(coefficients) == 2:
            return np.asarray(-coefficients[1] / coefficients[0])
        rows = np.moveaxis(coefficients, 0, -1).copy()
        floor = 1e-15 * np.maximum(np.abs(rows).max(axis=-1), 1e-300)
        rows[..., 0] = np.where(np.abs(rows[..., 0]) < floor, floor, rows[..., 0])
        size = rows.shape[-1] - 1
        matrix = np.zeros((*rows.shape[:-1], size, size))
        matrix[..., 0, :] = -rows[..., 1:] / rows[..., :1]
        matrix[..., range(1, size), range(size - 1)] = 1.0
        found = np.linalg.eigvals(matrix)
        x = np.where(np.abs(found.imag) < 1e-3 * (1.0 + np.abs(found)), found.real, np.nan)
        value, slope = np.zeros_like(x), np.zeros_like(x)
        for k in range(size + 1):  # one step of Newton's, by Horner's rule
            slope = slope * x + value
            value = value * x + rows[..., k, None]
        step = value / slope
        x = np.where(np.abs(step) < 1e-6 * np.maximum(1.0, np.abs(x)), x - step, x)
        return np.concatenate(np.moveaxis(x, -1, 0))
