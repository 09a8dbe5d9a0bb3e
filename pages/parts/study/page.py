"""The page: what does privacy cost this study, and who carries it?"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.figures.chart import words
from pages.parts.frame import figure_card, scope_line, shell, tables, takeaway
from pages.parts.session import draft as drafts
from pages.parts.session import pick, publish, state
from pages.parts.study import examples, levers, parameters, pictures, sites, verdict, why
from rates.answer import Cost
from rates.numbers import DomainError
from rates.study import Study

VIEWS = {"shares": "Who carries it", "budget": "All budgets scaled", "designs": "Other designs"}
MOST_DESIGNS = 14


def draw(report: Callable[[Study, Cost], None]) -> None:
    """Draw the page.

    Args:
        report: Offers the report on a study, which knows more pages than this one.
    """
    st.title("What does privacy cost this study, and who carries it?")
    answer_place = st.container()
    shell.address_notes()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        parameters.kind_switch()
        examples.picker()
        sites.paste_box()
        takeaway.open_file()
    caption_place = st.container()
    sites.editor(state.draft())
    problem_place = st.container()
    left, right = st.columns([1, 2], gap="large")
    with left:
        parameters.controls()
    stale = False
    try:
        state.keep(drafts.to_study(state.draft()))
    except DomainError as error:
        stale = True
        said = words.plain(error)
        problem_place.warning(f"{said} The answer shown is for the last complete study.")
    with left:
        levers.panel()
    with caption_place:
        examples.caption()
    with problem_place:
        sites.delta_help()
    with right:
        risk = parameters.risk("risk")
        cost = next(cost for cost in state.costs() if cost.risk == risk)
        _view(cost)
    with answer_place:
        scope_line.show(own=True)
        _answer(cost)
    why.expander(cost)
    why.limits(cost)
    report(state.current(), cost)
    takeaway.bar(stale=stale)
    publish(state.STUDY)


def _answer(cost: Cost) -> None:
    study = state.current()
    st.markdown(verdict.sentences(study, cost))
    if not any(cost.equation.answer.shares):
        return
    first, second, third = st.columns(3)
    equation = cost.equation
    first.metric(
        "Effective records, rate equation",
        words.number(equation.answer.effective_n),
        f"{words.percent(equation.kept)} of no privacy",
        delta_color="off",
        delta_arrow="off",
        help=verdict.worth_help(study),
    )
    if cost.mechanism:
        second.metric(
            "Effective records, named mechanism",
            verdict.worth_range(cost),
            f"{verdict.kept_range(cost)} of no privacy",
            delta_color="off",
            delta_arrow="off",
            help=f"The same for a {cost.scale}.",
        )
    else:
        second.metric("Effective records, named mechanism", "needs every δ")
        second.caption(words.md(str(cost.missing)))
    third.metric(
        "Error against no privacy",
        f"× {words.number(equation.rate_ratio)} | × {verdict.ratio_range(cost)}",
        "equation | mechanism",
        delta_color="off",
        delta_arrow="off",
        help="Worst-case excess error with privacy over that without, by the rate equation and "
        "by the named mechanism: the error shrinks in that proportion. It is neither a risk, "
        "nor a hazard ratio, nor power.",
    )


def _view(cost: Cost) -> None:
    chosen = pick("view", "Show", VIEWS, hidden=True)
    if chosen == "budget":
        _budget_figure(cost)
    elif chosen == "designs":
        _designs(cost)
    else:
        figure_card.show(pictures.of_shares(state.current(), cost), key="figure_shares")


def _budget_figure(cost: Cost) -> None:
    study = state.current()
    picture = pictures.of_budgets(study, state.sweep(study, cost.risk, state.FACTORS))
    if picture is None:
        st.info("No site is protected, so there is no budget to scale.")
        return
    figure_card.show(picture, key="figure_budget")


def _designs(cost: Cost) -> None:
    table = state.alternatives(state.current(), cost.risk)
    alone = sorted((a for a in table if a.kind == "alone"), key=lambda a: -a.effective_n)
    shown = [*(a for a in table if a.kind != "alone"), *alone[:MOST_DESIGNS]]
    tables.show(
        {
            "Design": [f"{a.name} alone" if a.kind == "alone" else a.name for a in shown],
            "Effective sample, equation": [words.number(a.effective_n) for a in shown],
            "Effective sample, mechanism": [words.number(a.effective_n_mechanism) for a in shown],
            "Error against this study, equation": [
                f"× {words.number(a.rate_ratio)}" for a in shown
            ],
            "Error against this study, mechanism": [
                f"× {words.number(a.rate_ratio_mechanism)}" for a in shown
            ],
        },
        alt="The study beside other designs",
    )
    rest = len(alone) - MOST_DESIGNS
    st.caption(
        "Merged: the records of sites with the same signal exponent on one site that keeps the "
        "strictest budget among them; it spends its noise once, but everyone must trust it. "
        "Mechanism with bandwidth factor 2 in the middle of its range."
        + (f" The {rest} weakest sites alone are left out." if rest > 0 else "")
    )
