"""The plan's part of a report, and the buttons that save the report."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator

import streamlit as st

from pages.charts import plan as figures
from pages.core import Text, address, fields, offer
from pages.current import state
from pages.fit import constant as calibrated_state
from pages.plan import designs as plan_designs
from pages.plan import goal as plan_goal
from pages.plan import levers as plan_levers
from pages.plan import money as plan_money
from pages.plan import scales as plan_scales
from pages.plan import sites as plan_sites
from pages.plan import state as plan_state
from pages.plan import view as plan_view
from pages.plan.view import View
from pages.report import Block, Section, Subject, Table
from pages.report import files as report_files
from pages.report import sections as report
from pages.report import subject as report_subject
from rates.answer import Cost
from rates.study import Scope, Study

WHOLE, _TITLE = "plan", "What would improve it most"


def summary(study: Study, view: View, scope: Scope, goal: plan_goal.Goal) -> Section:
    """Return what a report keeps of the plan; the whole stands in a file beside it.

    Args:
        study: The current study, as its user sees it.
        view: What is asked.
        scope: What has been said about the study.
        goal: What is aimed at.
    """
    blocks: list[Block] = [Text(goal.refusal)]
    if goal.aim is not None:
        table = plan_levers.found(study, view, goal)
        answer = plan_levers.answer(study, table, view, goal)
        blocks = [Text(f"{answer} {plan_view.user(study, scope)} {goal.note}")]
        if drawn := plan_levers.along(study, view, goal):
            blocks.append(drawn)
    designs, _ = plan_designs.designs(study, view)
    if designs is not None:
        blocks.append(Text(plan_designs.sentence(designs)))
    offers, _ = plan_sites.read(study, view)
    if offers is not None and offers.candidates:
        blocks.append(Text(plan_sites.next_sentence(plan_sites.ranking(study, view, offers))))
    blocks.append(Text(f"Every lever, splits, designs and offers stand in {WHOLE}.html (ZIP)."))
    return Section("improve", _TITLE, tuple(blocks))


def section(
    study: Study,
    view: View,
    scope: Scope,
    goal: plan_goal.Goal,
    *,
    reference: str = "",
    along: str = "",
) -> Section:
    """Return what was asked on the plan page, with its answers.

    Args:
        study: The current study, as its user sees it.
        view: What is asked.
        scope: What has been said about the study.
        goal: What is aimed at.
        reference: The site in whose terms exchange rates stand; the first one by default.
        along: What changes along the figure of both designs; the budgets by default.
    """
    blocks = tuple(_blocks(study, view, scope, goal, reference, along))
    return Section(WHOLE, _TITLE, blocks)


def _blocks(
    study: Study, view: View, scope: Scope, goal: plan_goal.Goal, reference: str, along: str
) -> Iterator[Block]:
    if goal.aim is None:
        yield Text(goal.refusal)
    else:
        table = plan_levers.found(study, view, goal)
        who = plan_view.user(study, scope)
        yield Text(f"{plan_levers.answer(study, table, view, goal)} {who} {goal.note}")
        if drawn := plan_levers.along(study, view, goal):
            yield drawn
            if not plan_levers.common(view):
                stops = plan_levers.saturations(study, view, goal)
                yield Text(plan_levers.saturation_text(*stops))
        columns = plan_levers.columns(study, table, plan_scales.found(study, view, goal))
        yield Table(columns, "All levers side by side", "levers")
        yield Text(plan_levers.legend(study, goal, missing=bool(table and table.missing)))
    yield from _money(study, view, goal)
    yield from _designs(study, view, scope, along or "epsilon")
    risk = plan_goal.risk(study, view)
    if values := plan_sites.values_of(study, risk):
        yield Text(plan_sites.value_sentence(values))
        yield figures.of_values(values)
        yield Table(plan_sites.value_columns(values), "The study without each site", "values")
    reference = reference or study.servers[0].name
    columns = plan_sites.exchange_columns(study, risk, reference)
    yield Table(columns, f"One more record, in terms of {reference}", "exchange")
    yield Text(plan_sites.exchange_legend(study, reference))
    offers, _ = plan_sites.read(study, view)
    if offers is not None and offers.candidates:
        ranked = plan_sites.ranking(study, view, offers)
        yield Text(plan_sites.next_sentence(ranked))
        yield Table(plan_sites.next_columns(ranked), "Sites on offer", "offers")
    if offers is not None and offers.priced and goal.aim is not None:
        yield from map(Text, plan_sites.mix_sentences(study, view, goal, offers))
        if drawn := plan_sites.frontier_picture(study, view, goal):
            yield drawn


def _money(study: Study, view: View, goal: plan_goal.Goal) -> Iterator[Block]:
    """One budget raised, and a total split."""
    found = plan_money.rises_of(study, view, goal)
    yield Text(plan_money.rise_sentence(found, view.raised))
    if found:
        yield Table(plan_money.rise_columns(found), "One budget raised", "raised")
    best, _ = plan_money.split_of(study, view, goal)
    if best is not None:
        yield Text(plan_money.split_sentence(best))
        yield Table(plan_money.split_columns(best), "A total split over the sites", "split")
        yield Text(plan_money.legend(study, best, goal))


def _designs(study: Study, view: View, scope: Scope, along: str) -> Iterator[Block]:
    found, refusal = plan_designs.designs(study, view)
    if found is None:
        if refusal:
            yield Text(refusal)
        return
    yield Text(plan_designs.sentence(found))
    yield Table(plan_designs.columns(found), "The designs", "designs")
    yield from map(Text, plan_designs.changed(found).splitlines())
    yield Text(plan_designs.RULE)
    yield plan_designs.picture(found, along)
    if over := plan_designs.ranges(found, scope):
        yield Table(over, "The designs over what is not known", "designs-ranges")
        yield Text(plan_designs.RANGES)


def query(*, plan: bool = False) -> str:
    """Return what a link says after the page: the study, and plan and constant if they fit."""
    out = state.carried() or {}
    constant = calibrated_state.CONSTANT
    if out and plan:
        out |= plan_state.PLAN.link(plan_state.PLAN.get()) | constant.link(constant.get())
    return urllib.parse.urlencode(out)


def buttons(
    study: Study, cost: Cost, view: View | None = None, goal: plan_goal.Goal | None = None
) -> None:
    """Offer the report as one file, and with all its files as an archive.

    Both are made when they are asked for; what the session knows is gathered now.
    """
    scope, home, link = state.scope(), address.home(), query(plan=view is not None)
    reference, along = (fields.held(f"plan_{name}") or "" for name in ("reference", "along"))
    absolute = calibrated_state.plain(study, cost.risk)

    def subject() -> Subject:
        page = "study" if view is None else "plan"
        return report_subject.subject(
            study, scope, cost, address=home, query=link, page=page, absolute=absolute
        )

    def parts() -> list[Section]:
        if view is None or goal is None:
            return []
        return [summary(plan_view.planned(study, scope), view, scope, goal)]

    def whole() -> list[Section]:
        if view is None or goal is None:
            return []
        planned = plan_view.planned(study, scope)
        return [section(planned, view, scope, goal, reference=reference, along=along)]

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
            lambda: report_files.archive(subject(), parts(), whole()),
            "report.zip",
            "report_zip",
            icon=":material/folder_zip:",
            help="The report, its tables as CSV, its figures as SVG and PNG, the statements "
            "behind it, the study as JSON and in Python.",
        )


def risk_cost(study: Study, view: View) -> Cost:
    """Return both answers for the error that counts."""
    risk = plan_goal.risk(study, view)
    return next(cost for cost in state.cost(study) if cost.risk == risk)
