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
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from rates.answer import KAPPAS
from rates.fit.problem import Points, Problem, bounds, points
from rates.fit.ranges import Box, box
from rates.fit.search import search
from rates.numbers import DomainError, Mechanism, Words, safe_exp
from rates.study import Scope, Study

Array = NDArray[np.float64]

PROVED, SEARCHED = "proved by monotonicity", "found by search"


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval:
    """The lowest and the highest value of one answer, with the points that give them.

    Attributes:
        low: Lowest value.
        high: Highest value.
        at_low: Where it is attained: smoothness (g for a federated study), margin, gammas.
        at_high: Likewise.
        kappas: Which of the mechanism's bandwidths gives each end, counted from 0.
        evidence: Whether the ends are proved or found by search.
    """

    low: float
    high: float
    at_low: tuple[float, ...]
    at_high: tuple[float, ...]
    kappas: tuple[int, int]
    evidence: str


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
        low: Rate at the range's lower end.
        high: Rate at its upper end.
        log_range: |log(high / low)|.
    """

    name: str
    kind: str
    low: float
    high: float
    log_range: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Envelope:
    """Both answers over everything that is not known.

    Attributes:
        box: The ranges.
        risk: As in `rates.answer.cost`.
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
    def moving(self) -> tuple[Effect, ...]:
        """What moves the rate by itself, largest first: the first of them matters most."""
        return tuple(e for e in self.effects if e.log_range > 0)


def envelope(
    study: Study,
    scope: Scope,
    risk: str,
    *,
    mechanism: Mechanism = "analytic",
    kappas: Sequence[float] = KAPPAS,
) -> Envelope:
    """Find the ends of both answers over a study's ranges.

    Args:
        study: A study that carries information.
        scope: Its ranges.
        risk: "classification" for a transfer study; "integrated" or "pointwise" otherwise.
        mechanism: Which noise the named mechanism adds.
        kappas: Its bandwidths over r (transfer studies).

    Raises:
        DomainError: The ranges are refused, or no site carries information.

    Examples:
        >>> from rates.presets import preset
        >>> out = envelope(preset("hospitals").study, Scope(), "classification")
        >>> out.equation.rate.evidence, out.effects[0].kind
        ('proved by monotonicity', 'margin')

    Source: [ACC] eqs. (5), (6); [CCV] eqs. (14), (17); `rates.calibrated` for the mechanism.
    """
    ranges = box(study, scope)
    if not any(s.informative for s in study.servers):
        rule = "At least one site needs records and a positive budget."
        raise DomainError(rule, "servers", Words("no information"), "Study")
    problem = Problem(study, risk)
    named, missing = None, None
    try:
        named = _spread(Problem(study, risk, mechanism=mechanism, kappas=kappas), ranges)
    except DomainError as error:
        missing = error.kept()
    return Envelope(
        box=ranges,
        risk=risk,
        equation=_spread(problem, ranges),
        mechanism=named,
        missing=missing,
        effects=_effects(study, problem, ranges),
    )


def _spread(problem: Problem, ranges: Box) -> Spread:
    kept_low, kept_high, cost_high, cost_low = search(problem, ranges)
    kept = _interval(kept_low.log, kept_low.where, kept_high.log, kept_high.where, SEARCHED)
    cost = _interval(cost_low.log, cost_low.where, cost_high.log, cost_high.where, SEARCHED)
    return Spread(rate=_rate(problem, ranges), kept=kept, cost=cost)


def _interval(low: float, at_low: Points, high: float, at_high: Points, evidence: str) -> Interval:
    return Interval(
        low=safe_exp(low),
        high=safe_exp(high),
        at_low=_tuple(at_low),
        at_high=_tuple(at_high),
        kappas=(int(at_low.kappa[0]), int(at_high.kappa[0])),
        evidence=evidence,
    )


def _tuple(at: Points) -> tuple[float, ...]:
    return (float(at.smoothness[0]), float(at.margin[0]), *at.signal[0].tolist())


def _rate(problem: Problem, ranges: Box) -> Interval:
    """The rate at its two corners; along the cut edge a search in one number."""
    low, high = bounds(ranges, problem.risk)
    worst, best = high.copy(), low.copy()
    worst[:2], best[:2] = low[:2], high[:2]
    index = np.arange(len(problem.kappas))

    def line(start: Array, betas: Array) -> tuple[Array, Points]:
        x = np.repeat(start[None], len(betas) * len(index), axis=0)
        x[:, 0] = np.repeat(betas, len(index))
        at = points(x, ranges, problem.risk, np.tile(index, len(betas)))
        return problem.solve(at).log_rate, at

    top, top_at = line(worst, worst[:1])
    bottom, bottom_at = line(best, best[:1])
    if ranges.cut:
        a, b = max(low[0], min(ranges.dimension / high[1], high[0])), high[0]
        for _ in range(5):  # ever finer grids around the lowest point
            betas = np.linspace(a, b, 65)
            bottom, bottom_at = line(best, betas)
            k = int(bottom.argmin()) // len(index)
            a, b = betas[max(k - 1, 0)], betas[min(k + 1, 64)]
    i, j = int(bottom.argmin()), int(top.argmax())
    return _interval(
        float(bottom[i]),
        _one(bottom_at, i),
        float(top[j]),
        _one(top_at, j),
        SEARCHED if ranges.cut else PROVED,
    )


def _one(at: Points, k: int) -> Points:
    return Points(**{field.name: getattr(at, field.name)[k : k + 1] for field in fields(at)})


def _effects(study: Study, problem: Problem, ranges: Box) -> tuple[Effect, ...]:
    """Move one unknown at a time between its ends and solve the rate equation."""
    risk = problem.risk
    smooth, p = ranges.smoothness, ranges.integrability
    middle = [sum(smooth) / 2.0, sum(ranges.margin) / 2.0]
    q = (1.0 / p[0], 1.0 / p[1])  # p is moved on the scale 1/p, so that infinity has a middle
    if risk == "pointwise":
        middle[0] -= sum(q) / 2.0
    middle += [math.sqrt(a * b) for a, b in ranges.signal]
    rows: list[tuple[str, str, list[int], list[float], list[float]]] = []
    shift = sum(q) / 2.0 if risk == "pointwise" else 0.0
    ends = ([smooth[0] - shift], [smooth[1] - shift])
    rows.append(("smoothness", "smoothness", [0], *ends))
    if risk == "classification":
        rows.append(("margin", "margin", [1], [ranges.margin[0]], [ranges.margin[1]]))
    if risk == "pointwise":
        center = sum(smooth) / 2.0
        rows.append(("integrability", "integrability", [0], [center - q[0]], [center - q[1]]))
    moving = [k for k, (a, b) in enumerate(ranges.signal) if b > a]
    for k in moving:
        a, b = ranges.signal[k]
        rows.append((study.servers[k].name, "signal", [k + 2], [a], [b]))
    if len(moving) > 1:
        a_all, b_all = ([ranges.signal[k][end] for k in moving] for end in (0, 1))
        where = [k + 2 for k in moving]
        rows.append(("all signal exponents together", "signals", where, a_all, b_all))
    x = np.repeat(np.array([middle]), 2 * len(rows), axis=0)
    for number, (_, _, at, a_, b_) in enumerate(rows):
        x[2 * number, at], x[2 * number + 1, at] = a_, b_
    logs = problem.solve(points(x, ranges, risk)).log_rate.reshape(-1, 2)
    out = [
        Effect(
            name=row[0],
            kind=row[1],
            low=math.exp(float(a)),
            high=math.exp(float(b)),
            log_range=abs(float(b) - float(a)),
        )
        for row, (a, b) in zip(rows, logs, strict=True)
    ]
    return tuple(sorted(out, key=lambda e: -e.log_range))
