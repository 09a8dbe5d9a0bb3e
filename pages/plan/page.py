"""The page: what would improve this study most?"""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.charts import words
from pages.core import Fold, Text, blocks, button, layout, presenter, sync_url
from pages.current import fields, scope_line, state, takeaway
from pages.fit import constant as calibrated_state
from pages.plan import goal as plan_goal
from pages.plan import report as plan_report
from pages.plan import state as plan_state
from pages.plan.levers import ANSWER, CURVE, GOAL, LEVERS
from pages.plan.offers import OFFERS
from pages.plan.report import SECTIONS
from pages.plan.state import PLAN
from pages.study import examples, sites
from rates.study import TransferStudy

WHY = (
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
LIMITS = (
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


def draw() -> None:
    """Draw the page."""
    presenter.title("What would improve this study most?")
    answer_place = st.container()
    states = (PLAN, plan_state.OFFERS, calibrated_state.CONSTANT)
    layout.address_notes(*states)
    for each in states:
        each.load()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        examples.picker()
        sites.paste_box()
        takeaway.open_file()
        place = "below" if plan_state.offers_first() else "first"
        button(f"Sites on offer {place}", "plan_turn_offers", plan_state.turn_offers)
    stale = sites.take_over()
    with answer_place:
        scope_line.show(own=True)
    if any(server.informative for server in state.current().servers):
        _plan(answer_place)
    else:
        answer_place.markdown(
            "**No site carries information**: every site has no records or a budget of 0, so there "
            "is nothing to improve on. Give one site records and a positive budget."
        )
    blocks.show([Fold(words.LIMITS, (Text(LIMITS),))], page="plan")
    if not PLAN.fits():
        st.caption("The offers are too long for a link; the address holds the study alone.")
    takeaway.bar(stale=stale)
    sync_url(*states)


def _plan(answer_place) -> None:  # type: ignore[no-untyped-def]
    """Draw what is planned for the study, as its user sees it."""
    held = {name: fields.held(f"plan_{name}") or "" for name in plan_goal.CHOICES}
    params = plan_goal.params(state.current(), plan_state.current(), state.scope(), **held)
    offers_place = st.container()
    left, right = layout.aside()
    with left:
        GOAL.show(params, PLAN)
    first = plan_state.offers_first()
    if first:
        with offers_place:
            OFFERS.show(params, PLAN)
    with answer_place:
        ANSWER.show(params)
    if params.goal.aim is not None:
        with right:
            CURVE.show(params)
    absent = (OFFERS if first else None, LEVERS if params.goal.aim is None else None)
    for section in SECTIONS:
        if section not in absent:
            section.show(params, PLAN)
    paper = "ACC" if isinstance(params.study, TransferStudy) else "CCV"
    blocks.show(
        [Fold("Why", (Text(WHY), partial(layout.statements_used, "plan", paper)))],
        page="plan",
    )
    st.header("A report to take away", anchor=False)
    cost = next(one for one in state.cost(state.current()) if one.risk == params.risk)
    plan_report.buttons(state.current(), cost, params)
