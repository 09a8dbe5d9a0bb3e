r"""Answers over ranges of parameters that nobody knows: the lowest, the highest, and where.

**The rate is monotone.** Let u = log r < 0 (all of this is trivial where r >= 1, which does not
depend on the parameters: at u = 0 they drop out of the equation). The left side of (5) of [ACC]
rises in u and falls in beta and in every gamma, so r rises in each of them. For w = beta u the
left side is sum exp(min(a, b + d w/beta) + 2 gamma w + d w/beta), which at fixed w < 0 rises in
beta; so w falls in beta, and the rate exp((1 + alpha) w) falls in beta and in alpha and rises
in every gamma. Its extremes therefore lie at two corners, known beforehand. Where
alpha beta > d is cut off, the lower one lies on the cut edge or at its ends; there one number
is left to search. For [CCV] the same with d = 1, alpha = 1, every gamma 1. A mechanism's
equation with a fixed kappa has the same shape.

**What privacy costs is not.** Both answers are powers of r / r_free, and r_free moves too. Its
extremes are searched from corners on (`search`). They are attained, and nothing proves that no
other point lies beyond; the records say which of the two holds.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.answer import Lens, equation
from rates.numbers import DomainError, Terms, Words, at_root, safe_exp, solve_log
from rates.study import PARAMETERS, UNKNOWN, Range, Scope, Study, alike, check, checked

PROVED, SEARCHED = "proved by monotonicity", "found by search"


@dataclass(frozen=True, slots=True)
class Interval:
    """The lowest and the highest value of one answer; both are attained."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Three answers over the box: the rate, the sample kept, and the error against no privacy."""

    rate: Interval
    kept: Interval
    cost: Interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """How much one unknown moves the rate by itself, the others at their middle.

    Attributes:
        name: "smoothness", "margin", "integrability", or a source's name.
        kind: "smoothness", "margin", "integrability", "signal", or "signals" for all together.
        log_range: |log| of the rate at one end of its range over that at the other.
    """

    name: str
    kind: str
    log_range: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Both answers over everything that is not known.

    Attributes:
        box: The ranges.
        risk: As in `rates.answer.Cost`.
        equation: By the rate equation.
        mechanism: By the named mechanism, over its kappas too; None if it cannot be computed.
        missing: Why there is no mechanism; None where there is one.
        effects: What moves the rate most, largest first.
    """

    box: Box
    risk: str
    equation: Spread
    mechanism: Spread | None
    missing: DomainError | None
    effects: tuple[Effect, ...]

    @property
    def evidence(self) -> str:
        """Whether the ends of the rate are proved or found by search."""
        return SEARCHED if self.box.cut else PROVED

    @property
    def moving(self) -> tuple[Effect, ...]:
        """What moves the rate by itself, largest first: the first of them matters most."""
        return tuple(e for e in self.effects if e.log_range > 0)


def envelope(study: Study, scope: Scope, risk: str) -> Envelope:
    """Find the ends of both answers over a study's ranges.

    Args:
        study: A study that carries information.
        scope: Its ranges.
        risk: "classification" for a transfer study; "integrated" or "pointwise" otherwise.

    Raises:
        DomainError: The ranges are refused, or no site carries information.

    Examples:
        >>> from rates.presets import preset
        >>> out = envelope(preset("hospitals").study, Scope(), "classification")
        >>> out.evidence, out.effects[0].kind
        ('proved by monotonicity', 'margin')

    Source: [ACC] eqs. (5), (6); [CCV] eqs. (14), (17); `rates.calibrated` for the mechanism.
    """
    ranges = box(study, scope)
    if not any(s.informative for s in study.servers):
        rule = "At least one site needs records and a positive budget."
        raise DomainError(rule, "servers", Words("no information"), "Study")
    problem = Problem(study, risk, ranges)
    named, missing = None, None
    try:
        named = _spread(Problem(study, risk, ranges, named=True))
    except DomainError as error:
        missing = error.kept()
    return Envelope(
        box=ranges,
        risk=risk,
        equation=_spread(problem),
        mechanism=named,
        missing=missing,
        effects=_effects(study, problem, ranges),
    )


def _spread(problem: Problem) -> Spread:
    kept_low, kept_high, cost_high, cost_low = map(safe_exp, search(problem))
    return Spread(
        rate=_rate(problem), kept=Interval(kept_low, kept_high), cost=Interval(cost_low, cost_high)
    )


def _rate(problem: Problem) -> Interval:
    """The rate at its two corners; along the cut edge a search in one number."""
    low, high, bands = problem.low, problem.high, np.arange(len(problem.kappas))
    worst, best = np.concatenate([low[:2], high[2:]]), np.concatenate([high[:2], low[2:]])
    top = problem.log_rate(np.tile(worst, (len(bands), 1)), bands).max()
    a = b = high[0]
    if problem.margin(best[None])[0] < high[1]:
        a = max(low[0], problem.dimension / high[1])
    while True:  # ever finer grids around the lowest point
        betas = np.unique(np.linspace(a, b, 65))
        x = np.tile(best, (len(betas) * len(bands), 1))
        x[:, 0] = np.repeat(betas, len(bands))
        logs = problem.log_rate(x, np.tile(bands, len(betas)))
        k = int(logs.argmin()) // len(bands)
        if b - a < 1e-6:  # near its lowest point it is flat: 1e-12 of the rate
            return Interval(safe_exp(float(logs.min())), safe_exp(float(top)))
        a, b = betas[max(k - 1, 0)], betas[min(k + 1, len(betas) - 1)]


def _effects(study: Study, problem: Problem, ranges: Box) -> tuple[Effect, ...]:
    """Move one unknown at a time between its ends and solve the rate equation."""
    smooth, signal = ranges.smoothness, ranges.signal
    middle = np.array(
        [sum(smooth) / 2.0, sum(ranges.margin) / 2.0, *(math.sqrt(a * b) for a, b in signal)]
    )
    # Of a coordinate, or several: what it is called, its kind, its number, and its ends.
    rows: list[tuple[str, str, list[int], Sequence[Range]]] = [
        ("smoothness", "smoothness", [0], [smooth])
    ]
    if problem.risk == "classification":
        rows.append(("margin", "margin", [1], [ranges.margin]))
    if problem.risk == "pointwise":
        # p is moved on the scale 1/p, so that infinity has a middle.
        low, high = (-1.0 / p for p in ranges.integrability)
        center, shift = sum(smooth) / 2.0, (low + high) / 2.0
        rows = [("smoothness", "smoothness", [0], [(smooth[0] + shift, smooth[1] + shift)])]
        rows.append(("integrability", "integrability", [0], [(center + low, center + high)]))
    moving = [k for k, (a, b) in enumerate(signal) if b > a]
    rows += [(study.servers[k].name, "signal", [k + 2], [signal[k]]) for k in moving]
    if len(moving) > 1:
        name, every = "all signal exponents together", [k + 2 for k in moving]
        rows.append((name, "signals", every, [signal[k] for k in moving]))
    x = np.tile(middle, (len(rows), 2, 1))
    for number, (_, _, at, ends) in enumerate(rows):
        x[number][:, at] = np.transpose(ends)
    x = x.reshape(-1, len(middle))
    logs = problem.log_rate(x, np.zeros(len(x), dtype=int)).reshape(-1, 2)
    moved = np.abs(np.diff(logs)[:, 0]).tolist()
    effects = [
        Effect(name=row[0], kind=row[1], log_range=m) for row, m in zip(rows, moved, strict=True)
    ]
    return tuple(sorted(effects, key=lambda e: -e.log_range))


Array = NDArray[np.float64]
Index = NDArray[np.int64]


class Problem:
    """One risk of a study by one answer, over ranges: many parameter values at once.

    A point is one row of coordinates: beta (g for a federated study), the margin (1 for one), and
    the gamma of every row of sites.

    Args:
        study: A study; its own smoothness, margin and signal exponents are not used.
        risk: "classification", "integrated" or "pointwise".
        ranges: Where its points lie.
        named: Whether the named mechanism answers, at each of its bandwidths.

    Attributes:
        low: Lowest value of every coordinate.
        high: The highest ones.

    Raises:
        DomainError: The mechanism needs a delta that is missing.
    """

    def __init__(self, study: Study, risk: str, ranges: Box, *, named: bool = False) -> None:
        self.risk, self.dimension = risk, float(study.dimension)
        smooth = ranges.smoothness
        if risk == "pointwise":
            (a, b), (p, q) = smooth, ranges.integrability
            smooth = a - 1.0 / p, b - 1.0 / q  # ν = α - 1/p
        self.low, self.high = np.array([smooth, ranges.margin, *ranges.signal], dtype=float).T
        plain = Lens(risk=risk)
        lenses = plain.at_widths(study) if named else (plain,)
        self.kappas = tuple(lens.kappa for lens in lenses)
        every = [equation(study, lens).terms for lens in lenses]
        self._own, self.smooth = every[0], every[0].smooth
        # Laid out: one line per bandwidth, the study's own budgets and none.
        shape = self._own.shape
        self._sample = np.stack([np.broadcast_to(t.log_sample, shape) for t in every])
        self._private = np.stack([np.broadcast_to(t.log_private, shape) for t in every])
        budget = np.broadcast_to(self._own.log_budget, shape)
        self._budgets = np.stack([budget, np.full(shape, np.inf)])[:, None]
        with np.errstate(invalid="ignore"):  # no records without protection come last
            self.apart = self._own.log_size + 2.0 * budget  # log of n_j eps_j^2, up to a constant

    def margin(self, x: Array) -> Array:
        """The margins of points; one beyond the cut alpha beta = d is lowered to it."""
        most = self.dimension / x[:, 0] if self.risk == "classification" else np.inf
        return np.minimum(x[:, 1], most)

    def _terms(self, x: Array, kappa: Index) -> Terms:
        """The equations with the slopes, and the bandwidth, of every point."""
        terms = self._own.changed(slope=2.0 * x[:, :1] * x[:, 2:] + self.dimension)
        if len(self.kappas) == 1:
            return terms
        return terms.changed(log_sample=self._sample[kappa], log_private=self._private[kappa])

    def roots(self, x: Array, kappa: Index) -> tuple[Array, Array]:
        """Return u and v, the logs of r (1/D) with and without privacy, at every point."""
        u, v = solve_log(self._terms(x, kappa).changed(log_budget=self._budgets))
        return u, v

    def log_rate(self, x: Array, kappa: Index) -> Array:
        """Return the log of the rate at every point, at most 0."""
        u = solve_log(self._terms(x, kappa))
        return np.minimum(x[:, 0] * (1.0 + self.margin(x)) * u, 0.0)

    def slopes(self, x: Array, kappa: Index) -> tuple[Array, Array, Array]:
        """Return u - v, and its derivatives in beta and in every gamma."""
        terms = self._terms(x, kappa).changed(log_budget=self._budgets)
        roots = solve_log(terms)
        level, branch = at_root(terms, roots)
        with np.errstate(over="ignore"):
            private = 1.0 / (1.0 + np.exp(branch)) if terms.smooth else branch <= 0.0
        share = np.exp(level)
        total = (share * (terms.slope + terms.step * private)).sum(axis=-1, keepdims=True)
        pull = -2.0 * roots[..., None] * share / total  # du / d(beta gamma_j)
        change = pull[0] - pull[1]
        return roots[0] - roots[1], (change * x[:, 2:]).sum(axis=-1), change * x[:, :1]


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """Ranges of everything that is not known, part of it possibly cut off.

    Attributes:
        smoothness: Of beta (transfer) or alpha (federated).
        margin: Of alpha (transfer); (1, 1) for a federated study, where it plays no part.
        integrability: Of p (federated); (inf, inf) for a transfer study.
        signal: Per row, of gamma; (1, 1) for the target, and for all where sites are alike.
        cut: What has been cut off and why; empty if nothing.
    """

    smoothness: Range
    margin: Range
    integrability: Range
    signal: tuple[Range, ...]
    cut: str


def box(study: Study, scope: Scope) -> Box:
    """Return the ranges of a study's parameters: what was said, or what is never known.

    The part with alpha beta > d, where the theory has no such problem, is cut off.

    >>> from rates.presets import preset
    >>> box(preset("hospitals").study, Scope()).smoothness
    (0.5, 1.0)

    Raises:
        DomainError: A range lies outside the theory, or nothing is left of it.

    Source: [ACC] Remark 2.2; the ranges for "not known" are ours.
    """
    check(scope, study)
    kind, one = study.kind, (1.0, 1.0)
    unknown = UNKNOWN[kind]
    ranges = {
        name: checked(getattr(scope, name) or unknown[name], parameter, "Ranges")
        for name, parameter in PARAMETERS[kind].items()
    }
    smoothness, margin, cut, signal = ranges["smoothness"], one, "", [one] * len(study.servers)
    p = ranges.get("integrability", (math.inf, math.inf))
    if study.target is None:
        if not smoothness[0] - 1.0 / p[0] > 0.5:
            rule = "alpha - 1/p must exceed 1/2 everywhere in the ranges."
            raise DomainError(rule, "smoothness", smoothness[0] - 1.0 / p[0], "Ranges")
    else:
        smoothness, margin, cut = _cut(smoothness, ranges["margin"], study.dimension)
        if not alike(study, scope):  # else whatever was said of a site before they were called so
            said = dict(scope.signal)
            signal[1:] = [said.get(s.name, unknown["signal_exponent"]) for s in study.sources]
    return Box(
        smoothness=smoothness,
        margin=margin,
        integrability=p,
        signal=tuple(signal),
        cut=cut,
    )


def _cut(beta: Range, alpha: Range, d: int) -> tuple[Range, Range, str]:
    """Cut both ranges to where some alpha beta is at most d."""
    if alpha[0] * beta[0] > d * (1 + 1e-12):
        rule = "alpha*beta must be at most d (Remark 2.2), and exceeds it everywhere in the ranges."
        value = Words(f"alpha*beta of at least {alpha[0] * beta[0]:.4g} with d = {d}")
        raise DomainError(rule, "margin*smoothness", value, "Ranges")
    if alpha[1] * beta[1] <= d * (1 + 1e-12):
        return beta, alpha, ""
    text = (
        f"alpha*beta reaches {alpha[1] * beta[1]:.4g} in these ranges, but must be at most "
        f"d = {d} (Remark 2.2): that part is cut off."
    )
    beta = (beta[0], min(beta[1], d / alpha[0]) if alpha[0] > 0 else beta[1])
    alpha = (alpha[0], min(alpha[1], d / beta[0]))
    return beta, alpha, text


# What is searched: cost (or kept), and whether privacy is to cost most (or least).
ENDS = ((False, 1.0), (False, -1.0), (True, 1.0), (True, -1.0))
_OF_COST, _WANT = (np.array(column) for column in zip(*ENDS, strict=True))
_BETAS = 9  # smoothnesses at which corners are tried
_FEW = 6  # rows up to which every corner is tried
_PLACES = 25  # corners in order that are tried of more rows, and their opposites
_STARTS = 6  # from which the search goes on, for each end
_FIRST, _STEPS = 0.1, 60  # the first step, as a part of a range, and how many
_PATIENCE = 10  # steps without a gain after which it ends


class Tracks:
    """Points that climb, each towards one of the four ends."""

    def __init__(self, problem: Problem, end: Index, x: Array, kappa: Index, value: Array) -> None:
        self.problem = problem
        self.end, self.x, self.kappa, self.value = end, x, kappa, value

    def climb(self) -> None:
        """Follow the sign of the exact derivative in all coordinates; keep the best on the way.

        The step of a coordinate is longer while the sign stays and shorter when it turns.
        """
        low, high = self.problem.low, self.problem.high
        x, idle = self.x.copy(), 0
        step, before = _FIRST * np.tile(high - low, (len(x), 1)), np.zeros(x.shape)
        for _ in range(_STEPS):
            gap, by_beta, by_gamma = self.problem.slopes(x, self.kappa)
            power, rise = powers(self.problem, x[:, 0], self.end)
            value = power * gap
            better = value > self.value
            idle = 0 if (value > self.value + 1e-9).any() else idle + 1
            if idle == _PATIENCE:
                break
            self.value[better] = value[better]
            self.x[better] = x[better]
            sign = np.zeros(x.shape)
            # By the sign alone: coordinates have no common scale, and ridges no slope to trust.
            sign[:, 0] = np.sign(rise * gap + power * by_beta)
            sign[:, 2:] = np.sign(power[:, None] * by_gamma)
            turned = sign * before
            step *= np.where(turned < 0, 0.5, np.where(turned > 0, 1.2, 1.0))
            before = sign
            x = np.clip(x + sign * step, low, high)


def powers(problem: Problem, beta: Array, end: Index) -> tuple[Array, Array]:
    """Return the signed power of u - v that each end is, and its derivative in beta."""
    # The loss is never negative, so the margin that scales it most, or least, is known.
    most = _OF_COST[end] & (_WANT[end] > 0)
    margin, d = np.where(most, problem.high[1], problem.low[1]), problem.dimension
    cut = (problem.risk == "classification") & (margin * beta > d)  # to alpha beta <= d
    cost = np.where(cut, beta + d, beta * (1.0 + margin))
    rise = np.where(cut, 1.0, 1.0 + margin)
    kept = ~_OF_COST[end]
    power = np.where(kept, 2.0 * beta + d, cost)
    return _WANT[end] * power, _WANT[end] * np.where(kept, 2.0, rise)


def search(problem: Problem) -> tuple[float, float, float, float]:
    """Return the logs of kept at its lowest and highest, and of cost at its highest and lowest.

    Both ends of both answers are those of u - v, the logs of r with and without privacy, times a
    power that beta and the margin alone decide; u - v is never negative and does not depend on the
    margin, so that the margin is known at once. What is left is beta, the gammas and a bandwidth.

    Where u is a concave function of one row's part its largest values lie at corners, rows at one
    end in the order of n_j eps_j^2 and all others at the other; elsewhere they lie inside. So the
    search starts from such corners and from the middle, and follows the sign of the exact
    derivative. Every end is attained; nothing proves that it is the last.
    """
    tracks = _starts(problem)
    tracks.climb()
    best = np.array([tracks.value[tracks.end == row].max() for row in range(4)])
    a, b, c, d = best * _WANT * np.where(_OF_COST, 1.0, -1.0)
    return float(a), float(b), float(c), float(d)


def _starts(problem: Problem) -> Tracks:
    """Where it starts: corners of the gammas, and their middle, at some smoothnesses."""
    low, width = problem.low, problem.high - problem.low
    rows = np.flatnonzero(width[2:])
    order = rows[np.argsort(problem.apart[rows], kind="stable")]
    many = len(order)
    first = np.unique(np.linspace(0, many, _PLACES).astype(int))[:, None] > np.arange(many)
    if many <= _FEW:
        # Half of all corners: the others are their opposites.
        first = np.indices((2,) * many).reshape(many, 2**many).T[: 2**many // 2 + 1] > 0
    sharp = np.vstack([first, ~first, np.full((1, many), 0.5)])
    betas, bands = np.linspace(low[0], problem.high[0], _BETAS), len(problem.kappas)
    grid = np.meshgrid(np.unique(betas), np.arange(len(sharp)), np.arange(bands), indexing="ij")
    beta, row, kappa = (a.reshape(-1) for a in grid)
    x = np.tile(low, (len(beta), 1))
    x[:, 0] = beta
    x[:, 2 + order] += sharp[row] * width[2 + order]
    u, v = problem.roots(x, kappa)
    every = np.arange(4)
    value = powers(problem, beta, every[:, None])[0] * (u - v)
    order = np.argsort(-value, axis=1, kind="stable")
    inside = np.flatnonzero(row == len(sharp) - 1)
    middles = inside[np.argsort(-value[:, inside], axis=1, kind="stable")]
    at = np.concatenate([order[:, :_STARTS], middles[:, :2]], axis=1)  # corners may mislead
    end = np.repeat(every, at.shape[1])
    return Tracks(problem, end, x[at.ravel()], kappa[at.ravel()], value[end, at.ravel()])
