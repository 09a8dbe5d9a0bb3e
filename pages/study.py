"""Page: what does privacy cost this study, and who carries it?"""

from __future__ import annotations

import streamlit as st

from pages.parts import shell

shell.route()

from pages.figures import budget, shares, theme  # noqa: E402
from pages.parts import draft as drafts  # noqa: E402
from pages.parts import (  # noqa: E402
    examples,
    figure_card,
    levers,
    parameters,
    scope_line,
    sites,
    state,
    tables,
    takeaway,
    verdict,
    why,
    words,
)
from rates.cost import Cost  # noqa: E402
from rates.parameters import DomainError  # noqa: E402
from rates.scenario import TransferStudy  # noqa: E402

RISKS = {"integrated": "Over the whole curve", "pointwise": "At one point"}
VIEWS = {
    "shares": "Who carries it",
    "budget": "All budgets scaled",
    "designs": "Other designs",
}
FACTORS = tuple(10 ** (k / 15) for k in range(-30, 31))
MOST_DESIGNS = 14


def main() -> None:
    state.load()
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
        st.session_state["study"] = drafts.to_study(state.draft())
    except DomainError as error:
        stale = True
        problem_place.warning(f"{error} The answer shown is for the last complete study.")
    with left:
        levers.panel()
    with caption_place:
        examples.caption()
    with problem_place:
        sites.delta_help()
    with right:
        cost = _chosen_risk()
        _view(cost)
    with answer_place:
        scope_line.show(own=True)
        _answer(cost)
    why.expander(cost)
    why.limits(cost)
    takeaway.bar(stale=stale)


def _chosen_risk() -> Cost:
    costs = state.costs()
    if len(costs) == 1:
        return costs[0]
    chosen = st.segmented_control(
        "Error that counts",
        list(RISKS),
        default="integrated",
        format_func=RISKS.__getitem__,
        key="risk",
        on_change=state.touch,
        required=True,
    )
    return next(cost for cost in costs if cost.risk == chosen)


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
    chosen = st.segmented_control(
        "Show",
        list(VIEWS),
        default="shares",
        format_func=VIEWS.__getitem__,
        key="view",
        on_change=state.touch,
        required=True,
        label_visibility="collapsed",
        persist_state="session",
    )
    if chosen == "budget":
        _budget_figure(cost)
    elif chosen == "designs":
        _designs(cost)
    else:
        _shares_figure(cost)


def _shares_figure(cost: Cost) -> None:
    study = state.current()
    has_target = isinstance(study, TransferStudy)
    names = [server.name for server in study.servers]
    panels = [("Rate equation", cost.equation.answer)]
    if cost.mechanism:
        panels.append(("Named mechanism", verdict.middle(cost).answer))
    marks = f" {theme.TARGET_MARK} target, {theme.SOURCE_MARK} source." if has_target else ""
    figure_card.show(
        shares.figure(
            names,
            panels,
            title="Share of the answer that each site carries",
            has_target=has_target,
        ),
        key="figure_shares",
        caption=f"{verdict.root_text(cost)}.{marks} A row with a count speaks for all its sites.",
        alt=shares.alt(names, panels),
        csv_rows=shares.csv_rows(names, panels),
        file_name="shares",
    )


def _budget_figure(cost: Cost) -> None:
    study = state.current()
    sweep = state.sweep(study, cost.risk, FACTORS)
    budgets = {s.epsilon for s in study.servers if s.private}
    if not budgets:
        st.info("No site is protected, so there is no budget to scale.")
        return
    common = len(budgets) == 1
    unit = budgets.pop() if common else 1.0
    label = "Common budget ε" if common else "Every budget ε multiplied by"
    title = "What the sample is still worth, if all budgets change together"
    figure_card.show(
        budget.figure(sweep, unit=unit, label=label, title=title),
        key="figure_budget",
        caption="Effective sample as a fraction of its value without privacy. The circle is where "
        "the rate equation stops seeing a cost, the diamond where the mechanism keeps one half. "
        "More budget may help long after the equation has stopped noticing.",
        alt=budget.alt(sweep, unit=unit, label=label),
        csv_rows=budget.csv_rows(sweep, unit=unit, label=label),
        file_name="budgets",
    )


def _designs(cost: Cost) -> None:
    table = state.alternatives(state.current(), cost.risk)
    alone = sorted((a for a in table if a.kind == "alone"), key=lambda a: -a.effective_n)
    shown = [*(a for a in table if a.kind != "alone"), *alone[:MOST_DESIGNS]]
    tables.wide(
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


main()
