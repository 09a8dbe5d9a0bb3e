"""What is aimed at: a fraction of today's rate, a multiple of the sample, or a calibrated risk."""

from __future__ import annotations

from dataclasses import dataclass, replace

import streamlit as st

from pages.figures.chart import words
from pages.parts.fit import constant as calibrated_state
from pages.parts.plan import state as plan_state
from pages.parts.plan import view as plan_view
from pages.parts.session import Menu, Slider, number
from pages.parts.study import RISKS
from rates.numbers import DomainError
from rates.plan import fraction_of_risk, fraction_of_sample
from rates.study import Study, TransferStudy
from sims.fit import Absolute

_TITLES = {
    "sample": "Times today's sample",
    "rate": "Part of today's rate",
    "risk": "A risk, as calibrated",
}


@dataclass(frozen=True, slots=True)
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

    @property
    def bare(self) -> Goal:
        """The goal without its words, which no figure shows."""
        return replace(self, text="", note="")


def risk(study: Study, view: plan_view.View) -> str:
    """Which error counts."""
    if isinstance(study, TransferStudy):
        return "classification"
    return view.risk or "integrated"


def bandwidth(study: Study, kappa: float = 2.0) -> str:
    """Return with which constants the plan takes the named mechanism, as a sentence."""
    if not isinstance(study, TransferStudy):
        return "Named mechanism: the series estimator with one fixed set of constants."
    text = f"Named mechanism: bandwidth {words.number(kappa)} r, with r the mechanism's own root"
    return f"{text}; the page Study shows it from 1 to 3 r."


def controls(study: Study) -> None:
    """Choose the goal, and for a curve the error that counts."""
    if not isinstance(study, TransferStudy):
        Menu("risk", "Error that counts", words.RISKS).draw(plan_state.PLAN)
    Menu("goal", "What do you aim at?", _TITLES).draw(plan_state.PLAN)
    view = plan_state.current()
    if view.goal == "sample":
        Slider("multiple", "× today's sample").draw(plan_state.PLAN)
    elif view.goal == "rate":
        Slider("fraction", "Rate over today's").draw(plan_state.PLAN)
    elif not (now := today(study, view)).refusal:
        number(
            "plan_wanted",
            "Risk aimed at (0.01: 1 %)",
            plan_view.WANTED,
            view.wanted or now.value / 2,
            lambda value: plan_state.PLAN.change(wanted=value),
        )


def today(study: Study, view: plan_view.View) -> Absolute:
    """Return the study's calibrated risk, or why there is none."""
    return calibrated_state.risk(study, risk(study, view))


def goal(study: Study, view: plan_view.View) -> Goal:
    """Return what is aimed at as a fraction of today's rate."""
    error = RISKS[risk(study, view)]
    if view.goal == "rate":
        text = f"To bring the worst-case {error} to **{words.percent(view.fraction)}** of today's"
        return Goal(view.fraction, text)
    if view.goal == "sample":
        text = f"To make the effective sample **{words.number(view.multiple)}** times today's"
        try:
            fraction = fraction_of_sample(study, view.multiple, risk(study, view))
        except DomainError as refusal:
            return Goal(None, text, str(refusal))
        return Goal(fraction, f"{text} (a rate of {words.percent(fraction)} of today's)")
    return _calibrated(study, view)


def _calibrated(study: Study, view: plan_view.View) -> Goal:
    now = today(study, view)
    if now.refusal:
        return Goal(
            None,
            "",
            f"{now.refusal} Rates leave out constants, so a risk can be aimed at only after a "
            "calibration by simulation (page Fit); choose another goal, or calibrate.",
        )
    found = calibrated_state.get(study, risk(study, view))
    assert found is not None
    wanted = view.wanted or now.value / 2
    ends = calibrated_state.ends(found, now)
    text = (
        f"To bring the risk from {calibrated_state.value(found, now.value)} (95 %: {ends}), as "
        f"calibrated, to **{calibrated_state.value(found, wanted)}**"
    )
    try:
        fraction = fraction_of_risk(now.value, wanted)
    except DomainError as refusal:
        return Goal(None, text, str(refusal))
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
