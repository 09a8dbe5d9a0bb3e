"""What can be bought for a study: offers with prices, and what each adds at a given root."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.numbers import (
    MAX_N,
    DomainError,
    Terms,
    Words,
    as_number,
    at_root,
    listed,
    safe_exp,
    solve_log,
)
from rates.plan.base import Basis, Rows, basis, candidate_terms, join, log_budget_of, row_of
from rates.plan.catalogue import EPSILON, N, enough
from rates.study import Server, Study

Array = NDArray[np.float64]
What = Literal["sites", "records", "epsilon"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """Something that can be bought.

    Attributes:
        what: "sites": whole further sites like ``kind``; "records": further records at each of
            the sites of a row; "epsilon": a larger budget at each of the sites of a row.
        site: The row's name, for records and epsilon.
        kind: The site on offer, for sites; its count is not used.
        price: Per site, per record, or per unit of epsilon; for a row with a count for each of
            its sites.
        most: The largest number of sites or further records, or the largest increase of epsilon.

    Raises:
        DomainError: A price is not positive and finite, or an attribute is missing.

    >>> Offer(what="records", site="Cleveland", price=40, most=500).price
    40.0
    """

    what: What
    price: float
    most: float
    site: str = ""
    kind: Server | None = None

    def __post_init__(self) -> None:
        if self.what not in ("sites", "records", "epsilon"):
            raise DomainError("An offer must be sites, records or epsilon.", "what", self.what)
        if (self.what == "sites") != isinstance(self.kind, Server):
            rule = "An offer of sites needs a kind, and only that one."
            raise DomainError(rule, "kind", self.kind, self.label)
        price, most = as_number(self.price), as_number(self.most)
        if price is None or not 0 < price < math.inf:
            rule = (
                "A price must be positive and finite: what costs nothing belongs into the study "
                "itself, and a mix that is paid for has no cheapest form."
            )
            raise DomainError(rule, "price", self.price, self.label)
        whole = self.what != "epsilon"
        if most is None or not 0 < most <= 1e15 or (whole and most != math.floor(most)):
            kind = "a whole number of at least 1" if whole else "positive and finite"
            raise DomainError(f"The largest amount must be {kind}.", "most", self.most, self.label)
        object.__setattr__(self, "price", float(price))
        object.__setattr__(self, "most", float(most))

    @property
    def label(self) -> str:
        """What the offer is called in messages."""
        return f"Offer of {self.what} at {self.kind.name if self.kind else self.site}"


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


def menus_of(own: Basis, u: float, here: Rows, offers: Sequence[Offer], steps: int) -> list[Menu]:
    """Work out what every offer adds at u, step by step.

    Records and a budget at one row both change its term: a mix may hold one of the two.
    """
    gains = _site_gains(own, u, offers)
    places = {name: j for j, name in enumerate(own.names)}
    alone: dict[str, Array] = {}
    used: set[tuple[int, str]] = set()
    out = []
    for i, offer in enumerate(offers):
        if offer.kind is not None:
            out.append(_whole(offer, gains[i], here.deficit))
            continue
        if offer.site not in places:
            check_site(own.study, offer.site)
        j = places[offer.site]
        if (j, offer.what) in used:
            rule = "A row can have one offer of records, and one of epsilon."
            raise DomainError(rule, "site", Words(offer.site), offer.label)
        used.add((j, offer.what))
        if offer.what not in alone:
            alone[offer.what] = least(own, offer.what, u, here, here.deficit)
        out.append(_row(own, here, offer, j, steps, float(alone[offer.what][j])))
    return out


def _site_gains(own: Basis, u: float, offers: Sequence[Offer]) -> dict[int, float]:
    """What one site of each kind on offer adds at u."""
    kinds = {
        i: replace(offer.kind, name=f"offer {i}", count=1)
        for i, offer in enumerate(offers)
        if offer.kind is not None
    }
    if not kinds:
        return {}
    try:
        level, _ = at_root(candidate_terms(own, list(kinds.values())), u)
    except DomainError as refusal:
        # The kinds were renamed, as names may repeat: say the offer that is meant.
        labels = {f"Server {kind.name!r}": offers[i].label for i, kind in kinds.items()}
        raise refusal.at(labels.get(refusal.where, refusal.where)) from None
    return dict(zip(kinds, [safe_exp(x) for x in level], strict=True))


def _whole(offer: Offer, gain: float, deficit: float) -> Menu:
    """Whole sites; more of them than are needed alone are not worth a thought."""
    gain = min(gain, deficit)
    most = offer.most if gain <= 0 else min(offer.most, deficit / gain + 2.0) // 1.0
    amounts = np.array([0.0, most])
    return Menu(offer, "whole", amounts, offer.price * amounts, gain * amounts)


def _row(own: Basis, here: Rows, offer: Offer, j: int, steps: int, alone: float) -> Menu:
    """Further records, or a larger budget, at each of a row's sites.

    Steps end at the amount that is enough alone, so that prices do not depend on ``most``.
    """
    server = own.servers[j]
    if offer.what == "records" and math.isinf(server.epsilon):
        per = safe_exp(float(here.sample[j]))
        end = max(1e-300, 2.0 * here.deficit / per) if per > 0 else math.inf
        amounts = np.array([0.0, min(offer.most, end)])
        gains = np.array([0.0, min(per * offer.most, 2.0 * here.deficit)])
        return Menu(offer, "linear", amounts, offer.price * amounts * server.count, gains, j)
    enough_alone = 0.0 < alone <= offer.most
    amounts = np.linspace(0.0, alone if enough_alone else offer.most, steps + 1)
    if offer.what == "records":
        amounts = np.unique(np.round(amounts))
    gains = gains_of(own, here, offer, j, amounts)
    if np.isnan(gains).any():
        rule = "The mechanism needs delta where a budget or records are on offer."
        raise DomainError(rule, "delta", Words("nothing"), offer.label)
    gains[0] = 0.0  # up to rounding
    if enough_alone:
        gains[-1] = max(gains[-1], here.deficit)
    return Menu(offer, "choice", amounts, offer.price * amounts * server.count, gains, j)


def gains_of(own: Basis, here: Rows, offer: Offer, j: int, amounts: Array) -> Array:
    """Return what amounts of records or budget at row j add; nan where a delta is missing."""
    server, one = own.servers[j], slice(j, j + 1)
    size, budget = here.size[one], here.budget[one]
    with np.errstate(all="ignore"):
        if offer.what == "records":
            size = np.log(server.n + amounts)
        else:
            budget = log_budget_of(own, server.epsilon + amounts, here.delta[one])
        level = join(
            here.sample[j] + size, here.private[j] + 2.0 * (size + budget), own.terms.smooth
        )
        gains = np.exp(np.broadcast_to(level, amounts.shape)) - np.exp(here.level[j])
    return np.asarray(np.maximum(gains, 0.0))


def least(own: Basis, what: str, u: float, here: Rows, gain: Array | float) -> Array:
    """Return, row by row, the least further records or epsilon that alone add a gain at u.

    The exact inverse; records are rounded up. Infinite or nan where no amount is enough.
    """
    if what == "epsilon":
        return enough(EPSILON, own, u, here, gain) - here.epsilon
    now = np.array([float(server.n) for server in own.servers])
    return np.asarray(np.ceil(enough(N, own, u, here, gain) * (1.0 - 1e-12)) - now)


def reach(own: Basis, offers: Sequence[Offer]) -> float:
    """Return log r with every offer taken in full; of two at one row that which does more."""
    twice: dict[str, list[Offer]] = {}
    for offer in offers:
        if offer.kind is None:
            twice.setdefault(offer.site, []).append(offer)
    worse = {
        id(max(pair, key=lambda x: float(solve_log(_everything(own, [x])))))
        for pair in twice.values()
        if len(pair) == 2
    }
    return float(solve_log(_everything(own, [x for x in offers if id(x) not in worse])))


def _everything(own: Basis, offers: Sequence[Offer]) -> Terms:
    """The equation with every offer taken in full."""
    servers = list(own.servers)
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
    full = basis(own.study.with_servers(servers), own.lens).terms
    return full.joined(candidate_terms(own, kinds).times(np.array(many))) if kinds else full
