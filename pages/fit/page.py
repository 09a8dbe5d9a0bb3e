"""The page: does a theory cover my study, and what do I not know?"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace

import streamlit as st

from pages import core
from pages.charts import words
from pages.core import Fold, Note, Table, Text, blocks, layout
from pages.current import fields, state, takeaway
from pages.fit import constant, rivals, unknowns
from pages.fit import words as fit_words
from pages.study import questions, sites
from rates.study import QUESTIONS, Fit, Scope, Study, fits, theory_for
from rates.theories import SAYS, Cell, breaks, stated, theories

TAB = core.PageTab.of(
    "fit",
    {
        "covered": "Covered",
        "unknown": "What I do not know",
        "alternatives": "Alternatives",
        "promises": "What ε promises",
        "paragraph": "Paragraph",
    },
)


def draw() -> None:
    """Draw the page; of its tabs only the open one is computed."""
    core.presenter.title("Does a theory cover my study?")
    layout.address_notes(TAB, constant.CONSTANT, rivals.CURATOR)
    TAB.load()
    constant.CONSTANT.load()
    tab = TAB.draw()
    settle()  # before the study is read: answers typed just now belong to it
    stale = sites.take_over()
    unknowns.settle()
    rivals.CURATOR.load()
    study, scope = state.current(), state.scope()
    if tab == "covered":
        _covered(study, scope, stale=stale)
    elif tab == "promises":
        blocks.show(fit_words.promises(study, scope), page=tab)
    else:
        _of_risk(tab, study, scope)
    blocks.show([Fold(words.LIMITS, [Text(_LIMITS)])], page="fit")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        sites.examples()
        sites.paste_box()
        takeaway.open_file()
        takeaway.take_box(study, stale=stale)
    core.sync_url(TAB, constant.CONSTANT, rivals.CURATOR)


def _of_risk(tab: str, study: Study, scope: Scope) -> None:
    """Draw a tab that is about one error; a curve has two."""
    chosen = questions.risk("fit_risk")
    if tab == "unknown":
        _unknown(study, chosen)
    elif tab == "alternatives":
        place = st.container()  # filled below: its risks rest on the constant fitted there
        st.header("Can I have an absolute risk?", anchor=False)
        constant.section(study, chosen)
        with place:
            rivals.section(study, scope, chosen)
    else:
        found, decided = theory_for(study, scope), state.decision(study, scope, chosen)
        absolute = constant.plain(study, chosen)
        text = fit_words.paragraph(found, scope, study, decided, absolute)
        st.code(text, language=None, wrap_lines=True)


def _unknown(study: Study, chosen: str) -> None:
    """What is not known, and what follows."""
    place = st.container()
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.markdown(
            "*I don't know* stands for a range, and the answers become ranges too. A *covariate* "
            "is one measurement per person, such as age."
        )
        unknowns.controls()
    scope = state.scope()
    result, refusal = unknowns.of(study, scope, chosen)
    if result is None:
        place.error(f"{words.plain(refusal)} Questions and promises on this page still hold.")
    else:
        with place:
            blocks.show(unknowns.answer(study, scope, result), page="fit")
        with right:
            blocks.show(unknowns.reasons(study, scope, result), page="fit")


_LIMITS = (
    "- That no assumption fails does not prove that all hold. Nothing here looks at data.\n"
    "- Ranges are worst cases over all problems of the stated kind. No sample size and no absolute "
    "risk follows, unless a constant was fitted; then they hold in its made-up world.\n"
    "- The plain words for values take the constants of the definitions as 1: a rough reading.\n"
    "- An attacker's edge is an upper bound for one release per site, and of no other.\n"
)


# Which theory covers the study: a badge each, what breaks it, and the questions -------------------

_ROOMS = {
    "ACC": ("phases", "What binds where"),
    "CCV": ("resolution", "How much detail"),
    "KS": ("hybrid", "Volunteers"),
    "BCMM": ("adaptation", "Public data"),
    "DPLR": ("logistic", "Which sites to drop"),
    "CAC": ("columns", "Split columns"),
}


def _covered(study: Study, scope: Scope, *, stale: bool) -> None:
    """Draw the badges, the questions, and what every theory says of every site."""
    place = st.container()
    st.header("Your answers", anchor=False)
    ask(stale=stale)
    with place:
        blocks.show(outcome(study, scope), page="covered")
    sited = core.fold(f"Site by site through the {len(_ROOMS)} theories", "fit_by_theory")
    if sited is not None:
        with sited:
            blocks.show(by_theory(study, scope), page="covered")


def settle() -> None:
    """Take over the numbers that go with the answers."""
    scope = state.scope()
    if scope.answer("prevalence") == "differs":
        fields.take("prevalence", _take_prevalence)
    if scope.answer("records") == "several":
        fields.take("records", _take_records)


def _take_prevalence() -> None:
    low, high = (
        fields.number(f"prevalence_{end}", "prevalence", percent=True) for end in ("low", "high")
    )
    if low is not None and high is not None:
        state.set_scope(replace(state.scope(), prevalence=(low, high)))


def _take_records() -> None:
    count = fields.number("records_count", "records_per_person")
    if count is not None:
        state.set_scope(replace(state.scope(), records_per_person=int(count)))


def ask(*, stale: bool = False) -> None:
    """Draw the questions, with what goes with each beside it."""
    found = {} if stale else theory_for(state.current(), state.scope()).contradictions
    places = st.columns(2, gap="large")
    half = (len(QUESTIONS) + 1) // 2
    for number, question in enumerate(QUESTIONS):
        with places[number // half]:
            questions.draw(question, fields.key(f"answer_{question}"), in_full=True)
            _detail(question, state.scope())
            if text := found.get(question):
                st.warning(f"This does not go together: {text}")


def _detail(question: str, scope: Scope) -> None:
    """Ask for the numbers that go with an answer."""
    if question == "target":
        questions.ask_site("fit_site")
    if question == "prevalence" and scope.answer(question) == "differs":
        low, high = (
            "" if share is None else f"{100 * share:.6g}"
            for share in scope.prevalence or (None, None)
        )
        with st.container(horizontal=True):
            fields.text("prevalence_low", "Lowest share, per cent", low)
            fields.text("prevalence_high", "Highest share, per cent", high)
        fields.problem("prevalence")
    if question == "records" and scope.answer(question) == "several":
        now = str(scope.records_per_person or "")
        fields.text("records_count", "The most records of one person at one site", now)
        fields.problem("records")


def outcome(study: Study, scope: Scope) -> Iterator[core.Block]:
    """Say which theory covers the study; of each, what breaks it and what would repair that."""
    found, told = theory_for(study, scope), stated(study, scope)
    yield Text(state.covered(found, scope))
    # What the study itself states breaks a theory; what has not been answered stays open.
    both = zip(fits(study, told), fits(study, scope), strict=True)
    for one, asked in both:
        row = replace(one, unknown=asked.unknown)
        yield Text(f"{badge(row)} [{row.theory.key}] {verdict(row, told)}")
    for item in found.broken:
        yield Text(
            f"✗ **{item.assumption[0].upper()}{item.assumption[1:]}.** {item.text} ({item.source})"
        )
    if scope.answers:
        yield lambda: door(found)


def badge(found: Fit) -> str:
    """Return whether a theory covers the study, as a badge in Markdown."""
    if found.broken:
        return ":red-badge[✗ not covered]"
    if left := len(found.unknown):
        return f":orange-badge[? {left} open]"
    return ":green-badge[✓ covered]"


def verdict(found: Fit, told: Scope) -> str:
    """Say what a theory is about, what breaks it and what would repair that, or what is open."""
    title = f"**{found.theory.title[0].upper()}{found.theory.title[1:]}.**"
    if parts := breaks(found, told):
        broken, needed = (
            "; ".join(f"*{text}*" for text in texts)
            for texts in zip(*((one.told, one.needed) for one in parts), strict=True)
        )
        return f"{title}  \nBroken by {broken}. Repaired by {needed}."
    asked = words.listed([QUESTIONS[name].assumption for name in found.unknown])
    return f"{title}  \nOpen: {asked}." if asked else title


def door(found: Fit) -> None:
    """Lead to the page of the theory that covers the study, or of the nearest one."""
    stem, title = _ROOMS[found.theory.key]
    layout.link(stem, f"What this theory says: {title}", "door_open", state.carried())


_MOST = 20  # rows of reasons
_STUDY = "The study"
_found = functools.lru_cache(maxsize=32)(theories)


def by_theory(study: Study, scope: Scope) -> Iterator[core.Block]:
    """Show what every theory says of every site, and why one says so, alike sites together."""
    rows = _found(study, scope)
    keys = [cell.theory for cell in rows[0].cells]
    columns = {"Site": [row.site or _STUDY for row in rows]}
    columns |= {key: [row.cells[k].says for row in rows] for k, key in enumerate(keys)}
    yield Table(columns, "What every theory says of the study and of each site", pinned="Site")
    shown = [says for says in SAYS if any(cell.says == says for row in rows for cell in row.cells)]
    yield Note(" ".join(f"**{says.capitalize()}**: {SAYS[says]}" for says in shown))
    nearest = theory_for(study, scope).theory.key
    chosen = core.pick(
        "fit_theory", "Why, by", {key: key for key in keys}, start=nearest, kept=False
    )
    yield Text(f"By {state.THEORY[chosen]}:")
    groups: dict[Cell, list[str]] = {}
    for row in rows:
        groups.setdefault(row.cells[keys.index(chosen)], []).append(row.site or _STUDY)
    some = list(groups.items())[:_MOST]
    who = [
        "The study and every site" if len(group) == len(rows) else words.names(group, most=4)
        for _, group in some
    ]
    why = [f"{words.md(cell.reason)} ({words.cited(cell.source)})" for cell, _ in some]
    reasons = {"Site": who, "Says": [cell.says for cell, _ in some], "Why": why}
    yield functools.partial(core.figure_card.wrapped, reasons)
    if len(groups) > _MOST:
        yield Note(f"The first {_MOST} of {len(groups)} reasons.")
