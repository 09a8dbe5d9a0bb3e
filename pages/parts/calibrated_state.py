"""The calibration that a session has accepted: the only ground for an absolute risk on a page."""

from __future__ import annotations

import math

import streamlit as st

from pages.parts import state, words
from pages.parts.verdict import RISKS
from rates.scenario import Study
from rates.scope import theory_for
from sims.calibration import Absolute, Calibration, risk_of

_KEY = "calibration"


def keep(calibration: Calibration) -> None:
    """Make an accepted fit the session's calibration; one that was refused is not kept."""
    if calibration.accepted:
        st.session_state[_KEY] = calibration


def drop() -> None:
    """Forget it."""
    st.session_state.pop(_KEY, None)


def held() -> Calibration | None:
    """Return the calibration whatever the study; None if none was accepted."""
    return st.session_state.get(_KEY)


def get(study: Study, kind: str | None = None) -> Calibration | None:
    """Return the calibration if it belongs to a study: its kind, its parameters, its theory.

    Args:
        study: The study on the page.
        kind: "classification", "integrated" or "pointwise", where only that risk is wanted.
    """
    found = held()
    if found is None or not found.accepted or found.yardstick.mismatch(study):
        return None
    if kind is not None and found.yardstick.kind != kind:
        return None
    return None if theory_for(study, state.scope()).broken else found


def risk(study: Study, kind: str | None = None) -> Absolute:
    """Return the absolute risk of a study by the session's calibration, or why there is none."""
    return risk_of(get(study, kind), study)


def settings(calibration: Calibration) -> str:
    """Say at which settings the constant was fitted, and how."""
    used = [t for t in calibration.settings if not t.left_out]
    if calibration.pilot:
        least, most = (words.number(f(t.records for t in used)) for f in (min, max))
        return f"{len(used)} training sets of {least} to {most} records, seed {calibration.seed}"
    records = words.span(*(words.number(f(t.records for t in used)) for f in (min, max)))
    finite = [t.budget for t in used if math.isfinite(t.budget)]
    budgets = "no privacy"
    if finite:
        budgets = (
            f"{words.span(words.number(min(finite)), words.number(max(finite)))} times the budgets"
        )
        if len(finite) < len(used):
            budgets += " or no privacy"
    how = "by exact formula"
    if calibration.seed is not None:
        how = (
            f"by {calibration.method} with seed {calibration.seed}, "
            f"{calibration.replicates} replicates"
        )
    return f"{len(used)} settings with {records} times the records, {budgets}, {how}"


def ground(calibration: Calibration) -> str:
    """Say in words in which world, at which settings and how the constant was found."""
    return f"{calibration.world}; {settings(calibration)}"


def plain(study: Study, kind: str | None = None) -> str:
    """Return the absolute risk as plain text for a protocol; empty if there is none."""
    found, told = get(study, kind), risk(study, kind)
    if found is None or told.refusal:
        return ""
    ends = words.span(value(found, told.low), value(found, told.high))
    return (
        f"Where the truth is {found.world}, the {RISKS[found.yardstick.kind]} of that "
        f"procedure at these sites is about "
        f"{value(found, told.value)} (95 % interval {ends}; constant fitted at "
        f"{settings(found)}). Whether our patients are like this cannot be told from it."
    )


def sentence(study: Study, kind: str | None = None) -> str:
    """Return the absolute risk with world, settings and interval; empty if there is none."""
    found, told = get(study, kind), risk(study, kind)
    if found is None or told.refusal:
        return ""
    return (
        f"about **{value(found, told.value)}** (95 %: "
        f"{words.span(value(found, told.low), value(found, told.high))}) in this world: "
        f"{words.md(ground(found))}"
    )


def value(calibration: Calibration, x: float) -> str:
    """Return a risk as text: per cent for a classifier, a number for a curve."""
    if calibration.yardstick.kind == "classification":
        return f"{words.number(100.0 * x)} %"
    return words.number(x)
