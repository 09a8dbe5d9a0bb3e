r"""The cheapest mix of further sites, records and budgets that reaches a rate.

The cost model: a price per site, per record, or per unit of epsilon, each in one currency, and
nothing else. At the wanted root u* every purchase adds a known amount to the left side, so the
question is a covering knapsack,

.. math:: \min \sum_i c_i(x_i) \quad\text{with}\quad \sum_i G_i(x_i) \ge 1 - \sum_j T_j(u^*).

Records at an unprotected site add in proportion, in both answers: if nothing else is on offer
the problem is linear (convex) and the cheapest gain comes first. Anything else is not convex: sites
are whole, and with privacy the gain of records grows faster than their number and that of a budget
first faster, then slower. Those offers come in equal steps up to the amount that is enough alone,
and the cheapest mix of steps is found by integer programming (branch and bound). What the steps
buy too much is then taken off by the exact inverse. Between the steps a mix may cost less still.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, as_number, safe_exp
from rates.plan.base import Basis, basis, check_fraction
from rates.plan.needs import Unreachable, short_of
from rates.plan.offers import Menu, Offer, added, menus_of, more, reach
from rates.study import Study

Array = NDArray[np.float64]
STEPS = 20
TIME_LIMIT = 20.0  # seconds; a mix found by then is given with its bound
MAX_OFFERS = 10_000
_SLACK = 1e-9  # a mix may miss the missing amount by this part of it
_FULL = 1e-6  # what the integer programme is asked for beyond it after a near miss
MAX_STEPS = 20_000  # of all offers together
_LEAST_COST = 1e-250  # of a mix; a smaller one has no digits to compare
MAX_PRESOLVED = 1_000  # variables
_PASSES = 20  # rows whose amounts are lowered after the search
LINEAR = "linear (convex): the cheapest gain first"
ALONE = "closed form: the least amount of the only offer"
SITES = "exact search over whole sites (integer programming)"
STEPPED = (
    "exact search over whole sites and {steps} equal steps of records and budgets with privacy "
    "(integer programming), amounts then lowered to the exact remainder"
)
STOPPED = "a search that was stopped after {seconds:g} s"
NOTHING = "taking the cheapest gain first, as a search of {seconds:g} s found nothing better"
Proof = Literal["all", "steps", "none"]


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
        bound: A proved lower bound of the cost of any mix of whole sites and the steps searched.
        method: How it was found.
        proof: "all": no mix on offer costs less; "steps": no mix of whole sites and the steps
            searched costs less; "none": the time was over before that was proved.
    """

    cost: float
    purchases: tuple[Purchase, ...]
    fraction: float
    covered: float
    bound: float
    method: str
    proof: Proof


def cheapest(
    study: Study,
    offers: Sequence[Offer],
    *,
    fraction: float,
    lens: Lens = BY_EQUATION,
    steps: int = STEPS,
    seconds: float = TIME_LIMIT,
) -> Mix:
    r"""Find the cheapest mix of offers at which the rate falls to a fraction of today's.

    Args:
        study: A study.
        offers: What can be bought, at most 10,000 offers; one of records and one of epsilon per
            row, of which a mix holds one, as both change the same term.
        fraction: The rate wanted over today's, in (0, 1).
        lens: Which risk, by which answer.
        steps: Number of equal steps of offers that are not linear, 1 to 1,000; fewer where
            there are so many of these offers that they would have more than 20,000 together.
        seconds: Time for the search; the best mix found by then is returned.

    Raises:
        DomainError: An argument lies outside its set.
        Unreachable: All offers together do not reach the rate.

    Examples:
        Half the rate of a lone open target asks for 7 times its records on top.

        >>> from rates.study.scenario import Server, TransferStudy
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
        raise DomainError(f"A mix is made of 1 to {MAX_OFFERS:,} offers.", "offers", len(offers))
    if as_number(steps) is None or not 1 <= steps <= 1000 or steps != int(steps):
        raise DomainError("steps must be a whole number, 1 to 1,000.", "steps", steps)
    if as_number(seconds) is None or not 0 < seconds < math.inf:
        raise DomainError("seconds must be positive and finite.", "seconds", seconds)
    own = basis(study, lens)
    u = own.wanted(fraction)
    missing = own.missing(u)
    rows = sum(offer.kind is None for offer in offers)
    steps = max(1, min(int(steps), MAX_STEPS // max(1, rows)))
    menus = menus_of(own, u, offers, steps)
    most = math.fsum(_best_of_rows(menus).values())
    if most < missing * (1.0 - _SLACK):
        raise _too_little(own, offers, fraction)
    proof: Proof = "all"
    if all(menu.kind == "linear" for menu in menus):
        amounts, bound, _ = _greedy(menus, missing)
        method = LINEAR
    else:
        amounts, bound, found = _search(menus, missing, seconds)
        stepped = any(menu.kind == "choice" for menu in menus)
        if found != "proved":
            method = (STOPPED if found == "stopped" else NOTHING).format(seconds=seconds)
            proof = "none"
        elif len(menus) == 1 and stepped:
            method = ALONE
        elif stepped:
            method, proof = STEPPED.format(steps=steps), "steps"
        else:
            method = SITES
    gains = [menu.gain(amount) for menu, amount in zip(menus, amounts, strict=True)]
    _lower(own, u, menus, amounts, gains)
    purchases = tuple(
        Purchase(
            what=menu.offer.what,
            site=menu.offer.where,
            amount=amount,
            cost=menu.price * amount,
            part=gain / missing,
        )
        for menu, amount, gain in zip(menus, amounts, gains, strict=True)
        if amount > 0
    )
    cost = math.fsum(purchase.cost for purchase in purchases)
    return Mix(
        cost=cost,
        purchases=purchases,
        fraction=fraction,
        covered=math.fsum(gains) / missing,
        bound=min(bound, cost),  # the steps' bound, where a remainder costs less than a step
        method=method,
        proof=proof,
    )


def _best_of_rows(menus: Sequence[Menu]) -> dict[int, float]:
    """The largest gain of every row, by its index; of every offer of sites, by one below 0."""
    best: dict[int, float] = {}
    for i, menu in enumerate(menus):
        key = menu.row if menu.row >= 0 else -1 - i
        best[key] = max(best.get(key, 0.0), float(menu.gains.max()))
    return best


def _too_little(own: Basis, offers: Sequence[Offer], fraction: float) -> Unreachable:
    """Say what all offers together would do."""
    u = reach(own, offers)
    best = float(own.fraction(u))
    text = short_of(best, fraction, "with everything on offer", ", because it carries too little")
    return Unreachable(f"{text[0].upper()}{text[1:]}.", safe_exp(min(0.0, own.power * u)))


def _greedy(menus: Sequence[Menu], deficit: float) -> tuple[list[float], float, float]:
    """Fill what is missing with the cheapest gain first, in parts: amounts, cost, last price.

    Right for linear offers; for all others only the cost matters, which no mix falls below.
    """
    rate = [_cheapest_gain(menu) for menu in menus]
    amounts, left, cost, last = [0.0] * len(menus), deficit, 0.0, 0.0
    for i in np.argsort(rate, kind="stable"):
        if math.isinf(rate[i]):
            break
        gain = float(menus[i].gains.max())
        part = min(1.0, left / gain)
        amounts[i] = part * float(menus[i].amounts[-1])
        cost, last = cost + part * gain * rate[i], rate[i]
        left -= part * gain
        if left <= 0:
            break
    return amounts, cost, last


def _cheapest_gain(menu: Menu) -> float:
    """The least cost per gain; infinite where nothing is gained."""
    some = menu.gains > 0
    return float((menu.costs[some] / menu.gains[some]).min()) if some.any() else math.inf


def _search(
    menus: Sequence[Menu], deficit: float, seconds: float
) -> tuple[list[float], float, str]:
    """Solve the covering knapsack; ask for a touch more if rounding left a gap.

    The last part is "proved", "stopped" (by the time limit), or "nothing" (found by then).
    """
    start = time.perf_counter()
    _, simple, last = _greedy(menus, deficit)
    simple *= 1.0 - _SLACK
    programme = _Programme(menus, deficit, last)
    amounts, bound, found = programme.solve(1.0, seconds)
    if _covered([m.gain(x) for m, x in zip(menus, amounts, strict=True)], deficit):
        return amounts, max(bound, simple), found
    left = max(0.2 * seconds, seconds - (time.perf_counter() - start))
    amounts, _, again = programme.solve(1.0 + _FULL, left)
    return amounts, max(bound, simple), again if found == "proved" else found


def _covered(gains: Sequence[float], deficit: float) -> bool:
    return math.fsum(gains) >= deficit * (1.0 - _SLACK)


def _lower(
    own: Basis, u: float, menus: Sequence[Menu], amounts: list[float], gains: list[float]
) -> None:
    """Take off what the steps buy too much, at the row where that saves most, in place."""
    missing = own.missing(u)
    bought = [i for i, menu in enumerate(menus) if menu.kind == "choice" and amounts[i] > 0]
    for _ in bought[:_PASSES]:
        spare = math.fsum(gains) - missing
        if spare <= _SLACK * missing:
            return
        target = {i: max(0.0, gains[i] - spare) for i in bought}
        wanted = dict.fromkeys(bought, 0.0)
        for lever in {menus[i].offer.lever.name: menus[i].offer.lever for i in bought}.values():
            some = [i for i in bought if menus[i].offer.lever is lever and target[i] > 0]
            part = own.only([menus[i].row for i in some])
            exact = more(lever, part, u, np.array([target[i] for i in some]))
            for i, amount in zip(some, exact.tolist(), strict=True):
                wanted[i] = max(0.0, amount) if math.isfinite(amount) else amounts[i]
        saving, i = max((menus[i].price * (amounts[i] - wanted[i]), i) for i in bought)
        if not saving > 0:
            return
        there = added(menus[i].offer.lever, own.only([menus[i].row]), u, np.array([[wanted[i]]]))
        amounts[i], gains[i] = wanted[i], max(float(there[0, 0]), target[i])


class _Programme:
    """The covering knapsack: a variable per whole or linear offer, a yes or no per menu step."""

    def __init__(self, menus: Sequence[Menu], deficit: float, price: float) -> None:
        self.menus, self.deficit = menus, deficit
        self.price = price * deficit  # of a gain, at the margin of the relaxed problem
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
        self.choice = np.array([menus[i].kind == "choice" for i in self.owner])
        rows = [menu.row for menu in menus]
        self.place = np.array([j if j >= 0 else -1 - i for i, j in enumerate(rows)])[self.owner]
        self.twice = len({j for j in rows if j >= 0}) < sum(j >= 0 for j in rows)

    def _known(self, level: float) -> tuple[list[float], float]:
        """Some mix that covers the level, the cheapest gain first, and its cost."""
        amounts = [0.0] * len(self.menus)
        last = np.array([i for i, menu in enumerate(self.menus) if menu.gains.max() > 0])
        gains = np.array([self.menus[i].gains.max() for i in last])
        costs = np.array([self.menus[i].costs[-1] for i in last])
        left, cost = level * self.deficit, 0.0
        used: set[int] = set()
        for k in np.argsort(costs / gains, kind="stable"):
            menu = self.menus[last[k]]
            if menu.row >= 0 and menu.row in used:
                continue
            used.add(menu.row)
            amount = float(menu.amounts[-1])
            if menu.kind == "choice":
                steps = np.flatnonzero(menu.gains >= left)
                amount = float(menu.amounts[steps[0]]) if steps.size else amount
            elif gains[k] > left:
                part = amount * left / float(gains[k])
                amount = min(amount, math.ceil(part)) if menu.kind == "whole" else part
            amounts[last[k]] = amount
            cost += menu.price * amount
            left -= menu.gain(amount)
            if left <= 0:
                return amounts, cost
        # With the wrong one of two offers at a row it may not be enough: then nothing is known.
        return amounts, math.inf if self.twice else cost

    def _useful(self, gain: Array, level: float, known: float) -> NDArray[np.intp]:
        """Variables that a mix at most as dear as a known one may hold.

        With every gain sold at one price the cost of a mix splits into its parts, and the least
        sum of parts is a lower bound (Lagrange); what lifts that beyond the known cost is out.
        """
        over = self.cost - self.price * gain
        part = np.zeros(len(self.menus))
        np.minimum.at(part, self.owner, np.where(self.choice, over, over * self.upper))
        rest = self.price * level + part.sum() - part[self.owner]
        most = known * (1.0 + 1e-9)
        out = (rest + over > most) & (self.choice | (over > 0)) | (self.cost > most)
        return np.flatnonzero(~out | (self.whole == 0))

    def solve(self, level: float, seconds: float) -> tuple[list[float], float, str]:
        """Return the amounts of the cheapest mix that covers the level, a cost bound, and how.

        The last part is as in `_search`.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        # No single purchase counts for more than what is missing: the bound gets tighter.
        gain = np.where(self.whole == 1, np.minimum(self.gain, level), self.gain)
        # Costs are measured against a mix that is known; what cannot be in a cheaper one is out.
        amounts, known = self._known(level)
        use = self._useful(gain, level, known)
        total = known if known < math.inf else float((self.cost * self.upper).sum())
        if not use.size or total < _LEAST_COST:  # nothing cheaper can be told
            return amounts, 0.0, "nothing"
        constraints = [LinearConstraint(gain[None, use], lb=level)]
        menu = np.flatnonzero(self.choice[use])
        if menu.size:
            rows, index = np.unique(self.place[use][menu], return_inverse=True)
            once = csr_array((np.ones(len(menu)), (index, menu)), shape=(len(rows), len(use)))
            constraints.append(LinearConstraint(once, ub=1.0))
        scale = 1e4 / total
        found = milp(
            scale * self.cost[use],
            integrality=self.whole[use],
            bounds=Bounds(0.0, self.upper[use]),
            constraints=constraints,
            options={
                "mip_rel_gap": 0.0,
                "time_limit": seconds,
                # The time limit does not hold inside it, and long lists spend seconds there.
                "presolve": len(use) <= MAX_PRESOLVED,
            },
        )
        least_cost = found.mip_dual_bound
        bound = 0.0
        if least_cost is not None and math.isfinite(least_cost):
            bound = max(0.0, float(least_cost) / scale)
        # A search cut short may have less than what is known.
        if found.x is None or float(found.fun) > 1e4 * (1.0 + 1e-9):
            return amounts, bound, "nothing"
        amounts = [0.0] * len(self.menus)
        for k, x in zip(use, found.x, strict=True):
            amounts[self.owner[k]] += self.amount[k] * (round(x) if self.whole[k] else float(x))
        return amounts, bound, "proved" if found.status == 0 else "stopped"
