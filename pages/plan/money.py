"""What money buys: one budget raised, and a total of budgets or records split over the sites."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import streamlit as st

from pages.charts import words
from pages.core import Menu, Slider, number, tables
from pages.plan import goal as plan_goal
from pages.plan import state as plan_state
from pages.plan import view as plan_view
from pages.plan.view import View
from rates import split
from rates.answer import Lens
from rates.numbers import DomainError, budgets
from rates.study import Study, TransferStudy

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
    st.markdown(rise_sentence(found, view.raised))
    if found:
        tables.show(rise_columns(found), alt="One budget raised")
        st.caption(
            "One budget is raised, all else stays: effective records gained, and what they are of "
            "today's: by the named mechanism over its constants, and by the rate equation."
        )


def rises_of(study: Study, view: View, goal: plan_goal.Goal) -> tuple[Raised, ...]:
    """One budget raised after the other, over the mechanism's constants; the most gained first."""
    kappas = goal.kappas if isinstance(study, TransferStudy) else goal.kappas[:1]
    risk = plan_goal.risk(study, view)
    by = [{x.site: x for x in _rises(study, view.raised, risk, kappa)} for kappa in kappas]
    middle = by[len(by) // 2]
    return tuple(Raised(rise, tuple(one[name] for one in by)) for name, rise in middle.items())[
        :MOST_ROWS
    ]


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
        return words.between(min(parts), max(parts), _part)

    @property
    def gain(self) -> str:
        """What is gained in effective records."""
        gains = [x.gain for x in self.each]
        return words.between(min(gains), max(gains))


def rise_sentence(found: tuple[Raised, ...], factor: float = 2.0) -> str:
    """What the first of them gains, Markdown; the mechanism decides."""
    if not found:
        return "No site has a budget that could be raised."
    top = max(found, key=lambda x: x.middle.part_equation).middle
    times = "doubling its ε" if factor == 2 else f"× {words.number(factor)} its ε"
    if math.isnan(found[0].middle.gain):
        gained = _part(top.part_equation)
        return (
            f"By the rate equation alone, as a δ is missing: **{words.md(top.site)}**: {times} "
            f"gains {gained}."
        )
    first = found[0]
    text = (
        f"**{words.md(first.middle.site)}**: {times} (from {words.number(first.middle.epsilon)} to "
        f"{words.number(first.middle.raised)}) gains **{first.part}** with today's method, "
        f"{first.gain} effective records"
    )
    if first.middle.part_equation < split.SAME:
        text += "; a better method might not need it"
    else:
        text += f" (equation: {_part(first.middle.part_equation)})"
    if top.site != first.middle.site and top.part_equation >= split.SAME:
        text += f". By the equation **{words.md(top.site)}** gains most, {_part(top.part_equation)}"
    return f"{text}."


def _part(x: float) -> str:
    """A part of the answer, which may exceed it."""
    return words.percent(x) if x >= 0.001 else "less than 0.1 %" if x > 0 else "nothing"


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
    out["Equation"] = [_part(x.part_equation) for x in rows]
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
    """What the best split is worth, Markdown; the mechanism decides."""
    best = found.mechanism
    if best is None:
        return (
            f"**Undecided**: there is no named mechanism. {words.md(found.missing)} By the rate "
            f"equation alone the split below is worth {_times(found.equation)}."
        )
    much = _amount(best.what, best.total)
    much = f"A total of {much} records" if best.what == "records" else f"A total of ε {much}"
    if not found.better:
        return (
            f"{much}: **no split beats an even one** by more than 0.1 % with today's method; the "
            f"best possible is at most {_gap(best)} above what was found.{_left(best)}"
        )
    other = f"× {words.number(found.crossed)} an even split"
    if abs(found.crossed - 1) <= split.SAME:
        other = "as much as an even split"
    return (
        f"{much}, split as **{_main(best)}**, is worth **{words.number(best.effective_n)}** "
        f"effective records: {_times(best)}, and at most {_gap(best)} below the best possible "
        f"(equation: {other}).{_less(best)}{_left(best)}"
    )


def _less(best: split.Split) -> str:
    """Who gets less than today, where the bounds allow it."""
    rows = zip(best.names, best.amounts, best.today, strict=True)
    less = [words.md(name) for name, amount, now in rows if amount < now * (1 - split.SAME)]
    return f" Less than today: {words.names(less)}." if less else ""


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
    for title, best in (("Mechanism", found.mechanism), ("Equation", one)):
        if best is not None:
            out[title] = [_amount(one.what, x) for x in best.amounts]
            cells.append(words.number(best.effective_n))
    return {
        title: [*column[:MOST_ROWS], cell]
        for (title, column), cell in zip(out.items(), cells, strict=True)
    }
