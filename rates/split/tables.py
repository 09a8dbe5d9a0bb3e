r"""What each row adds for each amount that it may get, with a proved bound between the amounts.

At a given u = log r one row's term as a function of its amount x is, with constants a, b > 0,

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
