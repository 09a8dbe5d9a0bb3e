"""Claims of orders, decided for all sizes at some exponents, in exact arithmetic."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np

from rates import orders, proofs
from rates.ledger.claim import Claim
from rates.ledger.powers import Powers, Said, read_powers
from rates.numbers import DomainError

_EXPONENTS = 18  # at which a claim is decided
_TRIED = 400
Exponents = dict[str, Fraction]


def _exponents(of: Powers, order: orders.Order) -> list[Exponents]:
    """Return exponents that meet all that is assumed of them, drawn in thousandths."""
    whole = {x.letter for x in of.exponents if x.whole}
    found = []
    for drawn in orders.drawn(order, _TRIED):
        at = {x: Fraction(round(value)) if x in whole else value for x, value in drawn.items()}
        given = {x: np.array([float(value)]) for x, value in at.items()}
        if at not in found and all(one.gap(given)[0] <= 0 for one in of.between):
            found.append(at)
        if len(found) == _EXPONENTS:
            break
    return found


def _holds(claim: orders.Claim, exponents: list[Exponents]) -> bool:
    """Whether a claim holds exactly at all exponents, by certificates that are checked."""
    met = 0
    for at in exponents:
        try:
            found = orders.decide(claim, at)
        except proofs.ContradictionError:
            continue  # no sizes at all meet the conditions at these exponents
        # A claim that holds up to a constant is not decided: it is to hold as it is said.
        exact = found.holds is True and found.constant == found.sum_factor == 1
        if not exact or found.certificate is None or not proofs.check(found.certificate):
            return False
        met += 1
    return met > 0


@cache  # several entries say the same
def as_orders(claim: Claim) -> list[tuple[Said, orders.Claim, list[Exponents]]]:
    """Return all that a claim says, as claims that hold, and where; nothing where one does not.

    The ends of ranges are assumed where the conditions do not suffice.
    """
    powers = read_powers(claim)
    if powers is None:
        return []
    ranges = {x.letter: (x.low, x.high) for x in powers.exponents}
    found = []
    for said in powers.said:
        for where in (said.where, {**said.where, **powers.ends}):
            try:
                order = orders.parse(said.rate, sizes=powers.sizes, exponents=ranges)
                asked = orders.Claim(order, said.equals, tuple(where))
                exponents = _exponents(powers, order)
                holds = _holds(asked, exponents)
            except DomainError:
                return []
            if holds:
                found.append((replace(said, where=where), asked, exponents))
                break
        else:
            return []
    return found


@cache
def carried(claim: Claim) -> dict[str, dict[str, Any]]:
    r"""Return what each part of a claim that is decided needs of its conditions.

    Returns:
        Of what is said how many conditions it has, and how many the smallest set has under which
        it still holds at all exponents tried; all smallest sets in words; how many there are,
        and how many of them are proved to suffice for all exponents.

    Examples:
        >>> from rates.ledger import read_claim
        >>> text = "for n, m in {2..9}; b in [1, 2] \n if n <= m; n >= 3 \n then 1/m^b <= 1/n^b"
        >>> (found,) = carried(read_claim(text)).values()
        >>> [found[name] for name in ("conditions", "needed", "ways", "proved")]
        [2, 1, 1, 1]
        >>> found["text"]
        'needs 1 of its 2 conditions: $n \\le m$'
    """
    out = {}
    for said, asked, at in as_orders(claim):
        found = orders.needs(asked, at)
        shown = {text: f"${latex}$" for text, latex in said.where.items()}
        out[said.name] = {
            "conditions": len(found.where),
            "needed": found.least,
            "text": found.said(show=shown.__getitem__) if found.where else "has no condition",
            "ways": len(found.minimal),
            "proved": len(orders.proved(asked, found)),
        }
    return out


def decided(claim: Claim) -> bool:
    """Whether a claim is one of orders that holds exactly for all sizes, at all exponents tried.

    Examples:
        >>> from rates.ledger import entry
        >>> said = [entry(of).claims for of in ("ACC:Table1:row-1:column-4", "ACC:Eq3")]
        >>> [decided(one["printed"]) for one in said]
        [True, False]
    """
    return bool(as_orders(claim))
