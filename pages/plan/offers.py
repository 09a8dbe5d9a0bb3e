"""Sites, records and budgets on offer: a pasted table, read once and checked."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from pages.charts import words
from rates.numbers import MAX_ROWS, DomainError, Words
from rates.plan import Mix, Offer, check_site
from rates.study import Server, Study, TransferStudy, codec, tables

COLUMNS = ("offer", "name", "n", "epsilon", "delta", "signal_exponent", "count", "price", "most")
KINDS = ("sites", "records", "epsilon")
EXAMPLE = (
    "offer,name,n,epsilon,delta,signal_exponent,price,most\n"
    "sites,Basel,400,1,1e-6,0.8,3000,1\n"
    "sites,Clinic,150,4,1e-6,0.9,1000,5\n"
    "records,Cleveland,,,,,8,900"
)


@dataclass(frozen=True, slots=True)
class Offers:
    """What a table offers.

    Attributes:
        candidates: Further sites.
        priced: Everything that has a price.
        problems: What was refused of the prices, in sentences.
    """

    candidates: tuple[Server, ...]
    priced: tuple[Offer, ...]
    problems: tuple[str, ...]


def read(text: str, study: Study) -> Offers:
    """Read a table of offers.

    Args:
        text: Columns of `COLUMNS`; "offer" is sites (where it is left out), records or epsilon.
        study: The study that they are for.

    Raises:
        DomainError: The table or a site in it is refused; the message names row and field.
    """
    rows = tables.rows_from_table(text, columns=COLUMNS, required=("name",))
    if not rows:
        rule = "A table of offers holds at least one line below its header."
        raise DomainError(rule, field="offers", value=Words("a header alone"))
    asked = [_offer(row, number) for number, row in enumerate(rows, start=1)]
    sites = [_site_row(row) for row, what in zip(rows, asked, strict=True) if what == "sites"]
    found = _servers(sites, study) if sites else []
    taken = {server.name for server in study.servers}
    for server in found:
        if server.name in taken:
            rule = "A further site needs a name that no site of the study has, nor another offer."
            raise DomainError(rule, field="name", value=server.name, where="Offers")
        taken.add(server.name)
    left = iter(found)
    priced: list[Offer] = []
    problems: list[str] = []
    for number, (row, what) in enumerate(zip(rows, asked, strict=True), start=1):
        kind = next(left) if what == "sites" else None
        if "price" not in row:
            if what != "sites":
                problems.append(f"Row {number}: {what} on offer need a price.")
            continue
        try:
            if kind is None:
                check_site(study, str(row["name"]))
            priced.append(_priced(row, what, kind))
        except DomainError as refusal:
            problems.append(f"Row {number}: {refusal}")
    return Offers(tuple(found), tuple(priced), tuple(problems))


def _offer(row: Mapping[str, Any], number: int) -> str:
    what = str(row.get("offer", "sites"))
    if what not in KINDS:
        rule = f"offer must be one of {', '.join(KINDS)}."
        raise DomainError(rule, field="offer", value=what, where=f"Row {number}")
    return what


def _site_row(row: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a row that describes a site."""
    for field in codec.REQUIRED:
        if field not in row:
            rule, empty = f"A further site needs {field}.", Words("an empty cell")
            raise DomainError(rule, field=field, value=empty, where=str(row["name"])[:80])
    return {k: v for k, v in row.items() if k not in ("offer", "price", "most")}


def _servers(rows: list[dict[str, Any]], study: Study) -> list[Server]:
    """Check sites as a study's own rows are checked."""
    if isinstance(study, TransferStudy):
        target = {"name": "\u2060target", "role": "target", "n": 1, "epsilon": 1}
        parameters = {"smoothness": 0.5, "dimension": 2, "margin": 1}
        found: list[Server] = []
        for start in range(0, len(rows), MAX_ROWS - 1):  # the target takes one row
            part = [*rows[start : start + MAX_ROWS - 1], target]
            found += codec.build("transfer", parameters, part).servers[1:]
        return found
    return list(codec.build("federated", {"smoothness": 2.0}, rows).servers)


def _priced(row: Mapping[str, Any], what: str, kind: Server | None) -> Offer:
    if kind is None and "most" not in row:
        rule = f"{what} on offer need most: how much there is of it."
        raise DomainError(rule, field="most", value=Words("an empty cell"))
    return Offer(
        what=what,  # type: ignore[arg-type]
        price=_finite(row["price"]),
        most=_finite(row.get("most", kind.count if kind else math.nan)),
        site="" if kind else str(row["name"]),
        kind=replace(kind, count=1) if kind else None,
    )


def _finite(value: object) -> float:
    return math.inf if value == "inf" else float(value)  # type: ignore[arg-type]


def example(study: Study) -> str:
    """Return offers that fit a study: two sites, and records and a budget at its largest one."""
    largest = max(study.servers, key=lambda s: (s.private, s.n))
    name = largest.name.replace('"', '""')
    gamma = codec.plain(max(s.signal_exponent for s in study.servers))
    budget = f'epsilon,"{name}",,,,,400,4\n' if largest.private else ""
    return (
        "offer,name,n,epsilon,delta,signal_exponent,price,most\n"
        f"sites,Site on offer 1,400,1,1e-6,{gamma},3000,3\n"
        f"sites,Site on offer 2,150,4,1e-6,{gamma},1000,5\n"
        f'{budget}records,"{name}",,,,,8,900'
    )


_BOUGHT = {
    "sites": "{amount} like {site}",
    "records": "{amount} records at {site}",
    "epsilon": "a budget larger by {amount} at {site}",
}


def mix_text(mix: Mix, found: Offers) -> str:
    """What a mix costs and holds, and how far that is proved, Markdown."""
    parts = [
        _BOUGHT[p.what].format(amount=_amount(p.amount), site=words.md(p.site))
        + f" for {words.number(p.cost, 6)}"
        for p in mix.purchases
        if p.amount > 0
    ]
    cost = f"costs **{words.number(mix.cost, 6)}**: {'; '.join(parts)}."
    how = f"Found by {words.md(mix.method)}"
    if mix.proof == "all":
        return f"the cheapest mix {cost} {how}; no mix on offer costs less."
    if mix.proof == "steps":
        return f"the cheapest mix found {cost} {how}; a mix between the steps may cost less."
    least = "" if mix.bound <= 0 else f", at least {words.number(mix.bound, 6)} is needed"
    between = ""
    if any(offer.what != "sites" for offer in found.priced):
        between = " in mixes of whole sites and equal steps"
    return f"the best mix found {cost} {how}; not proved cheapest{least}{between}."


def _amount(x: float) -> str:
    return f"{x:,.0f}" if x.is_integer() and x < 1e12 else words.number(x, 4)
