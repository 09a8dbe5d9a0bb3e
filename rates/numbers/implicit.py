r"""The root kernel behind both rate equations; it knows no statistics.

In u = log r, equations (5) of [ACC] and (6) of [CCV] (there with r = 1/D) are both

.. math::
    \sum_j \exp\{\, g(a_j,\; b_j + d u) + s_j u \,\} = 1, \qquad s_j \ge d > 0,

where g is the smaller of its arguments (the rate equation) or minus the log of the
sum of ``exp(-argument)`` (a named mechanism, whose two variances add up). Every term
has a slope between s_j and s_j + d, which gives three things for free:

* the root of one term alone in closed form, u_j = -min(a_j/s_j, b_j/(s_j + d));
* a proved bracket, [min u_j - log K / min s_j, min u_j], for K terms;
* no overflow, because inside the bracket no term exceeds 1 (4 for the smooth g).

Each step evaluates the sum with three derivatives and moves by Householder's rule of
fourth order. Two steps in single precision bring u within about 1e-6; the steps that
follow are in double precision, keep the bracket and fall back to its middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers.householder import Block, Room, Steps

Array = NDArray[np.float64]

BLOCK = 60_000  # numbers per block, so that the work arrays stay in cache
STEEPEST = 1e100  # slopes above this move no root by a representable amount
_SINGLE_LIMIT = 1e3  # steepest slope for which single precision is a useful start
_QUARTIC = 1e-4  # slope times step below which a fourth-order step is exact to 1e-16
_FURTHER = 0.3  # of the bracket's length: where roots of random studies of many sites lie
_MAX_STEPS = 200


@dataclass(frozen=True, slots=True)
class Terms:
    """The pieces of a balance equation, arrays that broadcast; the last axis runs over terms.

    a = log_size + log_sample and b = 2 (log_size + log_budget) + log_private. They are
    kept apart so that a large grid is put together block by block.
    """

    log_size: Array
    log_budget: Array
    slope: Array
    step: Array
    log_sample: Array
    log_private: Array
    smooth: bool = False

    @property
    def shape(self) -> tuple[int, ...]:
        """The broadcast shape, terms last."""
        return np.broadcast_shapes(*[x.shape for x in self.pieces()])

    def pieces(self) -> tuple[Array, ...]:
        """The six arrays, in the order of the fields."""
        return (
            self.log_size,
            self.log_budget,
            self.slope,
            self.step,
            self.log_sample,
            self.log_private,
        )

    def __getitem__(self, index: Any) -> Terms:
        """Some of the terms or problems: every piece, broadcast, taken at an index."""
        shape = self.shape
        return self._of([np.broadcast_to(x, shape)[index] for x in self.pieces()])

    def _of(self, pieces: Sequence[Array]) -> Terms:
        size, budget, slope, step, sample, private = pieces
        return Terms(size, budget, slope, step, sample, private, smooth=self.smooth)

    def changed(self, **pieces: Any) -> Terms:
        """The same equation with other sizes, budgets or slopes; leading axes make a grid."""
        return replace(self, **pieces)

    def times(self, log_count: Array | float) -> Terms:
        """Every term counted as often as said, by the log."""
        return replace(
            self, log_sample=self.log_sample + log_count, log_private=self.log_private + log_count
        )

    def joined(self, *others: Terms) -> Terms:
        """The terms of several equations in one; their leading axes broadcast.

        >>> one = make_terms([1.0, 2.0], [0.0], 2.0, 1.0)
        >>> one.joined(one[:1]).log_size.tolist(), one[:, None].joined(one).shape
        ([1.0, 2.0, 1.0], (2, 3))
        """
        every = (self, *others)
        lead = np.broadcast_shapes(*(part.shape[:-1] for part in every))
        shapes = [(*lead, part.shape[-1]) for part in every]
        wide = [
            [np.broadcast_to(x, shape) for x in part.pieces()]
            for part, shape in zip(every, shapes, strict=True)
        ]
        same = zip(*wide, strict=True)
        return self._of([np.concatenate(parts, axis=-1) for parts in same])


def make_terms(
    log_size: ArrayLike,
    log_budget: ArrayLike,
    slope: ArrayLike,
    step: ArrayLike,
    log_sample: ArrayLike = 0.0,
    log_private: ArrayLike = 0.0,
    *,
    smooth: bool = False,
) -> Terms:
    """Collect the pieces as float arrays with at least one axis."""
    size, budget, steep, kink, sample, private = (
        np.atleast_1d(np.asarray(x, dtype=float))
        for x in (log_size, log_budget, slope, step, log_sample, log_private)
    )
    steep = np.minimum(steep, STEEPEST)
    return Terms(size, budget, steep, kink, sample, private, smooth=smooth)


def solve_log(terms: Terms) -> Array:
    r"""Solve the balance equation for u, one problem per index of the leading axes.

    Args:
        terms: The equation's pieces; slopes and steps positive.

    Returns:
        u with the leading shape of ``terms``; ``inf`` where every term is zero.

    Examples:
        One term: exp(min(6, 8 + u) + 2 u) = 1 at u = -8/3.

        >>> float(solve_log(make_terms([6.0], [-2.0], 2.0, 1.0)).round(12))
        -2.666666666667
    """
    shape = terms.shape
    batch, servers = shape[:-1], shape[-1]
    problems = math.prod(batch)
    out = np.full(problems, np.inf)
    if servers == 0 or problems == 0:
        return out.reshape(batch)
    blocks = max(1, math.ceil(problems / max(1, BLOCK // servers)))
    width = math.ceil(problems / blocks)
    columns = [_columns(x, batch) for x in terms.pieces()]
    alike = problems > 20 and all(math.prod(x.shape[:-1]) == 1 for x in (terms.slope, terms.step))
    room = Room(servers, width, alike)
    rest = np.arange(problems)
    with np.errstate(all="ignore"):  # limits (zero size, infinite budget) are in the algebra
        if not terms.smooth and float(terms.slope.max() + terms.step.max()) < _SINGLE_LIMIT:
            doubtful = np.empty(problems, bool)
            for start in range(0, problems, width):
                part = slice(start, min(start + width, problems))
                room.cut(part.stop - start)
                block = _assemble([take(part) for take in columns], room)
                out[part], doubtful[part] = _quick(block, room)
            rest = np.flatnonzero(doubtful)
        for start in range(0, len(rest), width):
            some = rest[start : start + width]
            room.cut(len(some))
            block = _assemble([take(some) for take in columns], room)
            out[some] = _bracketed(block, out[some], terms.smooth, room)
    return out.reshape(batch)


def at_root(terms: Terms, u: ArrayLike) -> tuple[Array, Array]:
    """Return the log of every term at u, and the gap b_j + d u - a_j between its branches.

    Privacy binds where the gap is at most 0; the smooth private weight is 1/(1 + e^gap).
    """
    at = np.asarray(u, dtype=float)[..., None]
    with np.errstate(all="ignore"):
        a, b, s, d = _assemble(list(terms.pieces()))
        gap = b + d * at - a
        level = np.minimum(a, b + d * at) + s * at
        if terms.smooth:
            level = level - np.log1p(np.exp(-np.abs(gap)))
        return level, gap


def _columns(x: Array, batch: tuple[int, ...]):  # type: ignore[no-untyped-def]
    """Return a function from problems, a slice or places, to the columns of one array."""
    if math.prod(x.shape[:-1]) == 1:
        column = x.reshape(-1, 1)
        return lambda which: column
    if x.shape[:-1] == batch:
        rows = x.reshape(-1, x.shape[-1])
        return lambda which: rows[which].T
    view = np.broadcast_to(x, batch + x.shape[-1:])
    places = np.arange(math.prod(batch))
    return lambda which: view[np.unravel_index(places[which], batch)].T


def _assemble(pieces: list[Array], room: Room | None = None) -> Block:
    """Form (a, b, s, d); a term of size or budget zero becomes exp(-inf) = 0."""
    log_size, log_budget, s, d, log_sample, log_private = pieces
    if room:
        a, b = room.pieces
        np.copyto(a, log_size)
        np.add(a, log_budget, out=b)
        if log_sample.any():
            a += log_sample
    else:
        a, b = log_size + log_sample, log_size + log_budget
    b *= 2.0
    if log_private.any():
        b = np.add(b, log_private, out=b if room else None)
    if a.min(initial=np.inf) == -np.inf:
        b = np.where(np.isneginf(a), 0.0, b)
    return a, b, s, d


def _quick(block: Block, room: Room) -> tuple[Array, NDArray[np.bool_]]:
    """Two steps in single precision, one in double; and where that may not be enough."""
    _, _, s, d = block
    u = _single_start(block, room).astype(float)
    steps = Steps(block, room)
    step, _, _ = steps.householder(u)
    u -= step
    # Slopes are bounded from both sides, so a small step proves that the root is near;
    # if no minimum changes its branch on the way the sum is analytic there and the
    # step is exact to rounding.
    near = np.abs(step) < _QUARTIC / float(s.max() + d.max())
    return u, ~near | steps.crosses(u)


def _single_start(block: Block, room: Room) -> Array:
    """Two steps in single precision from near the right end of the bracket."""
    a, b, t, x = room.single
    np.copyto(a, block[0], casting="same_kind")
    np.copyto(b, block[1], casting="same_kind")
    s, d = (x.astype(np.float32) for x in block[2:])
    np.divide(a, s, out=t)
    np.divide(b, s + d, out=x)
    np.minimum(t, x, out=t)
    u = -t.max(axis=0)
    u -= _FURTHER * math.log(len(t)) / float(s.mean() + 0.5 * d.mean())
    steps = Steps((a, b, s, d), room)
    for _ in range(2):
        step, _, _ = steps.householder(u)
        u -= step
    return np.asarray(u)


def _bracketed(block: Block, u: Array, smooth: bool, room: Room) -> Array:
    """Householder steps inside a shrinking bracket until the step is down to rounding."""
    a, b, s, d = block
    alone = np.minimum(a / s, b / (s + d))
    if smooth:  # the smooth term is at least half the sharp one
        alone -= math.log(2.0) / s
    high = np.broadcast_to(-alone.max(axis=0), u.shape)
    live = ~np.isposinf(high)
    if not live.all():
        out = np.full(len(u), np.inf)
        if live.any():
            a, b, s, d = (x if x.shape[1] == 1 else x[:, live] for x in block)
            room.cut(int(live.sum()))
            out[live] = _bracketed((a, b, s, d), u[live], smooth, room)
        return out
    low = high - math.log(2.0 * len(alone) if smooth else len(alone)) / float(s.min())
    u = np.where((u >= low) & (u <= high), u, high)
    steps = Steps(block, room)
    for turn in range(_MAX_STEPS):
        step, value, reach = steps.householder(u, smooth)
        above = value > 0
        high = np.where(above, u, high)
        low = np.where(above, low, u)
        new = u - step
        # Every fourth step halves the bracket from the eighth on, so the loop must end.
        lost = ~((new >= low) & (new <= high)) | (turn > 5 and turn % 4 == 0)
        new = np.where(lost, 0.5 * (low + high), new)
        moved = np.abs(new - u)
        u = new
        if np.all(moved <= 2e-15 * (np.abs(u) + 4.0 * reach)):
            break
    return u
