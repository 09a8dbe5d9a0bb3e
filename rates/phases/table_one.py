r"""[ACC] Table 1 as printed, in two readings, and corrected; where the printed ones are wrong.

The first row of the printed table has three cells for four columns. Reading A lets its last
cell, NPs, span the columns (eps2, eps3] and (eps3, 1], as the text below the corollary does;
reading B lets {Pt, Ps} span (eps1, eps2] and (eps2, eps3]. Neither holds: the cell (eps2, eps3]
of the first row has to be that of the second.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError
from rates.phases import homogeneous
from rates.pieces import cut, joined, settle

Reading = Literal["A", "B", "corrected"]

_ONE, _PT, _NPT, _PS, _NPS = range(5)


def checked_reading(reading: str) -> Reading:
    """Return the name of a reading, or raise `DomainError`."""
    if reading not in ("A", "B", "corrected"):
        raise DomainError('reading must be "A", "B" or "corrected".', "reading", reading)
    return reading  # type: ignore[return-value]


def reading_ends(
    s: homogeneous.Setting, reading: Reading, printed_eps21: bool
) -> tuple[homogeneous.Array, ...]:
    """Return the logs of eps1, eps2, eps3, eps11, eps21 that a reading uses."""
    with np.errstate(all="ignore"):
        by_target, by_sources, two, three, eleven, twenty_one, _ = s.crossings()
        one = np.minimum(by_target, by_sources)
        # At a tie of Pt and Ps the corrected label is the target's.
        tie = homogeneous.tie_width(s.target)
        first = s.target > s.spread - (tie if reading == "corrected" else -tie)
        eleven = np.where(s.gamma == 1.0, np.where(first, two, one), eleven)
        if reading != "corrected" and printed_eps21:
            slope = (s.beta * s.gamma + s.d) / (s.beta + s.d)
            twenty_one = s.target * slope - s.spread
    return one, two, three, eleven, twenty_one


def table_codes(
    s: homogeneous.Setting, x: homogeneous.Array, reading: Reading, printed_eps21: bool
) -> homogeneous.Codes:
    """Return what a reading says at log budgets x, as indices in `LABELS`."""
    one, two, three, eleven, twenty_one = reading_ends(s, reading, printed_eps21)
    with np.errstate(all="ignore"):
        star = ((2.0 * s.beta + s.d) * s.pooled / s.target - s.d) / (2.0 * s.beta)
    second = np.where(x <= twenty_one, _NPT, _PS)
    by_target_first = np.where(x <= eleven, _PT, _PS)
    by_sources_first = np.where(x <= eleven, _PS, _PT)
    if reading == "A":
        low = np.where(x <= two, by_target_first, _NPS)
    elif reading == "B":
        low = np.where(x <= three, by_target_first, _NPS)
    else:
        low = np.where(x <= two, by_target_first, np.where(x <= three, second, _NPS))
    middle = np.where(x <= two, by_sources_first, np.where(x <= three, second, _NPS))
    high = np.where(x <= two, by_sources_first, _NPT)
    row = np.where(s.gamma <= 1.0, low, np.where(s.gamma <= star, middle, high))
    return np.asarray(np.where(x <= one, _ONE, row), dtype=np.int16)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """An interval (lo, hi] of budgets on which a reading of Table 1 is wrong.

    Attributes:
        lo: Lower end, excluded.
        hi: Upper end.
        printed: The reading's label.
        truth: The label of the minimum of (4).
    """

    lo: float
    hi: float
    printed: str
    truth: str


def disagreement(
    n: float,
    m: float,
    n0: float,
    *,
    gamma: float,
    beta: float,
    d: float,
    reading: Reading,
    printed_eps21: bool = True,
) -> tuple[Disagreement, ...]:
    """Return where in (0, 1] a reading of Table 1 names a term that does not decide (4).

    Where both sides tie, the label of either is right.

    Examples:
        >>> case = dict(gamma=1.2, beta=0.5, d=2)
        >>> for row in disagreement(1e4, 100, 1e5, reading="A", **case):
        ...     print(f"{row.lo:.4f} to {row.hi:.4f}: {row.printed}, not {row.truth}")
        0.2154 to 0.7499: NPt, not Ps

    Source: [ACC] Table 1 against eq. (4).
    """
    s = homogeneous.setting(n, m, n0, gamma=gamma, beta=beta, d=d)
    ends = reading_ends(s, checked_reading(reading), printed_eps21)
    with np.errstate(all="ignore"):
        found = np.array([float(x) for x in (*s.crossings(), *ends)])
    cells = cut(found, -math.inf, 0.0)
    printed = table_codes(s.column(), cells.middles, reading, printed_eps21)
    truth = homogeneous.codes_at(s.column(), cells.middles)
    wrong = (printed != truth) & ~decides(s.column(), cells.middles, printed)
    names = homogeneous.LABELS
    pair = settle(np.where(wrong, len(names) * printed + truth, np.int16(-1)), cells.thin)
    return tuple(
        Disagreement(
            lo=lo, hi=hi, printed=names[code // len(names)], truth=names[code % len(names)]
        )
        for lo, hi, code in joined(cells.edges, pair, 0.0, 1.0)
        if code >= 0
    )


def decides(
    s: homogeneous.Setting, x: homogeneous.Array, codes: homogeneous.Codes
) -> NDArray[np.bool_]:
    """Say whether each label is its side's larger term and its side decides, ties included."""
    terms = s.terms(x)
    target, sources = np.maximum(terms.Pt, terms.NPt), np.maximum(terms.Ps, terms.NPs)
    zero = np.zeros_like(x)
    values = np.stack(
        np.broadcast_arrays(zero, terms.Pt, terms.NPt, terms.Ps, terms.NPs), dtype=float
    )
    sides = np.stack(np.broadcast_arrays(zero, target, target, sources, sources), dtype=float)
    rate = np.minimum(0.0, np.minimum(target, sources))
    value, side = (np.take_along_axis(t, codes[None], axis=0)[0] for t in (values, sides))
    tie = homogeneous.slacks(s)[0]
    return np.asarray((np.abs(value - rate) <= tie) & (np.abs(side - rate) <= tie))
