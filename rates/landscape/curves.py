r"""Who carries a study along one axis, exactly: every change on a row of the map.

In u = log r each site's term is exp(L_j) with

.. math:: L_j = \min(a_j + p_j t,\; b_j + p'_j t + d u) + q_j u, \qquad \sum_j e^{L_j} = 1,

t the log of what moves. Records have p = 1, p' = 2, budgets 0 and 2, counts 1 and 1, and 0 where
a site is not moved; a signal exponent is the case p = p' = 1 with t = 2 beta gamma u.

**Why no change is missed.** The root u falls in t, and the gap between the branches of a site,
b_j - a_j + (p'_j - p_j) t + d u, is monotone along the row because q_j > d: it is 0 at most once,
where the equation is one of the root kernel. Between these kinks every L_j is affine, so the sum
of exponentials is convex in (t, u) and the row is the graph of a concave u(t). There

* two sites' terms are equal where a line meets a concave graph. If one site carries at one end
  of a cell and another at the other end, the line meets it once in between: Newton's method from
  a tangent, which lies outside, comes down on that point monotonely (the sum is convex);
* if one site carries at both ends, another one's lead over it is concave or convex in t. It can
  be positive in between only where the two tangents of the lead meet above 0; such a cell is cut
  there and looked at again, until none is left or it is narrower than 1e-13.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rates.numbers import Terms, make_terms, solve_log

Array = NDArray[np.float64]
Places = NDArray[np.intp]

TIE = 1e-12  # shares this close, in logs, are equal: the first row of the table is named
_NARROW = 1e-13
_MAX_ROUNDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The equations of several rows of a map.

    Attributes:
        a: Log of the sampling branch at t = 0; the last axis runs over sites.
        b: Log of the private branch, ``inf`` where a site is unprotected.
        q: Slopes in u.
        d: The step.
        on: Which sites are moved.
        p: Slopes in t of the two branches of a site that is moved.
    """

    a: Array
    b: Array
    q: Array
    d: float
    on: NDArray[np.bool_]
    p: tuple[float, float]

    @classmethod
    def of(cls, terms: Terms, on: NDArray[np.bool_], p: tuple[float, float]) -> Rows:
        """Return the rows of an equation; one row per index of its first axis."""
        a = terms.log_size + terms.log_sample
        b = 2.0 * (terms.log_size + terms.log_budget) + terms.log_private
        a, b, q = (np.broadcast_to(x, terms.shape) for x in (a, b, terms.slope))
        return cls(a=a, b=b, q=q, d=float(terms.step.max()), on=on, p=p)

    def __getitem__(self, index: Any) -> Rows:
        return replace(self, a=self.a[index], b=self.b[index], q=self.q[index])

    @property
    def gain(self) -> float:
        """Slope in t of the gap of a site that is moved."""
        return self.p[1] - self.p[0]

    def levels(self, t: Array, u: Array) -> tuple[Array, Array]:
        """Return both branches of every site at points, one or more to a row."""
        t, u = t[..., None], u[..., None]
        a, b, q = (
            x if t.ndim == x.ndim else np.expand_dims(x, 1) for x in (self.a, self.b, self.q)
        )
        first = a + (self.p[0] * self.on) * t + q * u
        return first, b + (self.p[1] * self.on) * t + (self.d + q) * u

    def kinks(self) -> tuple[Array, Array]:
        """Return t and u where each site's branches meet and where u = 0; nan where they do not."""
        with np.errstate(all="ignore"):
            u = (self.a - self.b) / self.d
            u = np.concatenate([u, np.zeros((len(u), 1))], axis=1)
            t = np.full_like(u, np.nan)
            still = np.append(~self.on if self.gain else np.ones(len(self.on), bool), True)
            t[:, still] = self._when(u[:, still])
            if self.gain:
                t[:, ~still], u[:, ~still] = self._own_kinks(np.flatnonzero(self.on))
        return t, u

    def _own_kinks(self, sites: Places) -> tuple[Array, Array]:
        """Kinks of sites that are moved: t = c - d u / gain turns the sum into one in u alone."""
        c = ((self.a - self.b) / self.gain)[:, sites]
        known = np.isfinite(c)
        at = np.where(known, c, 0.0)[..., None]
        a, b, q = self.a[:, None], self.b[:, None], self.q[:, None]
        terms = make_terms(
            0.0,
            0.0,
            np.where(self.on, q - self.p[0] * self.d / self.gain, q),
            self.d,
            np.where(self.on, np.minimum(a + self.p[0] * at, b + self.p[1] * at), a),
            np.where(self.on, np.inf, b),
        )
        u = solve_log(terms)
        return np.where(known, c - self.d * u / self.gain, np.nan), u

    def _when(self, u: Array) -> Array:
        """Return t at which u is the root: what the sites that stay leave to those that move."""
        first, second = self.levels(np.zeros_like(u), u)
        least = np.minimum(first, second)
        room = np.log1p(-np.exp(least[..., ~self.on]).sum(axis=-1))[..., None]
        first, second = (x[..., self.on] - room for x in (first, second))
        if not self.gain:
            return np.asarray(-np.logaddexp.reduce(np.minimum(first, second), axis=-1))
        if self.p[0] == 0.0:
            return _filled(first, second)
        good = np.isfinite(room[..., 0])
        at = make_terms(0.0, 0.0, self.p[0], self.gain, first[good], second[good])
        out = np.full(good.shape, np.nan)
        out[good] = solve_log(at)
        return out


def _filled(most: Array, rise: Array) -> Array:
    """Return t with sum of min(e^most, e^(rise + 2 t)) = 1; inf where even the most are less.

    In z = e^(2 t) the sum is concave, with a kink per term: Newton's method from the left ends
    after at most as many steps.
    """
    cap, slope = np.exp(most), np.exp(rise)
    z = 1.0 / slope.sum(axis=-1)
    for _ in range(most.shape[-1]):
        free = slope * z[..., None] < cap
        value = np.where(free, slope * z[..., None], cap).sum(axis=-1)
        z = z + (1.0 - value) / np.where(free, slope, 0.0).sum(axis=-1)
    return np.asarray(0.5 * np.log(z))


class Pieces(NamedTuple):
    """Parts of rows on which one site carries, bound by one thing.

    Attributes:
        row: Row.
        ends: t at both ends, two columns.
        root: u at both ends.
        carrier: The site.
        private: Whether its privacy binds.
    """

    row: Places
    ends: Array
    root: Array
    carrier: Places
    private: NDArray[np.bool_]


class _Cells(NamedTuple):
    """Parts of rows without a kink: every term is exp(c + p t + q u)."""

    row: Places
    t: Array  # both ends
    u: Array
    first: Places  # who carries at both ends
    last: Places
    c: Array
    p: Array
    q: Array

    def take(self, keep: Any) -> _Cells:
        return _Cells(*(part[keep] for part in self))

    def levels(self, t: Array, u: Array) -> Array:
        return np.asarray(self.c + self.p * t[:, None] + self.q * u[:, None])

    def falls(self, t: Array, u: Array) -> Array:
        """du/dt of the row through a point of it."""
        share = np.exp(self.levels(t, u))
        return np.asarray(-(self.p * share).sum(axis=1) / (self.q * share).sum(axis=1))


def pieces(rows: Rows, t: Array, u: Array) -> Pieces:
    """Return who carries along rows, from end to end.

    Args:
        rows: The equations.
        t: Both ends of each row, ascending, in two columns.
        u: The roots there.
    """
    with np.errstate(all="ignore"):
        cells = _cells(rows, t, u)
        done: list[_Cells] = []
        for _ in range(_MAX_ROUNDS):
            cells = cells.take(cells.t[:, 1] - cells.t[:, 0] > _NARROW * _scale(cells.t))
            if not len(cells.row):
                break
            cut, start, way = _cuts(cells)
            done.append(cells.take(~cut))
            cells = cells.take(cut)
            cells = _split(cells, *_meet(cells, start[cut], way[cut]))
    done.append(cells)
    out = _Cells(*(np.concatenate(parts) for parts in zip(*done, strict=True)))
    who = out.first[:, None]
    private = np.take_along_axis(out.q, who, 1) > np.take_along_axis(rows.q[out.row], who, 1)
    return Pieces(out.row, out.t, out.u, out.first, private[:, 0])


def _scale(t: Array) -> Array:
    return np.asarray(np.maximum(1.0, np.abs(t).max(axis=1)))


def carriers(levels: Array) -> Places:
    """Return the largest term along the last axis, the first one at ties."""
    return np.asarray(np.argmax(levels >= levels.max(axis=-1, keepdims=True) - TIE, axis=-1))


def _cells(rows: Rows, t: Array, u: Array) -> _Cells:
    """Cut every row at its kinks."""
    at, root = rows.kinks()
    below, above = ~(at > t[:, :1]), at >= t[:, 1:]
    at = np.where(below, t[:, :1], np.where(above, t[:, 1:], at))
    root = np.where(below, u[:, :1], np.where(above, u[:, 1:], root))
    order = np.argsort(at, axis=1, kind="stable")
    at = np.concatenate([t[:, :1], np.take_along_axis(at, order, 1), t[:, 1:]], axis=1)
    root = np.concatenate([u[:, :1], np.take_along_axis(root, order, 1), u[:, 1:]], axis=1)
    who = carriers(np.minimum(*rows.levels(at, root)))
    wide = at[:, 1:] - at[:, :-1] > _NARROW
    row, place = np.nonzero(wide)
    ends, roots = (np.stack([x[row, place], x[row, place + 1]], axis=1) for x in (at, root))
    mine = rows[row]
    first, second = mine.levels(ends.mean(axis=1), roots.mean(axis=1))
    private = second <= first
    return _Cells(
        row=row,
        t=ends,
        u=roots,
        first=who[row, place],
        last=who[row, place + 1],
        c=np.where(private, mine.b, mine.a),
        p=np.where(private, rows.p[1], rows.p[0]) * rows.on,
        q=mine.q + rows.d * private,
    )


def _cuts(cells: _Cells) -> tuple[NDArray[np.bool_], Array, Array]:
    """Say which cells hold a change, and from where on the chord and which way it lies."""
    (t0, t1), (u0, u1) = cells.t.T, cells.u.T
    at = np.arange(len(t0))
    lead = [cells.levels(t, u) for t, u in ((t0, u0), (t1, u1))]
    turns = cells.first != cells.last
    # Two carriers: along the line on which their terms are equal, upwards from the chord.
    d0, d1 = (x[at, cells.last] - x[at, cells.first] for x in lead)
    part = np.clip(np.nan_to_num(d0 / (d0 - d1), nan=0.5), 0.0, 1.0)
    rise, fall = (x[at, cells.last] - x[at, cells.first] for x in (cells.q, cells.p))
    sign = np.where((t1 - t0) * fall + (u1 - u0) * rise >= 0.0, -1.0, 1.0)
    way = np.stack([sign * rise, -sign * fall], axis=1)
    # One carrier: straight up from where the tangents of another one's lead meet.
    l0, l1 = (x - x[at, cells.first][:, None] for x in lead)
    dp, dq = (x - x[at, cells.first][:, None] for x in (cells.p, cells.q))
    s0, s1 = (dp + dq * cells.falls(t, u)[:, None] for t, u in ((t0, u0), (t1, u1)))
    width = (t1 - t0)[:, None]
    peak = (l1 - l0 - s1 * width) / (s0 - s1)
    height = np.where((s0 > 0) & (s1 < 0) & (peak > 0) & (peak < width), l0 + s0 * peak, -np.inf)
    most = height.argmax(axis=1)
    bulges = ~turns & (height[at, most] > TIE) & (width[:, 0] > 1e-9)
    part = np.where(turns, part, peak[at, most] / width[:, 0])
    way = np.where(turns[:, None], way, [[0.0, 1.0]])
    start = np.stack([t0 + part * (t1 - t0), u0 + part * (u1 - u0)], axis=1)
    return turns | bulges, start, way


def _meet(cells: _Cells, start: Array, way: Array) -> tuple[Array, Array]:
    """Return t and u where a ray from the chord meets the row.

    The row lies between its chord and its tangents at both ends; the tangents give the start.
    """
    way = way / np.abs(way).max(axis=1, keepdims=True)
    reach = np.full(len(start), np.inf)
    for k in (0, 1):
        t, u = cells.t[:, k], cells.u[:, k]
        fall = cells.falls(t, u)
        room = u + fall * (start[:, 0] - t) - start[:, 1]
        closing = way[:, 1] - fall * way[:, 0]
        step = np.where(closing > 0, np.maximum(room, 0.0) / closing, np.inf)
        reach = np.minimum(reach, step)
    reach = np.where(np.isfinite(reach), reach, 0.0)
    slope = cells.p * way[:, :1] + cells.q * way[:, 1:]
    base = cells.levels(start[:, 0], start[:, 1])
    s = reach
    for _ in range(50):
        term = np.exp(base + slope * s[:, None])
        total = term.sum(axis=1)
        step = np.log(total) * total / (slope * term).sum(axis=1)
        new = np.clip(np.where(np.isfinite(step), s - step, s), 0.0, reach)
        moved, s = np.abs(new - s), new
        if np.all(moved <= 1e-15 * (1.0 + np.abs(s))):
            break
    return start[:, 0] + s * way[:, 0], start[:, 1] + s * way[:, 1]


def _split(cells: _Cells, t: Array, u: Array) -> _Cells:
    """Cut cells at points of their rows."""
    at = np.arange(len(t))
    t, u = np.clip(t, *cells.t.T), np.clip(u, *cells.u.T[::-1])
    levels = cells.levels(t, u)
    who = carriers(levels)
    turns = cells.first != cells.last
    third = levels[at, who] > levels[at, cells.first] + TIE
    # At a change between two, no third one leading, each side belongs to one of them.
    left = np.where(turns & ~third, cells.first, who)
    right = np.where(turns & ~third, cells.last, who)
    ends = [np.stack([cells.t[:, 0], t], axis=1), np.stack([t, cells.t[:, 1]], axis=1)]
    roots = [np.stack([cells.u[:, 0], u], axis=1), np.stack([u, cells.u[:, 1]], axis=1)]
    one = cells._replace(t=ends[0], u=roots[0], last=left)
    two = cells._replace(t=ends[1], u=roots[1], first=right)
    return _Cells(*(np.concatenate(parts) for parts in zip(one, two, strict=True)))
