"""The plan's part of a report, and the buttons that save the report."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator
from contextlib import suppress

import streamlit as st

from pages import report
from pages.core import Block, Chapter, Section, Text, address, offer
from pages.current import state
from pages.fit import constant as calibrated_state
from pages.plan import levers as plan_levers
from pages.plan import offers as plan_offers
from pages.plan import state as plan_state
from pages.plan import worth as plan_worth
from pages.plan.levers import Params
from pages.plan.state import PLAN
from pages.report import Subject
from rates.answer import Cost
from rates.numbers import DomainError
from rates.study import Study

SECTIONS = {  # by tab of the page
    "levers": (plan_levers.LEVERS, plan_levers.LEVER),
    "offers": (plan_offers.OFFERS,),
    "split": (plan_worth.SPLIT,),
    "designs": (plan_worth.DESIGNS,),
    "causes": (plan_worth.CAUSES,),
}
WHOLE, _TITLE = "plan", "What would improve it most"


def _summary(params: Params) -> Iterator[Block]:
    if params.goal.aim is None:
        yield Text(params.goal.refusal)
    else:
        user = plan_state.user(params.study, params.scope)
        said = (plan_levers.sentence(params), plan_levers.alone(params), user, params.goal.note)
        yield Text(" ".join(filter(None, said)))
        if drawn := plan_levers.along(params):
            yield drawn
    with suppress(DomainError):  # designs that cannot be compared are said on the page
        if (design := plan_worth.design_of(params)) is not None:
            yield Text(plan_worth.design_sentence(params.study, design, params.view.risk))
    offers, _ = plan_offers.offers_of(params)
    if offers is not None and offers.candidates:
        yield Text(plan_offers.next_sentence(plan_offers.ranking(params, offers)))
    yield Text(f"Every lever, splits, designs and offers stand in {WHOLE}.html (ZIP).")


SUMMARY = Section(id="improve", title=_TITLE, blocks=_summary)  # what a report keeps of the plan


def sections_of(params: Params, tab: str) -> tuple[Section, ...]:
    """Return the sections of a tab; of no goal there are no levers."""
    return () if tab == "levers" and params.goal.aim is None else SECTIONS.get(tab, ())


def chapters(params: Params) -> list[Chapter]:
    """Return the page's sections for a document of their own; what shows nothing is left out."""
    top = (plan_levers.ANSWER, plan_levers.GOAL)
    lead = tuple(block for section in top for block in section.chapter(params).blocks)
    rest = (one.chapter(params) for tab in SECTIONS for one in sections_of(params, tab))
    every = [Chapter(WHOLE, _TITLE, lead), *rest]
    return [one for one in every if not all(map(callable, one.blocks))]


def buttons(study: Study, cost: Cost, params: Params | None = None) -> None:
    """Offer the report as one file, and with all its files as an archive.

    Both are made when they are asked for; what the session knows is gathered now.

    Args:
        study: The study as it is stated.
        cost: What privacy costs it, for the error that counts.
        params: What is asked on the page Plan; None elsewhere, where the report has no plan.
    """
    scope, home, said = state.scope(), address.home(), state.carried() or {}
    if said and params:  # without a study in the address there is nothing to reopen
        constant = calibrated_state.CONSTANT
        said |= PLAN.link(PLAN.get()) | constant.link(constant.get())
    link = urllib.parse.urlencode(said)
    page, absolute = "plan" if params else "study", calibrated_state.plain(study, cost.risk)

    def subject() -> Subject:
        return report.subject(
            study, scope, cost, address=home, query=link, page=page, absolute=absolute
        )

    def parts() -> list[Chapter]:
        return [SUMMARY.chapter(params)] if params else []

    def archive() -> bytes:
        whole = {WHOLE: chapters(params)} if params else {}
        return report.archive(subject(), parts(), whole)

    with st.container(horizontal=True, vertical_alignment="center"):
        offer(
            "Report (HTML)",
            lambda: report.build(subject(), parts()),
            "report.html",
            "report_html",
            icon=":material/description:",
            help="One file that works without a network. Its first page decides: for whom, "
            "against what, under which assumptions.",
        )
        offer(
            "Report with all files (ZIP)",
            archive,
            "report.zip",
            "report_zip",
            icon=":material/folder_zip:",
            help="The report, its tables as CSV, its figures as SVG and PNG, the statements "
            "behind it, the study as JSON and in Python.",
        )
