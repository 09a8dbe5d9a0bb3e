"""The page: is this study worth running, for whom, and what does privacy cost it?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.charts import words
from pages.core import (
    Block,
    Metric,
    Note,
    Row,
    Table,
    blocks,
    layout,
    lines,
    pick,
    stage,
    sync_url,
    tables,
)
from pages.current import scope_line, state, takeaway
from pages.study import (
    assumptions,
    balance,
    examples,
    parameters,
    questions,
    sites,
    verdict,
    why,
    world,
)
from rates.answer import Cost, compare
from rates.decision import Decision, use_of
from rates.numbers import DomainError
from rates.study import Study

VIEWS = {"shares": "Who carries it", "budget": "All budgets scaled", "designs": "Other designs"}
MOST_DESIGNS = 14
MOST_USERS = 8


def draw(report: Callable[[Study, Cost], None]) -> None:
    """Draw the page: the decisions first, then what they rest on.

    Args:
        report: Offers the report on a study, which knows more pages than this one.
    """
    stage.title("Is this study worth running, and for whom?")
    answer_place = st.container()
    figure_place, control_place = layout.beside()
    layout.address_notes()
    question_place = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        examples.picker()
        sites.paste_box()
        takeaway.open_file()
    caption_place = st.container()
    sites.editor(state.draft(), alike=state.alike())
    problem_place = st.container()
    with control_place:
        parameters.controls()
    stale = _take_over(problem_place)
    with question_place:  # of the study as it is now, after what was just typed
        questions.form()
    with caption_place:
        examples.caption()
    if state.fresh():
        answer_place.info(_EMPTY)
        sync_url()
        return
    with control_place:
        parameters.levers()
    with problem_place:
        sites.delta_help()
    with figure_place:
        risk = parameters.risk("risk")
        cost = next(cost for cost in state.costs() if cost.risk == risk)
        blocks.show(_view(cost), page="study")
    with answer_place:
        _decisions(cost)
    blocks.show(_answers(cost), page="study")
    world_place = st.container()
    why.expander(cost)
    why.limits(cost)
    report(state.current(), cost)
    takeaway.bar(stale=stale)
    with world_place:  # last, as it takes longer than all the rest; what it said stays until then
        asked = (state.current(), cost.risk, use_of(state.current(), state.scope())[0])
        if told := world.sentence(*asked):
            st.markdown(told, help=world.help(*asked))
    sync_url()


_EMPTY = "Fill in the first row: a name, its records n and its budget ε. The answer appears here."


def _take_over(place: DeltaGenerator) -> bool:
    """Take over what was typed, and say what cannot be; whether the table is unfinished."""
    try:
        state.keep(state.typed())
        if state.begin_anew_if_typed_over():
            st.rerun()
    except DomainError as error:
        if not state.fresh():
            said = words.plain(error)
            place.warning(f"{said} The answer shown is for the last complete study.")
        return True
    return False


def _decisions(cost: Cost) -> None:
    """Show the decision and what it assumes."""
    study = state.current()
    found = state.decision(study, state.scope(), cost.risk)
    told = verdict.said(found, {**(state.carried() or {}), **layout.OFFERS_OPEN})
    if not told:
        st.markdown(verdict.NOTHING)
        return
    with st.container(gap="xsmall"):
        (text, help_), *rest = told
        st.markdown(text, help=help_)
        if found.missing:
            sites.delta_button("verdict_delta")
        if len(found.users) > 1 and not found.missing:
            _gains(found)
        for text, help_ in rest:
            st.markdown(text, help=help_)
        assumptions.line(found)
        if state.scope().answers:
            scope_line.show(own=True)


def _gains(found: Decision) -> None:
    columns = verdict.gains(found)
    tables.show({k: x[:MOST_USERS] for k, x in columns.items()}, alt="Who gains, site by site")
    if (rest := len(found.users) - MOST_USERS) > 0:
        st.caption(f"The {MOST_USERS} largest gains; {rest:,} more rows.")


def _answers(cost: Cost) -> Iterator[Block]:
    """The numbers of both answers, and by which of them one plans."""
    equation = cost.equation
    if not any(equation.answer.shares):
        return
    yield Note(verdict.READ)
    numbers: list[Block] = [
        Metric(
            "Effective records, rate equation",
            words.number(equation.answer.effective_n),
            f"{words.percent(equation.kept)} of no privacy",
            verdict.worth_help(state.current()),
        )
    ]
    name = "Effective records, named mechanism"
    if cost.mechanism:
        kept = f"{verdict.kept_range(cost)} of no privacy"
        numbers.append(
            Metric(name, verdict.worth_range(cost), kept, f"The same for a {cost.scale}.")
        )
    else:
        numbers += [Metric(name, "needs every δ"), Note(words.md(str(cost.missing)))]
    numbers.append(
        Metric(
            "Error against no privacy",
            f"× {words.number(equation.rate_ratio)} | × {verdict.ratio_range(cost)}",
            "equation | mechanism",
            "Worst-case excess error with privacy over that without, by the rate equation and "
            "by the named mechanism: the error shrinks in that proportion. It is neither a risk, "
            "nor a hazard ratio, nor power.",
        )
    )
    yield Row(numbers)


def _view(cost: Cost) -> Iterator[Block]:
    """The view that is chosen."""
    study, chosen = state.current(), pick("view", "Show", VIEWS, hidden=True)
    if chosen == "budget":
        picture = lines.drawn(balance.budgets_of, study, cost.risk)
        yield picture or Note(parameters.NO_BUDGET, "info")
    elif chosen == "designs":
        yield from _designs(state.alternatives(study, cost.risk))
    else:
        yield lines.drawn(balance.shares_of, study, cost.risk, alike=state.alike())


def _designs(table: Sequence[compare.Alternative]) -> Iterator[Block]:
    alone = sorted((a for a in table if a.kind == "alone"), key=lambda a: -a.effective_n)
    shown = [*(a for a in table if a.kind != "alone"), *alone[:MOST_DESIGNS]]
    yield Table(
        {
            "Design": [f"{a.name} alone" if a.kind == "alone" else a.name for a in shown],
            "Sample, equation": [words.number(a.effective_n) for a in shown],
            "Sample, mechanism": [words.number(a.effective_n_mechanism) for a in shown],
            "Error, equation": [f"× {words.number(a.rate_ratio)}" for a in shown],
            "Error, mechanism": [f"× {words.number(a.rate_ratio_mechanism)}" for a in shown],
        },
        "The study beside other designs",
    )
    rest = len(alone) - MOST_DESIGNS
    yield Note(
        "Sample: effective records. Error: over that of this study. Merged: the records of sites "
        "with the same signal exponent on one site that keeps the strictest budget among them; it "
        "spends its noise once, but everyone must trust it. Mechanism with bandwidth factor 2 in "
        "the middle of its range."
        + (f" The {rest} weakest sites alone are left out." if rest > 0 else "")
    )
