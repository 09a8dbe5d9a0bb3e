"""What can be bought for a study: offers with prices, and what each adds at a given root."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rates.answers import safe_exp
from rates.implicit import at_root
from rates.parameters import DomainError, Words, as_number
from rates.planning_base import Basis, Rows, candidate_terms, join, log_budget_of, row_of
from rates.scenario import Server

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
            rule = "An offer must be sites, records or epsilon."
            raise DomainError(rule, field="what", value=self.what)
        if (self.what == "sites") != isinstance(self.kind, Server):
            rule = "An offer of sites needs a kind, and only that one."
            raise DomainError(rule, field="kind", value=self.kind, where=self.label)
        price, most = as_number(self.price), as_number(self.most)
        if price is None or not 0 < price < math.inf:
            rule = (
                "A price must be positive and finite: what costs nothing belongs into the study "
                "itself, and a mix that is paid for has no cheapest form."
            )
            raise DomainError(rule, field="price", value=self.price, where=self.label)
        whole = self.what != "epsilon"
        if most is None or not 0 < most <= 1e15 or (whole and most != math.floor(most)):
            kind = "a whole number of at least 1" if whole else "positive and finite"
            rule = f"The largest amount must be {kind}."
            raise DomainError(rule, field="most", value=self.most, where=self.label)
        object.__setattr__(self, "price", float(price))
        object.__setattr__(self, "most", float(most))

    @property
    def label(self) -> str:
        """What the offer is called in messages."""
        return f"Offer of {self.what} at {self.kind.name if self.kind else self.site}"


@dataclass(frozen=True, slots=True)
class Menu:
    """Amounts, costs and gains of one offer; ``kind`` is "choice", "whole" or "linear"."""

    offer: Offer
    kind: str
    amounts: Array
    costs: Array
    gains: Array


def menus_of(own: Basis, u: float, here: Rows, offers: Sequence[Offer], steps: int) -> list[Menu]:
    """Work out what every offer adds at u, step by step."""
    used: set[int] = set()
    kinds = {
        i: replace(offer.kind, name=f"offer {i}", count=1)
        for i, offer in enumerate(offers)
        if offer.kind is not None
    }
    gains: dict[int, float] = {}
    if kinds:
        level, _ = at_root(candidate_terms(own, list(kinds.values())), u)
        gains = dict(zip(kinds, [safe_exp(x) for x in level], strict=True))
    out = []
    for i, offer in enumerate(offers):
        if offer.kind is not None:
            out.append(_whole(offer, gains[i], here.deficit))
            continue
        j = row_of(own, offer.site)
        if j in used:
            rule = "A row can have one offer, of records or of epsilon: both change its term."
            raise DomainError(rule, field="site", value=Words(offer.site), where=offer.label)
        used.add(j)
        out.append(_row(own, here, offer, j, steps))
    return out


def _whole(offer: Offer, gain: float, deficit: float) -> Menu:
    """Whole sites; more of them than are needed alone are not worth a thought."""
    gain = min(gain, deficit)
    most = offer.most if gain <= 0 else min(offer.most, deficit / gain + 2.0) // 1.0
    amounts = np.array([0.0, most])
    return Menu(offer, "whole", amounts, offer.price * amounts, gain * amounts)


def _row(own: Basis, here: Rows, offer: Offer, j: int, steps: int) -> Menu:
    """Further records, or a larger budget, at each of a row's sites."""
    server = own.study.servers[j]
    one = slice(j, j + 1)
    size, budget = here.size[one], here.budget[one]
    linear = offer.what == "records" and math.isinf(server.epsilon)
    if linear:
        per = safe_exp(float(here.sample[j]))
        enough = max(1e-300, 2.0 * here.deficit / per) if per > 0 else math.inf
        amounts = np.array([0.0, min(offer.most, enough)])
        gains = np.array([0.0, min(per * offer.most, 2.0 * here.deficit)])
    else:
        amounts = np.linspace(0.0, offer.most, steps + 1)
        with np.errstate(all="ignore"):
            if offer.what == "records":
                amounts = np.unique(np.round(amounts))
                size = np.log(server.n + amounts)
            else:
                budget = log_budget_of(own, server.epsilon + amounts, here.delta[one])
            level = join(
                here.sample[j] + size, here.private[j] + 2.0 * (size + budget), own.terms.smooth
            )
            gains = np.exp(np.broadcast_to(level, amounts.shape)) - np.exp(here.level[j])
        if np.isnan(gains).any():
            rule = "The mechanism needs delta where a budget or records are on offer."
            raise DomainError(rule, field="delta", value=Words("nothing"), where=offer.label)
    costs = offer.price * amounts * server.count
    return Menu(offer, "linear" if linear else "choice", amounts, costs, np.maximum(gains, 0.0))
