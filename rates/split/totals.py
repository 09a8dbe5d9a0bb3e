"""What money buys: a total split over the sites, and the cost of an effective sample."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, Words, as_number, frame, rising, safe_exp
from rates.plan import Change, Mix, Offer, Unreachable, base, cheapest, divided, reach
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Splits:
    """A total split by both answers; the mechanism is planned with.

    Attributes:
        equation: By the rate equation.
        mechanism: By the named mechanism; None where a delta is missing.
        crossed: The mechanism's split by the rate equation, over the even split by it.
        missing: Why there is no mechanism answer; empty where there is one.
    """

    equation: Split
    mechanism: Split | None
    crossed: float
    missing: str

    @property
    def better(self) -> bool:
        """Whether the mechanism's split beats an even one by the mechanism."""
        best = self.mechanism
        return best is not None and best.effective_n > best.even * (1 + SAME)


def today(study: Study, what: str) -> float:
    """Return what all sites have today: records, or budgets of the private sites.

    >>> from rates.presets import preset
    >>> today(preset("hospitals").study, "records"), today(preset("hospitals").study, "epsilon")
    (702.0, 4.0)
    """
    lever, c = _lever(what), columns(study.servers)
    value = np.array([lever.today(server) for server in study.servers])
    return float((c["count"] * np.where(lever.takes(c), value, 0.0)).sum())


def splits(study: Study, what: str, total: float, lens: Lens, **ends: float) -> Splits:
    """Split a total by both answers; arguments as for `split`.

    Raises:
        DomainError: As for `split`.

    >>> from rates.presets import preset
    >>> both = splits(preset("hospitals").study, "epsilon", 8, Lens(), least=1)
    >>> both.better, round(both.mechanism.effective_n / both.mechanism.even, 2)
    (True, 1.9)
    """
    equation = split(study, what, total, lens=lens.plain, **ends)
    try:
        base.basis(study, lens.named)
    except DomainError as refusal:
        return Splits(
            equation=equation,
            mechanism=None,
            crossed=math.nan,
            missing=str(refusal),
        )
    mechanism = split(study, what, total, lens=lens.named, **ends)
    own = base.basis(study, lens.plain)
    root = _rows(own, mechanism.what).roots(np.array(mechanism.amounts))
    crossed = float(own.equation.effective_n(root)) / equation.even
    return Splits(
        equation=equation,
        mechanism=mechanism,
        crossed=1.0 if abs(crossed - 1.0) < 1e-9 else crossed,
        missing="",
    )


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


# What an effective sample costs: the cheapest mix at some multiples of today's --------------------

POINTS = 8
SECONDS = 3.0  # for all points together
_INSIDE = 0.999  # of the reach, in the log: at the end itself rounding may lose a record


@dataclass(frozen=True, slots=True, kw_only=True)
class FrontierPoint:
    """One point: an effective sample, and the cheapest mix that gives it.

    Attributes:
        effective_n: The effective sample wanted.
        multiple: The same over today's.
        mix: What is bought for it.
    """

    effective_n: float
    multiple: float
    mix: Mix


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontier:
    """Cost against effective sample, by one answer.

    Attributes:
        now: The effective sample today.
        most: The same with everything on offer.
        points: From the smallest to the largest; each has its own proof.
        stopped: Whether the time was over before all points were looked at.
    """

    now: float
    most: float
    points: tuple[FrontierPoint, ...]
    stopped: bool

    def to_frame(self) -> Any:
        """Return a row for each point as a pandas table; cost in the unit of the prices."""
        return frame(
            {
                "effective sample (unprotected records)": [x.effective_n for x in self.points],
                "effective sample over today's": [x.multiple for x in self.points],
                "cost (unit of the prices)": [x.mix.cost for x in self.points],
            }
        )


def frontier(
    study: Study,
    offers: Sequence[Offer],
    *,
    lens: Lens = BY_EQUATION,
    points: int = POINTS,
) -> Frontier:
    """Find the cheapest mix at equal steps of the log of the effective sample.

    Args:
        study: A study.
        offers: What can be bought, as for `rates.plan.cheapest`.
        lens: Which risk, by which answer.
        points: How many points.

    Raises:
        DomainError: As for `rates.plan.cheapest`.

    Examples:
        A lone open target pays for each further effective record with one record.

        >>> from rates.study import Server, TransferStudy
        >>> lone = Server(name="target", n=100, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=1, dimension=1, margin=0)
        >>> offers = [Offer(what="records", site="target", price=2, most=300)]
        >>> line = frontier(study, offers, points=2)
        >>> [(round(p.effective_n, 1), round(p.mix.cost, 1)) for p in line.points]
        [(199.9, 199.7), (399.4, 598.9)]

    Source: as `rates.plan.cheapest`; the cost model is ours.
    """
    own = base.basis(study, lens)
    furthest = own.equation.worth_power * (own.u - reach(own, offers))
    now = float(own.equation.effective_n(np.asarray(own.u)))
    found: list[FrontierPoint] = []
    end, stopped = time.perf_counter() + SECONDS, False
    for k in range(1, points + 1) if furthest > 1e-9 else ():
        left = end - time.perf_counter()
        if left <= 0:
            stopped = True
            break
        log_multiple = _INSIDE * furthest * k / points
        fraction = safe_exp(-log_multiple * own.power / own.equation.worth_power)
        try:
            mix = cheapest(study, offers, fraction=fraction, lens=lens, seconds=left)
        except Unreachable:  # what does more alone may do less among the others
            break
        multiple = safe_exp(log_multiple)
        found.append(FrontierPoint(effective_n=now * multiple, multiple=multiple, mix=mix))
    return Frontier(now=now, most=now * safe_exp(furthest), points=tuple(found), stopped=stopped)
