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

from rates.answer import KAPPAS
from rates.fit.search import Box, Problem, box, search
from rates.numbers import DomainError, Mechanism, Words, safe_exp
from rates.study import Range, Scope, Study

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
        named = _spread(Problem(study, risk, ranges, mechanism=mechanism, kappas=kappas))
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
