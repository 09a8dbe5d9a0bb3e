"""The current study beside up to three other designs: what each is worth, and where it errs."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import streamlit as st

from pages.charts import Figure, shares, theme, words
from pages.charts import plan as figures
from pages.core import Block, Note, Section, Table, Text, address, button, with_lines
from pages.current import fields, state
from pages.plan.goal import Params
from pages.plan.state import BESIDE, PLAN
from rates import plan
from rates.answer import Causes, Lens, error_causes
from rates.numbers import DomainError
from rates.study import Study, codec

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
            raise
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
    top = max(range(1, len(own)), key=own.__getitem__)
    name, share = theme.CAUSES[top][1], own[top]
    part = "most" if share > 1.0 else words.percent(share)
    helps = any(x < -0.005 for one in found.values() for x in one.shares)
    caption = f"{MADE} {HELPS}" if helps else MADE
    title = f"{name.capitalize()}: {part} of the error"
    parts = {name: (one.error, one.shares) for name, one in found.items()}
    return shares.by_cause(parts, title=title, caption=caption)


CAUSES = Section(id="causes", title="Where the error comes from", blocks=causes_blocks)
