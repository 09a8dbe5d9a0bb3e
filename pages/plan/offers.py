"""Sites, records and budgets on offer: a pasted table, the next site, the cheapest mix."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages.charts import words
from pages.core import Block, Heading, Note, Section, Table, Text, button
from pages.current import fields, state
from pages.plan.levers import Params
from pages.plan.state import MOST_ROWS, PLAN, SAME
from rates import plan
from rates.answer import Lens
from rates.numbers import SERVER_FIELDS, DomainError, Words, plain
from rates.plan import Mix, Offer, check_site
from rates.rows import rows_from_table
from rates.study import REQUIRED, Server, Study
from sims import budgets

COLUMNS = ("offer", "name", *SERVER_FIELDS, "price", "most")
PASTE = (
    "One line per offer, with a header line. `offer` is `sites` (further ones, the default), "
    "`records` at a site of the study, or `epsilon`, a larger budget there. `price` is per site, "
    "per record or per unit of ε; nothing else costs anything, and without prices sites are ranked "
    "only. `most` is how many there are, and is required for `records` and `epsilon` (for sites it "
    "is `count` where it is left out). A mix holds records or a budget of a row, not both."
)
SECONDS = budgets.SEARCH_SECONDS

_next = functools.lru_cache(maxsize=16)(plan.best_next)
_cheapest = functools.lru_cache(maxsize=16)(plan.cheapest)


@dataclass(frozen=True, slots=True)
class Offers:
    """What a table offers.

    Attributes:
        candidates: Further sites.
        priced: Everything that has a price.
    """

    candidates: tuple[Server, ...]
    priced: tuple[Offer, ...]


def read(text: str, study: Study) -> Offers:
    """Read a table of offers.

    Args:
        text: Columns of `COLUMNS`; "offer" is sites (where it is left out), records or epsilon.
        study: The study that they are for.

    Raises:
        DomainError: The table, a site or a price in it is refused; the message names row and field.
    """
    rows = rows_from_table(text, columns=COLUMNS, required=("name",))
    if not rows:
        rule = "A table of offers holds at least one line below its header."
        raise DomainError(rule, field="offers", value=Words("a header alone"))
    found: list[Server] = []
    priced: list[Offer] = []
    for number, row in enumerate(rows, start=1):
        what = str(row.get("offer", "sites"))
        if what not in (units := plan.on_offer()):
            rule = f"offer must be one of {', '.join(units)}."
            raise DomainError(rule, field="offer", value=what, where=f"Row {number}")
        kind = _site(row) if units[what].further else None
        found += [kind] if kind else []
        if kind and "price" not in row:
            continue  # without prices sites are ranked only
        try:
            priced.append(_priced(row, what, kind, study))
        except DomainError as refusal:
            raise refusal.at(f"Row {number}") from None
    study.with_servers([*study.servers, *found])  # each with a name and a signal that it may have
    return Offers(tuple(found), tuple(priced))


def _site(row: Mapping[str, Any]) -> Server:
    """The site that a row describes."""
    for field in REQUIRED:
        if field not in row:
            rule, empty = f"A further site needs {field}.", Words("an empty cell")
            raise DomainError(rule, field=field, value=empty, where=str(row["name"])[:80])
    given: dict[str, Any] = {k: row[k] for k in SERVER_FIELDS if k in row}
    if given["epsilon"] == "inf":  # as a study's file says it
        given["epsilon"] = math.inf
    return Server(name=row["name"], **given)


def _priced(row: Mapping[str, Any], what: str, kind: Server | None, study: Study) -> Offer:
    if kind is None:
        check_site(study, str(row["name"]))
        for field in ("price", "most"):
            if field not in row:
                rule, empty = f"{what} on offer need {field}.", Words("an empty cell")
                raise DomainError(rule, field=field, value=empty)
    return Offer(
        what=what,
        price=float(row["price"]),
        most=float(row.get("most", kind.count if kind else math.nan)),
        site="" if kind else str(row["name"]),
        kind=replace(kind, count=1) if kind else None,
    )


def example(study: Study) -> str:
    """Return offers that fit a study: two sites, and records and a budget at its largest one."""
    largest = max(study.servers, key=lambda s: (s.private, s.n))
    name = largest.name.replace('"', '""')
    gamma = plain(max(s.signal_exponent for s in study.servers))
    budget = f'epsilon,"{name}",,,,,400,4\n' if largest.private else ""
    return (
        "offer,name,n,epsilon,delta,signal_exponent,price,most\n"
        f"sites,Site on offer 1,400,1,1e-6,{gamma},3000,3\n"
        f"sites,Site on offer 2,150,4,1e-6,{gamma},1000,5\n"
        f'{budget}records,"{name}",,,,,8,900'
    )


# The table ------------------------------------------------------------------------------------


def _ask(params: Params) -> None:
    """Ask for a table; its box is open while there is none."""
    some, usual = bool(params.view.offers), example(params.study)
    icon = ":material/content_paste:"
    with st.popover("Paste offers", icon=icon) if some else st.container(border=True):
        st.markdown(PASTE)
        st.text_area("Offers to paste", key="plan_pasted", height=180, placeholder=usual)
        button("Use these offers", "plan_use_offers", _take)
        button("Use the example", "plan_use_example", _take, usual)
        fields.problem("plan_offers")
    if some:
        button("Forget the offers", "plan_forget", functools.partial(PLAN.change, offers=""))


def _take(text: str | None = None) -> None:
    """Take over a table: what was pasted, where none is given."""
    text = st.session_state.get("plan_pasted", "") if text is None else text

    def use() -> None:
        read(text, state.current())
        PLAN.change(offers=text)

    fields.take("plan_offers", use)


_read = functools.lru_cache(maxsize=16)(read)


def offers_of(params: Params) -> tuple[Offers | None, str]:
    """Return what is on offer, or why it cannot be read; neither where nothing was pasted."""
    if not params.view.offers:
        return None, ""
    try:
        return _read(params.view.offers, params.study), ""
    except DomainError as refusal:
        return None, str(refusal)


def offers_blocks(params: Params) -> Iterator[Block]:
    """What is on offer: the next site, and the cheapest mix."""
    found, refusal = offers_of(params)
    if refusal:
        yield Note(words.plain(refusal), "error")
    if found is None:
        return
    if found.candidates:
        yield Heading("The next site", small=True)
        yield from _next_blocks(params, found)
    yield Heading("The cheapest mix", small=True)
    if not found.priced:
        yield Note("Nothing on the list has a price.")
    elif params.goal.aim is None:
        yield Note("A mix needs a goal that can be said.")
    else:
        yield from map(Text, mix_sentences(params, found))


# The next site --------------------------------------------------------------------------------


def ranking(params: Params, found: Offers) -> tuple[plan.NextSite, ...]:
    """Rank the candidates."""
    return _next(params.study, found.candidates, lens=Lens(risk=params.view.risk))


def _next_blocks(params: Params, found: Offers) -> Iterator[Block]:
    try:
        ranked = ranking(params, found)
    except DomainError as error:
        yield Note(words.plain(error), "error")
        return
    yield Text(next_sentence(ranked))
    yield Table(next_columns(ranked), "Sites on offer, best first", "offers")
    if len(ranked) > MOST_ROWS:
        yield Note(f"The best {MOST_ROWS} of {len(ranked):,}.")


def next_sentence(ranked: tuple[plan.NextSite, ...]) -> str:
    """Which site comes next, Markdown; the mechanism decides."""
    exact = min(ranked, key=lambda x: x.rank)
    stated = [x for x in ranked if x.rank_mechanism]
    if not stated:
        return f"By the rate equation alone, as a δ is missing: {_first(exact, exact.fraction)}."
    best = min(stated, key=lambda x: x.rank_mechanism)
    named, beside = _first(best, best.fraction_mechanism), _first(exact, exact.fraction)
    if best is exact and best.fraction_mechanism < 1.0 - SAME:
        beside = f"the same, with {_times(exact.fraction)}"
    return f"Next: {named} (equation: {beside})."


def _first(site: plan.NextSite, fraction: float) -> str:
    if fraction >= 1.0 - SAME:
        return "nothing on the list changes anything"
    many = f" (all {site.count:,} sites)" if site.count > 1 else ""
    return f"**{words.md(site.name)}**{many}, with {_times(fraction)}"


def _times(fraction: float) -> str:
    shown = words.number(fraction)
    if shown == "1":
        return "a rate that is lower by less than 0.1%"
    return f"a rate of × {shown} of today's"


def next_columns(ranked: tuple[plan.NextSite, ...]) -> dict[str, list[str]]:
    """The candidates as columns of text, best first."""
    # What the mechanism cannot rank, for want of a δ, comes last, in the equation's order.
    best = sorted(ranked, key=lambda x: (not x.rank_mechanism, x.rank_mechanism, x.rank))
    rows = best[:MOST_ROWS]
    counts = {"Sites at once": [f"{x.count:,}" for x in rows]}
    return {
        "Site on offer": [x.name for x in rows],
        **(counts if any(x.count > 1 for x in ranked) else {}),
        "Rate, mechanism": [
            f"× {words.number(x.fraction_mechanism, 4)}" if x.rank_mechanism else "needs δ"
            for x in rows
        ],
        "Rate, equation": [f"× {words.number(x.fraction, 4)}" for x in rows],
    }


# The cheapest mix -----------------------------------------------------------------------------


def mix_sentences(params: Params, found: Offers) -> list[str]:
    """The cheapest mix by both answers, or why there is none, Markdown; the mechanism first."""
    out, lens = [], params.lens
    for by, answer, fraction in (
        ("named mechanism", lens.named, params.fraction),
        ("rate equation", lens, params.by_equation),
    ):
        if fraction is None or fraction >= 1:
            out.append(f"**By the {by}** nothing has to be bought: the goal is reached.")
            continue
        how = {"fraction": fraction, "lens": answer, "seconds": SECONDS}
        try:
            text = mix_text(_cheapest(params.study, found.priced, **how))
        except (DomainError, plan.Unreachable) as refusal:
            text = f"there is none: {words.md(str(refusal))}"
        out.append(f"**By the {by}** {text}")
    return out


def mix_text(mix: Mix) -> str:
    """What a mix costs and holds, and how far that is proved, Markdown."""
    parts = [
        plan.on_offer()[p.what].bought.format(amount=_amount(p.amount), site=words.md(p.site))
        + f" for {words.number(p.cost, 6)}"
        for p in mix.purchases
    ]
    cost = f"costs **{words.number(mix.cost, 6)}**: {'; '.join(parts)}."
    if mix.proof == "all":
        return f"the cheapest mix {cost} No mix on offer costs less."
    if mix.proof == "steps":
        return (
            f"the cheapest mix found {cost} No mix of whole sites and equal steps costs less; one "
            "between the steps may."
        )
    least = f", of at least {words.number(mix.bound, 6)}" if mix.bound > 0 else ""
    return f"the best mix found {cost} The time was over before a cheapest{least} was proved."


def _amount(x: float) -> str:
    return f"{x:,.0f}" if x.is_integer() and x < 1e12 else words.number(x, 4)


OFFERS = Section(id="offers", title="Sites on offer", inputs=_ask, blocks=offers_blocks)
