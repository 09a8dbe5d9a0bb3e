"""What sites and whole designs are worth, and where the error comes from."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import streamlit as st

from pages.charts import Figure, shares, theme, words
from pages.charts import plan as figures
from pages.core import Block, Menu, Note, Section, Slider, Table, Text, address, button, with_lines
from pages.current import fields, state
from pages.plan.levers import Params, bandwidth, side_by_side
from pages.plan.state import BESIDE, DIVIDED, MOST_ROWS, PLAN, SAME
from rates import plan, split
from rates.answer import Causes, Lens, error_causes
from rates.numbers import DomainError
from rates.study import Study, codec
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
    try:
        return _splits(study, view.divided, view.total, params.lens, least=1.0, most=MOST), ""
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
    yield Note(f"{price}{EVEN}{bandwidth(params)}")


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
    # Less than all of it is spent where every site has its most.
    if best.spent < best.total * (1 - 1e-3):
        spent = _amount(best.what, best.spent)
        left = f" Only {spent} of it is used: every site has its most."
    gap = "0.1%" if best.gap < 0.001 else words.percent(best.gap)
    if not found.better:
        return (
            f"{much}: **no split beats an even one** by more than 0.1% with today's method; the "
            f"best possible is at most {gap} above what was found.{left}"
        )
    # Those that gain most come first: three of them are named.
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
        f"with a count speaks for one of its sites. {bandwidth(params)}"
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


LETTERS = "ABCD"
EQUAL = "the designs are equally good, within 1%"
RULE = (
    "Planned with today's method, over its constants. In brackets the rate equation: the best that "
    "any method could do, up to a constant."
)
MOST_CHANGES = 8
_FIELD = {"n": "n", "epsilon": "ε", "delta": "δ", "signal_exponent": "γ", "count": "sites"}

_curve = functools.lru_cache(maxsize=256)(plan.versus_curve)


@dataclass(frozen=True, slots=True, kw_only=True)
class Designs:
    """Two to four designs of one problem.

    Attributes:
        studies: Design A, then the others: their sites, with the parameters of A.
        equation: Effective sample of each by the rate equation.
        mechanism: Effective sample of each by the named mechanism, once for each of its constants;
            nan where a delta is missing.
    """

    studies: tuple[Study, ...]
    equation: tuple[float, ...]
    mechanism: tuple[tuple[float, ...], ...]

    @property
    def names(self) -> tuple[str, ...]:
        """What the designs are called."""
        return tuple(f"Design {letter}" for letter in LETTERS[: len(self.studies)])

    @property
    def named(self) -> bool:
        """Whether there is an answer by the mechanism."""
        return not math.isnan(self.mechanism[0][0])

    def worth(self, k: int) -> str:
        """Effective records of one design by the mechanism, over its constants."""
        return words.extremes([row[k] for row in self.mechanism])


def studies(study: Study, others: tuple[Study, ...]) -> tuple[Study, ...]:
    """Return the designs of one problem: the sites of all, with the parameters of the first.

    Raises:
        DomainError: One is of the other kind.
    """
    for letter, other in zip(LETTERS[1:], others, strict=False):
        if type(other) is not type(study):
            rule = (
                f"Design {letter} is of the other kind: a classifier and a curve have no common "
                "measure."
            )
            raise DomainError(rule)
    return (study, *(study.with_servers(other.servers) for other in others))


def designs(params: Params) -> Designs | None:
    """Compare the designs; None where there is none beside the study.

    Raises:
        DomainError: They cannot be compared.
    """
    study, risk, others = params.study, params.view.risk, params.view.others
    if not others:
        return None
    every = studies(study, others)
    lenses = Lens(risk=risk).at_widths(study)
    found = [_curve(every, (1.0,), lens=lens) for lens in lenses]
    return Designs(
        studies=every,
        equation=tuple(float(line[0]) for line in found[0].equation),
        mechanism=tuple(tuple(float(line[0]) for line in one.mechanism) for one in found),
    )


# Which designs --------------------------------------------------------------------------------


def _ask(params: Params) -> None:
    """Ask for the designs beside the study."""
    many = len(params.view.others)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if many == len(BESIDE):
            st.caption("Four designs are compared: take one away to add another.")
        else:
            letter = LETTERS[many + 1]
            button(f"Keep this study as design {letter}", "plan_keep", _keep, many, state.current())
            with st.popover(f"Link as design {letter}"):
                st.text_input("Link of another study", key="plan_other_link")
                button("Use this link", "plan_use_link", _use_link)
                fields.problem("plan_link")
        if many:
            button(f"No design {LETTERS[many]}", "plan_drop", _keep, many - 1)
        else:
            st.caption(
                "Keep this study as a design and change it under What it costs, or open an example "
                "there; up to three stand beside it."
            )


def _keep(first: int, *more: Study) -> None:
    """Let others stand beside the study: the first of those that do, and more."""
    view = PLAN.get()
    PLAN.change(**view.beside([*view.others[:first], *more]))


def _use_link() -> None:
    text = st.session_state.get("plan_other_link", "")
    fields.take("plan_link", lambda: _keep(len(BESIDE), opened(text)))


def opened(text: str) -> Study:
    """Return the study of a link, whole or only what stands after ``study=``.

    Raises:
        DomainError: There is none in it.
    """
    rule = "A link of this app holds a study after study=."
    given = address.part(text, state.PARAMETER, rule)
    try:
        return codec.from_link(given)
    except DomainError as refusal:
        if refusal.field != "file":
            raise  # it is a study, and the refusal says what is wrong with it
        raise DomainError(rule, field="link", value=given) from None  # neither form of a study


def blocks(params: Params) -> Iterator[Block]:
    """The designs in words, as a table, and along one change."""
    try:
        found = designs(params)
    except DomainError as refusal:
        yield Note(words.plain(refusal), "error")
        return
    if found is None:
        return
    yield Text(sentence(found))
    yield Table(columns(found), "The designs", "designs")
    yield Text(changed(found))
    if found.studies[1:] != params.view.others:
        yield Note(
            "A design that was stated with other parameters is compared under those of this "
            "study: unknown constants cancel only within one problem."
        )
    yield with_lines(designs_drawn, found.studies, params.view.risk)
    yield Note(RULE)


def sentence(found: Designs) -> str:
    """Which design is better, or why none is named, Markdown; the mechanism decides."""
    equation = _order(found)
    if not found.named:
        return f"By the rate equation alone, as a δ is missing, {equation}."
    best, beside = plan.leader(found.mechanism), f"(equation: {equation})"
    if len(best) == len(found.names):
        return f"By today's method {EQUAL} {beside}."
    if not best:
        firsts = [found.names[worth.index(max(worth))] for worth in found.mechanism]
        texts = dict.fromkeys(f"**{name}**" for name in firsts)
        return (
            "**Undecided**: the constants of today's method decide. Over them "
            f"{' or '.join(texts)} comes first {beside}."
        )
    worth = f"**{found.worth(best[0])}** effective records"
    if len(best) > 1:
        names = " and ".join(f"**{found.names[k]}**" for k in best)
        return f"{names} are best, within 1% of each other: {worth} {beside}."
    others = [max(x for k, x in enumerate(row) if k != best[0]) for row in found.mechanism]
    pairs = zip(found.mechanism, others, strict=True)
    times = [row[best[0]] / x if x else math.inf for row, x in pairs]
    more = "many" if math.isinf(max(times)) else words.extremes(times)
    return f"**{found.names[best[0]]}** is best: worth {worth}, {more} times the next {beside}."


def _order(found: Designs) -> str:
    """Which designs come first by the rate equation, in words."""
    first = [found.names[k] for k in plan.firsts(found.equation)]
    if len(first) == len(found.names):
        return EQUAL
    are = "is best" if len(first) == 1 else "are best, within 1%"
    return f"{' and '.join(first)} {are}"


def changed(found: Designs) -> str:
    """The rows in which each design differs from A, Markdown."""
    parts = []
    for name, study in zip(found.names[1:], found.studies[1:], strict=True):
        rows = plan.differences(found.studies[0], study)
        texts = [_change(row) for row in rows[:MOST_CHANGES]]
        if len(rows) > MOST_CHANGES:
            texts.append(f"{len(rows) - MOST_CHANGES:,} more")
        parts.append(f"- **{name}** against A: {'; '.join(texts) or 'no row differs'}.")
    return "\n".join(parts)


def _change(row: plan.Difference) -> str:
    name = words.md(row.site)
    if row.field == "row":
        gone = row.second is None
        return f"{name} {'left out' if gone else f'added, {row.second:,.0f} records'}"
    values = [_value(row.field, x) for x in (row.first, row.second)]
    return f"{name}: {_FIELD[row.field]} {values[0]} → {values[1]}"


def _value(field: str, x: float | None) -> str:
    if x is None:
        return "not stated"
    return f"{x:,.0f}" if field in ("n", "count") else words.number(x)


def columns(found: Designs) -> dict[str, list[str]]:
    """The designs as columns of text."""
    out = {"Quantity": ["Sites", "Records", "Effective, equation", "Effective, mechanism"]}
    for k, (name, study) in enumerate(zip(found.names, found.studies, strict=True)):
        out[name] = [
            f"{sum(s.count for s in study.servers):,}",
            f"{sum(s.count * s.n for s in study.servers):,}",
            words.number(found.equation[k]),
            found.worth(k) if found.named else "needs every δ",
        ]
    return out


def designs_drawn(studies: tuple[Study, ...], risk: str) -> Figure:
    """Some designs of one problem along a common factor on every budget.

    Raises:
        DomainError: They cannot be compared.
    """
    curve = _curve(studies, state.FACTORS, lens=Lens(risk=risk))
    crossings = [*curve.crossings, *curve.crossings_mechanism]
    title = "By neither answer does the lead change"
    if crossings:
        title = f"The lead changes at × {words.number(crossings[0])}"
    return figures.designs(
        curve,
        label="Every ε multiplied by",
        title=title,
        caption="Design A has no marks on its lines. × 1 is the designs as stated. "
        + _leads(curve.crossings, "rate equation")
        + _leads(curve.crossings_mechanism, "named mechanism"),
    )


def _leads(crossings: tuple[float, ...], by: str) -> str:
    if not crossings:
        return ""
    places = ", ".join(f"× {words.number(x)}" for x in crossings)
    return f"By the {by} the lead changes at {places}. "


DESIGNS = Section(id="designs", title="Designs side by side", inputs=_ask, blocks=blocks)


# Where the error comes from -------------------------------------------------------------------

THIS = "This study"
MADE = (
    "The causes do not simply add up, so the parts are Shapley shares: what a cause adds to the "
    "error on average over all orders in which causes come in. A cause that is out means, at the "
    "same bandwidth and weights: every ε infinite; no chance in the records; no blur; weaker "
    "sources as clear as the target. Bias is about half by construction: the mechanism takes the "
    "bandwidth at which bias equals noise."
)
HELPS = "Left of zero: a cause without which the error would be larger."

_causes = functools.lru_cache(maxsize=128)(error_causes)


def causes_of(
    study: Study, risk: str, others: tuple[Study, ...]
) -> tuple[dict[str, Causes], dict[str, str]]:
    """Return the causes of the error by the named mechanism, and why some designs have none.

    Of a study, of the same without privacy, and of others, by what they are called.
    """
    names = (f"Design {letter}" for letter in LETTERS[1:])
    same = {name: x for name, x in zip(names, others, strict=False) if type(x) is type(study)}
    every = {THIS: study, "Without privacy": study.unprotected(), **same}
    found, refused = {}, {}
    for name, design in every.items():
        try:
            found[name] = _causes(study.with_servers(design.servers), Lens(risk=risk))
        except DomainError as error:
            refused[name] = str(error)
    return found, refused


def causes_blocks(params: Params) -> Iterator[Block]:
    """Where the error of the study and of other designs comes from."""
    given = params.study, params.view.risk, params.view.others
    found, refused = causes_of(*given)
    if THIS in found:
        yield with_lines(causes_drawn, *given)
    for name, why in refused.items():
        yield Note(f"{words.md(name)} has no bar: {words.md(why)}")


def causes_drawn(study: Study, risk: str, others: tuple[Study, ...]) -> Figure:
    """Where the error of a study and of other designs comes from."""
    return causes_figure(causes_of(study, risk, others)[0])


def causes_figure(found: Mapping[str, Causes]) -> Figure:
    """One bar per design; bias is half of it whatever the study, so that the title names another.

    A part of more than all of it makes up for a cause that makes the error smaller.
    """
    own = found[THIS].shares
    # Bias is about half of it by construction, so the largest of the others is news.
    top = max(range(1, len(own)), key=own.__getitem__)
    name, share = theme.CAUSES[top][1], own[top]
    part = "most" if share > 1.0 else words.percent(share)
    helps = any(x < -0.005 for one in found.values() for x in one.shares)
    caption = f"{MADE} {HELPS}" if helps else MADE
    title = f"{name.capitalize()}: {part} of the error"
    parts = {name: (one.error, one.shares) for name, one in found.items()}
    return shares.by_cause(parts, title=title, caption=caption)


CAUSES = Section(id="causes", title="Where the error comes from", blocks=causes_blocks)
