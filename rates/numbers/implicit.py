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

Each step evaluates the sum with three derivatives, at one exponential a term, and moves by
Householder's rule of fourth order. Two steps in single precision bring u within about 1e-6;
the steps that follow are in double precision, keep the bracket and fall back to its middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers.roots import bracketed

Array = NDArray[np.float64]
Reals = NDArray[Any]  # single or double precision
Block = tuple[Reals, Reals, Reals, Reals]  # a, b, s, d by terms and problems; columns broadcast

BLOCK = 60_000  # numbers per block, so that the work arrays stay in cache
STEEPEST = 1e100  # slopes above this move no root by a representable amount
_SINGLE_LIMIT = 1e3  # steepest slope for which single precision is a useful start
_QUARTIC = 1e-4  # slope times step below which a fourth-order step is exact to 1e-16
_FURTHER = 0.3  # of the bracket's length: where roots of random studies of many sites lie


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
    smooth: bool = field(default=False, kw_only=True)

    @property
    def shape(self) -> tuple[int, ...]:
        """The broadcast shape, terms last."""
        return np.broadcast_shapes(*[x.shape for x in self.pieces()])

    def pieces(self) -> tuple[Array, ...]:
        """The six arrays, in the order of the fields."""
        return tuple(getattr(self, one.name) for one in fields(self)[:-1])  # all but `smooth`

    def __getitem__(self, index: Any) -> Terms:
        """Some of the terms or problems: every piece, broadcast, taken at an index."""
        shape = self.shape
        pieces = (np.broadcast_to(x, shape)[index] for x in self.pieces())
        return Terms(*pieces, smooth=self.smooth)

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
        return Terms(*(np.concatenate(parts, axis=-1) for parts in same), smooth=self.smooth)


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
    width = math.ceil(problems / math.ceil(problems * servers / BLOCK))
    rest = np.arange(problems)

    def block(which: Any) -> Block:
        return _assemble([_columns(x, batch, which) for x in terms.pieces()])

    with np.errstate(all="ignore"):  # limits (zero size, infinite budget) are in the algebra
        if not terms.smooth and float(terms.slope.max() + terms.step.max()) < _SINGLE_LIMIT:
            doubtful = np.empty(problems, bool)
            for start in range(0, problems, width):
                part = slice(start, start + width)
                out[part], doubtful[part] = _quick(block(part))
            rest = np.flatnonzero(doubtful)
        for start in range(0, len(rest), width):
            some = rest[start : start + width]
            out[some] = _slow(block(some), out[some], terms.smooth)
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


def _columns(x: Array, batch: tuple[int, ...], which: Any) -> Array:
    """Return one array's columns for a slice or places of problems; one if all have the same."""
    if math.prod(x.shape[:-1]) == 1:
        return x.reshape(-1, 1)
    if len(batch) > 1:  # along one axis a slice copies nothing
        which = np.unravel_index(np.arange(math.prod(batch))[which], batch)
    return np.asarray(np.broadcast_to(x, batch + x.shape[-1:])[which].T)


def _assemble(pieces: list[Array]) -> Block:
    """Form (a, b, s, d); a term of size or budget zero becomes exp(-inf) = 0."""
    log_size, log_budget, s, d, log_sample, log_private = pieces
    # In rows by terms, side by side in memory: sums run over the terms.
    a = np.add(log_size, log_sample, order="C")
    b = np.add(log_size, log_budget, order="C")
    b *= 2.0
    b = b + log_private
    if a.min(initial=np.inf) == -np.inf:
        b = np.where(np.isneginf(a), 0.0, b)
    return a, b, s, d


def _sharp(block: Block, u: Reals) -> tuple[Sequence[Reals], NDArray[np.bool_]]:
    """Sum of the terms at u and of their first three derivatives; and where privacy binds."""
    a, b, s, d = block
    t = b + d * u
    private = t < a
    np.minimum(t, a, out=t)
    t += s * u
    np.exp(t, out=t)
    slope = s + d * private
    each = [t.sum(axis=0)]
    for _ in range(3):
        t *= slope
        each.append(t.sum(axis=0))
    return each, private


def _smooth(block: Block, u: Reals) -> Sequence[Reals]:
    """The same sums for the harmonic sum of both branches."""
    a, b, s, d = block
    private = b + d * u
    gap = private - a
    t = np.exp(np.minimum(a, private) + s * u) / (1.0 + np.exp(-np.abs(gap)))
    p = 1.0 / (1.0 + np.exp(gap))
    slope = s + d * p
    bend = -(d**2) * p * (1.0 - p)
    twist = d**3 * p * (1.0 - p) * (1.0 - 2.0 * p)
    return (
        t.sum(axis=0),
        (t * slope).sum(axis=0),
        (t * (slope * slope + bend)).sum(axis=0),
        (t * (slope**3 + 3.0 * slope * bend + twist)).sum(axis=0),
    )


def _householder(sums: Sequence[Reals]) -> tuple[Reals, NDArray[np.bool_], Reals]:
    """Return the step of fourth order for g = log(sum) = 0, whether g > 0, and 1 / slope.

    With k = 1 / slope, q = k g Newton's step and e = q f2 / f1 - g, the step is
    q (1 - e/2) / (1 - e + (q^2 f3 / f1 - 3 e g - g^2) / 6); far away both factors are held.
    """
    f0, f1, f2, f3 = sums
    g, k = np.log(f0), f0 / f1
    q = k * g
    part = q / f1
    e = f2 * part
    e -= g
    under = f3 * part
    under *= q
    under -= (3.0 * e + g) * g
    under /= 6.0
    under += 1.0 - e
    return q * np.maximum(1.0 - 0.5 * e, 0.1) / np.maximum(under, 0.25), g > 0, k


def _quick(block: Block) -> tuple[Array, NDArray[np.bool_]]:
    """Two steps in single precision, one in double; and where that may not be enough."""
    a, b, s, d = block
    a4, b4, s4, d4 = (x.astype(np.float32) for x in block)
    # From near the right end of the bracket.
    u = -np.minimum(a4 / s4, b4 / (s4 + d4)).max(axis=0)
    u -= np.float32(_FURTHER * math.log(len(a)) / float(s.mean() + 0.5 * d.mean()))
    for _ in range(2):
        u = u - _householder(_sharp((a4, b4, s4, d4), u)[0])[0]
    u = u.astype(float)
    sums, private = _sharp(block, u)
    step, _, _ = _householder(sums)
    u = u - step
    # Slopes are bounded from both sides, so a small step proves that the root is near;
    # if no minimum changes its branch on the way the sum is analytic there and the
    # step is exact to rounding.
    near = np.abs(step) < _QUARTIC / float(s.max() + d.max())
    return u, ~near | ((b + d * u < a) != private).any(axis=0)


def _slow(block: Block, u: Array, smooth: bool) -> Array:
    """Householder steps inside a shrinking bracket until the step is down to rounding."""
    a, b, s, d = block
    alone = np.minimum(a / s, b / (s + d))
    if smooth:  # the smooth term is at least half the sharp one
        alone = alone - math.log(2.0) / s
    high = np.broadcast_to(-alone.max(axis=0), u.shape)
    live = ~np.isposinf(high)
    if not live.all():
        out = np.full(len(u), np.inf)
        if live.any():
            part = [x if x.shape[1] == 1 else x[:, live] for x in block]
            out[live] = _slow((part[0], part[1], part[2], part[3]), u[live], smooth)
        return out
    low = high - math.log(2.0 * len(alone) if smooth else len(alone)) / float(s.min())
    u = np.where((u >= low) & (u <= high), u, high)

    def at(u: Array) -> tuple[Array, NDArray[np.bool_], Array]:
        step, above, reach = _householder(_smooth(block, u) if smooth else _sharp(block, u)[0])
        return step, above, 4.0 * reach

    return bracketed(at, u, low, high)


def safe_exp(x: float) -> float:
    """Return exp(x), ``inf`` where it overflows.

    >>> safe_exp(1e4)
    inf
    """
    return math.inf if x > 709.0 else math.exp(x)


def log0(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return log(x), minus infinity at 0, without a warning."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(x))


def log_sum(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the log of the sum of exponentials along the last axis; minus infinity of none.

    >>> float(log_sum(np.log([1.0, 2.0])).round(12)) == float(np.log(3.0).round(12))
    True
    """
    return np.asarray(np.logaddexp.reduce(x, axis=-1))
