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
fourth order. Two steps in single precision bring u within about 1e-5; the steps that
follow are in double precision, keep the bracket and fall back to its middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]

BLOCK = 60_000  # numbers per block, so that the work arrays stay in cache
STEEPEST = 1e100  # slopes above this move no root by a representable amount
_SINGLE_LIMIT = 1e3  # steepest slope for which single precision is a useful start
_QUARTIC = 1e-4  # slope times step below which a fourth-order step is exact to 1e-16
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
        return np.broadcast_shapes(*(x.shape for x in self.pieces()))

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
        return self._of([np.broadcast_to(x, self.shape)[index] for x in self.pieces()])

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
        wide = [
            [np.broadcast_to(x, (*lead, part.shape[-1])) for x in part.pieces()] for part in every
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
    if servers == 0:
        return out.reshape(batch)
    width = max(1, BLOCK // servers)
    columns = [_columns(x, batch) for x in terms.pieces()]
    room = _Room((servers, min(width, problems)))
    with np.errstate(all="ignore"):  # limits (zero size, infinite budget) are in the algebra
        for start in range(0, problems, width):
            stop = min(start + width, problems)
            block = _assemble([c(start, stop) for c in columns])
            out[start:stop] = _solve_block(block, terms.smooth, room)
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


Block = tuple[Array, Array, Array, Array]


def _columns(x: Array, batch: tuple[int, ...]):  # type: ignore[no-untyped-def]
    """Return a function (start, stop) -> the (terms, problems) block of one array."""
    if math.prod(x.shape[:-1]) == 1:
        column = x.reshape(-1, 1)
        return lambda start, stop: column
    if x.shape[:-1] == batch:
        rows = x.reshape(-1, x.shape[-1])
        return lambda start, stop: np.ascontiguousarray(rows[start:stop].T)
    view = np.broadcast_to(x, batch + x.shape[-1:])

    def gather(start: int, stop: int) -> Array:
        index = np.unravel_index(np.arange(start, stop), batch)
        return np.ascontiguousarray(view[index].T)

    return gather


def _assemble(pieces: list[Array]) -> Block:
    """Form (a, b, s, d); a term of size or budget zero becomes exp(-inf) = 0."""
    log_size, log_budget, s, d, log_sample, log_private = pieces
    a = log_size + log_sample
    b = 2.0 * (log_size + log_budget) + log_private
    if np.isneginf(a).any():
        b = np.where(np.isneginf(a), 0.0, b)
    return a, b, s, d


def _take(block: Block, keep: NDArray[np.bool_]) -> Block:
    a, b, s, d = (x if x.shape[1] == 1 else x[:, keep] for x in block)
    return a, b, s, d


def _solve_block(block: Block, smooth: bool, room: _Room) -> Array:
    """Solve every problem of one block; rows are terms, columns are problems."""
    a, b, s, d = block
    alone = np.minimum(a / s, b / (s + d))
    if smooth:  # the smooth term is at least half the sharp one
        alone -= math.log(2.0) / s
    problems = np.broadcast_shapes(*(x.shape for x in block))[1]
    high = np.broadcast_to(-alone.max(axis=0), (problems,)).copy()
    dead = np.isposinf(high)
    if dead.any():
        out = np.full(problems, np.inf)
        if not dead.all():
            out[~dead] = _solve_block(_take(block, ~dead), smooth, room)
        return out
    extra = math.log(2.0 * len(alone)) if smooth else math.log(len(alone))
    low = high - extra / float(s.min())
    u = high
    if not smooth and float(s.max() + d.max()) < _SINGLE_LIMIT:
        u = np.clip(_single_start(block, high, room), low, high)
    work = _Work(block, problems, room.double)
    step, _, _ = work.householder(u, smooth)
    u = u - step
    # Slopes are bounded from both sides, so a small step proves that the root is near;
    # if no minimum changes its branch on the way the sum is analytic there and the
    # step is exact to rounding. All other problems go on inside their brackets.
    rest = ~(np.abs(step) < _QUARTIC / float(s.max() + d.max()))
    if smooth:
        rest |= True
    else:
        rest |= work.crosses(u)
    if rest.any():
        u[rest] = _safeguarded(_take(block, rest), smooth, u[rest], low[rest], high[rest])
    return np.asarray(u)


def _single_start(block: Block, high: Array, room: _Room) -> Array:
    """Two steps in single precision from the right end of the bracket."""
    a, b, s, d = (_into(space, x) for space, x in zip((*room.copies, None), block, strict=True))
    work = _Work((a, b, s, d), len(high), room.single)
    u = high.astype(np.float32)
    for _ in range(2):
        step, _, _ = work.householder(u, False)
        u -= step
    return np.asarray(np.where(np.isfinite(u), u, high))


def _safeguarded(block: Block, smooth: bool, u: Array, low: Array, high: Array) -> Array:
    """Householder steps inside a shrinking bracket until the step is down to rounding."""
    work = _Work(block, len(u), None)
    u = np.where((u >= low) & (u <= high), u, 0.5 * (low + high))
    for turn in range(_MAX_STEPS):
        step, value, mean = work.householder(u, smooth)
        above = value > 0
        high = np.where(above, u, high)
        low = np.where(above, low, u)
        new = u - step
        # Every fourth step halves the bracket from the eighth on, so the loop must end.
        lost = ~((new >= low) & (new <= high)) | (turn > 5 and turn % 4 == 0)
        new = np.where(lost, 0.5 * (low + high), new)
        moved = np.abs(new - u)
        u = new
        if np.all(moved <= 2e-15 * (np.abs(u) + 4.0 / mean)):
            break
    return u


class _Room:
    """Memory for the work on one block after the other.

    Without it every block would return its pages to the system and fault them in again,
    which costs more than the arithmetic.
    """

    def __init__(self, shape: tuple[int, int]) -> None:
        self.double = (np.empty(shape), np.empty(shape), np.empty(shape, bool))
        single = [np.empty(shape, np.float32) for _ in range(5)]
        self.single = (single[0], single[1], self.double[2])
        self.copies = single[2:]


def _into(space: NDArray | None, x: Array) -> NDArray:
    """Copy x in single precision, into prepared memory if it is a full block."""
    if space is None or x.shape[0] != space.shape[0] or x.shape[1] == 1:
        return x.astype(np.float32)
    view = space[:, : x.shape[1]]
    np.copyto(view, x, casting="same_kind")
    return view


class _Work:
    """One block with its scratch arrays, so that a step allocates nothing large."""

    def __init__(
        self,
        block: tuple[NDArray, NDArray, NDArray, NDArray],
        problems: int,
        space: tuple[NDArray, NDArray, NDArray] | None,
    ) -> None:
        self.a, self.b, self.s, self.d = block
        shape = (np.broadcast_shapes(*(x.shape for x in block))[0], problems)
        if space is None or space[0].shape[0] != shape[0]:
            kind = self.a.dtype
            space = (np.empty(shape, kind), np.empty(shape, kind), np.empty(shape, bool))
        self.t, self.slope, self.private = (x[:, :problems] for x in space)

    def householder(self, u: NDArray, smooth: bool) -> tuple[NDArray, NDArray, NDArray]:
        """Return the step of fourth order for log(sum) = 0 at u, log(sum), and its slope.

        With x the Newton step and c2, c3 the scaled second and third derivatives the
        step is x (1 - c2 x) / (1 - 2 c2 x + c3 x^2); far away both factors are held.
        """
        f0, f1, f2, f3 = (self._smooth if smooth else self._sharp)(u)
        value = np.log(f0)
        mean = f1 / f0
        f2 /= f1
        f3 /= f1
        newton = value / mean
        bend = (f2 - mean) * newton * 0.5
        f2 *= 3.0
        f2 -= 2.0 * mean
        f2 *= mean
        f3 -= f2
        f3 *= newton
        f3 *= newton
        f3 /= 6.0
        top = np.maximum(1.0 - bend, 0.1)
        bend *= 2.0
        f3 -= bend
        f3 += 1.0
        newton *= top
        newton /= np.maximum(f3, 0.25, out=f3)
        return newton, value, mean

    def _sharp(self, u: NDArray) -> tuple[NDArray, ...]:
        """Sum of the terms and of their first three derivatives."""
        t, slope = self.t, self.slope
        np.add(self.b, self.d * u, out=t)
        np.less(t, self.a, out=self.private)
        np.minimum(t, self.a, out=t)
        np.multiply(self.s, u, out=slope)
        t += slope
        np.exp(t, out=t)
        np.multiply(self.private, self.d, out=slope)
        slope += self.s
        sums = [t.sum(axis=0)]
        for _ in range(3):
            t *= slope
            sums.append(t.sum(axis=0))
        return tuple(sums)

    def _smooth(self, u: NDArray) -> tuple[NDArray, ...]:
        """The same for the harmonic sum of both branches."""
        private = self.b + self.d * u
        gap = private - self.a
        t = np.exp(np.minimum(self.a, private) + self.s * u) / (1.0 + np.exp(-np.abs(gap)))
        p = 1.0 / (1.0 + np.exp(gap))
        slope = self.s + self.d * p
        bend = -(self.d**2) * p * (1.0 - p)
        twist = self.d**3 * p * (1.0 - p) * (1.0 - 2.0 * p)
        return (
            t.sum(axis=0),
            (t * slope).sum(axis=0),
            (t * (slope * slope + bend)).sum(axis=0),
            (t * (slope**3 + 3.0 * slope * bend + twist)).sum(axis=0),
        )

    def crosses(self, u: NDArray) -> NDArray[np.bool_]:
        """Say for which problems some minimum has changed its branch at u."""
        np.add(self.b, self.d * u, out=self.t)
        return np.asarray(((self.t < self.a) != self.private).any(axis=0))
