"""What sites are worth: a budget raised, a total split, one more record, the site as a whole."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator
from dataclasses import dataclass

import streamlit as st

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import Block, Menu, Note, Section, Slider, Table, Text, controls, with_lines
from pages.current import fields
from pages.plan import goal as plan_goal
from pages.plan.goal import Params
from pages.plan.state import MOST_ROWS, PLAN, SAME
from rates import plan, split
from rates.answer import Lens
from rates.numbers import DomainError, budgets
from rates.study import Study, TransferStudy

MOST_SPLIT, MOST_VALUED = budgets.SPLIT_ROWS, budgets.VALUED_ROWS
DIVIDED = {"epsilon": "Paid budgets ε", "records": "Records"}
PRICE = (
    "Each patient is at one site, so budgets of different sites do not add up to a loss of "
    "privacy: a total of ε is a price that is paid, no promise to anyone. "
)
EVEN = (
    "An even split gives every site the same, as far as its least and its most allow. By the rate "
    "equation many splits may be equally good; one of them is shown. "
)
OUT_OF_REACH = "out of reach"
_REACH = 10.0  # what a site can get at most, over what it has

_rises = functools.lru_cache(maxsize=64)(split.rises)
_splits = functools.lru_cache(maxsize=32)(split.splits)
_worth = functools.lru_cache(maxsize=64)(plan.worth)


# One budget raised ----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Raised:
    """One budget raised: with the middle one of the mechanism's constants, and with each."""

    middle: split.Rise
    each: tuple[split.Rise, ...]

    @property
    def part(self) -> str:
        """What is gained over today's effective records."""
        parts = [x.part for x in self.each]
        if max(parts) < 0.001:
            return _part(max(parts))
        if min(parts) < 0.001:
            return f"up to {_part(max(parts))}"
        return words.extremes(parts, _part)

    @property
    def gain(self) -> str:
        """What is gained in effective records."""
        return words.extremes([x.gain for x in self.each])


def rises_of(params: Params) -> tuple[Raised, ...]:
    """One budget raised after the other, over the mechanism's constants; the most gained first."""
    study, factor, risk = params.study, params.view.raised, params.risk
    kappas = params.goal.kappas if isinstance(study, TransferStudy) else params.goal.kappas[:1]
    each = [_rises(study, factor, lens=Lens(risk=risk, kappa=kappa)) for kappa in kappas]
    by = [{x.site: x for x in found} for found in each]
    middle = list(by[len(by) // 2].items())[:MOST_ROWS]
    return tuple(Raised(rise, tuple(one[name] for one in by)) for name, rise in middle)


def raised_blocks(params: Params) -> Iterator[Block]:
    """What a larger budget buys, site by site."""
    if (rows := len(params.study.servers)) > budgets.RANGE_ROWS:
        yield Text(
            f"One budget after the other is raised for up to {budgets.RANGE_ROWS:,} rows; "
            f"this one has {rows:,}."
        )
        return
    found = rises_of(params)
    yield Text(rise_sentence(found, params.view.raised))
    if found:
        yield Table(rise_columns(found), "One budget raised", "raised")
        yield Note(
            "One budget is raised, all else stays: effective records gained, and what they are of "
            "today's: by the named mechanism over its constants, and by the rate equation."
        )


def rise_sentence(found: tuple[Raised, ...], factor: float = 2.0) -> str:
    """What the first of them gains, Markdown; the mechanism decides."""
    if not found:
        return "No site has a budget that could be raised."
    first, top = found[0], max(found, key=lambda x: x.middle.part_equation).middle
    one, best = first.middle, _part(top.part_equation)
    times = "doubling its ε" if factor == 2 else f"× {words.number(factor)} its ε"
    if math.isnan(one.gain):
        return (
            f"By the rate equation alone, as a δ is missing: **{words.md(top.site)}**: {times} "
            f"gains {best}."
        )
    text = (
        f"**{words.md(one.site)}**: {times} (from {words.number(one.epsilon)} to "
        f"{words.number(one.raised)}) gains **{first.part}** with today's method, "
        f"{first.gain} effective records"
    )
    if one.part_equation < split.SAME:
        text += "; a better method might not need it"
    else:
        text += f" (equation: {_part(one.part_equation)})"
    if top.site != one.site and top.part_equation >= split.SAME:
        text += f". By the equation **{words.md(top.site)}** gains most, {best}"
    return f"{text}."


def _part(x: float) -> str:
    """A part of the answer, which may exceed it."""
    return words.percent(x) if x >= 0.001 else "less than 0.1%" if x > 0 else "nothing"


def rise_columns(found: tuple[Raised, ...]) -> dict[str, list[str]]:
    """Budgets raised as columns of text."""
    rows = [x.middle for x in found]
    out = {
        "Raise ε at": [x.site for x in rows],
        "from, to": [f"{words.number(x.epsilon)} → {words.number(x.raised)}" for x in rows],
    }
    if not any(math.isnan(x.gain) for x in rows):
        out["Records gained"] = [x.gain for x in found]
        out["Mechanism"] = [x.part for x in found]
    return out | {"Equation": [_part(x.part_equation) for x in rows]}


RAISED = Section(
    id="raised",
    title="What does a larger budget buy, site by site?",
    inputs=(Slider("raised", "Budget of one site multiplied by"),),
    blocks=raised_blocks,
)


# A total split --------------------------------------------------------------------------------


def _ask_total(params: Params) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        controls.draw(
            PLAN,
            Menu("divided", "A total of", DIVIDED),
            Slider("total", "Total", now=total_of(params)),
            Slider("least", "Each site at least, × today"),
            Slider("most", "Each site at most, × today"),
        )


def total_of(params: Params) -> float:
    """The total asked for: twice today's where none has been named."""
    return params.view.total or split.today(params.study, params.view.divided) * 2.0 or 1.0  # type: ignore[arg-type]


def split_of(params: Params) -> tuple[split.Splits | None, str]:
    """A total split by both answers, or why there is no such split."""
    study, view, rows = params.study, params.view, len(params.study.servers)
    if rows > MOST_SPLIT:
        return None, f"A total is split over up to {MOST_SPLIT} rows here; this study has {rows:,}."
    least, most = split.bounds(study, view.divided, view.least, view.most)  # type: ignore[arg-type]
    total = total_of(params)
    try:
        return _splits(study, view.divided, total, params.lens, least=least, most=most), ""
    except DomainError as refusal:
        return None, str(refusal)


def split_blocks(params: Params) -> Iterator[Block]:
    """The best split of a total."""
    found, refusal = split_of(params)
    if found is None:
        yield Note(words.plain(refusal), "info")
        return
    yield Text(split_sentence(found))
    yield Table(split_columns(found), "A total split over the sites", "split")
    price = PRICE if found.equation.what == "epsilon" else ""
    yield Note(f"{price}{EVEN}{plan_goal.bandwidth(params.study, params.goal.kappa)}")


def split_sentence(found: split.Splits) -> str:
    """What the best split is worth, Markdown; the mechanism decides."""
    best = found.mechanism
    if best is None:
        return (
            f"**Undecided**: there is no named mechanism. {words.md(found.missing)} By the rate "
            f"equation alone the split below is worth {_times(found.equation)}."
        )
    much = _amount(best.what, best.total)
    much = f"A total of {much} records" if best.what == "records" else f"A total of ε {much}"
    left = ""
    if best.spent < best.total * (1 - 1e-3):
        spent = _amount(best.what, best.spent)
        left = f" Only {spent} of it is used: every site has its most."
    gap = "0.1%" if best.gap < 0.001 else words.percent(best.gap)
    if not found.better:
        return (
            f"{much}: **no split beats an even one** by more than 0.1% with today's method; the "
            f"best possible is at most {gap} above what was found.{left}"
        )
    other = f"× {words.number(found.crossed)} an even split"
    if abs(found.crossed - 1) <= split.SAME:
        other = "as much as an even split"
    return (
        f"{much}, split as **{_main(best)}**, is worth **{words.number(best.effective_n)}** "
        f"effective records: {_times(best)}, and at most {gap} below the best possible "
        f"(equation: {other}).{_less(best)}{left}"
    )


def _less(best: split.Split) -> str:
    """Who gets less than today, where the bounds allow it."""
    rows = zip(best.names, best.amounts, best.today, strict=True)
    less = [words.md(name) for name, amount, now in rows if amount < now * (1 - split.SAME)]
    return f" Less than today: {words.names(less)}." if less else ""


def _main(best: split.Split) -> str:
    """The sites that get most beyond today's, in words."""
    more = sorted(zip(best.names, best.amounts, best.today, strict=True), key=lambda x: x[2] - x[1])
    named = [
        f"{words.md(name)} {_amount(best.what, now)} → {_amount(best.what, amount)}"
        for name, amount, now in more[:3]
        if amount > now * (1 + split.SAME)
    ]
    return ", ".join(named) or "today's amounts"


def _times(best: split.Split) -> str:
    even = f"× {words.number(best.effective_n / best.even)} an even split"
    return f"{even}, × {words.number(best.effective_n / best.now)} today's"


def _amount(what: str, x: float) -> str:
    return f"{x:,.0f}" if what == "records" else words.number(x)


def split_columns(found: split.Splits) -> dict[str, list[str]]:
    """A split as columns of text, with what it is worth in the last row."""
    one, last = found.equation, {"Site": "Effective records", "Today": ""}
    columns = {"Site": list(one.names), "Today": [_amount(one.what, x) for x in one.today]}
    for title, best in (("Mechanism", found.mechanism), ("Equation", one)):
        if best is not None:
            columns[title] = [_amount(one.what, x) for x in best.amounts]
            last[title] = words.number(best.effective_n)
    return {title: [*cells[:MOST_ROWS], last[title]] for title, cells in columns.items()}


SPLIT = Section(
    id="split", title="How is a total split best?", inputs=_ask_total, blocks=split_blocks
)


# One more record ------------------------------------------------------------------------------


def _ask_reference(params: Params) -> None:
    names = {s.name: s.name for s in params.study.servers}
    now = plan_goal.chosen(params.reference, names)
    fields.choose("plan_reference", "In terms of which site?", names, now)


def exchange_blocks(params: Params) -> Iterator[Block]:
    """What one more record at each site is worth elsewhere."""
    study = params.study
    reference = plan_goal.chosen(params.reference, (s.name for s in study.servers))
    yield Table(exchange_columns(study, params.risk, reference), "Exchange rates", "exchange")
    there = words.md(reference)
    yield Note(
        f"What one more record at a site is worth at {there}: in records there, and "
        f"in the factor on its ε that gains as much. {OUT_OF_REACH.capitalize()}: more than ten "
        f"times what {there} has today. To first order, for small changes; a row "
        f"with a count speaks for one of its sites. {plan_goal.bandwidth(study)}"
    )


def exchange_columns(study: Study, risk: str, reference: str) -> dict[str, list[str]]:
    """Exchange rates as columns of text, by both answers, in units that the site can reach."""
    names = [s.name for s in study.servers][:MOST_ROWS]
    there = next(s for s in study.servers if s.name == reference)
    lens = Lens(risk=risk)
    out = {"One record at": names}
    for by, answer in (("mechanism", lens.named), ("equation", lens)):  # narrow columns
        try:
            worth = _worth(study, lens=answer)
        except DomainError:
            if by == "equation":
                raise
            continue
        rates = [worth.exchange(name, "record", reference, "record") for name in names]
        out[f"records, {by}"] = [_rate(x, there.n) for x in rates]
        if there.private:
            rates = [worth.exchange(name, "record", reference, "epsilon") for name in names]
            out[f"ε ×, {by}"] = [_times_epsilon(x, there.epsilon) for x in rates]
    return out


def _rate(x: float, now: float) -> str:
    if math.isnan(x):
        return "-"
    return words.number(x) if x <= _REACH * max(now, 1.0) else OUT_OF_REACH


def _times_epsilon(x: float, now: float) -> str:
    """The factor on a budget that goes with more units of it."""
    if math.isnan(x):
        return "-"
    factor = plan.factor_of(x, now)
    if factor > _REACH:
        return OUT_OF_REACH
    return f"× {words.number(factor, 4)}" if factor >= 1.0001 else "× 1, less than 0.01% more"


EXCHANGE = Section(
    id="exchange",
    title="What is one more record worth, and where?",
    inputs=_ask_reference,
    blocks=exchange_blocks,
)


# The site as a whole --------------------------------------------------------------------------


@functools.lru_cache(maxsize=64)
def values_of(study: Study, risk: str) -> tuple[plan.SiteValue, ...]:
    """Return the value of every site; none where computing them takes minutes."""
    if len(study.servers) > MOST_VALUED:
        return ()
    return plan.site_values(study, lens=Lens(risk=risk))


def values_blocks(params: Params) -> Iterator[Block]:
    """What the study loses without each site, and gains by one more like it."""
    found = values_of(params.study, params.risk)
    if not found:
        yield Note(
            f"With more than {MOST_VALUED:,} rows this takes minutes and is not computed; the "
            "shares on the page Study say nearly the same."
        )
        return
    yield Text(value_sentence(found))
    yield with_lines(values_drawn, params.study, params.risk)
    yield Table(value_columns(found), "Value of each site", "values")
    rest = len(found) - MOST_ROWS
    left = f"The {rest:,} rows that matter least are left out. " if rest > 0 else ""
    yield Note(f"{left}{plan_goal.bandwidth(params.study)}")


def value_sentence(found: tuple[plan.SiteValue, ...]) -> str:
    """Without whom most is lost, Markdown; the mechanism decides."""
    least = min(found, key=lambda x: x.kept)
    first = figures.ranked(found)[0]
    who = f"{words.md(least.name)}, {words.percent(1.0 - least.kept)}"
    if math.isnan(first.kept_mechanism):
        return f"**Undecided**: without a δ there is the rate equation alone, which names {who}."
    beside = words.percent(1.0 - first.kept)
    if first.kept > least.kept * (1.0 + SAME):
        beside = f"{beside}, and most without {who}"
    return (
        f"Without **{words.md(first.name)}** most is lost: "
        f"**{words.percent(1.0 - first.kept_mechanism)}** of the effective sample "
        f"(equation: {beside})."
    )


def values_drawn(study: Study, risk: str) -> Figure:
    """The value of each site of a study."""
    return figures.of_values(values_of(study, risk))


def value_columns(found: tuple[plan.SiteValue, ...]) -> dict[str, list[str]]:
    """The value of each site as columns of text, the most valuable first."""
    rows = figures.ranked(found)[:MOST_ROWS]
    out = {"Site": [x.name for x in rows]}
    if not any(math.isnan(x.kept_mechanism) for x in rows):
        out["Without, mechanism"] = [words.percent(x.kept_mechanism) for x in rows]
        out["One more, mechanism"] = [f"× {words.number(x.joined_mechanism)}" for x in rows]
    out["Without, equation"] = [words.percent(x.kept) for x in rows]
    out["One more, equation"] = [f"× {words.number(x.joined)}" for x in rows]
    return out


VALUES = Section(id="values", title="What is each site worth?", blocks=values_blocks)
