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
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rates.answer import BY_EQUATION, Lens
from rates.numbers import DomainError, Words, as_number, listed, safe_exp, solve_log
from rates.plan.base import Array, Basis, basis, check_fraction
from rates.plan.change import Change, on_offer
from rates.plan.needs import Unreachable, least, short_of, unstated
from rates.study import Server, Study

STEPS = 20
TIME_LIMIT = 20.0  # seconds; a mix found by then is given with its bound
MAX_OFFERS = 10_000
_SLACK = 1e-9  # a mix may miss the missing amount by this part of it
_FULL = 1e-6  # what the integer programme is asked for beyond it after a near miss
MAX_STEPS = 20_000  # of all offers together
_LEAST_COST = 1e-250  # of a mix; a smaller one has no digits to compare
MAX_PRESOLVED = 1_000  # variables
_PASSES = 20  # rows whose amounts are lowered after the search
Proof = Literal["all", "steps", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something that can be bought.

    Attributes:
        what: A unit of `on_offer`: "sites" are whole further sites like ``kind``; "records",
            "epsilon" and others are more of it at each of the sites of a row.
        site: The row's name, for all but sites.
        kind: The site on offer, for sites; its count is not used.
        price: Per site, per record, or per unit of epsilon; for a row with a count for each of
            its sites.
        most: The largest number of sites or further records, or the largest increase of epsilon.

    Raises:
        DomainError: A price is not positive and finite, or an attribute is missing.

    >>> Offer(what="records", site="Cleveland", price=40, most=500).price
    40.0
    """

    what: str
    price: float
    most: float
    site: str = ""
    kind: Server | None = None

    def __post_init__(self) -> None:
        units = on_offer()
        if self.what not in units:
            *first, last = units
            rule = f"An offer must be {', '.join(first)} or {last}."
            raise DomainError(rule, "what", self.what)
        if self.lever.further != isinstance(self.kind, Server):
            rule = "An offer of sites needs a kind, and only that one."
            raise DomainError(rule, "kind", self.kind, self.label)
        price, most = as_number(self.price), as_number(self.most)
        if price is None or not 0 < price < math.inf:
            rule = (
                "A price must be positive and finite: what costs nothing belongs into the study "
                "itself, and a mix that is paid for has no cheapest form."
            )
            raise DomainError(rule, "price", self.price, self.label)
        whole = self.lever.whole
        if most is None or not 0 < most <= 1e15 or (whole and most != math.floor(most)):
            kind = "a whole number of at least 1" if whole else "positive and finite"
            raise DomainError(f"The largest amount must be {kind}.", "most", self.most, self.label)
        object.__setattr__(self, "price", float(price))
        object.__setattr__(self, "most", float(most))

    @property
    def lever(self) -> Change:
        """What is changed."""
        return on_offer()[self.what]

    @property
    def where(self) -> str:
        """The row, or the kind's name."""
        return self.kind.name if self.kind else self.site

    @property
    def label(self) -> str:
        """What the offer is called in messages."""
        return f"Offer of {self.what} at {self.where}"


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
        proof: "all": no mix on offer costs less; "steps": no mix of whole sites and the steps
            searched costs less; "none": the time was over before that was proved.
    """

    cost: float
    purchases: tuple[Purchase, ...]
    fraction: float
    covered: float
    bound: float
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
        >>> round(mix.cost, 6), mix.proof
        (700.0, 'all')

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
    if _most(menus) < missing * (1.0 - _SLACK):
        raise _too_little(own, offers, fraction)
    proof: Proof = "all"
    if all(menu.kind == "linear" for menu in menus):
        amounts, bound = _cheapest_first(menus, missing)
    else:
        amounts, bound, done = _search(menus, missing, seconds)
        if not done:
            proof = "none"
        elif len(menus) > 1 and any(menu.kind == "choice" for menu in menus):
            proof = "steps"  # of one offer the amount is exact
    gains = _gains(menus, amounts)
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
        proof=proof,
    )


def _too_little(own: Basis, offers: Sequence[Offer], fraction: float) -> Unreachable:
    """Say what all offers together would do."""
    u = reach(own, offers)
    best = float(own.fraction(u))
    text = short_of(best, fraction, "with everything on offer", ", because it carries too little")
    return Unreachable(f"{text[0].upper()}{text[1:]}.", safe_exp(min(0.0, own.power * u)))


# What every offer adds ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Menu:
    """Amounts and gains of one offer; ``kind`` is "choice", "whole" or "linear".

    Attributes:
        offer: The offer.
        kind: Steps of which one is taken, whole sites, or any part.
        row: Of what but one may be taken: the row whose term it changes; below 0 for sites.
        price: Cost of one unit of the amount.
        amounts: The steps, from 0 on; of what is no choice the ends.
        gains: What they add.
    """

    offer: Offer
    kind: str
    row: int
    price: float
    amounts: Array
    gains: Array

    def gain(self, amount: float) -> float:
        """Return what an amount adds, of a choice the nearest step."""
        if self.kind == "choice":
            return float(self.gains[int(np.argmin(np.abs(self.amounts - amount)))])
        return float(self.gains[-1] * (amount / self.amounts[-1]))


def _gains(menus: Sequence[Menu], amounts: Sequence[float]) -> list[float]:
    return [menu.gain(amount) for menu, amount in zip(menus, amounts, strict=True)]


def _most(menus: Sequence[Menu]) -> float:
    """What all offers add together, of those at one row the best."""
    best: dict[int, float] = {}
    for menu in menus:
        best[menu.row] = max(best.get(menu.row, 0.0), float(menu.gains.max()))
    return math.fsum(best.values())


def check_site(study: Study, name: str) -> None:
    """Raise `DomainError` with the names there are unless a row of the study has this one."""
    names = [server.name for server in study.servers]
    if name not in names:
        rule = f"Records and budgets on offer are for one row of the study: {listed(names, 10)}."
        raise DomainError(rule, "site", name)


def menus_of(own: Basis, u: float, offers: Sequence[Offer], steps: int) -> list[Menu]:
    """Work out what every offer adds at u, step by step.

    Two offers at one row both change its term: a mix may hold one of them.
    """
    seen: set[tuple[str, str]] = set()
    for offer in offers:
        if offer.kind is not None:
            continue
        check_site(own.study, offer.site)
        if (offer.site, offer.what) in seen:
            units = [unit for unit, lever in on_offer().items() if not lever.further]
            rule = f"A row can have one offer of {', and one of '.join(units)}."
            raise DomainError(rule, "site", Words(offer.site), offer.label)
        seen.add((offer.site, offer.what))
    found: dict[int, Menu] = {}
    for what, lever in on_offer().items():
        asked = [i for i, offer in enumerate(offers) if offer.what == what]
        if asked:
            chosen = [offers[i] for i in asked]
            of = _whole(own, u, chosen) if lever.further else _stepped(own, u, lever, chosen, steps)
            found |= dict(zip(asked, of, strict=True))
    return [found[i] for i in range(len(offers))]


def _kinds(offers: Sequence[Offer]) -> list[Server]:
    """The sites on offer, renamed as names may repeat."""
    return [replace(x.kind, name=f"offer {i}", count=1) for i, x in enumerate(offers) if x.kind]


def _whole(own: Basis, u: float, offers: Sequence[Offer]) -> list[Menu]:
    """Whole sites; more of them than are needed alone are not worth a thought."""
    try:
        level, _ = own.beside(_kinds(offers)).levels(u)
    except DomainError as refusal:
        labels = {f"Server 'offer {i}'": offer.label for i, offer in enumerate(offers)}
        raise refusal.at(labels.get(refusal.where, refusal.where)) from None
    missing, out = own.missing(u), []
    for k, (offer, log_gain) in enumerate(zip(offers, level.tolist(), strict=True)):
        gain = min(safe_exp(log_gain), missing)
        # Two more than enough: rounding may ask for one.
        most = offer.most if gain <= 0 else min(offer.most, missing / gain + 2.0) // 1.0
        amounts = np.array([0.0, most])
        out.append(Menu(offer, "whole", -1 - k, offer.price, amounts, gain * amounts))
    return out


def _stepped(
    own: Basis, u: float, lever: Change, offers: Sequence[Offer], steps: int
) -> list[Menu]:
    """More of one number at each of some rows' sites.

    Steps end at the amount that is enough alone, so that prices do not depend on ``most``.
    """
    rows = [own.names.index(offer.site) for offer in offers]
    part, missing = own.only(rows), own.missing(u)
    for offer, server in zip(offers, part.servers, strict=True):
        if unstated(lever, part, server):
            rule = "The mechanism needs delta where a budget or records are on offer."
            raise DomainError(rule, "delta", Words("nothing"), offer.label)
    most = np.array([offer.most for offer in offers])
    alone = more(lever, part, u, missing)
    enough = (alone > 0.0) & (alone <= most)
    grid = np.linspace(0.0, np.where(enough, alone, most), steps + 1)
    if lever.whole:
        grid = np.round(grid)
    gains = added(lever, part, u, grid)
    # The last step is enough alone by the exact inverse; the forward map may round it below.
    gains[-1] = np.where(enough, np.maximum(gains[-1], missing), gains[-1])
    out = []
    for k, (offer, server) in enumerate(zip(offers, part.servers, strict=True)):
        # Of a small offer rounding makes steps alike: one of each is kept, with its last gain.
        amounts, first = np.unique(grid[:, k], return_index=True)
        gained = gains[:, k][np.append(first[1:], len(grid)) - 1]
        gained[0] = 0.0  # up to rounding
        per, kind = gained[-1] / amounts[-1], "choice"
        if math.isinf(server.epsilon) and np.allclose(gained, per * amounts, rtol=1e-6, atol=0.0):
            kind, end = "linear", 2.0 * missing / per if per > 0 else math.inf
            amounts = np.array([0.0, min(offer.most, max(1e-300, end))])
            gained = np.array([0.0, min(per * offer.most, 2.0 * missing)])
        out.append(Menu(offer, kind, rows[k], offer.price * server.count, amounts, gained))
    return out


def added(lever: Change, part: Basis, u: float, amounts: Array) -> Array:
    """Return what further amounts at some rows add at u, the last axis over rows."""
    with np.errstate(all="ignore"):
        level, _ = part.levels(u, lever.change(part, lever.values(part) + amounts))
        return np.asarray(np.maximum(np.exp(level) - np.exp(part.levels(u)[0]), 0.0))


def more(lever: Change, part: Basis, u: float, gain: Array | float) -> Array:
    """Return, row by row, the least further amount that alone adds a gain at u.

    Of what is whole it is rounded up. Infinite or nan where no amount is enough.
    """
    with np.errstate(all="ignore"):
        need = np.log(gain + np.exp(part.levels(u)[0]))
    value = least(lever, part, u, need)
    if lever.whole:
        value = np.ceil(value * (1.0 - 1e-12))
    return value - lever.values(part)


def reach(own: Basis, offers: Sequence[Offer]) -> float:
    """Return log r with every offer taken in full; of some at one row that which does most."""
    of_row: dict[str, list[Offer]] = {}
    for offer in offers:
        of_row.setdefault(offer.site, []).append(offer)
    every = of_row.pop("", [])  # of sites
    for some in of_row.values():  # both change one term, so that one of them is taken
        every.append(min(some, key=lambda x: _in_full(own, [x])) if len(some) > 1 else some[0])
    return _in_full(own, every)


def _in_full(own: Basis, offers: Sequence[Offer]) -> float:
    """Log r with some offers taken in full, at most one at a row."""
    full, terms = own, []
    for what, lever in on_offer().items():
        chosen = [offer for offer in offers if offer.what == what]
        kinds = [
            replace(x.kind, name=f"offer {i}", count=1) for i, x in enumerate(chosen) if x.kind
        ]
        if kinds:
            most = np.array([offer.most for offer in chosen])
            terms.append(lever.change(own.beside(kinds), most))
        elif chosen:
            more_of = {offer.site: offer.most for offer in chosen}
            values = lever.values(own) + [more_of.get(name, 0.0) for name in own.names]
            full = full.changed(lever.change(full, values))
    return float(solve_log(full.terms.joined(*terms)))


# The search ---------------------------------------------------------------------------------------


def _cheapest_first(menus: Sequence[Menu], missing: float) -> tuple[list[float], float]:
    """A mix that takes the cheapest gain first, and its cost; right where all is linear.

    With the wrong one of two offers at a row it may not be enough: then its cost is infinite.
    """
    amounts, left, cost = [0.0] * len(menus), missing, 0.0
    used: set[int] = set()
    gains = np.array([menu.gains[-1] for menu in menus])
    with np.errstate(divide="ignore"):
        rates = np.array([menu.price * menu.amounts[-1] for menu in menus]) / gains
    for i in np.argsort(rates, kind="stable").tolist():
        menu, amount = menus[i], float(menus[i].amounts[-1])
        if menu.row in used or math.isinf(rates[i]):
            continue
        used.add(menu.row)
        if gains[i] > left and menu.kind == "choice":
            amount = float(menu.amounts[menu.gains >= left][0])
        elif gains[i] > left:
            part = amount * left / float(gains[i])
            amount = min(amount, math.ceil(part)) if menu.kind == "whole" else part
        amounts[i], cost = amount, cost + menu.price * amount
        left -= menu.gain(amount)
        if left <= 0.1 * _SLACK * missing:
            return amounts, cost
    return amounts, math.inf


def _least_cost(menus: Sequence[Menu], missing: float) -> float:
    """What it would cost if every gain came in parts at its cheapest: no mix costs less."""
    some = [menu for menu in menus if menu.gains.max() > 0]
    gains = np.array([menu.gains.max() for menu in some])
    rates = np.array([x.price / (x.gains[1:] / x.amounts[1:]).max() for x in some])
    order = np.argsort(rates, kind="stable")
    sold, cost = (np.cumsum([0.0, *x[order]]) for x in (gains, gains * rates))
    return float(np.interp(missing, sold, cost)) * (1.0 - _SLACK)


def _search(
    menus: Sequence[Menu], missing: float, seconds: float
) -> tuple[list[float], float, bool]:
    """Solve the covering knapsack; ask for a touch more if rounding left a gap.

    Returns:
        The amounts, a lower bound of the cost of any mix, and whether the amounts were proved
        the cheapest before the time was over.
    """
    start = time.perf_counter()
    amounts, bound, done = _programme(menus, missing, 1.0, seconds)
    bound = max(bound, _least_cost(menus, missing))
    if math.fsum(_gains(menus, amounts)) < missing * (1.0 - _SLACK):
        # The second search needs some time, too, if the first took it all.
        left = max(0.2 * seconds, seconds - (time.perf_counter() - start))
        amounts, _, again = _programme(menus, missing, 1.0 + _FULL, left)
        done = done and again
    return amounts, bound, done


def _programme(
    menus: Sequence[Menu], missing: float, level: float, seconds: float
) -> tuple[list[float], float, bool]:
    """Solve it as an integer programme: a number per offer, and a yes or no per step of a choice.

    The level is covered, in parts of what is missing.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    parts: list[tuple[int, float, float, float]] = []  # whose, amount and gain of one, and how many
    for i, menu in enumerate(menus):
        if menu.kind == "whole":
            many = float(menu.amounts[-1])
            parts.append((i, 1.0, float(menu.gains[-1]) / many, many))
            continue
        for amount, gain in zip(menu.amounts[1:].tolist(), menu.gains[1:].tolist(), strict=True):
            parts.append((i, amount, gain, 1.0))
            if gain >= missing:
                break  # later steps cost more and are not needed
    owner = np.array([part[0] for part in parts])
    amount, gain, upper = np.array([part[1:] for part in parts]).T
    cost = np.array([menu.price for menu in menus])[owner] * amount
    whole = np.array([menu.kind != "linear" for menu in menus])[owner]
    # No single purchase counts for more than what is missing: the bound gets tighter.
    gain = np.where(whole, np.minimum(gain / missing, level), gain / missing)
    amounts, known = _cheapest_first(menus, level * missing)
    total = known if known < math.inf else float((cost * upper).sum())
    if total < _LEAST_COST:  # nothing cheaper can be told
        return amounts, 0.0, False
    place = np.array([menu.row for menu in menus])[owner]
    _, row = np.unique(place, return_inverse=True)
    choice = np.array([menu.kind == "choice" for menu in menus])[owner]
    once = csr_array((1.0 * choice, (row, np.arange(len(row)))))
    found = milp(
        1e4 / total * cost,  # measured against a mix that is known
        integrality=whole,
        bounds=Bounds(0.0, upper),
        constraints=[LinearConstraint(gain[None], lb=level), LinearConstraint(once, ub=1.0)],
        options={
            "mip_rel_gap": 0.0,
            "time_limit": seconds,
            # The time limit does not hold inside it, and long lists spend seconds there.
            "presolve": len(parts) <= MAX_PRESOLVED,
        },
    )
    bound = max(0.0, (found.mip_dual_bound or 0.0) * total / 1e4)
    # A search cut short may have less than what is known.
    if found.x is None or float(found.fun) > 1e4 * (1.0 + 1e-9):
        return amounts, bound, False
    taken = np.where(whole, np.round(found.x), found.x) * amount
    amounts = np.bincount(owner, taken, len(menus)).tolist()
    return amounts, bound, found.status == 0


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
        for lever in on_offer().values():
            some = [i for i in bought if menus[i].offer.lever is lever and target[i] > 0]
            part, gain = own.only([menus[i].row for i in some]), [target[i] for i in some]
            for i, amount in zip(some, more(lever, part, u, np.array(gain)).tolist(), strict=True):
                wanted[i] = max(0.0, amount) if math.isfinite(amount) else amounts[i]
        saving, i = max((menus[i].price * (amounts[i] - wanted[i]), i) for i in bought)
        if not saving > 0:
            return
        there = added(menus[i].offer.lever, own.only([menus[i].row]), u, np.array([wanted[i]]))
        amounts[i], gains[i] = wanted[i], max(float(there[0]), target[i])
