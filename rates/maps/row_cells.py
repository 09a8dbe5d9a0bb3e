r"""Who carries a study along one axis, exactly: every change on a row of the map.

In u = log r each site's term is exp(L_j) with

.. math:: L_j = \min(a_j + p_j t,\; b_j + p'_j t + d u) + q_j u, \qquad \sum_j e^{L_j} = 1,

t the log of what moves. Records have p = 1, p' = 2, budgets 0 and 2, counts 1 and 1, and 0 where
a site is not moved; a signal exponent is the case p = p' = 1 with t = 2 beta gamma u. No p is
below 0, and p' is the larger one at all sites, or at none.

**Why no change is missed.** The root u falls in t, and the gap between the branches of a site,
b_j - a_j + (p'_j - p_j) t + d u, is monotone along the row because q_j > d: it is 0 at most once.
Between these kinks every L_j is affine, so the sum of exponentials is convex in (t, u) and the
row is the graph of a concave u(t). There

* two sites' terms are equal where a line meets a concave graph. If one site carries at one end
  of a cell and another at the other end, the line meets it once in between;
* if one site carries at both ends, another one's lead over it is concave or convex in t. It can
  be positive in between only where the two tangents of the lead meet above 0; such a cell is cut
  there and looked at again, until none is left or it is narrower than 1e-13.

**Every change is where a line in (t, u) meets the row**: that on which a gap is 0, u = 0, that on
which two terms are equal, or a vertical one. Each goes through a known point of the chord between
the ends, and the sum rises along it from below 1 to above.
"""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rates.maps.moved import Axis, Ground
from rates.numbers import Terms, at_root, bracketed, solve_log
from rates.pieces import Array, Codes

Places = NDArray[np.intp]

TIE = 1e-12  # shares this close, in logs, are equal: the first row of the table is named
_NARROW = 1e-13
_NEAR = 1e-12  # of its size: a step below this is the last
_MAX_ROUNDS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """The equations of several rows of a map.

    Attributes:
        a: Log of the sampling branch at t = 0; the last axis runs over sites.
        b: Log of the private branch, ``inf`` where a site is unprotected.
        q: Slopes in u.
        d: The step.
        p: Slopes in t of the two branches of every site; 0 where it is not moved.
    """

    a: Array
    b: Array
    q: Array
    d: float
    p: tuple[Array, Array]

    @classmethod
    def of(cls, terms: Terms, p: tuple[Array, Array]) -> Rows:
        """Return the rows of an equation; one row per index of its first axis."""
        a, b, q = branches(terms)
        return cls(a=a, b=b, q=q, d=float(terms.step.max()), p=p)

    def __getitem__(self, index: Any) -> Rows:
        return replace(self, a=self.a[index], b=self.b[index], q=self.q[index])

    def levels(self, t: Array, u: Array) -> tuple[Array, Array]:
        """Return both branches of every site at points, one to a row, or one to each of two."""
        t, u = t[..., None], u[..., None]
        a, b, q = (
            x if t.ndim == x.ndim else np.expand_dims(x, 1) for x in (self.a, self.b, self.q)
        )
        first = a + self.p[0] * t + q * u
        return first, b + self.p[1] * t + (self.d + q) * u

    def lines(self, t: Array, u: Array) -> tuple[Array, Array, Array]:
        """Return the terms at points, one to a row, and their slopes in t and in u."""
        first, second = self.levels(t, u)
        private = second < first
        p = np.where(private, self.p[1], self.p[0])
        return np.where(private, second, first), p, self.q + self.d * private


def branches(terms: Terms) -> tuple[Array, Array, Array]:
    """Return the logs of the sampling and the private branch at u = 0, and their slopes in u."""
    a = terms.log_size + terms.log_sample
    b = 2.0 * (terms.log_size + terms.log_budget) + terms.log_private
    a, b, q = (np.broadcast_to(x, terms.shape) for x in (a, b, terms.slope))
    return a, b, q


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

    def lines(self, t: Array, u: Array) -> tuple[Array, Array, Array]:
        return self.levels(t, u), self.p, self.q

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
            cut, part, way = _cuts(cells)
            done.append(cells.take(~cut))
            cells = cells.take(cut)
            cells = _split(cells, *_meet(cells, cells.t, cells.u, part[cut], way[cut]))
    done.append(cells)
    out = _Cells(*(np.concatenate(parts) for parts in zip(*done, strict=True)))
    who = out.first[:, None]
    private = np.take_along_axis(out.q, who, 1) > np.take_along_axis(rows.q[out.row], who, 1)
    return Pieces(out.row, out.t, out.u, out.first, private[:, 0])


def _meet(of: Rows | _Cells, t: Array, u: Array, part: Array, way: Array) -> tuple[Array, Array]:
    """Return t and u where lines meet the rows, by Newton's method.

    Args:
        of: The equations.
        t: Both ends of what is looked at of each row, in two columns.
        u: The roots there, between which the point lies.
        part: Where on the chord each line begins.
        way: Its direction, in two columns, in which the sum rises through 1.
    """
    # Of unit length, so that the step along it is compared with the size of t and u.
    way = way / np.abs(way).max(axis=1, keepdims=True)
    start = np.stack([x[:, 0] + part * (x[:, 1] - x[:, 0]) for x in (t, u)], axis=1)
    ends = np.stack([t - start[:, :1], u - start[:, 1:]], axis=1) / way[:, :, None]
    low = np.fmax.reduce(ends.min(axis=2), axis=1)
    high = np.fmin.reduce(ends.max(axis=2), axis=1)

    def at(s: Array) -> tuple[Array, NDArray[np.bool_], float]:
        level, p, q = of.lines(start[:, 0] + s * way[:, 0], start[:, 1] + s * way[:, 1])
        term = np.exp(level)
        total = term.sum(axis=1)
        slope = ((p * way[:, :1] + q * way[:, 1:]) * term).sum(axis=1)
        return np.log(total) * total / slope, total >= 1.0, 1.0

    s = bracketed(at, np.zeros(len(t)), low, high, settled=_NEAR)
    return start[:, 0] + s * way[:, 0], start[:, 1] + s * way[:, 1]


def _scale(t: Array) -> Array:
    return np.asarray(np.maximum(1.0, np.abs(t).max(axis=1)))


def carriers(levels: Array) -> Places:
    """Return the largest term along the last axis, the first one at ties."""
    return np.asarray(np.argmax(levels >= levels.max(axis=-1, keepdims=True) - TIE, axis=-1))


def _cells(rows: Rows, t: Array, u: Array) -> _Cells:
    """Cut every row at its kinks, and where the rate is 1."""
    first, second = rows.levels(t, u)
    gap = np.concatenate([second - first, u[..., None]], axis=2)  # 0 at a kink
    row, site = np.nonzero(gap[:, 0] * gap[:, 1] < 0.0)
    g = gap[row, :, site]
    gain = np.append(rows.p[1] - rows.p[0], 0.0)[site]
    # Along a kink the sum rises in u where the gap moves in t, else u stays and it rises in t.
    way = np.stack([np.where(gain != 0.0, -rows.d * np.sign(gain), 1.0), np.abs(gain)], axis=1)
    part = g[:, 0] / (g[:, 0] - g[:, 1])
    at, root = (np.repeat(x[:, :1], gap.shape[2], axis=1) for x in (t, u))
    at[row, site], root[row, site] = _meet(rows[row], t[row], u[row], part, way)
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
        p=np.where(private, rows.p[1], rows.p[0]),
        q=mine.q + rows.d * private,
    )


def _cuts(cells: _Cells) -> tuple[NDArray[np.bool_], Array, Array]:
    """Say which cells hold a change, from which part of the chord, and which way it lies."""
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
    return turns | bulges, part, way


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


LOCATED = 1e-6  # part of the axis to which a change by the mechanism is located
POINTS = 33  # points on a row at which the mechanism is asked first


def codes_at(ground: Ground, x: Array, y: Array) -> Codes:
    """Return the label's code at points, which broadcast.

    A code is twice the row of the table, and one more where sampling binds; twice the number of
    rows stands for a rate of 1.
    """
    terms = ground.terms(x, y)
    u = solve_log(terms)
    level, gap = at_root(terms, u)
    who = carriers(level)
    free = np.take_along_axis(gap, who[..., None], -1)[..., 0] > 0.0
    nobody = 2 * len(ground.study.servers)
    return np.where(u < 0.0, 2 * ground.live[who] + free, nobody).astype(np.int16)


@functools.lru_cache(maxsize=16)
def _rises(ground: Ground) -> tuple[Array, Array, float] | None:
    """Read off the forward map how the sites' branches rise along the horizontal axis.

    Both branches rise in the log of what moves, site by site; or, the third, those of one site in
    u times the number itself. None where they rise unevenly: such rows are known at points alone.
    """
    # Two steps tell an even rise from one that is not: three points of any line will do.
    steps = np.arange(3.0)
    terms = ground.terms(np.exp(steps) if ground.x.log else steps, np.ones(1))
    with np.errstate(invalid="ignore"):
        rises = np.diff(np.stack(branches(terms)), axis=1)
    rises[1] = np.where(np.isnan(rises[1]), rises[0], rises[1])  # an unprotected site has none
    (first, second, slope), again = rises[:, 0].round(9), rises[:, 1]
    if not np.allclose(rises[:, 0], again, rtol=0.0, atol=1e-9):
        return None
    if not slope.any():
        return first, second, 0.0
    on = slope > 0
    alone = on.sum() == 1 and not first.any() and not second.any()
    return (1.0 * on, 1.0 * on, float(rises[2, 0].max())) if alone else None


def exact(ground: Ground, axis: Axis, heights: Array) -> tuple[Array, Codes] | None:
    """Return per row the inner edges and the code of each cell, by the rate equation.

    Edges are logs along a logarithmic axis; those not needed stand at the upper end. None where
    the sites' terms rise unevenly along the axis.
    """
    rises = _rises(ground)
    if rises is None:
        return None
    *p, steep = rises
    neutral = ground.terms(np.full(len(heights), 0.0 if steep else 1.0), heights)
    ends = np.array([axis.low, axis.high])
    u = solve_log(ground.terms(ends, heights[:, None]))
    t = steep * u * ends if steep else np.broadcast_to(np.log(ends), u.shape)
    back = t[:, 0] > t[:, 1]  # of an exponent t falls, as u < 0
    t, u = (np.where(back[:, None], v[:, ::-1], v) for v in (t, u))
    found = pieces(Rows.of(neutral, (p[0], p[1])), t, u)
    code = (2 * ground.live[found.carrier] + ~found.private).astype(np.int16)
    known = found.root.mean(axis=1) < 0.0
    code = np.where(known, code, 2 * len(ground.study.servers)).astype(np.int16)
    # t = 2 β γ u back to γ; where u < 0 the ends change places.
    at = np.sort(found.ends / (steep * found.root), axis=1) if steep else found.ends
    return _lined_up(found.row, at, code, len(heights), axis.scale.span)


def located(ground: Ground, axis: Axis, heights: Array) -> tuple[Array, Codes]:
    """Return the same by any answer: changes are located to 1e-6 of the axis.

    A change is seen where two neighbours among points on the row, or a point that is asked on the
    way to one, have different codes; two changes between neighbours of one code are missed.
    """
    span = axis.scale.span
    points = np.linspace(*span, POINTS)

    def ask(at: Array, y: Array) -> Codes:
        return codes_at(ground, axis.scale.numbers(at), y)

    seen = ask(points, heights[:, None])
    row, place = np.nonzero(seen[:, 1:] != seen[:, :-1])
    at = np.stack([points[place], points[place + 1]], axis=1)
    code = np.stack([seen[row, place], seen[row, place + 1]], axis=1)
    for _ in range(math.ceil(math.log2(1.0 / (LOCATED * (POINTS - 1))))):
        middle = at.mean(axis=1)
        new = ask(middle, heights[row])
        halves = (
            (row, np.stack([at[:, 0], middle], axis=1), np.stack([code[:, 0], new], axis=1)),
            (row, np.stack([middle, at[:, 1]], axis=1), np.stack([new, code[:, 1]], axis=1)),
        )
        row, at, code = (np.concatenate(parts) for parts in zip(*halves, strict=True))
        differ = code[:, 0] != code[:, 1]
        row, at, code = row[differ], at[differ], code[differ]
    count = len(heights)
    row = np.concatenate([np.arange(count), row])
    left = np.concatenate([np.full(count, span[0]), at.mean(axis=1)])
    codes = np.concatenate([seen[:, 0], code[:, 1]])
    order = np.lexsort((left, row))
    row, left, codes = row[order], left[order], codes[order]
    ends = np.append(left[1:], span[1])
    ends = np.where(np.append(row[1:] != row[:-1], True), span[1], ends)
    return _lined_up(row, np.stack([left, ends], axis=1), codes, count, span)


def along(ground: Ground, axis: Axis, heights: Array) -> tuple[Array, Codes]:
    """Return the inner edges and the codes of the cells per row, by the answer asked for."""
    by_equation = exact(ground, axis, heights) if ground.lens.mechanism is None else None
    return by_equation or located(ground, axis, heights)


def _lined_up(
    row: Places, at: Array, code: Codes, count: int, span: tuple[float, float]
) -> tuple[Array, Codes]:
    """Put the pieces of rows into two arrays, neighbours of one code joined."""
    keep = at[:, 1] - at[:, 0] > 1e-12 * (span[1] - span[0])
    row, at, code = row[keep], at[keep], code[keep]
    order = np.lexsort((at[:, 0], row))
    row, at, code = row[order], at[order], code[order]
    new = np.concatenate([[True], (row[1:] != row[:-1]) | (code[1:] != code[:-1])])
    row, left, code = row[new], at[new, 0], code[new]
    place = np.arange(len(row)) - np.searchsorted(row, row)
    most = int(place.max(initial=0))
    edges = np.full((count, most), span[1])
    codes = np.zeros((count, most + 1), dtype=np.int16)
    inner = place > 0
    edges[row[inner], place[inner] - 1] = left[inner]
    codes[row, place] = code
    last = np.searchsorted(row, np.arange(count), side="right") - 1
    # Rows with fewer cells repeat their last one: no edge lies between equal codes.
    unused = np.arange(most + 1) > place[last][:, None]
    return edges, np.where(unused, code[last][:, None], codes)
