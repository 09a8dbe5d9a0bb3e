"""A total split over the sites, another design beside the study, where the error comes from."""

from __future__ import annotations

import functools
from collections.abc import Iterator

import streamlit as st

from pages.charts import Figure, shares, theme, words
from pages.core import Block, Menu, Note, Section, Slider, Table, Text, address, button, with_lines
from pages.current import fields, state
from pages.plan.levers import Params, bandwidth, side_by_side
from pages.plan.state import DIVIDED, MOST_ROWS, PLAN
from rates import plan, split
from rates.answer import Lens, equation, error_causes
from rates.numbers import DomainError
from rates.split import SAME, Split
from rates.study import Server, Study, codec
from sims import budgets

MOST = 8.0  # what a site gets of a total, over what it has
MOST_SPLIT = budgets.SPLIT_ROWS
PRICE = (
    "Each patient is at one site, so budgets of different sites do not add up to a loss of "
    "privacy: a total of ε is a price that is paid, no promise to anyone. "
)
EVEN = (
    "Each site keeps what it has, and gets at most 8 times that. An even split gives every site "
    "the same, as far as that allows. By the rate equation many splits may be equally good; one "
    "of them is shown. "
)

_split = functools.lru_cache(maxsize=64)(split.split)


# A total split --------------------------------------------------------------------------------


def split_of(params: Params) -> tuple[Split, Split | None]:
    """Return a total split by the rate equation, and by the mechanism where no δ is missing.

    Raises:
        DomainError: There is no such split.
    """
    study, view, rows = params.study, params.view, len(params.study.servers)
    if rows > MOST_SPLIT:
        rule = f"A total is split over up to {MOST_SPLIT} rows here; this study has {rows:,}."
        raise DomainError(rule)
    lenses = [params.lens] if params.lens.lacks_delta(study) else [params.lens, params.lens.named]
    found = [
        _split(study, view.divided, view.total, least=1.0, most=MOST, lens=lens) for lens in lenses
    ]
    return found[0], found[1] if len(found) > 1 else None


def split_blocks(params: Params) -> Iterator[Block]:
    """The best split of a total."""
    try:
        exact, named = split_of(params)
    except DomainError as refusal:
        yield Note(words.plain(refusal), "info")
        return
    yield Text(split_sentence(exact, named))
    yield Table(split_columns(exact, named), "A total split over the sites", "split")
    price = PRICE if exact.what == "epsilon" else ""
    yield Note(f"{price}{EVEN}{bandwidth(params)}")


def split_sentence(exact: Split, named: Split | None) -> str:
    """What the best split is worth, Markdown; the mechanism decides."""
    best, lever = named or exact, plan.divided()[exact.what]
    much = _amount(best.what, best.total)
    much = f"A total of {f'{much} {best.what}' if lever.whole else f'{lever.letter} {much}'}"
    if named is None:
        much = f"By the rate equation alone, as a δ is missing: a{much[1:]}"
    left = ""
    # Less than all of it is spent where every site has its most.
    if best.spent < best.total * (1 - 1e-3):
        spent = _amount(best.what, best.spent)
        left = f" Only {spent} of it is used: every site has its most."
    gap = "0.1%" if best.gap < 0.001 else words.percent(best.gap)
    if best.effective_n <= best.even * (1 + SAME):
        return (
            f"{much}: **no split beats an even one** by more than 0.1%; the best possible is at "
            f"most {gap} above what was found.{left}"
        )
    # Those that gain most come first: three of them are named.
    rows = sorted(zip(best.names, best.amounts, best.today, strict=True), key=lambda x: x[2] - x[1])
    more = ", ".join(
        f"{words.md(name)} {_amount(best.what, now)} → {_amount(best.what, amount)}"
        for name, amount, now in rows[:3]
        if amount > now * (1 + SAME)
    )
    more = more or "today's amounts"
    beside = f" (equation, split for it: {_times(exact)})" if named else ""
    return (
        f"{much}, split as **{more}**, is worth "
        f"**{words.number(best.effective_n)}** effective records: {_times(best)}, and at most "
        f"{gap} below the best possible{beside}.{left}"
    )


def _times(best: Split) -> str:
    even = f"× {words.number(best.effective_n / best.even)} an even split"
    return f"{even}, × {words.number(best.effective_n / best.now)} today's"


def _amount(what: str, x: float) -> str:
    return f"{x:,.0f}" if plan.divided()[what].whole else words.number(x)


def split_columns(exact: Split, named: Split | None) -> dict[str, list[str]]:
    """A split as columns of text, with what it is worth in the last row."""
    last = {"Site": "Effective records", "Today": ""}
    columns = {"Site": list(exact.names), "Today": [_amount(exact.what, x) for x in exact.today]}
    for title, best in (("Mechanism", named), ("Equation", exact)):
        if best is not None:
            columns[title] = [_amount(exact.what, x) for x in best.amounts]
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


# Another design -------------------------------------------------------------------------------

EQUAL = 0.01  # designs closer than this part look equal in three digits, and are called so


def _ask(params: Params) -> None:
    """Ask for the design beside the study."""
    if params.view.other is not None:
        button("No design B", "plan_drop", functools.partial(PLAN.change, other=None))
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        keep = functools.partial(PLAN.change, other=state.current())
        button("Keep this study as design B", "plan_keep", keep)
        with st.popover("Link as design B"):
            st.text_input("Link of another study", key="plan_other_link")
            button("Use this link", "plan_use_link", _use_link)
            fields.problem("plan_link")
        st.caption(
            "Keep this study as a design and change it under What it costs, or open an example "
            "there."
        )


def _use_link() -> None:
    text = st.session_state.get("plan_other_link", "")
    fields.take("plan_link", lambda: PLAN.change(other=opened(text)))


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


def design_of(params: Params) -> Study | None:
    """Return the sites of design B with the parameters of the study; None where there are none.

    Unknown constants cancel only within one problem.

    Raises:
        DomainError: It is of the other kind.
    """
    study, other = params.study, params.view.other
    if other is not None and type(other) is not type(study):
        rule = "Design B is of the other kind: a classifier and a curve have no common measure."
        raise DomainError(rule)
    return None if other is None else study.with_servers(other.servers)


def design_blocks(params: Params) -> Iterator[Block]:
    """What design B is worth beside the study, and the rows that are others in it."""
    try:
        design = design_of(params)
    except DomainError as refusal:
        yield Note(words.plain(refusal), "error")
        return
    if design is None:
        return
    yield Text(design_sentence(params.study, design, params.view.risk))
    titles, rows = ("Site", "This study", "Design B"), differing(params.study, design)
    yield Table.of(titles, rows[:MOST_ROWS], alt="Rows that differ", name="designs")
    note = "Design B has the parameters of this study: constants cancel only within one problem."
    yield Note(note)


def design_sentence(study: Study, design: Study, risk: str) -> str:
    """Which is better, over the mechanism's constants, Markdown; the equation beside it."""
    plain, *named = plan.lenses(study, risk)
    if plain.lacks_delta(design):
        named = []
    worth = [float(equation(design, lens).worth()) for lens in named or [plain]]
    pairs = zip(worth, named or [plain], strict=True)
    times = [x / float(equation(study, lens).worth()) for x, lens in pairs]
    low, high = min(times), max(times)
    if low > 1.0 + EQUAL or high < 1.0 - EQUAL:
        said = f"**Design B is {'better' if low > 1.0 else 'worse'}**"
    elif low >= 1.0 - EQUAL and high <= 1.0 + EQUAL:
        said = "**Design B is as good**, within 1%"
    else:
        said = "**Undecided**: the constants of today's method decide. Design B"
    said = f"{said}: worth **{words.extremes(worth)}** effective records, × {words.extremes(times)}"
    if not named:
        return f"By the rate equation alone, as a δ is missing: {said} this study."
    exact = float(equation(design, plain).worth()) / float(equation(study, plain).worth())
    return f"{said} this study (equation: × {words.number(exact)})."


def differing(study: Study, design: Study) -> list[tuple[str, str, str]]:
    """Return the rows in which two designs differ, by name, as they are in both."""
    first, second = ({s.name: s for s in x.servers} for x in (study, design))
    names = dict.fromkeys([*first, *second])
    rows = [(name, first.get(name), second.get(name)) for name in names]
    return [(name, _row(a), _row(b)) for name, a, b in rows if a != b]


def _row(site: Server | None) -> str:
    if site is None:
        return "-"
    parts = [f"{site.n:,} records", f"ε {words.number(site.epsilon)}"]
    parts += [f"δ {words.number(site.delta)}"] if site.delta is not None else []
    parts += [f"γ {words.number(site.signal_exponent)}"] if site.signal_exponent != 1.0 else []
    parts += [f"{site.count:,} sites"] if site.count > 1 else []
    return ", ".join(parts)


DESIGNS = Section(id="designs", title="Another design", inputs=_ask, blocks=design_blocks)


# Where the error comes from -------------------------------------------------------------------

MADE = (
    "The causes do not simply add up, so the parts are Shapley shares: what a cause adds to the "
    "error on average over all orders in which causes come in. A cause that is out means, at the "
    "same bandwidth and weights: every ε infinite; no chance in the records; no blur; weaker "
    "sources as clear as the target. Bias is about half by construction: the mechanism takes the "
    "bandwidth at which bias equals noise."
)
HELPS = " Left of zero: a cause without which the error would be larger."

_causes = functools.lru_cache(maxsize=128)(error_causes)


def causes_blocks(params: Params) -> Iterator[Block]:
    """Where the error of the study comes from."""
    try:
        yield with_lines(causes_drawn, params.study, params.view.risk)
    except DomainError as refusal:
        yield Note(f"There is no bar: {words.plain(refusal)}")


def causes_drawn(study: Study, risk: str) -> Figure:
    """Where the error of a study comes from, and of the same without privacy.

    A part of more than all of it makes up for a cause that makes the error smaller.
    """
    designs = {"This study": study, "Without privacy": study.unprotected()}
    found = {name: _causes(design, Lens(risk=risk)) for name, design in designs.items()}
    own = found["This study"].shares
    # Bias is about half of it by construction, so the largest of the others is news.
    top = max(range(1, len(own)), key=own.__getitem__)
    part = "most" if own[top] > 1.0 else words.percent(own[top])
    helps = any(x < -0.005 for one in found.values() for x in one.shares)
    return shares.by_cause(
        {name: (one.error, one.shares) for name, one in found.items()},
        title=f"{theme.CAUSES[top][1].capitalize()}: {part} of the error",
        caption=f"{MADE}{HELPS if helps else ''}",
    )


CAUSES = Section(id="causes", title="Where the error comes from", blocks=causes_blocks)
