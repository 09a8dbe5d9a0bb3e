"""What is aimed at: a fraction of today's rate, a multiple of the sample, or a calibrated risk."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from pages.figures.chart import words
from pages.parts.fit import constant as calibrated_state
from pages.parts.plan import state as plan_state
from pages.parts.plan import view as plan_view
from pages.parts.plan.view import View
from pages.parts.session import fields, number
from pages.parts.study import RISKS
from rates.numbers import DomainError, decades, steps
from rates.plan import fraction_of_risk, fraction_of_sample
from rates.study import Study, TransferStudy
from sims.fit import Absolute

_TITLES = {
    "rate": "A fraction of today's rate",
    "sample": "A multiple of today's effective sample",
    "risk": "A risk, as calibrated",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Goal:
    """What is aimed at, or why it cannot be.

    Attributes:
        fraction: The rate wanted over today's; None where it cannot be said.
        text: The goal in words, Markdown.
        refusal: Why it cannot be said; empty otherwise.
        kappa: Bandwidth over r of the mechanism; that of the calibration where there is one.
        note: What the goal rests on, Markdown; empty where it is relative to today.
    """

    fraction: float | None
    text: str
    refusal: str = ""
    kappa: float = 2.0
    note: str = ""


def risk(study: Study, view: View) -> str:
    """Which error counts."""
    if isinstance(study, TransferStudy):
        return "classification"
    return view.risk or "integrated"


def settle() -> None:
    """Take over the choices that the browser holds."""
    for name in ("goal", "risk"):
        plan_state.take_choice(name)


def bandwidth(study: Study, kappa: float = 2.0) -> str:
    """Return with which constants the plan takes the named mechanism, as a sentence."""
    if not isinstance(study, TransferStudy):
        return "Named mechanism: the series estimator with one fixed set of constants."
    text = f"Named mechanism: bandwidth {words.number(kappa)} r, with r the mechanism's own root"
    return f"{text}; the page Study shows it from 1 to 3 r."


def controls(study: Study) -> None:
    """Choose the goal, and for a curve the error that counts."""
    view = plan_state.current()
    if not isinstance(study, TransferStudy):
        fields.choose("plan_risk", "Error that counts", words.RISKS, risk(study, view))
    fields.choose("plan_goal", "What do you aim at?", _TITLES, view.goal)
    if view.goal == "sample":
        stops = [1.1, 1.25, 1.5, *decades(0, 3)[3:]]
        _number("multiple", "Effective sample over today's", stops, view.multiple)
    elif view.goal == "rate":
        _number("fraction", "Rate over today's", steps(0.05, 0.95, 0.05), view.fraction)
    elif not (now := today(study, view)).refusal:
        _number(
            "wanted",
            "Risk aimed at (0.01: 1 %)",
            decades(-4, 0)[:-1],
            view.wanted or now.value / 2,
        )


def _number(name: str, title: str, options: list[float], value: float) -> None:
    number(f"plan_{name}", title, plan_view.NUMBERS[name], value, plan_state.setter(name), options)


def today(study: Study, view: View) -> Absolute:
    """Return the study's calibrated risk, or why there is none."""
    return calibrated_state.risk(study, risk(study, view))


def goal(study: Study, view: View) -> Goal:
    """Return what is aimed at as a fraction of today's rate."""
    error = RISKS[risk(study, view)]
    if view.goal == "rate":
        text = f"To bring the worst-case {error} to **{words.percent(view.fraction)}** of today's"
        return Goal(fraction=view.fraction, text=text)
    if view.goal == "sample":
        text = f"To make the effective sample **{words.number(view.multiple)}** times today's"
        try:
            fraction = fraction_of_sample(study, view.multiple, risk(study, view))
        except DomainError as refusal:
            return Goal(fraction=None, text=text, refusal=str(refusal))
        return Goal(
            fraction=fraction,
            text=f"{text} (a rate of {words.percent(fraction)} of today's)",
        )
    return _calibrated(study, view)


def _calibrated(study: Study, view: View) -> Goal:
    now = today(study, view)
    if now.refusal:
        return Goal(
            fraction=None,
            text="",
            refusal=f"{now.refusal} Rates leave out constants, so a risk can be aimed at only "
            "after a calibration by simulation (page Fit); choose another goal, or calibrate.",
        )
    found = calibrated_state.get(study, risk(study, view))
    assert found is not None
    wanted = view.wanted or now.value / 2
    ends = words.span(*(calibrated_state.value(found, x) for x in (now.low, now.high)))
    text = (
        f"To bring the risk from {calibrated_state.value(found, now.value)} (95 %: {ends}), as "
        f"calibrated, to **{calibrated_state.value(found, wanted)}**"
    )
    try:
        fraction = fraction_of_risk(now.value, wanted)
    except DomainError as refusal:
        return Goal(fraction=None, text=text, refusal=str(refusal))
    note = (
        f"The risk is that of this world: {words.md(calibrated_state.ground(found))}. Whether your "
        "patients are like it cannot be told from it."
    )
    return Goal(fraction=fraction, text=text, kappa=found.yardstick.kappa, note=note)


def remarks(found: Goal) -> None:
    """Say why a goal cannot be said, or what it rests on."""
    if found.refusal:
        st.error(words.plain(found.refusal))
    if found.note:
        st.caption(found.note)
