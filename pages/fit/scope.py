"""The scope questions, what does not go together, and what breaks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import streamlit as st

from pages.charts import words
from pages.core import fields, layout
from pages.current import scope_line, state
from pages.study import whose
from rates.study import QUESTIONS, Fit, Scope, alike, theory_for

_DONT_KNOW = "I don't know"
_ROOMS = {
    "ACC": ("phases", "Phases"),
    "CCV": ("resolution", "Resolution"),
    "KS": ("hybrid", "Hybrid"),
    "BCMM": ("adaptation", "Adaptation"),
    "DPLR": ("logistic", "Logistic"),
}


def settle() -> None:
    """Take over the answers that the browser holds."""
    target = whose.now()
    for question in QUESTIONS:
        given = fields.held(f"answer_{question}")
        if given in (fields.UNKNOWN, *QUESTIONS[question].options):  # anything is sent by hand
            answer = None if given == fields.UNKNOWN else given
            if question == "target":
                target = answer
            else:
                state.set_scope(state.scope().with_answer(question, answer))
    scope = state.scope()
    if scope.answer("prevalence") == "differs":
        fields.take("prevalence", _take_prevalence)
    if scope.answer("records") == "several":
        fields.take("records", _take_records)
    if target != whose.now():
        whose.take(target)  # last: a table that it changes is drawn anew


def _take_prevalence() -> None:
    low = fields.number("prevalence_low", "prevalence", percent=True)
    high = fields.number("prevalence_high", "prevalence", percent=True)
    if low is not None and high is not None:
        with fields.in_percent():
            state.set_scope(replace(state.scope(), prevalence=(low, high)))


def _take_records() -> None:
    count = fields.number("records_count", "records_per_person")
    if count is not None:
        state.set_scope(replace(state.scope(), records_per_person=int(count)))


def ask(*, stale: bool = False) -> None:
    """Draw the questions, with what goes with each beside it.

    Args:
        stale: Whether the table is unfinished: what does not go with the last complete study may
            go with the one that is being typed.
    """
    found = theory_for(state.current(), state.scope()).contradictions
    found = {} if stale else found
    left, right = st.columns(2, gap="large")
    half = (len(QUESTIONS) + 1) // 2
    for number, question in enumerate(QUESTIONS):
        with left if number < half else right:
            _question(question, found)


def _question(question: str, found: Mapping[str, str]) -> None:
    scope = state.scope()
    asked = QUESTIONS[question]
    fields.choose(
        f"answer_{question}",
        asked.text,
        {fields.UNKNOWN: _DONT_KNOW, **asked.options},
        (whose.now() if question == "target" else scope.answer(question)) or fields.UNKNOWN,
        help=asked.help,
    )
    if question == "target":
        whose.ask_site("fit_site")
    if question == "prevalence" and scope.answer(question) == "differs":
        _prevalence(scope)
    if question == "records" and scope.answer(question) == "several":
        given = scope.records_per_person
        fields.text(
            "records_count",
            "The most records of one person at one site",
            "" if given is None else str(given),
        )
        fields.problem("records")
    if text := found.get(question):
        st.warning(f"This does not go together: {text}")


def _prevalence(scope: Scope) -> None:
    low, high = scope.prevalence or (None, None)
    with st.container(horizontal=True):
        fields.text("prevalence_low", "Lowest share, per cent", _percent(low))
        fields.text("prevalence_high", "Highest share, per cent", _percent(high))
    fields.problem("prevalence")


def _percent(x: float | None) -> str:
    return "" if x is None else f"{100 * x:.6g}"


def outcome() -> None:
    """Say which theory it is, what breaks, and what is still open."""
    found = theory_for(state.current(), state.scope())
    name, title = words.keyed(scope_line.THEORY[found.theory.key]), found.theory.title
    if alike(state.current(), state.scope()) and found.theory.key == "ACC":
        title = "a classifier for sites that are all alike"
    if not state.scope().answers:
        st.markdown(
            "No question has been answered yet. Every answer narrows down which theory covers "
            "this study; *I don't know* is an answer too."
        )
        return
    if found.covers:
        rest = "" if found.unknown else " All its questions are answered."
        st.markdown(f"**Within {name}**, as far as answered: {title}.{rest}")
    else:
        st.markdown(
            f"**None of these theories covers this study.** The nearest is {name}: {title}. "
            "This is what breaks, and what still holds:"
        )
    for item in found.broken:
        st.markdown(
            f"✗ **{item.assumption[0].upper()}{item.assumption[1:]}.** {item.text} "
            f"({words.cited(item.source)})"
        )
    if found.unknown:
        asked = scope_line.listed([QUESTIONS[q].assumption for q in found.unknown])
        st.markdown(f"? Still open: {asked}.")
    if text := scope_line.elsewhere(found):
        st.markdown(f"✗ **The numbers on this page.** {words.keyed(text)}")
    door(found)


def door(found: Fit) -> None:
    """Lead to the page of the theory that covers the study, or of the nearest one."""
    stem, title = _ROOMS[found.theory.key]
    st.page_link(
        layout.page(stem),
        label=f"What this theory says: page {title}",
        icon=":material/door_open:",
        query_params=state.carried(),
    )
