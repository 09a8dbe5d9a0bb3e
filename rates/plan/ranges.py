"""One lever over ranges of what is not known: what it needs, and the rate along it.

The value that a lever needs is not monotone in smoothness, margin and signal exponents, as today's
rate moves with them too. Its ends are looked for among the study's own values, all of the lowest
and highest ends together, and random points of the ranges: they are attained, and nothing proves
that no other point lies beyond.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import BY_EQUATION, Lens
from rates.fit import KAPPAS, SEARCHED, bounds, box, draw, points
from rates.numbers import DomainError, Words, check_array
from rates.plan.base import Basis, basis, row_of
from rates.plan.common import common_needed
from rates.plan.goal import check_fraction, fraction_of_sample
from rates.plan.inverse import ALL
from rates.plan.lever import check_lever, rows_needed, sites_needed
from rates.plan.limits import lever_curve
from rates.study import FederatedStudy, Scope, Server, Study, TransferStudy

Array = NDArray[np.float64]

DRAWS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class NeededRange:
    """What one lever needs over ranges of parameters, by one answer.

    Attributes:
        lever: As in `rates.plan.lever.Needed`.
        site: Likewise.
        low: Lowest value found that reaches the rate; nan where none does.
        high: Highest value found; ``inf`` where the rate is out of reach at some points.
        reached: Part of the points at which some value reaches the rate.
        points: Number of points tried.
        evidence: "found by search": the ends are attained, and others may lie beyond.
    """

    lever: str
    site: str
    low: float
    high: float
    reached: float
    points: int
    evidence: str


def needed_range(
    study: Study,
    scope: Scope,
    lever: str,
    site: str = ALL,
    *,
    fraction: float | None = None,
    multiple: float | None = None,
    kind: Server | None = None,
    lens: Lens = BY_EQUATION,
    kappas: Sequence[float] = KAPPAS,
    draws: int = DRAWS,
    seed: int = 0,
) -> NeededRange:
    """Solve for one unknown at many points of the ranges.

    Args:
        study: A study.
        scope: What is known of its parameters; what was not said has wide ranges.
        lever: As in `rates.plan.levers_table.needed`.
        site: Likewise.
        fraction: The rate wanted over today's, in (0, 1); or else
        multiple: the effective sample wanted over today's, above 1.
        kind: The kind of further sites, for "sites".
        lens: Which risk, by which answer; its kappa is not used.
        kappas: The mechanism's bandwidths over r (transfer studies).
        draws: Number of random points.
        seed: Of the draws.

    Raises:
        DomainError: An argument or a range lies outside its set.

    Examples:
        >>> from rates.presets import preset
        >>> found = needed_range(preset("hospitals").study, Scope(), "n", "Hungary", multiple=2)
        >>> found.low < found.high, found.reached, found.evidence
        (True, 1.0, 'found by search')

    Source: [ACC] eq. (5); [CCV] eq. (6); the ranges are ours.
    """
    check_lever(lever)
    risk = lens.risk_of(study)
    if (fraction is None) == (multiple is None):
        rule = "A target is either a fraction of today's rate or a multiple of today's sample."
        raise DomainError(rule, field="fraction", value=Words("both or neither"))
    if fraction is not None:
        fraction = check_fraction(fraction)
    values = []
    for point in _studies(study, scope, risk, draws, seed):
        part = fraction if multiple is None else fraction_of_sample(point, multiple, risk)
        assert part is not None
        single = lens.mechanism is None or isinstance(study, FederatedStudy)
        for kappa in kappas[:1] if single else kappas:
            own = basis(point, replace(lens, kappa=kappa))
            values.append(_value(own, lever, site, part, kind))
    found = np.array(values)
    reached = np.isfinite(found)
    return NeededRange(
        lever=lever,
        site=kind.name if kind is not None and lever == "sites" else site,
        low=float(found[reached].min()) if reached.any() else math.nan,
        high=float(found.max()) if reached.all() else math.inf,
        reached=float(reached.mean()),
        points=len(found),
        evidence=SEARCHED,
    )


def _value(own: Basis, lever: str, site: str, fraction: float, kind: Server | None) -> float:
    if lever == "sites":
        if kind is None:
            rule = "Further sites need a kind: a Server that says what each of them holds."
            raise DomainError(rule, field="kind", value=Words("nothing"))
        return sites_needed(own, kind, fraction).value
    if site == ALL:
        return common_needed(own, lever, fraction).value
    return rows_needed(own, lever, fraction, [row_of(own, site)])[0].value


@dataclass(frozen=True, slots=True, kw_only=True)
class CurveRange:
    """The rate along one lever, over today's, at many points of the ranges.

    Attributes:
        values: The lever's values.
        equation_low: Lowest rate over today's by the rate equation, at each value.
        equation_high: Highest.
        mechanism_low: Lowest by the named mechanism, over its kappas too; nan without delta.
        mechanism_high: Highest; likewise.
        points: Number of parameter points tried.
        evidence: "found by search".
    """

    values: Array
    equation_low: Array
    equation_high: Array
    mechanism_low: Array
    mechanism_high: Array
    points: int
    evidence: str


def curve_range(
    study: Study,
    scope: Scope,
    lever: str,
    site: str,
    values: ArrayLike,
    *,
    kind: Server | None = None,
    lens: Lens = BY_EQUATION,
    kappas: Sequence[float] = KAPPAS,
    draws: int = DRAWS,
    seed: int = 0,
) -> CurveRange:
    """Solve both equations along one lever at many points of the ranges.

    Args:
        study: A study.
        scope: What is known of its parameters.
        lever: As in `rates.plan.levers_table.lever_curve`; a signal exponent is then the lever
            itself.
        site: Likewise.
        values: Likewise.
        kind: The kind of further sites, for "sites".
        lens: Which risk, and exact or printed Gaussian noise; its kappa is not used.
        kappas: The mechanism's bandwidths over r (transfer studies).
        draws: Number of random points.
        seed: Of the draws.

    Raises:
        DomainError: An argument or a range lies outside its set.

    Examples:
        >>> from rates.presets import preset
        >>> band = curve_range(preset("hospitals").study, Scope(), "n", "all", [100, 1000])
        >>> bool((band.equation_low <= band.equation_high).all()), band.evidence
        (True, 'found by search')

    Source: [ACC] eq. (5); [CCV] eq. (6); the ranges are ours.
    """
    risk = lens.risk_of(study)
    x = check_array("values", values, zero=True, infinite=lever == "epsilon")
    left, right = [], []
    for point in _studies(study, scope, risk, draws, seed):
        single = isinstance(study, FederatedStudy)
        for k, kappa in enumerate(kappas[:1] if single else kappas):
            by = replace(lens, kappa=kappa)
            curve = lever_curve(point, lever, site, x, kind=kind, lens=by)
            right.append(curve.mechanism)
            if k == 0:
                left.append(curve.equation)
    one, two = np.array(left), np.array(right)
    return CurveRange(
        values=x,
        equation_low=one.min(axis=0),
        equation_high=one.max(axis=0),
        mechanism_low=two.min(axis=0),
        mechanism_high=two.max(axis=0),
        points=len(one),
        evidence=SEARCHED,
    )


def _studies(study: Study, scope: Scope, risk: str, draws: int, seed: int) -> list[Study]:
    """The study itself, and the same sites at the ends and at random points of the ranges."""
    if not 0 <= draws <= 10_000:
        raise DomainError("draws must be 0 to 10,000.", field="draws", value=draws)
    ranges = box(study, scope)
    low, high = bounds(ranges, risk)
    ends = [low, high]
    for k in range(2):  # smoothness or margin at one end, all others at the other
        for a, b in ((low, high), (high, low)):
            mixed = a.copy()
            mixed[k] = b[k]
            ends.append(mixed)
    x = np.vstack([*ends, draw(ranges, risk, draws, np.random.default_rng(seed))])
    at = points(x, ranges, risk)
    out = [study]
    for g, margin, signal in zip(
        at.smoothness.tolist(), at.margin.tolist(), at.signal.tolist(), strict=True
    ):
        if isinstance(study, TransferStudy):
            servers = [
                replace(s, signal_exponent=gamma)
                for s, gamma in zip(study.servers, signal, strict=True)
            ]
            point = replace(study, smoothness=g, margin=margin)
            out.append(point.with_servers(servers))
        else:  # either risk depends on its own g alone
            out.append(replace(study, smoothness=g, integrability=math.inf))
    return out
