"""What money buys: a total split over the sites."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, Words, as_number, rising
from rates.plan import Change, base, divided
from rates.split.search import Rows, Search
from rates.study import Study, columns

Array = NDArray[np.float64]
SAME = 1e-3  # effective samples that differ by less than this part count as equal
MOST_TOTAL = 1e15


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """The best split of a total that was found, by one answer.

    Attributes:
        what: "records" or "epsilon".
        names: The rows that take part.
        today: What each of a row's sites has today.
        amounts: What each of a row's sites gets.
        total: What there is to split.
        spent: What the split uses; less than the total where more buys nothing.
        effective_n: The study's effective sample with the split.
        even: The same if every site gets the same, as far as its bounds allow.
        now: The same today.
        gap: By how much the best possible split may exceed ``effective_n``, over it; proved.
    """

    what: str
    names: tuple[str, ...]
    today: tuple[float, ...]
    amounts: tuple[float, ...]
    total: float
    spent: float
    effective_n: float
    even: float
    now: float
    gap: float


def split(
    study: Study,
    what: str,
    total: float,
    *,
    least: float = 0.0,
    most: float = math.inf,
    lens: Lens = BY_EQUATION,
) -> Split:
    r"""Split a total over the sites so that the effective sample is largest.

    .. math:: \max n_{\mathrm{eff}}(x) \quad\text{with}\quad \sum_j w_j x_j \le W,\;
        l_j \le x_j \le h_j.

    Each patient is at one site, so budgets of different sites do not add up to a privacy loss: a
    total of epsilon is a price that is paid, with w_j the number of a row's sites.

    Args:
        study: A study.
        what: "records", of every row; or "epsilon", of every private row.
        total: W, positive.
        least: What each site of a row gets at least, over what it has today.
        most: What it gets at most, over the same; infinite for as much as the total allows.
        lens: Which risk, by which answer.

    Raises:
        DomainError: An argument lies outside its set; the total is below what the sites get at
            least; or no row has a budget.

    Examples:
        Two alike sites of equal size: by the rate equation one budget spent well beats two halves.

        >>> from rates.study import FederatedStudy, Server
        >>> rows = [Server(name=name, n=1000, epsilon=0.1) for name in "AB"]
        >>> study = FederatedStudy(servers=rows, smoothness=1)
        >>> found = split(study, "epsilon", 0.02)
        >>> sorted(round(x, 6) for x in found.amounts), found.gap < 1e-5
        ([0.0, 0.02], True)

    Source: [ACC] eq. (5) and [CCV] eq. (6) with a total; the bound is Lagrange's.
    """
    own = base.basis(study, lens)
    rows, low, high = _problem(own, what, total, least, most)
    whole, now = rows.lever.whole, rows.lever.values(rows.part)
    even = _even(rows.price, low, high, total)
    share = _even(rows.price, low, high, total, np.maximum(now, 0.0))
    known = np.stack([even, share, low])
    if whole:  # rounding must take no record
        known = np.maximum(np.floor(known * (1.0 + 1e-12)), low)
    found = Search(rows, total).run(low, high, known)
    worth = own.equation.effective_n
    ends = [float(x) for x in worth(np.array([found.u, float(rows.roots(known)[0]), own.u]))]
    return Split(
        what=what,
        names=tuple(own.names[j] for j in rows.index),
        today=tuple(now.tolist()),
        amounts=tuple(found.amounts.tolist()),
        total=float(total),
        spent=float(rows.price @ found.amounts),
        effective_n=ends[0],
        even=ends[1],
        now=ends[2],
        gap=max(0.0, math.expm1(own.equation.worth_power * (found.u - found.bound))),
    )


def today(study: Study, what: str) -> float:
    """Return what all sites have today: records, or budgets of the private sites.

    >>> from rates.presets import preset
    >>> today(preset("hospitals").study, "records"), today(preset("hospitals").study, "epsilon")
    (702.0, 4.0)
    """
    lever, c = _lever(what), columns(study.servers)
    value = np.array([lever.today(server) for server in study.servers])
    return float((c["count"] * np.where(lever.takes(c), value, 0.0)).sum())


def _lever(what: str) -> Change:
    """What is split, by its unit."""
    levers = divided()
    if what not in levers:
        raise DomainError(f"A total is of {' or of '.join(levers)}.", "what", what)
    return levers[what]


def _rows(own: base.Basis, what: str) -> Rows:
    lever = _lever(what)
    index = np.flatnonzero(lever.part(own))
    if not index.size:
        raise DomainError("No site has a budget: all are unprotected.", "epsilon", Words("inf"))
    return Rows(own=own, lever=lever, index=index, price=own.columns["count"][index])


def _problem(
    own: base.Basis, what: str, total: float, least: float, most: float
) -> tuple[Rows, Array, Array]:
    """Check a problem: the rows that take part, and the ends of each."""
    number = as_number(total)
    if number is None or not 0 < number <= MOST_TOTAL:
        rule = "A total must be a positive number, at most 1e15."
        raise DomainError(rule, "total", total)
    rows = _rows(own, what)
    for server in rows.part.servers:
        if what == "epsilon" and not own.laplace and server.delta is None:
            rule = "The mechanism needs delta for every private row."
            raise DomainError(rule, "delta", Words("nothing"), f"Server {server.name!r}")
    now, whole = np.maximum(rows.lever.values(rows.part), 0.0), rows.lever.whole
    low, high = least * now, np.full(len(now), math.inf) if math.isinf(most) else most * now
    if whole:
        low, high = np.floor(low), np.ceil(high)
    high = np.minimum(high, rows.lever.domain.high)
    need = float(rows.price @ low)
    if need > total * (1 + 1e-12):
        alone = rows.price * low
        j = int(np.argmax(alone))
        one = f"; {own.names[rows.index[j]]} alone asks for {alone[j]:g}"
        rule = f"The total is below what the sites get at least, {need:g} together"
        raise DomainError(f"{rule}{one if alone[j] > total else ''}.", "total", total)
    # What one row gets if all others get their least; rounding must take no record of it.
    alone = low + (total - need) / rows.price * (1.0 + 1e-14)
    return rows, low, np.minimum(high, np.floor(alone) if whole else alone)


def _even(price: Array, low: Array, high: Array, total: float, unit: Array | None = None) -> Array:
    """The same for every site, or the same multiple of a unit, clipped to the ends."""
    unit = np.ones(len(price)) if unit is None or not unit.any() else unit

    def over(x: Array) -> Array:
        """What multiples cost beyond the total, by their logs."""
        return np.clip(np.exp(x)[:, None] * unit, low, high) @ price - total

    (log_multiple,) = rising(over, np.log([total / float(price @ unit)]))
    return np.asarray(np.clip(np.exp(log_multiple) * unit, low, high))
