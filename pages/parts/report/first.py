"""The first page of a report: decision, alternatives, assumptions, a protocol text, the link."""

from __future__ import annotations

import math
from collections.abc import Iterator

from pages.figures.chart import words
from pages.parts.fit import words as fit_words
from pages.parts.frame import Text, scope_line
from pages.parts.report.html import Block, Code, Link, Table
from pages.parts.report.subject import Subject
from pages.parts.session import state
from pages.parts.study import questions, verdict, world
from rates.fit import Spread
from rates.study import TransferStudy, theory_for

_RELATE = (
    "How they relate: the equation leaves out every constant, and says what none can change; the "
    "mechanism is one procedure with its constants; the range lets what you do not know vary; a "
    "fitted constant turns the mechanism's rate into an error in one world; in a made-up world the "
    "error is exact, each design tuned at its best, so that it is the smallest of all. Sizes and "
    "budgets are planned with the mechanism."
)


def page(about: Subject, link: str) -> Iterator[Block]:
    """Return the blocks of the first page.

    Args:
        about: What the report is about.
        link: Where the app opens the study again; empty where that is not known.
    """
    found = state.decision(about.study, about.scope, about.cost.risk)
    yield Text(verdict.paragraph(found))
    if told := world.sentence(about.study, about.cost.risk):
        yield Text(told)
    if any(s.informative for s in about.study.servers):
        yield Text(verdict.READ)
        yield Table(_alternatives(about), "The study beside its alternatives", "alternatives")
    yield Text(_assumed(about))
    scope = theory_for(about.study, about.scope)
    text = fit_words.protocol(scope, about.scope, about.study, found)
    yield Code(text, "protocol.txt", "Five sentences for a protocol")
    if link:
        yield Link("Open this study in the app", link)


def _alternatives(about: Subject) -> dict[str, list[str]]:
    """This study, no privacy, and the best site alone by either answer."""
    table = state.alternatives(about.study, about.cost.risk)
    alone = [a for a in table if a.kind == "alone"]
    best = {
        max(alone, key=lambda a: a.effective_n).name,
        max(alone, key=lambda a: _or_zero(a.effective_n_mechanism)).name,
    }
    shown = [
        a for a in table if a.kind in ("study", "free") or (a.kind == "alone" and a.name in best)
    ]
    if len(about.study.servers) == 1:
        shown = [a for a in shown if a.kind != "alone"]
    exact = world.risks(about.study, about.cost.risk)
    kinds = {"study": "study", "free": "unprotected", "alone": "alone"}
    columns = {
        "Design": [f"{a.name} alone" if a.kind == "alone" else a.name for a in shown],
        "Effective records, equation": [words.number(a.effective_n) for a in shown],
        "Effective records, mechanism": [words.number(a.effective_n_mechanism) for a in shown],
    }
    if exact is not None:
        one = len([a for a in shown if a.kind == "alone"]) <= 1
        columns[f"{world.unit(about.study).capitalize()}, made-up world"] = [
            world.shown(about.study, exact.values[kinds[a.kind]])
            if kinds[a.kind] in exact.values and (a.kind != "alone" or one)
            else "–"
            for a in shown
        ]
    return columns


def _or_zero(x: float) -> float:
    return 0.0 if math.isnan(x) else x


def _assumed(about: Subject) -> str:
    """What was told and what is assumed, in a paragraph."""
    study, scope = about.study, about.scope
    parts = [scope_line.sentence(theory_for(study, scope), scope)]
    if assumed := questions.in_full(study, scope):
        parts.append(f"Assumed without having been told: {scope_line.listed(assumed)}.")
    if isinstance(study, TransferStudy):
        parts.append(
            f"Smoothness β = {study.smoothness:g} and margin α = {study.margin:g} are "
            + ("told as ranges." if scope.smoothness else "not known from data.")
        )
    else:
        parts.append(f"Smoothness α = {study.smoothness:g} is not known from data.")
    return f"**Assumptions.** {' '.join(parts)}"


def costs(about: Subject) -> Iterator[Block]:
    """What privacy costs, told once in every way it is told in the app."""
    cost, found = about.cost, about.found
    rows = [
        (
            "Rate equation, no constants",
            f"× {words.number(cost.equation.rate_ratio)}",
            words.percent(cost.equation.kept),
        )
    ]
    if cost.mechanism:
        kept = verdict.kept_range(cost)
        rows.append(("Named mechanism", f"× {verdict.ratio_range(cost)}", kept))
    if found is not None:
        rows.append(_over("Rate equation, over what is not known", found.equation))
        if found.mechanism:
            rows.append(_over("Named mechanism, over what is not known", found.mechanism))
    exact = world.risks(about.study, about.cost.risk)
    if exact is not None and exact.values["unprotected"] > 0:
        ratio = exact.values["study"] / exact.values["unprotected"]
        rows.append(("Exact, in a made-up world", f"× {words.number(ratio)}", "–"))
    columns = (
        "How it is counted",
        "Error against no privacy",
        "Part of the effective records kept",
    )
    yield Table(
        dict(zip(columns, map(list, zip(*rows, strict=True)), strict=True)),
        "What privacy costs, counted in every way",
        "costs",
    )
    yield Text(_RELATE)


def _over(name: str, ends: Spread) -> tuple[str, str, str]:
    return name, f"× {fit_words.span(ends.cost)}", fit_words.share(ends.kept)
