"""Where a lever stops mattering, and the rate along a lever, by both answers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.answer import BY_EQUATION, Lens, Limit
from rates.numbers import DomainError, Framed, check_array, safe_exp, solve_log
from rates.plan import base
from rates.plan.catalogue import check_lever, common_names
from rates.plan.lever import ALL, Flags, Lever
from rates.plan.needs import needed_at
from rates.study import Server, Study, columns

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
        lever: The name of one of `rates.plan.catalogue.LEVERS`.
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
    if not asked.further:
        _rows(asked, own, site)
    if asked.stops == "never":
        return _never(own, asked, site)
    if asked.stops == "exactly" and own.lens.mechanism is None:
        return _elbow(own, asked, site)
    return _nearly(own, asked, site)


def _rows(lever: Lever, own: base.Basis, site: str) -> Flags:
    """The rows that change: one by its name, or all that one common value is for."""
    every = np.arange(len(own.names))
    if site != ALL:
        return np.asarray(every == base.row_of(own, site))
    if lever.common is None:
        rule = f"A common value for all rows is defined for {common_names()}."
        raise DomainError(rule, "site", site)
    epsilon = columns(own.servers)["epsilon"]
    return np.asarray(np.isfinite(epsilon)) if lever.supplies == "epsilon" else every >= 0


def _never(own: base.Basis, lever: Lever, site: str) -> Saturation:
    today = base.rows_at(own, own.u)
    j = int(np.argmax(today.level)) if site == ALL else base.row_of(own, site)
    silent = (
        not lever.further
        and math.isinf(today.level[j])
        and (lever.supplies != "n" or not own.servers[j].epsilon > 0)
    )
    if silent:
        return _none(lever, site, "It carries nothing.")
    binds = base.binding(today.gap[j], today.level[j])
    return Saturation(
        lever=lever.name,
        site=site,
        value=math.inf,
        best=0.0,
        binds="sample" if lever.supplies == "n" else binds,
        past=False,
        rule="More always helps: there is no such point.",
    )


def _elbow(own: base.Basis, lever: Lever, site: str) -> Saturation:
    c = columns(own.servers)
    rows = np.isfinite(c["epsilon"]) & (c["n"] > 0)
    if site != ALL:
        rows &= np.arange(len(rows)) == base.row_of(own, site)
    if not rows.any():
        rule = "There is no private row with records here, so no budget to change."
        return _none(lever, site, rule)
    budget = np.where(rows, np.inf, own.terms.log_budget)
    u = float(solve_log(own.terms.changed(log_budget=budget)))
    here = base.rows_at(own, u)
    with np.errstate(invalid="ignore"):
        elbow = 0.5 * (here.sample + here.size - here.private) - here.size
    value = safe_exp(float(elbow[rows].max()))
    return Saturation(
        lever=lever.name,
        site=site,
        value=value,
        best=min(1.0, float(own.fraction(u))),
        binds="sample",
        past=bool((here.epsilon[rows] >= np.exp(np.minimum(elbow[rows], 700.0))).all()),
        rule="From here on the minimum is the sample's, and a larger budget changes nothing.",
    )


def _none(
    lever: Lever, site: str, rule: str, *, best: float = 1.0, past: bool = True
) -> Saturation:
    """Say that there is no such point."""
    value = math.nan
    return Saturation(
        lever=lever.name, site=site, value=value, best=best, binds="none", past=past, rule=rule
    )


def _nearly(own: base.Basis, lever: Lever, site: str) -> Saturation:
    probe = needed_at(lever, own, site, 1e-9)
    if probe.unstated:
        delta = f"The noise at {probe.unstated} needs a delta, which is not stated"
        rule = f"{delta}, so there is no such point."
        return _none(lever, site, rule, best=probe.best, past=False)
    if probe.reached or math.isnan(probe.best):
        return _never(own, lever, site)
    wanted = probe.best * NEARLY
    past = wanted >= 1.0
    value, binds = probe.now, probe.binds_now
    if not past:
        found = needed_at(lever, own, site, wanted)
        value, binds = found.value, found.binds_after
    return Saturation(
        lever=lever.name,
        site=site,
        value=value,
        best=probe.best,
        binds=binds,
        past=past,
        rule=(
            "Today's value is there already: no value lowers the rate by more than 5%."
            if past
            else "From here on the rate stays within 5% of its best value."
        ),
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
        lever: One of `rates.plan.lever.LEVERS`.
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
    x = check_array("values", values, zero=True, infinite=asked.supplies == "epsilon")
    own, named, missing = base.both(study, lens)

    def along(by: base.Basis) -> Array:
        rows = np.zeros(len(by.names), bool) if asked.further else _rows(asked, by, site)
        return by.fraction(solve_log(asked.change(by, rows, x, kind)))

    return LeverCurve(
        values=x,
        equation=along(own),
        mechanism=along(named) if named else np.full(x.shape, np.nan),
        missing=missing,
    )
