r"""The best split of a total by branch and bound, with a proved bound of every other split.

For a fixed u = log r the largest sum of terms over all splits of a total W at prices w is at most

.. math:: D(u) = \min_{\lambda\ge 0}\; \lambda W + \sum_j \max_x \,(T_j(x; u) - \lambda w_j x),

for every λ (Lagrange). As the log of a sum of terms rises in u between the least and the
steepest slope, D at any u bounds the root of every split from below:

.. math:: u^* \ge u - \log D(u) / s, \qquad
    s = s_{\min} \text{ if } D > 1, \text{ else } s_{\max}.

Rows whose best amount is not one of their corners are cut in two there, the most promising half
first. The bound is that of all halves not yet cut.

What each row adds for each amount has a proved bound between the amounts. At a given u one row's
term as a function of its amount x is, with constants a, b > 0,

* records by the rate equation: min(a x, b x²), convex to the kink a/b and linear beyond it;
* records by a mechanism: a x² / (x + a/b), convex everywhere;
* a budget by the rate equation: min(a, b x²), convex and then flat;
* a budget by a mechanism: a s² / (1 + s²) with s = t(x) (b/a)^(1/2): first convex, then concave.

Between the ends and kinks the first three lie below their chords. All else is taken on a grid,
where a rising term exceeds no cell's right end. The fourth exceeds its chord in a cell of width h
by at most h²/8 times the largest fall of its slope. For Gaussian noise t is the separation of the
two neighbours, and along constant δ

.. math:: t' = R(z), \qquad t'' = -(1 - zR)\Bigl(\frac{1 - zR}{t} + R\Bigr), \qquad
    z = \frac{\varepsilon}{t} + \frac{t}{2},

with R the ratio of the normal tail to its density. As z rises with ε, t is concave and -t'' falls:
its value at a cell's left end bounds it over the cell. For Laplace noise t is linear.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rates.numbers import Terms, budget_elasticity, solve_log
from rates.plan import Change, base

Array = NDArray[np.float64]

CELLS = 80  # of what is not convex
_LEAST = 1e-3  # where the grid of an amount that may be 0 starts, over its most


@dataclass(frozen=True, kw_only=True)  # no slots: parts are kept once taken
class Rows:
    """The rows that a total is split over, with everything about them that no amount changes.

    Attributes:
        own: One answer to the study.
        lever: What is split.
        index: Which rows of the study take part.
        price: Cost of one unit at a row: its price at one site times its number of sites.
    """

    own: base.Basis
    lever: Change
    index: NDArray[np.intp]
    price: Array

    @cached_property
    def part(self) -> base.Basis:
        """The rows that take part."""
        return self.own.only(self.index)

    @cached_property
    def rest(self) -> base.Basis:
        """The other rows."""
        return self.own.only(np.delete(np.arange(len(self.own.servers)), self.index))

    @property
    def convex(self) -> bool:
        """Whether terms lie below their chords between ends and kinks."""
        convex = self.lever.convex
        return convex == "always" or (convex == "by equation" and not self.own.terms.smooth)

    def equation(self, x: Array) -> Terms:
        """Return the rows' equation with amounts, the last axis over rows."""
        with np.errstate(all="ignore"):  # amounts may be 0, and kinks without end
            return self.lever.change(self.part, x)

    def terms(self, u: float, x: Array) -> Array:
        """Return the rows' terms at u with amounts."""
        return self.values(u, self.equation(x))[0]

    def values(self, u: float, equation: Terms) -> tuple[Array, Array]:
        """Return the rows' terms at u after a change, and how far privacy is from binding."""
        level, gap = self.part.levels(u, equation)
        return np.exp(np.minimum(level, 700.0)), gap

    def others(self, u: float) -> float:
        """Return what the rows that take no part add at u."""
        return float(np.exp(np.minimum(self.rest.levels(u)[0], 700.0)).sum())

    def roots(self, x: Array) -> Array:
        """Return the study's u = log r with amounts put in, one problem per leading index."""
        return solve_log(self.rest.terms.joined(self.equation(x)))


@dataclass(frozen=True, slots=True)
class Grid:
    """Amounts at which a term is looked at, one column per row.

    ``rise`` and ``bend`` are t'/t and -t''/t of a noise's t; nan where the number has no noise.
    """

    x: Array
    equation: Terms
    rise: Array
    bend: Array

    def with_row(self, j: int, other: Grid) -> Grid:
        """The same with another column at row j."""
        x, rise, bend = (
            np.concatenate([mine[:, :j], theirs, mine[:, j + 1 :]], axis=1)
            for mine, theirs in (
                (self.x, other.x),
                (self.rise, other.rise),
                (self.bend, other.bend),
            )
        )
        own = self.equation
        return Grid(x, own[..., :j].joined(other.equation, own[..., j + 1 :]), rise, bend)


def grid(rows: Rows, low: Array, high: Array, chosen: Sequence[int] | None = None) -> Grid:
    """Lay the grid of some rows between their least and their most."""
    j = np.arange(len(low)) if chosen is None else np.asarray(chosen)
    part = replace(rows, index=rows.index[j], price=rows.price[j])
    start = np.where(low[j] > 0, low[j], _LEAST * high[j])
    x = np.geomspace(np.maximum(start, 1e-300), np.maximum(high[j], 1e-300), CELLS + 1)
    x[0], x[-1] = low[j], high[j]
    equation = part.equation(x)
    rise, bend = np.full(x.shape, np.nan), np.full(x.shape, np.nan)
    if rows.lever.name == "epsilon":
        own = rows.own
        with np.errstate(all="ignore"):
            if own.laplace or own.lens.mechanism == "printed":
                return Grid(x, equation, 1.0 / x, np.zeros(x.shape))
            t = np.exp(np.broadcast_to(equation.log_budget, x.shape))
            rise = budget_elasticity(x, 1.0 / t) / x
            fall = np.maximum(0.0, 1.0 - (x / t + 0.5 * t) * rise * t)
            bend = fall / t * (fall / t + rise * t)
    return Grid(x, equation, rise, bend)


def corners(
    rows: Rows, u: float, low: Array, high: Array, cells: Grid | None
) -> tuple[Array, Array]:
    """Amounts and values whose least concave cover lies above every row's term, a line per row."""
    if cells is not None:
        return cells.x.T, _above(rows, u, cells).T
    x = np.stack([low, high])
    if not rows.own.terms.smooth:
        # The gap between the branches rises evenly in the log of the amount.
        with np.errstate(all="ignore"):
            first, second = (
                rows.values(u, rows.equation(np.full(low.shape, at)))[1] for at in (1.0, np.e)
            )
            kink = np.exp(-first / (second - first))
        x = np.stack([low, np.clip(np.nan_to_num(kink), low, high), high])
    return x.T, rows.terms(u, x).T


def _above(rows: Rows, u: float, cells: Grid) -> Array:
    """The term on the grid, lifted by what it may exceed its chords by in the cells beside."""
    value, gap = rows.values(u, cells.equation)
    step = np.diff(value, axis=0)
    with np.errstate(all="ignore"):
        square = np.exp(gap)  # s², the private over the sample part
        low, high, s = square[:-1], square[1:], np.exp(0.5 * gap[:-1])
        even = (1.0 + low) ** 2
        steep = np.minimum(2.0 * np.sqrt(high) / even, 0.65)  # 0.6495 is the largest slope of all
        fall = np.maximum(0.0, 2.0 * (3.0 * high - 1.0)) / (even * (1.0 + low))
        drop = fall * (s * cells.rise[:-1]) ** 2 + steep * s * cells.bend[:-1]
        sample = (value * (1.0 + 1.0 / square))[1:]
        over = sample * drop * np.diff(cells.x, axis=0) ** 2 / 8.0
        # A rising term exceeds no cell's right end; at 0 the noise has no slope.
        over = np.where(np.isfinite(over) & (cells.x[:-1] > 0), np.minimum(over, step), step)
    out = value.copy()
    out[:-1] = np.maximum(out[:-1], value[:-1] + over)
    out[1:] = np.maximum(out[1:], value[1:] + over)
    return out


# Branch and bound --------------------------------------------------------------------------------

NODES = 400  # halves looked at, over the number of rows
MOST_NODES = 60
CLOSE = 1e-6  # of log r: a gap that is not worth a step
_PAD = 1e-11  # of log r, for rounding
_STEPS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The best split that was found.

    Attributes:
        amounts: Per site of each row that takes part.
        u: Its root.
        bound: A proved lower bound of the root of every split.
    """

    amounts: Array
    u: float
    bound: float


@dataclass(frozen=True, slots=True)
class _Relaxed:
    """The relaxed problem at one u: its value, and the corners on both sides of its best split."""

    value: float
    less: Array
    more: Array
    part: float
    excess: Array


@dataclass(frozen=True, slots=True)
class _Node:
    low: Array
    high: Array
    cells: Grid | None
    bound: float
    relaxed: _Relaxed


class Search:
    """One problem: rows, a total, and the bounds of every row."""

    def __init__(self, rows: Rows, total: float) -> None:
        self.rows, self.total, self.whole = rows, total, rows.lever.whole
        terms = rows.own.terms
        slope = np.broadcast_to(terms.slope, terms.shape)
        self.least = float(slope.min())
        self.steepest = float((slope + np.broadcast_to(terms.step, terms.shape)).max())
        self.best: Array = np.zeros(0)
        self.u = math.inf

    def run(self, low: Array, high: Array, known: Array) -> Found:
        """Look for the best split; ``known`` are splits to start from, one a line."""
        self._take(known)
        self._take(self._filled(low, high))
        cells = None if self.rows.convex else grid(self.rows, low, high)
        first = self._node(low, high, cells, -math.inf, self.u)
        count, order = 1, 0
        most = max(8, min(MOST_NODES, NODES // len(low)))
        queue = [] if first is None else [(first.bound, order, first)]
        closed = self.u if first is None else math.inf
        while queue and queue[0][0] < self.u - CLOSE and count < most:
            _, _, node = heapq.heappop(queue)
            halves = self._halves(node)
            if halves is None:
                closed = min(closed, node.bound)
                continue
            for half in halves:
                count, order = count + 1, order + 1
                if half is not None:
                    heapq.heappush(queue, (half.bound, order, half))
        bound = min([closed, self.u, *(entry[0] for entry in queue)])
        return Found(amounts=self.best, u=self.u, bound=bound - _PAD)

    def _halves(self, node: _Node) -> list[_Node | None] | None:
        """Cut the row whose relaxed amount promises most beyond what it gives; None where none."""
        found = node.relaxed
        j = int(np.argmax(found.excess))
        cut = found.part * found.less[j] + (1.0 - found.part) * found.more[j]
        room = node.high[j] - node.low[j]
        # A cut at an end changes nothing: the middle then.
        if not node.low[j] + 1e-3 * room < cut < node.high[j] - 1e-3 * room:
            cut = 0.5 * (node.low[j] + node.high[j])
        if room <= 0 or found.excess[j] <= 0 or (self.whole and room <= 1.0):
            return None
        out: list[_Node | None] = []
        below = max(math.floor(cut), node.low[j] + 1.0) if self.whole else cut
        for left, right in ((node.low[j], below), (below, node.high[j])):
            low, high = node.low.copy(), node.high.copy()
            low[j], high[j] = left, right
            if float(self.rows.price @ low) > self.total:
                continue
            cells = node.cells
            if cells is not None:
                cells = cells.with_row(j, grid(self.rows, low, high, [j]))
            out.append(self._node(low, high, cells, node.bound, node.bound))
        return out

    def _node(
        self, low: Array, high: Array, cells: Grid | None, least: float, start: float
    ) -> _Node | None:
        """Bound the splits between two ends; None where they cannot beat the best known."""
        u, bound, found = min(start, self.u), least, None
        seen: list[tuple[float, float]] = []
        for _ in range(_STEPS):
            found = self._relaxed(u, low, high, cells)
            level = math.log(found.value) if found.value > 0 else -700.0
            bound = max(bound, u - level / (self.least if level > 0 else self.steepest))
            if not seen:
                self._round(found, low, high)
            if bound >= self.u - CLOSE or abs(level) < 0.2 * CLOSE * self.least:
                break
            slope = self.steepest
            if seen and abs(seen[-1][0] - u) > 1e-14:
                slope = (seen[-1][1] - level) / (seen[-1][0] - u)
                slope = min(max(slope, self.least), self.steepest)
            seen.append((u, level))
            u -= level / slope
        assert found is not None
        if bound >= self.u - CLOSE:
            return None if bound >= self.u else _Node(low, high, cells, bound, found)
        self._round(found, low, high)
        return _Node(low, high, cells, bound, found)

    def _relaxed(self, u: float, low: Array, high: Array, cells: Grid | None) -> _Relaxed:
        """Solve the dual at one u: two of its lines meet in a third, until that is one of both."""
        rest = self.rows.others(u)
        x, value = corners(self.rows, u, low, high, cells)
        cost = self.rows.price[:, None] * x
        line = np.arange(len(low))

        def at(price: float) -> tuple[float, float, NDArray[np.intp]]:
            """Value, slope and each row's best column at one λ."""
            best = np.argmax(value - price * cost, axis=-1)
            spent = float(cost[line, best].sum())
            gain = float(value[line, best].sum())
            return gain + price * (self.total - spent), self.total - spent, best

        under = at(0.0)
        chosen = (under, under)
        if under[1] < 0:
            with np.errstate(divide="ignore", invalid="ignore"):
                slopes = (value[:, 1:] - value[:, :1]) / (cost[:, 1:] - cost[:, :1])
            top = 2.0 * float(np.nanmax(np.where(np.isfinite(slopes), slopes, 0.0)))
            left, right = (0.0, under), (top, at(top))
            chosen = (left[1], right[1])
            for _ in range(60):
                if right[1][1] <= left[1][1]:
                    break
                # Where the two lines meet; no λ between them does better than that.
                (p, (g, s, _)), (q, (h, t, _)) = left, right
                price = (h - g + s * p - t * q) / (s - t)
                if not p < price < q:
                    break
                here = at(price)
                if here[1] < 0:
                    left = (price, here)
                else:
                    right = (price, here)
                chosen = (left[1], right[1])
                if here[0] <= (g + s * (price - p)) + 1e-13 * abs(here[0]):
                    break
        more, less = chosen
        value_here = min(more[0], less[0]) if more is not less else more[0]
        x_less, x_more = x[line, less[2]], x[line, more[2]]
        span = less[1] - more[1]
        part = 1.0 if span <= 0 else -more[1] / span
        part = min(1.0, max(0.0, part))
        middle = part * x_less + (1.0 - part) * x_more
        cover = part * value[line, less[2]] + (1.0 - part) * value[line, more[2]]
        excess = cover - self.rows.terms(u, middle)
        return _Relaxed(value_here + rest, x_less, x_more, part, excess)

    def _round(self, found: _Relaxed, low: Array, high: Array) -> None:
        """Make splits of a relaxed one: its lesser corner, filled up at one row after another."""
        price = self.rows.price
        x = found.less.copy()
        if self.whole:
            x = np.maximum(np.floor(x), low)
        left = self.total - float(price @ x)
        for j in np.argsort(-(found.more - found.less) * price, kind="stable"):
            need = (found.more[j] - x[j]) * price[j]
            if 0 < need <= left:
                x[j], left = found.more[j], left - need
        if self.whole:
            x = np.maximum(np.floor(x), low)
        middle = found.part * found.less + (1.0 - found.part) * found.more
        if not self.whole:
            self._take(np.stack([x, middle]), low)
        else:
            self._take(self._filled(np.maximum(np.floor(middle), low), high), low)
            self._take(self._filled(np.minimum(np.ceil(found.less), high), high), low)
        self._take(self._filled(x, high), low)

    def _filled(self, x: Array, high: Array) -> Array:
        """The rest of the total at each row in turn, what is over at the others in table order."""
        price, rows = self.rows.price, len(x)
        out = np.tile(x, (rows, 1))
        left = np.full(rows, self.total - float(price @ x))
        for k in range(min(rows, 3)):
            j = (np.arange(rows) + k) % rows
            line = np.arange(rows)
            room = np.maximum(0.0, high[j] - out[line, j])
            more = np.minimum(room, np.maximum(left, 0.0) / price[j])
            if self.whole:
                more = np.floor(more * (1.0 + 1e-14))
            out[line, j] += more
            left = left - more * price[j]
        return out

    def _take(self, splits: Array, low: Array | None = None) -> None:
        """Keep the best of some splits that keep to the total."""
        spent = splits @ self.rows.price
        fits = spent <= self.total * (1.0 + 1e-12)
        if low is not None:
            fits &= (splits >= low * (1.0 - 1e-12)).all(axis=-1)
        splits = splits[fits]
        if not len(splits):
            return
        roots = self.rows.roots(splits)
        k = int(np.argmin(roots))
        if roots[k] < self.u:
            self.u, self.best = float(roots[k]), splits[k]
