"""What would improve a study most: one lever at a time, both answers side by side.

The parts: `rates.plan.goal` (what is asked for), `rates.plan.lever` and
`rates.plan.common` (one unknown), `rates.plan.limits` (saturation, curves),
`rates.plan.sites` (exchange rates, value of a site, next site), `rates.plan.duel` (two
designs), `rates.plan.offers` and `rates.plan.mix` (the cheapest mix). What is public in
them is here too.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, Words, safe_exp
from rates.plan.base import Basis, basis, both, row_of, rows_at
from rates.plan.common import common_needed
from rates.plan.duel import Duel, VersusCurve, versus, versus_curve
from rates.plan.goal import check_fraction, fraction_of_risk, fraction_of_sample
from rates.plan.inverse import ALL, Unreachable, smallest
from rates.plan.lever import LEVERS, WHOLE, Needed, check_lever, rows_needed, sites_needed
from rates.plan.limits import LeverCurve, Saturation, lever_curve, saturation
from rates.plan.mix import Mix, Purchase, cheapest
from rates.plan.offers import Offer
from rates.plan.sites import NextSite, SiteValue, Worth, best_next, site_values, worth
from rates.study import Server, Study, TransferStudy

__all__ = [
    "ALL",
    "LEVERS",
    "WHOLE",
    "Duel",
    "Lever",
    "LeverCurve",
    "LeverTable",
    "Mix",
    "Needed",
    "NextSite",
    "Offer",
    "Purchase",
    "Saturation",
    "SiteValue",
    "Unreachable",
    "VersusCurve",
    "Worth",
    "best_next",
    "cheapest",
    "fraction_of_risk",
    "fraction_of_sample",
    "lever_curve",
    "levers",
    "needed",
    "saturation",
    "site_values",
    "smallest",
    "versus",
    "versus_curve",
    "worth",
]

MOST = 100  # rows of a lever table, unless more are asked for


def needed(
    study: Study,
    lever: str,
    site: str = ALL,
    *,
    fraction: float,
    kind: Server | None = None,
    lens: Lens = BY_EQUATION,
) -> Needed:
    r"""Solve for one unknown so that the rate falls to a fraction of today's.

    Args:
        study: A study.
        lever: "n", "epsilon", "count", "signal_exponent", or "sites" for further sites.
        site: A row's name; "all" for one common n of every row, or one common epsilon of every
            private row. Not used for sites.
        fraction: The rate wanted over today's, both uncapped, in (0, 1).
        kind: The kind of further sites, for "sites"; its count is not used.
        lens: Which risk, by which answer.

    Returns:
        A record with the value and its evidence. With count > 1 the value is that of each of
        the row's sites.

    Raises:
        DomainError: An argument lies outside its set, or no row has that name.
        Unreachable: No value reaches the rate; the message says what holds.

    Examples:
        Half the rate asks a lone unprotected target for 2^3 times its records.

        >>> lone = Server(name="target", n=50, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=1, dimension=1, margin=0)
        >>> needed(study, "n", "target", fraction=0.5).whole
        400

    Source: [ACC] eqs. (5), (6); [CCV] eqs. (14), (17), solved for one unknown.
    """
    fraction = check_fraction(fraction)
    check_lever(lever)
    own = basis(study, lens)
    if lever == "sites":
        if kind is None:
            rule = "Further sites need a kind: a Server that says what each of them holds."
            raise DomainError(rule, field="kind", value=Words("nothing"))
        found = sites_needed(own, kind, fraction)
    elif site == ALL:
        found = common_needed(own, lever, fraction)
    else:
        (found,) = rows_needed(own, lever, fraction, [row_of(own, site)])
    if not found.reached:
        by = "rate equation" if lens.mechanism is None else "mechanism"
        best = safe_exp(min(0.0, own.power * own.u + math.log(max(found.best, 1e-300))))
        raise Unreachable(f"By the {by} {found.reason}.", best)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Lever:
    """One lever at one row, by both answers.

    Attributes:
        lever: One of `LEVERS`.
        site: The row, "all", or the kind's name.
        equation: By the rate equation.
        mechanism: By the named mechanism; None where a delta is missing.
        sentence: Both answers as one sentence.
    """

    lever: str
    site: str
    equation: Needed
    mechanism: Needed | None
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeverTable:
    """All levers side by side for one wanted rate.

    Attributes:
        fraction: The rate wanted, over today's.
        multiple: The effective sample that goes with it, over today's.
        risk: Which risk.
        levers: First the common values, then further sites, then row by row.
        left_out: Rows that are not in the table: those with the smallest parts today.
        missing: Why there is no mechanism answer; empty where there is one.
        trivial: Whether the rate equation's rate at the target is still 1.
    """

    fraction: float
    multiple: float
    risk: str
    levers: tuple[Lever, ...]
    left_out: int
    missing: str
    trivial: bool


def levers(
    study: Study,
    fraction: float,
    *,
    kind: Server | None = None,
    lens: Lens = BY_EQUATION,
    most: int = MOST,
) -> LeverTable:
    """Put every lever of a study side by side: what each needs, or why it is not enough.

    Args:
        study: A study.
        fraction: The rate wanted over today's, in (0, 1).
        kind: A kind of further sites; None leaves that lever out.
        lens: Which risk, and exact or printed Gaussian noise.
        most: Number of rows, those with the largest parts today.

    Raises:
        DomainError: An argument lies outside its set.

    Examples:
        >>> from rates.presets import preset
        >>> table = levers(preset("hospitals").study, 0.25)
        >>> print(table.levers[1].sentence)  # doctest: +NORMALIZE_WHITESPACE
        By the rate equation nothing changes even without privacy, because sampling binds every
        site; by the mechanism even without privacy the rate would fall only to about 0.32 of
        today's, not 0.25.

    Source: [ACC] eq. (5); [CCV] eq. (6); `rates.calibrated` for the mechanism.
    """
    fraction = check_fraction(fraction)
    own, named, missing = both(study, lens)
    heaviest = np.argsort(-rows_at(own, own.u).level, kind="stable")[: max(0, most)]
    rows = sorted(int(j) for j in heaviest)
    left = _table(own, fraction, kind, rows)
    right = _table(named, fraction, kind, rows) if named else [None] * len(left)
    return LeverTable(
        fraction=fraction,
        multiple=safe_exp(-math.log(fraction) * own.equation.worth_power / own.power),
        risk=own.risk,
        levers=tuple(
            Lever(lever=a.lever, site=a.site, equation=a, mechanism=b, sentence=_sentence(a, b))
            for a, b in zip(left, right, strict=True)
        ),
        left_out=len(study.servers) - len(rows),
        missing=missing,
        trivial=own.wanted(fraction) >= 0,
    )


def _table(own: Basis, fraction: float, kind: Server | None, rows: list[int]) -> list[Needed]:
    out = [common_needed(own, lever, fraction) for lever in ("n", "epsilon")]
    if kind is not None:
        out.append(sites_needed(own, kind, fraction))
    row_levers = ["n", "epsilon", "count"]
    transfer = isinstance(own.study, TransferStudy)
    if transfer:
        row_levers.append("signal_exponent")
    for lever in row_levers:
        fixed = transfer and lever in ("count", "signal_exponent")
        asked = [j for j in rows if j or not fixed]  # the target has one site and exponent 1
        out.extend(rows_needed(own, lever, fraction, asked))
    return out


_WORDS = {
    "n": "{site} needs {value} records",
    "epsilon": "{site} needs epsilon {value}",
    "count": "{value} sites like {site} are needed",
    "signal_exponent": "{site} needs a signal exponent of at most {value}",
    "sites": "{value} further sites like {site} are needed",
}
_COMMON = {
    "n": "every site needs {value} records",
    "epsilon": "every private site needs epsilon {value}",
}


def _sentence(equation: Needed, mechanism: Needed | None) -> str:
    text = f"By the rate equation {_phrase(equation)}"
    if mechanism is not None:
        text += f"; by the mechanism {_phrase(mechanism)}"
    return f"{text}."


def _phrase(found: Needed) -> str:
    """One answer as part of a sentence."""
    if not found.reached:
        return found.reason
    words = (_COMMON if found.site == ALL else _WORDS)[found.lever]
    value = f"{found.value:.4g}" if found.whole is None else f"{found.whole:,}"
    text = words.format(site=found.site, value=value)
    if not found.now > 0:
        return text
    now = f"{found.now:,.0f}" if found.whole is not None else f"{found.now:.4g}"
    return f"{text} (today {now})"
