"""The page: what would improve this study most?"""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.core import button, figure_card, layout, ledger_links, lines, stage, sync_url
from pages.current import scope_line, state, takeaway
from pages.fit import constant as calibrated_state
from pages.plan import causes as plan_causes
from pages.plan import designs as plan_designs
from pages.plan import goal as plan_goal
from pages.plan import levers as plan_levers
from pages.plan import money as plan_money
from pages.plan import report as plan_report
from pages.plan import sites as plan_sites
from pages.plan import state as plan_state
from pages.plan import view as plan_view
from pages.plan.view import View
from pages.study import examples, sites
from rates.study import Study, TransferStudy


def draw() -> None:
    """Draw the page."""
    stage.title("What would improve this study most?")
    answer_place = st.container()
    layout.address_notes(plan_state.PLAN, plan_state.OFFERS, calibrated_state.CONSTANT)
    plan_state.PLAN.load()
    plan_state.OFFERS.load()
    calibrated_state.CONSTANT.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        examples.picker()
        sites.paste_box()
        takeaway.open_file()
        place = "below" if plan_state.offers_first() else "first"
        button(f"Sites on offer {place}", "plan_turn_offers", plan_state.turn_offers)
    stale = sites.take_over()
    study = state.current()
    with answer_place:
        scope_line.show(own=True)
    if not any(server.informative for server in study.servers):
        answer_place.markdown(
            "**No site carries information**: every site has no records or a budget of 0, so there "
            "is nothing to improve on. Give one site records and a positive budget."
        )
    else:
        _plan(plan_view.planned(study, state.scope()), answer_place)
    _limits()
    if not plan_state.PLAN.fits():
        st.caption("The offers are too long for a link; the address holds the study alone.")
    takeaway.bar(stale=stale)
    sync_url(plan_state.PLAN, plan_state.OFFERS, calibrated_state.CONSTANT)


def _plan(study: Study, answer_place) -> None:  # type: ignore[no-untyped-def]
    """Draw what is planned for a study, as its user sees it."""
    offers_place = st.container()
    left, right = layout.aside()
    with left:
        plan_goal.controls(study)
        plan_levers.controls(study)
    view = plan_state.current()
    goal = plan_goal.goal(study, view)
    with left:
        plan_goal.remarks(goal)
    table = plan_levers.found(study, view, goal)
    asked = plan_state.offers_first()
    if asked:
        with offers_place:
            plan_sites.offers(study, view, goal, first=True)
    with answer_place:
        if goal.aim is None:
            st.markdown("There is no goal that can be computed: see below.")
        else:
            st.markdown(plan_levers.answer(study, table, view, goal))
            st.caption(f"{plan_levers.ANSWERS} {plan_view.user(study, state.scope())}")
    if goal.aim is not None:
        with right:
            _curve(study, view, goal)
        st.header("All levers side by side", anchor=False)
        plan_levers.show_table(table, study, view, goal)
    if not asked:
        plan_sites.offers(study, view, goal)
    st.header("What does a larger budget buy, site by site?", anchor=False)
    plan_money.raised(study, view, goal)
    st.header("How is a total split best?", anchor=False)
    plan_money.total(study, view, goal)
    st.header("Designs side by side", anchor=False)
    plan_designs.section(study, view)
    st.header("What is one more record worth, and where?", anchor=False)
    plan_sites.exchange(study, view)
    st.header("What is each site worth?", anchor=False)
    plan_sites.values(study, view)
    st.header("Where the error comes from", anchor=False)
    plan_causes.section(study, view)
    _why(study)
    st.header("A report to take away", anchor=False)
    stated = state.current()
    plan_report.buttons(stated, plan_report.risk_cost(stated, view), view, goal)


def _curve(study: Study, view: View, goal: plan_goal.Goal) -> None:
    """What the lever does, and where it stops mattering."""
    drawn = lines.drawn(plan_levers.along, study, view.bare, goal.bare)
    if drawn is None:
        st.caption("The curve is drawn for the rows that are compared below.")
        return
    figure_card.show(drawn, key="figure_lever")
    if not plan_levers.common(view):
        st.markdown(plan_levers.saturation_text(*plan_levers.saturations(study, view, goal)))


def _why(study: Study) -> None:
    with st.expander("Why"):
        st.markdown(
            "At the root that belongs to the goal every site adds a known term to the balance "
            "equation. What is missing to 1 is asked of one factor on what all rows have, or of "
            "one lever at one row, whose own term is solved by hand. By the rate equation a term "
            "is the smaller of what sampling and what privacy allow: where sampling binds, more "
            "budget changes nothing. By the named mechanism both kinds of noise add up, so every "
            "lever helps a little, and less and less.\n\n"
            "Exchange rates are ratios of first derivatives. A next site is added to the study, "
            "and both equations are solved again. A mix covers what is missing at the least "
            "price: by the cheapest gain first where gains are in proportion, otherwise by an "
            "exact search over whole sites and steps up to what a row alone would need."
        )
        ledger_links.used("plan", "ACC" if isinstance(study, TransferStudy) else "CCV")


def _limits() -> None:
    with st.expander(words.LIMITS):
        st.markdown(
            "- Effective records are unprotected records that would tell as much, of the target "
            "where there is one. "
            "What error goes with them takes a calibration by simulation (page Fit), because rates "
            "leave out constants and logarithms.\n"
            "- The rate equation is exact only up to constants: near the point where a lever "
            "stops mattering, believe neither answer to the last per cent.\n"
            "- A lever is changed alone and for ever: nothing is said about a budget that is "
            "spent again, or about what records of a site that was not asked would be like.\n"
            "- Prices are taken at face value: no fixed costs, no discounts.\n"
            "- Over what is not known the answers are ranges, and a lever that is enough at the "
            "stated parameters may not be enough over all of them (page Fit)."
        )
