"""All levers of a study side by side, and one of them: its curve, and where it stops mattering.

One row at a time: a common value of all rows would lower what is larger at some of them; what all
need together is a factor, see `scales`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rates.answer import BY_EQUATION, Lens, Limit
from rates.numbers import Framed, Shown, Terms, check_array, log0, rising, solve_log, to_frame
from rates.plan import base
from rates.plan.base import Array, Basis, both, check_fraction
from rates.plan.change import ALL, LEVERS, Change, check_lever
from rates.plan.needs import Needed, check_kind, needed_at, record, rows_needed, unlimited
from rates.study import Server, Study

MOST = 100  # rows of a lever table, those with the largest parts today


@dataclass(frozen=True, slots=True, kw_only=True)
class LeverRow:
    """One lever at one row, by both answers.

    Attributes:
        lever: The name of one of `LEVERS`.
        site: The row, or the kind's name.
        equation: By the rate equation.
        mechanism: By the named mechanism; None where a delta is missing.
        sentence: Both answers as one sentence.
    """

    lever: str
    site: str
    equation: Needed
    mechanism: Needed | None
    sentence: str

    @property
    def enough(self) -> bool:
        """Whether some value is enough by the mechanism, which plans are made with."""
        return self.mechanism is not None and self.mechanism.reached


@dataclass(frozen=True, slots=True, kw_only=True)
class LeverTable(Shown):
    """All levers side by side for one wanted rate.

    Attributes:
        fraction: The rate wanted, over today's.
        levers: Further sites first, then row by row; where a row is many sites alike, more of them
            comes before more of each.
        left_out: Rows that are not in the table: those with the smallest parts today.
        missing: Why there is no mechanism answer; empty where there is one.
    """

    fraction: float
    levers: tuple[LeverRow, ...]
    left_out: int
    missing: str

    def to_frame(self) -> Any:
        """Return a row for each lever as a pandas table."""
        return to_frame(self.levers)

    @property
    def enough(self) -> tuple[LeverRow, ...]:
        """The levers that are enough by the mechanism, the least change first.

        How informative a site is, nobody chooses: a signal exponent is not among them.
        """
        chosen = [x for x in self.levers if not LEVERS[x.lever].largest]
        return tuple(sorted((x for x in chosen if x.enough), key=_change))


def _change(row: LeverRow) -> tuple[bool, float]:
    """The size of a change, as the distance of the log from today's; further sites come last.

    More of sites of which there are many comes first: people are easier to find than records.
    """
    found = row.mechanism
    if found is None or not found.now > 0 or not found.value > 0:
        return True, math.inf
    few = not (row.lever == "count" and found.now > 1)
    return few, abs(math.log(found.value / found.now))


def levers(
    study: Study,
    fraction: float,
    *,
    kind: Server | None = None,
    lens: Lens = BY_EQUATION,
    by_equation: float | None = None,
) -> LeverTable:
    """Put every lever of a study side by side: what each needs, or why it is not enough.

    Args:
        study: A study.
        fraction: The rate wanted over today's, in (0, 1).
        kind: A kind of further sites; None leaves that lever out.
        lens: Which risk, and exact or printed Gaussian noise.
        by_equation: The rate wanted over today's by the rate equation, where it is another one;
            from 1 on today's is enough by it.

    Raises:
        DomainError: An argument lies outside its set.

    Examples:
        >>> from rates.presets import preset
        >>> table = levers(preset("hospitals").study, 0.9)
        >>> print(table.levers[4].sentence)  # doctest: +NORMALIZE_WHITESPACE
        By the rate equation nothing changes even without privacy at Hungary, because sampling
        binds Hungary; by the mechanism Hungary needs epsilon 3.477 (today 1).

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    fraction = check_fraction(fraction)
    exact = fraction if by_equation is None else by_equation
    if exact < 1:
        check_fraction(exact)
    own, named, missing = both(study, lens)
    heaviest = np.argsort(-own.levels(own.u)[0], kind="stable")[:MOST]
    rows = sorted(int(j) for j in heaviest)
    left = _table(own, exact, kind, rows)
    right = _table(named, fraction, kind, rows) if named else [None] * len(left)
    return LeverTable(
        fraction=fraction,
        levers=tuple(
            LeverRow(lever=a.lever, site=a.site, equation=a, mechanism=b, sentence=_sentence(a, b))
            for a, b in zip(left, right, strict=True)
        ),
        left_out=len(study.servers) - len(rows),
        missing=missing,
    )


def _table(own: Basis, fraction: float, kind: Server | None, rows: list[int]) -> list[Needed]:
    fitting = [lever for lever in LEVERS.values() if lever.fits(own.study)]
    many = any(server.count > 1 for server in own.servers)
    # Further sites first; where there are many sites alike, more people before more of each.
    fitting.sort(key=lambda lever: (not lever.further, not (many and lever.name == "count")))
    out: list[Needed] = []
    for lever in fitting:
        if lever.further:
            part = own.beside([replace(kind, count=1)] if kind else [])
        else:
            part = own.only([j for j in rows if j in lever.rows(own.study)])
        if fraction < 1:
            out += rows_needed(lever, own, fraction, part)
            continue
        for server in part.servers:  # today's is enough
            now = lever.today(server)
            out.append(record(lever, server.name, fraction, now=now, value=now, best=0.0))
    return out


def _sentence(equation: Needed, mechanism: Needed | None) -> str:
    text = f"By the rate equation {_phrase(equation)}"
    if mechanism is not None:
        text += f"; by the mechanism {_phrase(mechanism)}"
    return f"{text}."


def _phrase(found: Needed) -> str:
    """One answer as part of a sentence."""
    if found.fraction >= 1:
        return "today's is enough"
    if not found.reached:
        return found.reason
    value = f"{found.value:.4g}" if found.whole is None else f"{found.whole:,}"
    text = LEVERS[found.lever].words.format(site=found.site, value=value)
    if not found.now > 0:
        return text
    now = f"{found.now:,.0f}" if found.whole is not None else f"{found.now:.4g}"
    return f"{text} (today {now})"


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
    study: Study, lever: str, site: str = ALL, *, lens: Lens = BY_EQUATION
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
    # Each row's own elbow at that root; the row that is last decides.
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
    # Next to no rate at all is out of reach where a limit stops the lever: the record has it.
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
