"""Where a lever stops mattering, and the rate along a lever, by both answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import BY_EQUATION, Lens, Limit
from rates.numbers import Framed, Terms, check_array, log0, rising, solve_log
from rates.plan import base
from rates.plan.change import ALL, Change, check_lever
from rates.plan.needs import check_kind, needed_at, unlimited
from rates.study import Server, Study

Array = NDArray[np.float64]

NEARLY = 1.05  # by a mechanism a lever stops mattering within this factor of the best rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Saturation:
    """Where more of one lever stops mattering.

    Attributes:
        lever: One of `LEVERS`.
        site: The row, or "all".
        value: From here on nothing changes (rate equation), or the rate stays within 5% of its
            best value (mechanism); ``inf`` where more always helps, nan where there is no lever.
        best: The rate at an unlimited lever over today's; 0 where more always helps.
        binds: What binds the row (for all: every row) from there on.
        past: Whether today's value lies beyond it.
        rule: How the point is defined, as a sentence.
    """

    lever: str
    site: str
    value: float
    best: float
    binds: Limit
    past: bool
    rule: str


def saturation(
    study: Study,
    lever: str,
    site: str = ALL,
    *,
    lens: Lens = BY_EQUATION,
) -> Saturation:
    r"""Find where more of one lever stops mattering, and what binds from there on.

    By the rate equation a budget stops mattering where the row's minimum leaves privacy at the
    root r of the study with that row unprotected: :math:`n \varepsilon^2 r^d = 1` (CCV:
    :math:`n \varepsilon^2 = D`). By a mechanism, and for a signal exponent, the limit is never
    attained; the point is where the rate is 1.05 times its limit. Records and sites always help.

    Args:
        study: A study.
        lever: The name of one of `rates.plan.change.LEVERS`.
        site: A row's name; for n and epsilon also "all".
        lens: Which risk, by which answer.

    Raises:
        DomainError: An argument lies outside its set, or no row has that name.

    Examples:
        The four hospitals by the equation: a common budget of 0.94 is enough.

        >>> from rates.presets import preset
        >>> point = saturation(preset("hospitals").study, "epsilon")
        >>> round(point.value, 2), point.binds, point.past
        (0.94, 'sample', True)

    Source: [ACC] eq. (5); [CCV] eq. (6): the minimum of both branches.
    """
    asked, own = check_lever(lever), base.basis(study, lens)
    part = own if asked.further else own.only(asked.among(own, site))
    if asked.stops == "never":
        return _never(asked, part, site)
    if asked.stops == "exactly" and own.lens.mechanism is None:
        return _elbow(own, asked, part, site)
    return _nearly(own, asked, part, site)


def _point(lever: Change, site: str, rule: str, **found: Any) -> Saturation:
    """One point; that there is none, where nothing is said of it."""
    none = {"value": math.nan, "best": 1.0, "binds": "none", "past": True}
    return Saturation(lever=lever.name, site=site, rule=rule, **{**none, **found})


def _heaviest(part: base.Basis, u: float, terms: Terms | None = None) -> Limit:
    """What binds the heaviest of some rows at u, after a change where one is given."""
    level, gap = part.levels(u, terms)
    top = int(np.argmax(level))
    return base.binding(gap[top], level[top])


def _never(lever: Change, part: base.Basis, site: str) -> Saturation:
    if not lever.further and not (part.levels(part.u, unlimited(lever, part))[0] > -np.inf).any():
        return _point(lever, site, "It carries nothing.")
    # With more records privacy binds no longer.
    binds = "sample" if lever.name == "n" else _heaviest(part, part.u)
    rule = "More always helps: there is no such point."
    return _point(lever, site, rule, value=math.inf, best=0.0, binds=binds, past=False)


def _elbow(own: base.Basis, lever: Change, part: base.Basis, site: str) -> Saturation:
    """The least value at which no minimum is the private branch, where more changes nothing."""
    some = part.only(lever.part(part) & (part.columns["n"] > 0))
    if not some.servers:
        rule = "There is no private row with records here, so no budget to change."
        return _point(lever, site, rule)
    rest = own.only([name not in set(some.names) for name in own.names])
    u = float(solve_log(rest.terms.joined(unlimited(lever, some))))

    def gap(x: Array) -> Array:
        return some.levels(u, lever.change(some, np.exp(x)))[1]

    now = lever.values(some)
    elbows = np.exp(rising(gap, log0(np.where(now > 0, now, 1.0))))
    return _point(
        lever,
        site,
        "From here on the minimum is the sample's, and a larger budget changes nothing.",
        value=float(elbows.max()),
        best=min(1.0, float(own.fraction(u))),
        binds="sample",
        past=bool((now >= elbows).all()),
    )


def _nearly(own: base.Basis, lever: Change, part: base.Basis, site: str) -> Saturation:
    probe = needed_at(lever, own, site, 1e-9)
    if probe.unstated:
        delta = f"The noise at {probe.unstated} needs a delta, which is not stated"
        rule = f"{delta}, so there is no such point."
        return _point(lever, site, rule, best=probe.best, past=False)
    if probe.reached or math.isnan(probe.best):
        return _never(lever, part, site)
    wanted = probe.best * NEARLY
    past = wanted >= 1.0
    value, binds = probe.now, _heaviest(part, own.u)
    if not past:
        value = needed_at(lever, own, site, wanted).value
        binds = _heaviest(part, own.wanted(wanted), lever.change(part, np.array([value])))
    return _point(
        lever,
        site,
        "Today's value is there already: no value lowers the rate by more than 5%."
        if past
        else "From here on the rate stays within 5% of its best value.",
        value=value,
        best=probe.best,
        binds=binds,
        past=past,
    )


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LeverCurve(Framed):
    """The rate along one lever, over today's, by both answers.

    Attributes:
        values: The lever's values.
        equation: Rate over today's by the rate equation; ``inf`` without information.
        mechanism: The same by the named mechanism; nan where a delta is missing.
        missing: Why there is no mechanism answer; empty where there is one.
    """

    _columns: ClassVar[Mapping[str, str]] = {
        "values": "value of the lever",
        "equation": "rate over today's, rate equation",
        "mechanism": "rate over today's, mechanism",
    }

    values: Array
    equation: Array
    mechanism: Array
    missing: str


def lever_curve(
    study: Study,
    lever: str,
    site: str,
    values: ArrayLike,
    *,
    kind: Server | None = None,
    lens: Lens = BY_EQUATION,
) -> LeverCurve:
    """Solve both equations along one lever.

    Args:
        study: A study.
        lever: One of `rates.plan.change.LEVERS`.
        site: A row's name; "all" for one common n or epsilon. Not used for sites.
        values: The lever's values, at least 0; for an epsilon ``inf`` is allowed.
        kind: The kind of further sites, for "sites".
        lens: Which risk, and exact or printed Gaussian noise.

    Raises:
        DomainError: An argument lies outside its set.

    Examples:
        >>> from rates.presets import preset
        >>> curve = lever_curve(preset("hospitals").study, "epsilon", "all", [0.5, 1, 2])
        >>> curve.equation.round(2).tolist(), curve.mechanism.round(2).tolist()
        ([1.15, 1.0, 1.0], [1.3, 1.0, 0.78])

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    asked = check_lever(lever)
    x = check_array("values", values, zero=True, infinite=asked.domain.allows(math.inf))
    own, named, missing = base.both(study, lens)

    def along(by: base.Basis) -> Array:
        if asked.further:
            part, rest = by.beside([check_kind(kind)]), by
        else:
            rows = asked.among(by, site)
            part, rest = by.only(rows), by.only(~rows)
        with np.errstate(all="ignore"):  # of values that are 0 or infinite
            terms = asked.change(part, np.repeat(x[:, None], len(part.servers), axis=1))
        return by.fraction(solve_log(rest.terms.joined(terms)))

    return LeverCurve(
        values=x,
        equation=along(own),
        mechanism=along(named) if named else np.full(x.shape, np.nan),
        missing=missing,
    )
