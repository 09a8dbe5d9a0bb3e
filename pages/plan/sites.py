"""What sites are worth: a total split over them, one more record, the site as a whole."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator

from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.core import Block, Menu, Note, Section, Slider, Table, Text, with_lines
from pages.plan import goal as plan_goal
from pages.plan.goal import Params
from pages.plan.levers import side_by_side
from pages.plan.state import DIVIDED, MOST_ROWS, SAME
from rates import plan, split
from rates.answer import Lens
from rates.numbers import DomainError
from rates.study import Study
from sims import budgets

MOST = 8.0  # what a site gets of a total, over what it has
MOST_SPLIT, MOST_VALUED = budgets.SPLIT_ROWS, budgets.VALUED_ROWS
PRICE = (
    "Each patient is at one site, so budgets of different sites do not add up to a loss of "
    "privacy: a total of ε is a price that is paid, no promise to anyone. "
)
EVEN = (
    "Each site keeps what it has, and gets at most 8 times that. An even split gives every site "
    "the same, as far as that allows. By the rate equation many splits may be equally good; one "
    "of them is shown. "
)
OUT_OF_REACH = "out of reach"
_REACH = 10.0  # what a site can get at most, over what it has

_splits = functools.lru_cache(maxsize=32)(split.splits)
_worth = functools.lru_cache(maxsize=64)(plan.worth)


# A total split --------------------------------------------------------------------------------


def split_of(params: Params) -> tuple[split.Splits | None, str]:
    """A total split by both answers, or why there is no such split."""
    study, view, rows = params.study, params.view, len(params.study.servers)
    if rows > MOST_SPLIT:
        return None, f"A total is split over up to {MOST_SPLIT} rows here; this study has {rows:,}."
    least, most = split.bounds(study, view.divided, 1.0, MOST)
    try:
        return _splits(study, view.divided, view.total, params.lens, least=least, most=most), ""
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
    yield Note(f"{price}{EVEN}{plan_goal.bandwidth(params)}")


def split_sentence(found: split.Splits) -> str:
    """What the best split is worth, Markdown; the mechanism decides."""
    best = found.mechanism
    if best is None:
        return (
            f"**Undecided**: there is no named mechanism. {words.md(found.missing)} By the rate "
            f"equation alone the split below is worth {_times(found.equation)}."
        )
    much, lever = _amount(best.what, best.total), plan.divided()[best.what]
    much = f"A total of {f'{much} {best.what}' if lever.whole else f'{lever.letter} {much}'}"
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
    rows = sorted(zip(best.names, best.amounts, best.today, strict=True), key=lambda x: x[2] - x[1])
    more = ", ".join(
        f"{words.md(name)} {_amount(best.what, now)} → {_amount(best.what, amount)}"
        for name, amount, now in rows[:3]
        if amount > now * (1 + split.SAME)
    )
    more = more or "today's amounts"
    return (
        f"{much}, split as **{more}**, is worth "
        f"**{words.number(best.effective_n)}** effective records: {_times(best)}, and at most "
        f"{gap} below the best possible (equation: × {words.number(found.crossed)} an even split)."
        + left
    )


def _times(best: split.Split) -> str:
    even = f"× {words.number(best.effective_n / best.even)} an even split"
    return f"{even}, × {words.number(best.effective_n / best.now)} today's"


def _amount(what: str, x: float) -> str:
    return f"{x:,.0f}" if plan.divided()[what].whole else words.number(x)


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
    id="split",
    title="How is a total split best?",
    inputs=lambda _: side_by_side(
        (Menu("divided", "A total of", DIVIDED), Slider("total", "Total"))
    ),
    blocks=split_blocks,
)


# One more record ------------------------------------------------------------------------------


def exchange_blocks(params: Params) -> Iterator[Block]:
    """What one more record at each site is worth elsewhere."""
    there = words.md(params.view.reference)
    yield Table(exchange_columns(params), "Exchange rates", "exchange")
    yield Note(
        f"What one more record at a site is worth at {there}: in records there, and "
        f"in the factor on its ε that gains as much. {OUT_OF_REACH.capitalize()}: more than ten "
        f"times what {there} has today. To first order, for small changes; a row "
        f"with a count speaks for one of its sites. {plan_goal.bandwidth(params)}"
    )


def exchange_columns(params: Params) -> dict[str, list[str]]:
    """Exchange rates as columns of text, by both answers, in units that the site can reach."""
    study, reference = params.study, params.view.reference
    names = [s.name for s in study.servers][:MOST_ROWS]
    there = next(s for s in study.servers if s.name == reference)
    lens = Lens(risk=params.view.risk)
    out = {"One record at": names}
    by = {} if lens.lacks_delta(study) else {"mechanism": lens.named}
    for title, answer in (by | {"equation": lens}).items():  # narrow columns
        worth = _worth(study, lens=answer)
        rates = [worth.exchange(name, "record", reference, "record") for name in names]
        out[f"records, {title}"] = [_rate(x, there.n) for x in rates]
        if there.private:
            rates = [worth.exchange(name, "record", reference, "epsilon") for name in names]
            out[f"ε ×, {title}"] = [_times_epsilon(x, there.epsilon) for x in rates]
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
    inputs=lambda params: [
        Menu("reference", "In terms of which site?", {s.name: s.name for s in params.study.servers})
    ],
    blocks=exchange_blocks,
)


# The site as a whole --------------------------------------------------------------------------


_values = functools.lru_cache(maxsize=64)(plan.site_values)


def values_blocks(params: Params) -> Iterator[Block]:
    """What the study loses without each site, and gains by one more like it."""
    if len(params.study.servers) > MOST_VALUED:
        yield Note(
            f"With more than {MOST_VALUED:,} rows this takes minutes and is not computed; the "
            "shares under What it costs say nearly the same."
        )
        return
    yield Text(value_sentence(_values(params.study, lens=Lens(risk=params.view.risk))))
    yield with_lines(values_drawn, params.study, params.view.risk)


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
    return figures.of_values(_values(study, lens=Lens(risk=risk)))


VALUES = Section(id="values", title="What is each site worth?", blocks=values_blocks)
