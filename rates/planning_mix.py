r"""The cheapest mix of further sites, records and budgets that reaches a rate.

The cost model: a price per site, per record, or per unit of epsilon, each in one currency, and
nothing else. At the wanted root u* every purchase adds a known amount to the left side, so the
question is a covering knapsack,

.. math:: \min \sum_i c_i(x_i) \quad\text{with}\quad \sum_i G_i(x_i) \ge 1 - \sum_j T_j(u^*).

Records at an unprotected site add in proportion, in both answers: if nothing else is on offer
the problem is linear (convex) and the cheapest gain comes first. Anything else is not convex: sites
are whole, and with privacy the gain of records grows faster than their number and that of a budget
first faster, then slower. Those offers come in equal steps, and the mix is found exactly among
these by integer programming (branch and bound).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answers import safe_exp
from rates.calibrated import DEFAULT_SERIES, SeriesConstants
from rates.gaussian import Mechanism
from rates.implicit import Terms, solve_log
from rates.inverse import Unreachable
from rates.parameters import MAX_N, DomainError, as_number
from rates.planning_base import Basis, basis, candidate_terms, row_of, rows_at
from rates.planning_goal import check_fraction
from rates.planning_levers import short_of
from rates.planning_offers import Menu, Offer, menus_of
from rates.scenario import Study

Array = NDArray[np.float64]
STEPS = 20
TIME_LIMIT = 20.0  # seconds; a mix found by then is given with its bound
MAX_OFFERS = 10_000
_SLACK = 1e-9  # a mix may miss the missing amount by this part of it
_FULL = 1e-6  # what the integer programme is asked for beyond it after a near miss
LINEAR = "linear (convex): the cheapest gain first"
INTEGER = "exact search over whole sites and equal steps (integer programming)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Purchase:
    """A part of the cheapest mix.

    Attributes:
        what: As in `Offer`.
        site: The row, or the kind's name.
        amount: Number of sites or further records, or increase of epsilon.
        cost: What it costs.
        part: Its part of what was missing.
    """

    what: str
    site: str
    amount: float
    cost: float
    part: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Mix:
    """The cheapest mix that reaches a rate.

    Attributes:
        cost: Its cost.
        purchases: What is bought, in the order of the offers.
        fraction: The rate wanted, over today's.
        covered: What the mix adds over what was missing; at least 1 up to 1e-9.
        bound: A proved lower bound of the cost of any mix on offer.
        method: Whether the problem was linear, or searched exactly.
    """

    cost: float
    purchases: tuple[Purchase, ...]
    fraction: float
    covered: float
    bound: float
    method: str


def cheapest(
    study: Study,
    offers: Sequence[Offer],
    *,
    fraction: float,
    risk: str | None = None,
    mechanism: Mechanism | None = None,
    kappa: float = 2.0,
    series: SeriesConstants = DEFAULT_SERIES,
    steps: int = STEPS,
) -> Mix:
    r"""Find the cheapest mix of offers at which the rate falls to a fraction of today's.

    Args:
        study: A study.
        offers: What can be bought, at most 10,000 offers; one per row for records and epsilon,
            as both change the same term.
        fraction: The rate wanted over today's, in (0, 1).
        risk: As in `rates.planning.needed`.
        mechanism: None for the rate equation.
        kappa: Bandwidth over r of the mechanism (transfer studies).
        series: Constants of the mechanism (federated studies).
        steps: Number of equal steps of offers that are not linear, 1 to 1,000.

    Raises:
        DomainError: An argument lies outside its set.
        Unreachable: All offers together do not reach the rate.

    Examples:
        Half the rate of a lone unprotected target asks for 7 times its records on top.

        >>> from rates.scenario import Server, TransferStudy
        >>> lone = Server(name="target", n=50, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=1, dimension=1, margin=0)
        >>> offers = [Offer(what="records", site="target", price=2, most=1000)]
        >>> mix = cheapest(study, offers, fraction=0.5)
        >>> round(mix.cost, 6), mix.method
        (700.0, 'linear (convex): the cheapest gain first')

    Source: [ACC] eq. (5) and [CCV] eq. (6) at a given root; the cost model is ours.
    """
    fraction = check_fraction(fraction)
    if not 1 <= len(offers) <= MAX_OFFERS:
        rule = f"A mix is made of 1 to {MAX_OFFERS:,} offers."
        raise DomainError(rule, field="offers", value=len(offers))
    if as_number(steps) is None or not 1 <= steps <= 1000 or steps != int(steps):
        raise DomainError("steps must be a whole number, 1 to 1,000.", field="steps", value=steps)
    own = basis(study, risk, mechanism=mechanism, kappa=kappa, series=series)
    u = own.wanted(fraction)
    here = rows_at(own, u)
    menus = menus_of(own, u, here, offers, int(steps))
    most = math.fsum(float(menu.gains.max()) for menu in menus)
    if most < here.deficit * (1.0 - _SLACK):
        raise _too_little(own, offers, fraction)
    if all(menu.kind == "linear" for menu in menus):
        amounts, bound, method = *_greedy(menus, here.deficit), LINEAR
    else:
        amounts, bound, method = *_search(menus, here.deficit), INTEGER
    return _mix(menus, amounts, here.deficit, fraction, bound, method)


def _too_little(own: Basis, offers: Sequence[Offer], fraction: float) -> Unreachable:
    """Say what all offers together would do."""
    u = float(solve_log(_everything(own, offers)))
    best = float(own.fraction(u))
    text = short_of(best, fraction, "with everything on offer", ", because it carries too little")
    return Unreachable(f"{text[0].upper()}{text[1:]}.", safe_exp(min(0.0, own.power * u)))


def _everything(own: Basis, offers: Sequence[Offer]) -> Terms:
    """The equation with every offer taken in full."""
    servers = list(own.study.servers)
    kinds, many = [], []
    for i, offer in enumerate(offers):
        if offer.kind is not None:
            kinds.append(replace(offer.kind, name=f"offer {i}", count=1))
            many.append(math.log(offer.most))
            continue
        j = row_of(own, offer.site)
        if offer.what == "records":
            servers[j] = replace(servers[j], n=min(MAX_N, servers[j].n + int(offer.most)))
        else:
            servers[j] = replace(servers[j], epsilon=servers[j].epsilon + offer.most)
    study = own.study.with_servers(servers)
    full = basis(study, own.risk, mechanism=own.mechanism, kappa=own.kappa, series=own.series)
    if not kinds:
        return full.terms
    further = candidate_terms(own, kinds)
    shape = full.terms.shape
    joined = [
        np.concatenate([np.broadcast_to(p, shape), q])
        for p, q in zip(full.terms.pieces(), further.pieces(), strict=True)
    ]
    size, budget, slope, step, sample, private = joined
    sample[shape[0] :] += many
    private[shape[0] :] += many
    return Terms(size, budget, slope, step, sample, private, smooth=full.terms.smooth)


def _greedy(menus: Sequence[Menu], deficit: float) -> tuple[list[float], float]:
    """Fill what is missing with the cheapest gain first; the bound is the cost itself."""
    rate = [m.costs[-1] / m.gains[-1] if m.gains[-1] > 0 else math.inf for m in menus]
    amounts, left, cost = [0.0] * len(menus), deficit, 0.0
    for i in np.argsort(rate, kind="stable"):
        part = min(1.0, left / menus[i].gains[-1]) if math.isfinite(rate[i]) else 0.0
        amounts[i] = part * float(menus[i].amounts[-1])
        cost += part * float(menus[i].costs[-1])
        left -= part * float(menus[i].gains[-1])
        if left <= 0:
            break
    return amounts, cost


def _search(menus: Sequence[Menu], deficit: float) -> tuple[list[float], float]:
    """Solve the covering knapsack exactly; ask for a touch more if rounding left a gap."""
    programme = _Programme(menus, deficit)
    amounts, bound = programme.solve(1.0)
    if _covered(menus, amounts, deficit) < 1.0 - _SLACK:
        amounts, _ = programme.solve(1.0 + _FULL)
    return amounts, bound


def _gain(menu: Menu, amount: float) -> float:
    if menu.kind == "choice":
        return float(menu.gains[int(np.argmin(np.abs(menu.amounts - amount)))])
    return float(menu.gains[-1] * (amount / menu.amounts[-1]))


def _covered(menus: Sequence[Menu], amounts: Sequence[float], deficit: float) -> float:
    pairs = zip(menus, amounts, strict=True)
    return math.fsum(_gain(menu, amount) for menu, amount in pairs) / deficit


class _Programme:
    """The covering knapsack: a variable per whole or linear offer, a yes or no per menu step."""

    def __init__(self, menus: Sequence[Menu], deficit: float) -> None:
        self.menus, self.deficit = menus, deficit
        self.owner: list[int] = []
        self.amount: list[float] = []
        cost: list[float] = []
        gain: list[float] = []
        upper: list[float] = []
        whole: list[int] = []
        for i, menu in enumerate(menus):
            choice = menu.kind == "choice"
            for k in range(1, len(menu.amounts)):
                # One unit of the variable: a whole menu step, one site, or a part of the offer.
                many = float(menu.amounts[k]) if menu.kind == "whole" else 1.0
                self.owner.append(i)
                self.amount.append(float(menu.amounts[k]) / many)
                cost.append(float(menu.costs[k]) / many)
                gain.append(float(menu.gains[k]) / many / deficit)
                upper.append(many)
                whole.append(0 if menu.kind == "linear" else 1)
                if choice and menu.gains[k] >= deficit:
                    break  # later steps cost more and are not needed
        self.cost, self.gain = np.array(cost), np.array(gain)
        self.upper, self.whole = np.array(upper), np.array(whole)

    def _known(self, level: float) -> float:
        """The cost of some mix that covers the level: offers in full, the cheapest gain first."""
        last = np.array([i for i, menu in enumerate(self.menus) if menu.gains.max() > 0])
        gains = np.array([self.menus[i].gains.max() for i in last]) / self.deficit
        costs = np.array([self.menus[i].costs[-1] for i in last])
        order = np.argsort(costs / gains, kind="stable")
        enough = int(np.searchsorted(np.cumsum(gains[order]), level)) + 1
        return float(costs[order][:enough].sum())

    def solve(self, level: float) -> tuple[list[float], float]:
        """Return the amounts of the cheapest mix that covers the level, and a cost bound."""
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        owner = np.array(self.owner)
        # No single purchase counts for more than what is missing: the bound gets tighter.
        gain = np.where(self.whole == 1, np.minimum(self.gain, level), self.gain)
        constraints = [LinearConstraint(gain[None, :], lb=level)]
        menu = np.flatnonzero([self.menus[i].kind == "choice" for i in self.owner])
        if menu.size:
            rows, index = np.unique(owner[menu], return_inverse=True)
            shape = (len(rows), len(owner))
            once = csr_array((np.ones(len(menu)), (index, menu)), shape=shape)
            constraints.append(LinearConstraint(once, ub=1.0))
        # Costs are measured against a mix that is known; what alone costs more is left out.
        known = self._known(level)
        dear = (self.whole == 1) & (self.cost > known * (1.0 + 1e-9))
        upper = np.where(dear, 0.0, self.upper)
        scale = 1e4 / known
        found = milp(
            scale * self.cost,
            integrality=self.whole,
            bounds=Bounds(0.0, upper),
            constraints=constraints,
            options={"mip_rel_gap": 0.0, "time_limit": TIME_LIMIT},
        )
        amounts = [float(m.amounts[-1]) for m in self.menus]  # all of it always is enough
        bound = 0.0
        if found.x is not None:
            amounts = [0.0] * len(self.menus)
            for i, unit, x, whole in zip(self.owner, self.amount, found.x, self.whole, strict=True):
                amounts[i] += unit * (round(x) if whole else float(x))
            bound = float(found.mip_dual_bound) / scale
        return amounts, bound


def _mix(
    menus: Sequence[Menu],
    amounts: Sequence[float],
    deficit: float,
    fraction: float,
    bound: float,
    method: str,
) -> Mix:
    purchases = []
    for menu, amount in zip(menus, amounts, strict=True):
        if amount > 0:
            offer = menu.offer
            per = float(menu.costs[-1] / menu.amounts[-1])
            purchases.append(
                Purchase(
                    what=offer.what,
                    site=offer.kind.name if offer.kind else offer.site,
                    amount=amount,
                    cost=per * amount,
                    part=_gain(menu, amount) / deficit,
                )
            )
    return Mix(
        cost=math.fsum(p.cost for p in purchases),
        purchases=tuple(purchases),
        fraction=fraction,
        covered=_covered(menus, amounts, deficit),
        bound=bound,
        method=method,
    )
