"""What can be bought for a study: offers with prices, and what each adds at a given root."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.numbers import DomainError, Words, as_number, listed, safe_exp, solve_log
from rates.plan.base import Basis
from rates.plan.change import Change, on_offer
from rates.plan.needs import least, unstated
from rates.study import Server, Study

Array = NDArray[np.float64]


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


@dataclass(frozen=True, slots=True)
class Menu:
    """Amounts, costs and gains of one offer; ``kind`` is "choice", "whole" or "linear".

    ``row`` is the row that records or a budget belong to, -1 for further sites.
    """

    offer: Offer
    kind: str
    amounts: Array
    costs: Array
    gains: Array
    row: int = -1

    @property
    def price(self) -> float:
        """Cost of one unit of the amount."""
        return float(self.costs[-1] / self.amounts[-1])

    def gain(self, amount: float) -> float:
        """Return what an amount adds, of a choice the nearest step."""
        if self.kind == "choice":
            return float(self.gains[int(np.argmin(np.abs(self.amounts - amount)))])
        return float(self.gains[-1] * (amount / self.amounts[-1]))


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
    places = {name: j for j, name in enumerate(own.names)}
    units = [unit for unit, lever in on_offer().items() if not lever.further]
    seen: set[tuple[str, str]] = set()
    for offer in offers:
        if offer.kind is not None:
            continue
        if offer.site not in places:
            check_site(own.study, offer.site)
        if (offer.site, offer.what) in seen:
            rule = f"A row can have one offer of {', and one of '.join(units)}."
            raise DomainError(rule, "site", Words(offer.site), offer.label)
        seen.add((offer.site, offer.what))
    found: dict[int, Menu] = {}
    for what, lever in on_offer().items():
        asked = [i for i, offer in enumerate(offers) if offer.what == what]
        chosen = [offers[i] for i in asked]
        if lever.further:
            menus = _whole(own, u, chosen)
        else:
            menus = _stepped(own, u, lever, chosen, [places[x.site] for x in chosen], steps)
        found |= dict(zip(asked, menus, strict=True))
    return [found[i] for i in range(len(offers))]


def _whole(own: Basis, u: float, offers: Sequence[Offer]) -> list[Menu]:
    """Whole sites; more of them than are needed alone are not worth a thought."""
    if not offers:
        return []
    kinds = [replace(x.kind, name=f"offer {i}", count=1) for i, x in enumerate(offers) if x.kind]
    try:
        level, _ = own.beside(kinds).levels(u)
    except DomainError as refusal:
        # The kinds were renamed, as names may repeat: say the offer that is meant.
        labels = {f"Server {x.name!r}": offers[i].label for i, x in enumerate(kinds)}
        raise refusal.at(labels.get(refusal.where, refusal.where)) from None
    missing, out = own.missing(u), []
    for offer, log_gain in zip(offers, level.tolist(), strict=True):
        gain = min(safe_exp(log_gain), missing)
        most = offer.most if gain <= 0 else min(offer.most, missing / gain + 2.0) // 1.0
        amounts = np.array([0.0, most])
        out.append(Menu(offer, "whole", amounts, offer.price * amounts, gain * amounts))
    return out


def _stepped(
    own: Basis, u: float, lever: Change, offers: Sequence[Offer], rows: list[int], steps: int
) -> list[Menu]:
    """More of one number at each of some rows' sites.

    Steps end at the amount that is enough alone, so that prices do not depend on ``most``.
    """
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
    gains[-1] = np.where(enough, np.maximum(gains[-1], missing), gains[-1])
    out = []
    for k, (offer, server) in enumerate(zip(offers, part.servers, strict=True)):
        price = offer.price * server.count
        amounts, first = np.unique(grid[:, k], return_index=True)
        gained = gains[:, k][np.append(first[1:], len(grid)) - 1]
        gained[0] = 0.0  # up to rounding
        per = gained[-1] / amounts[-1]
        if math.isinf(server.epsilon) and np.allclose(gained, per * amounts, rtol=1e-6, atol=0.0):
            end = 2.0 * missing / per if per > 0 else math.inf
            amounts = np.array([0.0, min(offer.most, max(1e-300, end))])
            gained = np.array([0.0, min(per * offer.most, 2.0 * missing)])
            out.append(Menu(offer, "linear", amounts, price * amounts, gained, rows[k]))
        else:
            out.append(Menu(offer, "choice", amounts, price * amounts, gained, rows[k]))
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
    for some in of_row.values():
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
