r"""What each row adds for each amount that it may get, with a proved bound between the amounts.

At a given u = log r one row's term as a function of its amount x is, with constants a, b > 0,

* records by the rate equation: min(a x, b x²), convex to the kink a/b and linear beyond it;
* records by a mechanism: a x² / (x + a/b), convex everywhere;
* a budget by the rate equation: min(a, b x²), convex and then flat;
* a budget by a mechanism: a s² / (1 + s²) with s = t(x) (b/a)^(1/2): first convex, then concave.

Between the ends and kinks the first three lie below their chords. The fourth is taken on a grid:
in a cell of width h it exceeds its chord by at most h²/8 times the largest fall of its slope. For
Gaussian noise t is the separation of the two neighbours, and along constant δ

.. math:: t' = R(z), \qquad t'' = -(1 - zR)\Bigl(\frac{1 - zR}{t} + R\Bigr), \qquad
    z = \frac{\varepsilon}{t} + \frac{t}{2},

with R the ratio of the normal tail to its density. As z rises with ε, t is concave and -t'' falls:
its value at a cell's left end bounds it over the cell. For Laplace noise t is linear.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.numbers import budget_elasticity, solve_log
from rates.plan import base

Array = NDArray[np.float64]
What = Literal["records", "epsilon"]

CELLS = 80  # of a budget by a mechanism
_LEAST = 1e-3  # where the grid of a budget that may be 0 starts, over its most


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The rows that a total is split over, with everything about them that no amount changes.

    Attributes:
        own: One answer to the study.
        what: Whether records or budgets are split.
        index: Which rows of the study take part.
        price: Cost of one unit at a row: its price at one site times its number of sites.
    """

    own: base.Basis
    what: What
    index: NDArray[np.intp]
    price: Array

    def pieces(self, u: float) -> tuple[Array, Array, float]:
        """Logs of a and b of each row at u, and what the other rows add."""
        terms = self.own.terms
        size, budget, slope, step, sample, private = (
            np.broadcast_to(x, terms.shape) for x in terms.pieces()
        )
        a, b = sample + slope * u, private + (slope + step) * u
        with np.errstate(invalid="ignore"):
            level = base.join(a + size, b + 2.0 * (size + budget), terms.smooth)
        rest = np.delete(level, self.index)
        j = self.index
        if self.what == "records":
            a, b = a[j], b[j] + 2.0 * budget[j]
        else:
            a, b = a[j] + size[j], b[j] + 2.0 * size[j]
        return a, b, float(np.exp(np.minimum(rest, 700.0)).sum())

    def strength(self, x: Array) -> Array:
        """Log of what an amount is to its term: of records, or of 1/noise at a budget."""
        if self.what == "records":
            return base.log0(x)
        delta = base.columns(self.own.servers)["delta"][self.index]
        return base.log_budget_of(self.own, x, np.broadcast_to(delta, x.shape))

    def terms(self, x: Array, a: Array, b: Array) -> Array:
        """The rows' terms at amounts, the last axis over rows."""
        return self._level(self.strength(x), a, b)

    def _level(self, strength: Array, a: Array, b: Array) -> Array:
        sample = a + strength if self.what == "records" else a + np.zeros_like(strength)
        with np.errstate(invalid="ignore", over="ignore"):
            level = base.join(sample, b + 2.0 * strength, self.own.terms.smooth)
            level = np.where(np.isneginf(sample) | np.isneginf(strength), -np.inf, level)
        return np.asarray(np.exp(np.minimum(level, 700.0)))

    def roots(self, x: Array) -> Array:
        """The study's u = log r with amounts put in, one problem per leading index."""
        piece = "log_size" if self.what == "records" else "log_budget"
        whole = np.broadcast_to(getattr(self.own.terms, piece), self.own.terms.shape)
        whole = np.tile(whole, (*x.shape[:-1], 1))
        whole[..., self.index] = self.strength(x)
        return np.asarray(solve_log(self.own.terms.changed(**{piece: whole})))


@dataclass(frozen=True, slots=True)
class Grid:
    """Amounts at which a budget by a mechanism is looked at, one line per row.

    ``log_t`` is the log of t there, ``rise`` t' and ``bend`` -t''.
    """

    x: Array
    log_t: Array
    rise: Array
    bend: Array

    def with_row(self, j: int, other: Grid) -> Grid:
        """The same with another line at row j."""
        parts = [getattr(self, name).copy() for name in ("x", "log_t", "rise", "bend")]
        for part, name in zip(parts, ("x", "log_t", "rise", "bend"), strict=True):
            part[j] = getattr(other, name)[0]
        return Grid(*parts)


def grid(rows: Rows, low: Array, high: Array, chosen: Sequence[int] | None = None) -> Grid:
    """Lay the grid of some rows between their least and their most."""
    j = np.arange(len(low)) if chosen is None else np.asarray(chosen)
    part = replace(rows, index=rows.index[j], price=rows.price[j])
    start = np.where(low[j] > 0, low[j], _LEAST * high[j])
    x = np.geomspace(np.maximum(start, 1e-300), np.maximum(high[j], 1e-300), CELLS + 1, axis=-1)
    x[:, 0], x[:, -1] = low[j], high[j]
    log_t = part.strength(x.T).T
    t = np.exp(log_t)
    if rows.own.laplace or rows.own.lens.mechanism == "printed":
        with np.errstate(invalid="ignore", divide="ignore"):
            rise = np.where(x > 0, t / x, 0.0)
        return Grid(x, log_t, rise, np.zeros_like(x))
    rise, bend = np.zeros_like(x), np.zeros_like(x)
    some = (x > 0) & (t > 0)
    y, s = x[some], t[some]
    ratio = budget_elasticity(y, 1.0 / s) * s / y
    fall = np.maximum(0.0, 1.0 - (y / s + 0.5 * s) * ratio)
    rise[some], bend[some] = ratio, fall * (fall / s + ratio)
    return Grid(x, log_t, rise, bend)


def corners(
    rows: Rows, a: Array, b: Array, low: Array, high: Array, cells: Grid | None
) -> tuple[Array, Array]:
    """Amounts and values whose least concave cover lies above every row's term, a line per row."""
    if cells is not None:
        return cells.x, _above(cells, a[:, None], b[:, None])
    if rows.own.terms.smooth:
        x = np.stack([low, high], axis=-1)
    else:
        with np.errstate(over="ignore", invalid="ignore"):
            kink = np.exp(a - b if rows.what == "records" else 0.5 * (a - b))
        x = np.stack([low, np.clip(np.nan_to_num(kink), low, high), high], axis=-1)
    return x, rows.terms(x.T, a, b).T


def _above(cells: Grid, a: Array, b: Array) -> Array:
    """The term on the grid, lifted by what it may exceed its chords by in the cells beside."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        log_s = cells.log_t + 0.5 * (b - a)  # s, whose square is the private over the sample part
        square = np.exp(2.0 * log_s)
        value = np.exp(np.minimum(a, 700.0)) / (1.0 + 1.0 / square)
        unit = np.exp(0.5 * (b - a))
        low, high = square[:, :-1], square[:, 1:]
        even = (1.0 + low) ** 2
        steep = np.minimum(2.0 * np.sqrt(high) / even, 0.65)  # 0.6495 is the largest slope of all
        fall = np.maximum(0.0, 2.0 * (3.0 * high - 1.0)) / (even * (1.0 + low))
        width = np.diff(cells.x, axis=-1)
        drop = fall * (unit * cells.rise[:, :-1]) ** 2 + steep * unit * cells.bend[:, :-1]
        over = np.exp(np.minimum(a, 700.0)) * drop * width**2 / 8.0
        step = np.diff(value, axis=-1)
        # A rising term exceeds no cell's right end; at 0 the noise has no slope.
        over = np.where(np.isfinite(over) & (cells.x[:, :-1] > 0), np.minimum(over, step), step)
    out = value.copy()
    out[:, :-1] = np.maximum(out[:, :-1], value[:, :-1] + over)
    out[:, 1:] = np.maximum(out[:, 1:], value[:, 1:] + over)
    return out
