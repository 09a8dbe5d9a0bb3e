"""The page: what would improve this study most?"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import streamlit as st

from pages import pictures
from pages.charts import number_text, words
from pages.core import Fold, Text, blocks, layout, presenter, sync_url
from pages.current import state, takeaway
from pages.fit import constant as calibrated_state
from pages.plan import report as plan_report
from pages.plan.levers import ANSWER, GOAL, Params, params_of, unit
from pages.plan.state import PLAN, TAB
from pages.study import sites

WHY = (
    "At the root that meets the goal every site adds a known term to the balance equation. What "
    "is missing to reach 1 has to come from one factor on all rows, or from one lever at one "
    "row. By the rate equation a term is the smaller of what sampling and what privacy allow: "
    "where sampling binds, more budget changes nothing. By the named mechanism both kinds of "
    "noise add up, so every lever helps a little, and less and less.\n\n"
    "A mix covers what is missing at the least price: by the cheapest gain first where gains are "
    "in proportion, otherwise by an exact search over whole sites and steps."
)
LIMITS = (
    "- Effective records are unprotected records that would tell as much, of the target where "
    "there is one. To say what error that means takes a calibration (Does it apply?).\n"
    "- The rate equation holds up to constants: near the point where a line bends, believe "
    "neither answer to the last per cent. Over what is not known the answers are ranges "
    "(Does it apply?).\n"
    "- A lever is changed alone and for ever: nothing is said about a budget that is spent again. "
    "Prices are taken at face value."
)


def draw() -> None:
    """Draw the page."""
    presenter.title("What would improve this study most?")
    states = (PLAN, TAB, calibrated_state.CONSTANT)
    layout.address_notes(*states)
    for each in states:
        each.load()
    stale = sites.take_over()  # before anything reads the study: the table may have changed it
    state.scope_line()
    if all(cost.equation.answer.effective_n > 0 for cost in state.cost(state.current())):
        _plan(stale)
    else:
        st.markdown(
            "**No site carries information**: every site has no records, or a budget of 0 or next "
            "to it, so there is nothing to improve on. Give one site records and a budget."
        )
    blocks.show([Fold(words.LIMITS, (Text(LIMITS),))], page="plan")
    if not PLAN.fits():
        st.caption("The offers are too long for a link; the address holds the study alone.")
    sync_url(*states)


def _plan(stale: bool) -> None:
    """Draw what is planned for the study, as its user sees it: the tap, the goal, a tab."""
    params = params_of(state.current(), PLAN.get(), state.scope())
    ANSWER.show(params)
    drawn = pictures.sites.tap(params.study, params.view.risk, unit=unit(params))
    pictures.show(drawn, key="tap", take=partial(_pressed, params))
    GOAL.show(params, PLAN)
    tab = TAB.draw()
    if tab == "report":
        _report(params, stale)
    for section in plan_report.sections_of(params, tab):
        section.show(params, PLAN)


def _pressed(params: Params, sent: Mapping[str, object]) -> None:
    """Take over the budgets that were doubled."""
    budgets = pictures.sites.chosen(params.study, params.view.risk, sent)
    # As the table has them: text, so that what is typed there looks the same.
    cells = {name: {"epsilon": number_text(epsilon)} for name, epsilon in budgets.items()}
    if cells:
        sites.change(lambda row: cells.get(row["name"], {}))


def _report(params: Params, stale: bool) -> None:
    """Draw what is taken away, and what it rests on."""
    cost = next(one for one in state.cost(state.current()) if one.risk == params.view.risk)
    plan_report.buttons(state.current(), cost, params)
    takeaway.offers(state.current(), stale=stale)
    paper = params.study.paper
    used = partial(layout.statements_used, "plan", paper)
    blocks.show([Fold("Why", (Text(WHY), used))], page="plan")
