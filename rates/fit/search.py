r"""Many parameter values at once: both answers, what privacy costs, and a search for its ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import Equation, Lens, equation
from rates.fit.ranges import Box
from rates.numbers import Mechanism, Terms, at_root, solve_log
from rates.study import Study, TransferStudy, columns

Array = NDArray[np.float64]

_STARTS = 6  # points per end from which the ascent starts
_STEPS = 30
_CROWD = 24  # points per end that then move together
_ROUNDS = {False: 24, True: 6}  # their rounds: a smooth answer has no ridges to follow
_SOFT = (0.5, 1.0, 2.0, 4.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Many parameter values: arrays of one entry per point, one row of gammas per point.

    Attributes:
        smoothness: beta; g for a federated study.
        margin: alpha; 1 for a federated study.
        signal: gamma of every row.
        kappa: Which of the problem's bandwidths, counted from 0.
    """

    smoothness: Array
    margin: Array
    signal: Array
    kappa: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Answers at many points, natural logs.

    Attributes:
        log_r: Of r (1/D for a federated study), uncapped.
        log_free: The same with every site unprotected.
        log_rate: Of the rate, at most 0.
        log_kept: Of the fraction of the effective sample that privacy leaves.
        log_cost: Of the error over the error without privacy, both uncapped.
    """

    log_r: Array
    log_free: Array
    log_rate: Array
    log_kept: Array
    log_cost: Array


class Problem:
    """One risk of a study by one answer, ready to be solved at many parameter values.

    Args:
        study: A study; its own smoothness, margin and signal exponents are not used.
        risk: "classification", "integrated" or "pointwise".
        mechanism: None for the rate equation.
        kappas: Bandwidths over r of the mechanism (transfer studies).

    Raises:
        DomainError: The mechanism needs a delta that is missing.
    """

    def __init__(
        self,
        study: Study,
        risk: str,
        *,
        mechanism: Mechanism | None = None,
        kappas: Sequence[float] = (2.0,),
    ) -> None:
        self.risk = risk
        self.kappas = tuple(kappas) if mechanism and risk == "classification" else (2.0,)
        free = study.unprotected()
        lenses = [Lens(risk=risk, mechanism=mechanism, kappa=k) for k in self.kappas]
        self.own = [equation(study, lens) for lens in lenses]
        # Where nothing is private the smooth minimum is the sharp one, which is solved faster.
        self.free = [
            replace(e, terms=replace(e.terms, smooth=False))
            for e in (equation(free, lens) for lens in lenses)
        ]
        self.dimension = float(study.dimension if isinstance(study, TransferStudy) else 1)
        c = columns(study.servers)
        with np.errstate(divide="ignore"):
            self.strength = np.log(c["n"]) + 2.0 * np.log(c["epsilon"])  # log n_j eps_j^2

    def terms(self, parts: Sequence[Equation], at: Points) -> Terms:
        """The equations with the slopes, and the bandwidth, of every point."""
        first = parts[0].terms
        slope = 2.0 * at.smoothness[:, None] * at.signal + self.dimension
        if len(parts) == 1:
            return replace(first, slope=slope)
        return replace(
            first,
            slope=slope,
            log_sample=np.stack([p.terms.log_sample for p in parts])[at.kappa],
            log_private=np.stack([p.terms.log_private for p in parts])[at.kappa],
        )

    def solve(self, at: Points) -> Answers:
        """Solve both equations at every point."""
        u, v = (solve_log(self.terms(parts, at)) for parts in (self.own, self.free))
        power = at.smoothness * (1.0 + at.margin)
        return Answers(
            log_r=u,
            log_free=v,
            log_rate=np.minimum(power * u, 0.0),
            log_kept=-(2.0 * at.smoothness + self.dimension) * (u - v),
            log_cost=power * (u - v),
        )

    def slopes(self, at: Points) -> tuple[Array, Array, Array]:
        """Return u - v, and its derivatives in beta and in every gamma."""
        gap, by_beta = np.zeros(len(at.smoothness)), np.zeros(len(at.smoothness))
        by_gamma = np.zeros(at.signal.shape)
        for sign, parts in ((1.0, self.own), (-1.0, self.free)):
            terms = self.terms(parts, at)
            u = solve_log(terms)
            level, branch = at_root(terms, u)
            with np.errstate(over="ignore"):
                private = 1.0 / (1.0 + np.exp(branch)) if terms.smooth else branch <= 0.0
            share = np.exp(level)
            total = (share * (terms.slope + terms.step * private)).sum(axis=1)
            pull = -2.0 * u[:, None] * share / total[:, None]  # du / d(beta gamma_j)
            gap += sign * u
            by_gamma += sign * pull * at.smoothness[:, None]
            by_beta += sign * (pull * at.signal).sum(axis=1)
        return gap, by_beta, by_gamma


def bounds(ranges: Box, risk: str) -> tuple[Array, Array]:
    """Ends of every coordinate: smoothness (g for a federated study), margin, gammas."""
    smooth = list(ranges.smoothness)
    if risk == "pointwise":
        smooth = [a - 1.0 / p for a, p in zip(smooth, ranges.integrability, strict=True)]
    table = np.array([smooth, ranges.margin, *ranges.signal], dtype=float)
    return table[:, 0], table[:, 1]


def points(x: Array, ranges: Box, risk: str, kappa: NDArray[np.int64] | int = 0) -> Points:
    """Read coordinates as points; a margin beyond the cut alpha beta = d is lowered to it."""
    margin = x[:, 1]
    if risk == "classification":
        margin = np.minimum(margin, ranges.dimension / x[:, 0])
    index = np.broadcast_to(np.asarray(kappa, dtype=np.int64), (len(x),))
    return Points(smoothness=x[:, 0], margin=margin, signal=x[:, 2:], kappa=index)


def draw(ranges: Box, risk: str, draws: int, rng: np.random.Generator) -> Array:
    """Draw coordinates from a box: half anywhere, half with every one at one of its ends."""
    low, high = bounds(ranges, risk)
    where = rng.random((draws, len(low)))
    where[draws // 2 :] = np.round(where[draws // 2 :])
    return np.asarray(low + (high - low) * where)


def patterns(problem: Problem, ranges: Box, risk: str) -> Array:
    r"""Return coordinates among which the ends of u - v are to be expected.

    At a fixed beta write v for the free root, theta = u / v <= 1 and y_j = exp(2 beta gamma_j v).
    Then sum N_j y_j = 1 gives v, and sum Q_j y_j^theta = 1 gives u. The sum is concave in y, so

    * at a given v the loss is largest at a corner of the slice: sites with the least
      Q_j / N_j = min(1, n_j eps_j^2 r^d) have the sharpest signal, the others the weakest, and
      at most one is in between;
    * it is smallest where y_j is a power of Q_j / N_j, cut to its range.

    Both families are laid out over their thresholds, at five values of beta.
    """
    low, high = bounds(ranges, risk)
    strength = np.where(np.isfinite(problem.strength), problem.strength, 0.0)
    rank = np.unique(strength)
    edges = np.concatenate([[-np.inf], (rank[1:] + rank[:-1]) / 2.0, [np.inf]])
    rows = [strength < e for e in edges] + [strength > e for e in edges]
    mix = [row.astype(float) for row in rows]  # 1: lower end of gamma, the sharpest signal
    if len(rank) > 1:
        for soft in _SOFT:
            for t in np.linspace(rank[0], rank[-1], 7):
                mix.append(np.clip(0.5 + soft * (strength - t) / (rank[-1] - rank[0]), 0.0, 1.0))
    signal = high[2:] - np.array(mix) * (high[2:] - low[2:])
    out = []
    for beta in np.linspace(low[0], high[0], 5):
        for margin in (low[1], high[1]):
            x = np.empty((len(signal), len(low)))
            x[:, 0], x[:, 1], x[:, 2:] = beta, margin, signal
            out.append(x)
    return np.concatenate(out)


@dataclass(frozen=True, slots=True)
class End:
    """One end: its natural log, and the coordinates and bandwidth that give it."""

    log: float
    where: Points


# What is searched: cost (or kept), and whether privacy is to cost most (or least).
_ENDS = ((False, 1.0), (False, -1.0), (True, 1.0), (True, -1.0))


def search(
    problem: Problem, ranges: Box, starts: Array, seed: int = 0
) -> tuple[End, End, End, End]:
    """Return where kept is lowest and highest, and cost highest and lowest.

    From the best starts the sign of the exact derivative is followed with a step per
    coordinate, longer while the sign stays and shorter when it turns; then a crowd of points
    tries steps along its own differences. Every end is attained; nothing proves that it is the
    last.
    """
    risk = problem.risk
    index = np.repeat(np.arange(len(problem.kappas)), len(starts))
    x = np.tile(starts, (len(problem.kappas), 1))
    values = _values(problem, points(x, ranges, risk, index))
    order = [np.argsort(-v, kind="stable") for v in values]
    keep = np.concatenate([k[:_STARTS] for k in order])
    end = np.repeat(np.arange(4), [len(k[:_STARTS]) for k in order])
    climbed, best = _ascend(problem, ranges, x[keep], index[keep], end)
    crowd, height, bands = [], [], []
    for row, k in enumerate(order):
        mine = np.flatnonzero(end == row)
        crowd.append(np.concatenate([climbed[mine], x[k[:_CROWD]]])[:_CROWD])
        height.append(np.concatenate([best[mine], values[row][k[:_CROWD]]])[:_CROWD])
        bands.append(np.concatenate([index[keep][mine], index[k[:_CROWD]]])[:_CROWD])
    x, best, index = _gather(
        problem, ranges, np.stack(crowd), np.stack(height), np.stack(bands), seed
    )
    out = []
    for row, (of_cost, want) in enumerate(_ENDS):
        where = points(x[row : row + 1], ranges, risk, index[row : row + 1])
        out.append(End(float(best[row] * want * (1.0 if of_cost else -1.0)), where))
    return out[0], out[1], out[2], out[3]


def _gather(
    problem: Problem,
    ranges: Box,
    crowd: Array,
    height: Array,
    index: NDArray[np.int64],
    seed: int,
) -> tuple[Array, Array, NDArray[np.int64]]:
    """Let a crowd of points per end try steps along the differences among them.

    The answers have ridges where a minimum changes its branch. No single coordinate leads along
    a ridge; the differences of points that lie near it do (differential evolution).
    """
    low, high = bounds(ranges, problem.risk)
    rng = np.random.default_rng(seed)
    size, line = crowd.shape[1], np.arange(4)[:, None]
    for turn in range(_ROUNDS[problem.own[0].terms.smooth]):
        top = height.argmax(axis=1)[:, None]
        a, b = (rng.integers(0, size, (4, size)) for _ in range(2))
        base = np.where((rng.random((4, size)) < 0.5)[..., None], crowd[line, top], crowd)
        tried = base + rng.uniform(0.3, 1.0, (4, size, 1)) * (crowd[line, a] - crowd[line, b])
        tried += rng.standard_normal(crowd.shape) * 0.1 * 0.7**turn * (high - low)
        kept = rng.random(crowd.shape) < 0.2
        tried = np.clip(np.where(kept, base, tried), low, high)
        band = np.where(rng.random((4, size)) < 0.7, index[line, top], index)
        at = points(tried.reshape(-1, len(low)), ranges, problem.risk, band.reshape(-1))
        found = np.stack(_values(problem, at)).reshape(4, 4, size)[range(4), range(4)]
        better = found > height
        crowd, height = np.where(better[..., None], tried, crowd), np.where(better, found, height)
        index = np.where(better, band, index)
    top = height.argmax(axis=1)
    return crowd[range(4), top], height[range(4), top], index[range(4), top]


def _values(problem: Problem, at: Points) -> list[Array]:
    """What each of the four searches makes large."""
    found = problem.solve(at)
    loss = {False: -found.log_kept, True: found.log_cost}
    return [want * loss[of_cost] for of_cost, want in _ENDS]


def _ascend(
    problem: Problem, ranges: Box, x: Array, index: NDArray[np.int64], end: NDArray[np.int64]
) -> tuple[Array, Array]:
    """Follow the sign of the derivative; return the best coordinates on the way and their value."""
    low, high = bounds(ranges, problem.risk)
    of_cost, want = (np.array([row[k] for row in _ENDS])[end] for k in (0, 1))
    of_cost = of_cost.astype(bool)
    x[of_cost, 1] = np.where(want[of_cost] > 0, high[1], low[1])  # the loss is never negative
    step = np.broadcast_to(0.2 * (high - low), x.shape).copy()
    before, best, where = np.zeros(x.shape), np.full(len(x), -np.inf), x.copy()
    for _ in range(_STEPS):
        at = points(x, ranges, problem.risk, index)
        gap, by_beta, by_gamma = problem.slopes(at)
        edge = at.margin < x[:, 1]  # on the cut alpha beta = d
        power = np.where(
            of_cost, at.smoothness * (1.0 + at.margin), 2.0 * at.smoothness + problem.dimension
        )
        rise = np.where(of_cost, np.where(edge, 1.0, 1.0 + at.margin), 2.0)
        better = want * power * gap > best
        best = np.where(better, want * power * gap, best)
        where[better] = x[better]
        sign = np.zeros(x.shape)
        sign[:, 0] = np.sign(want * (rise * gap + power * by_beta))
        sign[:, 2:] = np.sign(want[:, None] * by_gamma)
        step *= np.where(sign * before < 0, 0.5, np.where(sign * before > 0, 1.2, 1.0))
        before = sign
        x = np.clip(x + sign * step, low, high)
    return where, best
