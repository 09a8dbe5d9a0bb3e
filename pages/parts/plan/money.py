"""What money buys: one budget raised, and a total of budgets or records split over the sites."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.figures.chart import words
from pages.parts.frame import tables
from pages.parts.plan import goal as plan_goal
from pages.parts.plan import state as plan_state
from pages.parts.plan import view as plan_view
from pages.parts.plan.view import View
from pages.parts.session import Menu, Slider, number
from rates import split
from rates.answer import Lens
from rates.numbers import DomainError, budgets
from rates.study import Study

MOST_ROWS = 60
MOST_SPLIT = budgets.SPLIT_ROWS
DIVIDED = {"epsilon": "Paid budgets ε", "records": "Records"}
PRICE = (
    "Each patient is at one site, so budgets of different sites do not add up to a loss of "
    "privacy: a total of ε is a price that is paid, no promise to anyone. "
)
EVEN = (
    "An even split gives every site the same, as far as its least and its most allow. By the rate "
    "equation many splits may be equally good; one of them is shown. "
)

_rises = functools.lru_cache(maxsize=64)(
    lambda study, factor, risk, kappa: split.rises(study, factor, lens=Lens(risk=risk, kappa=kappa))
)
_splits = functools.lru_cache(maxsize=32)(
    lambda study, what, total, least, most, risk, kappa: split.splits(
        study, what, total, Lens(risk=risk, kappa=kappa), least=least, most=most
    )
)


def raised(study: Study, view: View, goal: plan_goal.Goal) -> None:
    """Show what a larger budget buys, site by site."""
    Slider("raised", "Budget of one site multiplied by").draw(plan_state.PLAN)
    if len(study.servers) > budgets.RANGE_ROWS:
        st.markdown(
            f"One budget after the other is raised for up to {budgets.RANGE_ROWS:,} rows; "
            f"this one has {len(study.servers):,}."
        )
        return
    found = rises_of(study, view, goal)
    st.markdown(rise_sentence(found))
    if found:
        tables.show(rise_columns(found), alt="One budget raised")
        st.caption(
            "One budget is raised, all else stays: effective records gained, and what they are of "
            f"today's, by both answers. {plan_goal.bandwidth(study, goal.kappa)}"
        )


def rises_of(study: Study, view: View, goal: plan_goal.Goal) -> tuple[split.Rise, ...]:
    """One budget raised after the other, by both answers; the most gained first."""
    found: tuple[split.Rise, ...] = _rises(
        study, view.raised, plan_goal.risk(study, view), goal.kappa
    )
    return found[:MOST_ROWS]


def rise_sentence(found: tuple[split.Rise, ...]) -> str:
    """What the first of them gains, by both answers, Markdown."""
    if not found:
        return "No site has a budget that could be raised."
    top = max(found, key=lambda x: x.part_equation)
    if math.isnan(found[0].gain):
        return f"By the rate equation alone, as a δ is missing: {_gains(top, equation=True)}."
    text = f"{_gains(found[0])} by the mechanism; by the rate equation "
    if top.part_equation < split.SAME:
        return f"{text}more of no single budget gains anything."
    if top.site == found[0].site:
        return f"{text}{_part(top.part_equation)} of the answer."
    here = _part(found[0].part_equation)
    other = f"**{words.md(top.site)}** gains most, {_part(top.part_equation)}"
    return f"{text}{here} of the answer, and {other}: the two point apart."


def _gains(rise: split.Rise, *, equation: bool = False) -> str:
    gain, part = rise.gain, rise.part
    if equation:
        gain, part = rise.gain_equation, rise.part_equation
    return (
        f"Raise ε at **{words.md(rise.site)}** from {words.number(rise.epsilon)} to "
        f"{words.number(rise.raised)}: gains **{words.number(gain)}** effective records, "
        f"{_part(part)} of the answer,"
    ).removesuffix("," if equation else "")


def _part(x: float) -> str:
    """A part of the answer, which may exceed it."""
    return words.percent(x) if x >= 0.001 else "less than 0.1 %" if x > 0 else "nothing"


def rise_columns(found: tuple[split.Rise, ...]) -> dict[str, list[str]]:
    """Budgets raised as columns of text."""
    out = {
        "Raise ε at": [x.site for x in found],
        "from, to": [f"{words.number(x.epsilon)} → {words.number(x.raised)}" for x in found],
    }
    if not any(math.isnan(x.gain) for x in found):
        out["Records gained"] = [words.number(x.gain) for x in found]
        out["Mechanism"] = [_part(x.part) for x in found]
    out["Equation"] = [_part(x.part_equation) for x in found]
    return out


def total(study: Study, view: View, goal: plan_goal.Goal) -> None:
    """Ask for a total and show its best split."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        Menu("divided", "A total of", DIVIDED).draw(plan_state.PLAN)
        number(
            "plan_total",
            "Total",
            plan_view.NUMBERS["total"],
            total_of(study, view),
            lambda value: plan_state.PLAN.change(total=value),
        )
        Slider("least", "Each site at least, × today").draw(plan_state.PLAN)
        Slider("most", "Each site at most, × today").draw(plan_state.PLAN)
    found, refusal = split_of(study, view, goal)
    if found is None:
        st.info(words.plain(refusal))
        return
    st.markdown(split_sentence(found))
    tables.show(split_columns(found), alt="A total split over the sites")
    st.caption(legend(study, found, goal))


def legend(study: Study, found: split.Splits, goal: plan_goal.Goal) -> str:
    """Return how the table of a split is to be read."""
    price = PRICE if found.equation.what == "epsilon" else ""
    return f"{price}{EVEN}{plan_goal.bandwidth(study, goal.kappa)}"


def total_of(study: Study, view: View) -> float:
    """The total asked for: twice today's where none has been named."""
    if view.total:
        return view.total
    return split.today(study, view.divided) * 2.0 or 1.0  # type: ignore[arg-type]


def split_of(study: Study, view: View, goal: plan_goal.Goal) -> tuple[split.Splits | None, str]:
    """A total split by both answers, or why there is no such split."""
    rows = len(study.servers)
    if rows > MOST_SPLIT:
        return None, f"A total is split over up to {MOST_SPLIT} rows here; this study has {rows:,}."
    least, most = split.bounds(study, view.divided, view.least, view.most)  # type: ignore[arg-type]
    try:
        found = _splits(
            study,
            view.divided,
            total_of(study, view),
            least,
            most,
            plan_goal.risk(study, view),
            goal.kappa,
        )
    except DomainError as refusal:
        return None, str(refusal)
    return found, ""


def split_sentence(found: split.Splits) -> str:
    """What the best split is worth, if both answers allow to name it, Markdown."""
    best = found.mechanism
    if best is None:
        return (
            f"**Undecided**: there is no named mechanism. {words.md(found.missing)} By the rate "
            f"equation alone the split below is worth {_times(found.equation)}."
        )
    much = _amount(best.what, best.total)
    much = f"A total of {much} records" if best.what == "records" else f"A total of ε {much}"
    named = found.chosen
    if named is not None:
        other = "as much as an even split"
        if found.chosen_crossed > 1 + split.SAME:
            other = f"× {words.number(found.chosen_crossed)} an even split"
        text = (
            f"{much}, split as **{_main(named)}**, is worth **{words.number(named.effective_n)}** "
            f"effective records by the mechanism: {_times(named)}, and at most {_gap(named)} below "
            f"the best possible. By the rate equation it is worth {other}."
        )
        if named is not best:
            text += (
                f" The mechanism's own best, worth {words.number(best.effective_n)}, is worse than "
                "an even split by the rate equation."
            )
        return text + _left(named)
    if not found.better:
        return (
            f"{much}: by the mechanism **no split beats an even one** by more than 0.1 %; the best "
            f"possible is at most {_gap(best)} above what was found.{_left(best)}"
        )
    return (
        f"**Undecided**, because the answers point apart. {much}, split best by the mechanism "
        f"(**{_main(best)}**), is worth **{words.number(best.effective_n)}** effective records: "
        f"{_times(best)}; but by the rate equation this split is worth only × "
        f"{words.number(found.crossed)} an even one.{_left(best)}"
    )


def _left(best: split.Split) -> str:
    if best.spent >= best.total * (1 - 1e-3):
        return ""
    return f" Only {_amount(best.what, best.spent)} of it is used: every site has its most."


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


def _gap(best: split.Split) -> str:
    return "0.1 %" if best.gap < 0.001 else words.percent(best.gap)


def _amount(what: str, x: float) -> str:
    return f"{x:,.0f}" if what == "records" else words.number(x)


def split_columns(found: split.Splits) -> dict[str, list[str]]:
    """A split as columns of text."""
    one = found.equation
    out = {
        "Site": list(one.names),
        "Today": [_amount(one.what, x) for x in one.today],
    }
    cells = ["Effective records", ""]
    named = None if found.chosen is found.mechanism else found.chosen
    for title, best in (
        ("Both answers", named),
        ("Mechanism", found.mechanism),
        ("Equation", one),
    ):
        if best is not None:
            out[title] = [_amount(one.what, x) for x in best.amounts]
            cells.append(words.number(best.effective_n))
    return {
        title: [*column[:MOST_ROWS], cell]
        for (title, column), cell in zip(out.items(), cells, strict=True)
    }
