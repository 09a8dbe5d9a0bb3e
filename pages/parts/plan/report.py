"""The plan's part of a report, and the buttons that save the report."""

from __future__ import annotations

import urllib.parse

import streamlit as st

from pages.parts.fit import constant as calibrated_state
from pages.parts.frame import offer
from pages.parts.plan import designs as plan_designs
from pages.parts.plan import goal as plan_goal
from pages.parts.plan import levers as plan_levers
from pages.parts.plan import sites as plan_sites
from pages.parts.plan import state as plan_state
from pages.parts.plan.goal import Goal
from pages.parts.plan.view import View
from pages.parts.report import Block, Section, Subject, Table, Text
from pages.parts.report import files as report_files
from pages.parts.report import sections as report
from pages.parts.report import subject as report_subject
from pages.parts.session import fields, state
from rates.answer import Cost
from rates.study import Scope, Study

_EXCHANGE = (
    "In records there, or in units of ε there; to first order, for small changes. A row with a "
    "count speaks for one of its sites. ∞: nothing of that kind there is worth anything; a dash: "
    "nothing of it on either side."
)
_VALUES = (
    "Without a site: the rate over the rate with it, and the part of the effective sample that is "
    "left. A row with a count is left out as a whole."
)


def section(
    study: Study, view: View, scope: Scope, goal: Goal, *, reference: str = "", along: str = ""
) -> Section:
    """Return what was asked on the plan page, with its answers.

    Args:
        study: The current study.
        view: What is asked.
        scope: What has been said about the study.
        goal: What is aimed at.
        reference: The site in whose terms exchange rates stand; the first one by default.
        along: What changes along the figure of both designs; the budgets by default.
    """
    blocks: list[Block] = []
    table = plan_levers.found(study, view, goal)
    if table is None:
        blocks.append(Text(markdown=goal.refusal))
    else:
        lever = plan_levers.chosen(table, view)
        blocks.append(Text(markdown=f"{plan_levers.answer(table, lever, goal)} {goal.note}"))
        if lever is not None:
            blocks.append(plan_levers.picture(study, view, goal, lever))
            stops = plan_levers.saturations(study, view, goal)
            blocks.append(Text(markdown=plan_levers.saturation_text(*stops)))
            blocks.append(Text(markdown=plan_levers.binds_text(lever)))
        blocks.append(
            Table(
                columns=plan_levers.columns(table), caption="All levers side by side", name="levers"
            )
        )
        blocks.append(Text(markdown=plan_levers.legend(table, study, goal)))
    blocks += _designs(study, view, scope, along or "epsilon")
    risk = plan_goal.risk(study, view)
    if values := plan_sites.values_of(study, risk):
        columns = plan_sites.value_columns(values)
        blocks.append(Table(columns=columns, caption="The study without each site", name="values"))
        blocks.append(Text(markdown=_VALUES))
    reference = reference or study.servers[0].name
    columns = plan_sites.exchange_columns(study, risk, reference)
    caption = f"One more record, in terms of {reference}"
    blocks.append(Table(columns=columns, caption=caption, name="exchange"))
    blocks.append(Text(markdown=f"{_EXCHANGE} {plan_goal.bandwidth(study)}"))
    offers, _ = plan_sites.read(study, view)
    if offers is not None and offers.candidates:
        ranked = plan_sites.ranking(study, view, offers)
        blocks.append(Text(markdown=plan_sites.next_sentence(ranked)))
        columns = plan_sites.next_columns(ranked)
        blocks.append(Table(columns=columns, caption="Sites on offer", name="offers"))
    if offers is not None and offers.priced and goal.fraction is not None:
        blocks += [
            Text(markdown=text) for text in plan_sites.mix_sentences(study, view, goal, offers)
        ]
    return Section(name="plan", title="What would improve it most", blocks=tuple(blocks))


def _designs(study: Study, view: View, scope: Scope, along: str) -> list[Block]:
    found, refusal = plan_designs.pair(study, view)
    if found is None:
        return [Text(markdown=refusal)] if refusal else []
    blocks: list[Block] = [
        Text(markdown=plan_designs.sentence(found)),
        Table(columns=plan_designs.columns(found), caption="Both designs", name="designs"),
        plan_designs.picture(found, along),
    ]
    if not found.duel.missing:
        blocks.insert(2, Text(markdown=plan_goal.bandwidth(study)))
    over = plan_designs.ranges(found, scope)
    if over:
        caption = "Both designs over what is not known"
        blocks += [
            Table(columns=over, caption=caption, name="designs-ranges"),
            Text(markdown=plan_designs.RANGES),
        ]
    return blocks


def query(view: View | None = None) -> str:
    """Return what a link says after the page: the study, and plan and constant if they fit."""
    out = state.carried() or {}
    constant = calibrated_state.CONSTANT
    if out and view is not None:
        out |= plan_state.PLAN.link(view) | constant.link(constant.get())
    return urllib.parse.urlencode(out)


def home() -> str:
    """Return where the app runs, without a page; empty where that is not known."""
    address = st.context.url or ""
    parts = urllib.parse.urlsplit(address)
    if not parts.netloc or parts.scheme not in ("http", "https"):
        return ""
    folder = parts.path.rpartition("/")[0]
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc, folder, "", ""))


def buttons(study: Study, cost: Cost, view: View | None = None, goal: Goal | None = None) -> None:
    """Offer the report as one file, and with all its files as an archive.

    Both are made when they are asked for; what the session knows is gathered now.
    """
    scope, address, link = state.scope(), home(), query(view)
    reference, along = _chosen("plan_reference"), _chosen("plan_along")
    absolute = calibrated_state.plain(study, cost.risk)

    def subject() -> Subject:
        page = "study" if view is None else "plan"
        return report_subject.subject(
            study, scope, cost, address=address, query=link, page=page, absolute=absolute
        )

    def parts() -> list[Section]:
        if view is None or goal is None:
            return []
        return [section(study, view, scope, goal, reference=reference, along=along)]

    with st.container(horizontal=True, vertical_alignment="center"):
        offer(
            "Report (HTML)",
            lambda: report.build(subject(), parts()),
            "report.html",
            "report_html",
            icon=":material/description:",
            help="One file that works without a network: study, scope, both answers, "
            "assumptions, statements, promises, limits, figures and tables.",
        )
        offer(
            "Report with all files (ZIP)",
            lambda: report_files.archive(subject(), parts()),
            "report.zip",
            "report_zip",
            icon=":material/folder_zip:",
            help="The report, its tables as CSV, its figures as SVG and PNG.",
        )


def _chosen(name: str) -> str:
    """Return what a choice of the page shows; empty where it is not drawn."""
    return fields.held(name) or ""


def risk_cost(study: Study, view: View) -> Cost:
    """Return both answers for the error that counts."""
    risk = plan_goal.risk(study, view)
    return next(cost for cost in state.cost(study) if cost.risk == risk)
