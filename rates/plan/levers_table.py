"""All levers of a study side by side, and what a study is worth along one of them.

One row at a time: a common value of all rows would lower what is larger at some of them; what all
need together is a factor, see `scales`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from rates.answer import BY_EQUATION, KAPPAS, Lens
from rates.numbers import DomainError, Framed, Shown, Words, check_array, solve_log, to_frame
from rates.plan import base
from rates.plan.base import Array, Basis, both, check_fraction
from rates.plan.change import ALL, LEVERS, check_lever
from rates.plan.factors import lenses, quantities
from rates.plan.needs import Needed, check_kind, record, rows_needed
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


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class LeverCurve(Framed):
    """What a study is worth along one lever, in effective records.

    Attributes:
        values: The lever's values, or factors on those of all rows.
        equation: By the rate equation.
        mechanism: By the mechanism, one row for each of its constants; none without every delta.
    """

    _columns: ClassVar[Mapping[str, str]] = {
        "values": "value of the lever",
        "equation": "effective records, rate equation",
        "mechanism": "effective records, mechanism",
    }

    values: Array
    equation: Array
    mechanism: Array


def lever_curve(
    study: Study,
    lever: str,
    site: str,
    values: ArrayLike,
    *,
    kind: Server | None = None,
    risk: str | None = None,
    kappas: Sequence[float] = KAPPAS,
) -> LeverCurve:
    """Solve both equations along one lever.

    Args:
        study: A study in which some site carries information.
        lever: One of `rates.plan.change.LEVERS`.
        site: A row's name; "all" for one factor on what all rows have. Not used for sites.
        values: The lever's values, at least 0; for an epsilon ``inf`` is allowed.
        kind: The kind of further sites, for "sites".
        risk: As for `scales`.
        kappas: Bandwidths over r of the mechanism (transfer studies).

    Raises:
        DomainError: An argument lies outside its set.

    Examples:
        >>> from rates.presets import preset
        >>> curve = lever_curve(preset("hospitals").study, "epsilon", "all", [1, 4])
        >>> curve.mechanism[0].round(1).tolist(), curve.mechanism[-1].round(1).tolist()
        ([29.4, 131.6], [49.8, 216.2])

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    asked = check_lever(lever)
    x = check_array("values", values, zero=True, infinite=asked.domain.allows(math.inf))
    if site == ALL and not asked.further and lever not in (every := quantities(study)):
        rule = f"One factor on what all rows have is for {', '.join(every)}."
        raise DomainError(rule, "lever", Words(lever))

    def along(lens: Lens) -> Array:
        own = base.basis(study, lens)
        with np.errstate(all="ignore"):  # of values that are 0 or infinite
            if site == ALL and not asked.further:
                terms = asked.scaled(own, x[:, None])
            else:
                rows = np.zeros(len(own.names), dtype=bool)
                if not asked.further:
                    rows[base.row_of(own, site)] = True
                part = own.beside([check_kind(kind)]) if asked.further else own.only(rows)
                terms = own.only(~rows).terms.joined(asked.change(part, x[:, None]))
        return own.equation.effective_n(solve_log(terms))

    equation, *named = (along(lens) for lens in lenses(study, risk, kappas))
    return LeverCurve(
        values=x, equation=equation, mechanism=np.array(named).reshape(len(named), len(x))
    )
