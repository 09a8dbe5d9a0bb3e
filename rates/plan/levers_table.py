"""All levers of a study side by side, one row at a time, by both answers.

A common value of all rows would lower what is larger at some of them; what all need together is a
factor: see `scales`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rates.answer import BY_EQUATION, Lens
from rates.numbers import Shown, safe_exp, to_frame
from rates.plan.base import Basis, both, check_fraction
from rates.plan.change import LEVERS
from rates.plan.needs import Needed, record, rows_needed
from rates.study import Server, Study

MOST = 100  # rows of a lever table, unless more are asked for


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
        multiple: The effective sample that goes with it, over today's.
        risk: Which risk.
        levers: Further sites first, then row by row; where a row is many sites alike, more of them
            comes before more of each.
        left_out: Rows that are not in the table: those with the smallest parts today.
        missing: Why there is no mechanism answer; empty where there is one.
    """

    fraction: float
    multiple: float
    risk: str
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
    most: int = MOST,
    by_equation: float | None = None,
) -> LeverTable:
    """Put every lever of a study side by side: what each needs, or why it is not enough.

    Args:
        study: A study.
        fraction: The rate wanted over today's, in (0, 1).
        kind: A kind of further sites; None leaves that lever out.
        lens: Which risk, and exact or printed Gaussian noise.
        most: Number of rows, those with the largest parts today.
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
    exact = fraction if by_equation is None or by_equation == fraction else by_equation
    if exact < 1:
        check_fraction(exact)
    own, named, missing = both(study, lens)
    heaviest = np.argsort(-own.levels(own.u)[0], kind="stable")[: max(0, most)]
    rows = sorted(int(j) for j in heaviest)
    left = _table(own, exact, kind, rows)
    right = _table(named, fraction, kind, rows) if named else [None] * len(left)
    return LeverTable(
        fraction=fraction,
        multiple=safe_exp(-math.log(fraction) * own.equation.worth_power / own.power),
        risk=own.risk,
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
