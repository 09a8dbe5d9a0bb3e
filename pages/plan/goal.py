"""What is aimed at: a need in records, a part of what privacy costs, or a calibrated risk."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace

import streamlit as st

from pages.charts import words
from pages.core import Menu, Slider, number
from pages.fit import constant as calibrated_state
from pages.plan import state as plan_state
from pages.plan import view as plan_view
from pages.study import RISKS
from rates.answer import KAPPAS, Lens
from rates.numbers import DomainError
from rates.plan import Aim, fraction_of_risk, lenses
from rates.study import Study, TransferStudy
from sims.fit import Absolute

_TITLES = {
    "need": "A need in records",
    "part": "A part of what privacy costs",
    "risk": "A risk, as calibrated",
}
_OLDER = {
    "sample": "Times today's sample (older link)",
    "rate": "Part of today's rate (older link)",
}


@dataclass(frozen=True, slots=True)
class Goal:
    """What is aimed at, or why it cannot be.

    Attributes:
        aim: In effective records; None where it cannot be said.
        fraction: The rate wanted over today's by the mechanism, or without one by the rate
            equation; None where there is none below today's.
        by_equation: The same by the rate equation; from 1 on today's is enough by it.
        text: The goal in words, Markdown.
        refusal: Why it cannot be said; empty otherwise.
        kappas: Bandwidths over r of the mechanism; that of the calibration where there is one.
        note: What the goal rests on, Markdown; empty where it is relative to today.
    """

    aim: Aim | None
    fraction: float | None
    by_equation: float
    text: str
    refusal: str = ""
    kappas: tuple[float, ...] = KAPPAS
    note: str = ""

    @property
    def kappa(self) -> float:
        """The bandwidth where one is taken: the middle one."""
        return self.kappas[len(self.kappas) // 2]

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
    view = plan_state.current()
    older = {view.goal: _OLDER[view.goal]} if view.goal in plan_view.OLDER else {}
    Menu("goal", "What do you aim at?", _TITLES | older).draw(plan_state.PLAN)
    view = plan_state.current()
    if view.goal == "need":
        number(
            "plan_needed",
            "Records needed",
            plan_view.NUMBERS["needed"],
            need(study, view),
            lambda value: plan_state.PLAN.change(needed=value),
        )
    elif view.goal == "part":
        Slider("part", "Part won back").draw(plan_state.PLAN)
    elif view.goal == "sample":
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


def need(study: Study, view: plan_view.View) -> float:
    """The need in records: what was told, else about twice what the study is worth."""
    if view.needed:
        return view.needed
    twice = 2.0 * max(worths(study, risk(study, view))[-1])
    return float(f"{twice:.1e}")


@functools.lru_cache(maxsize=128)
def worths(
    study: Study, risk: str, kappas: tuple[float, ...] = KAPPAS
) -> tuple[tuple[float, ...], ...]:
    """Effective records: by the rate equation, then by the mechanism over its constants."""
    now = Aim(multiple=1.0)
    plain, *named = (now.records(study, lens) for lens in lenses(study, risk, kappas))
    return ((plain,), tuple(named)) if named else ((plain,),)


def today(study: Study, view: plan_view.View) -> Absolute:
    """Return the study's calibrated risk, or why there is none."""
    return calibrated_state.risk(study, risk(study, view))


def goal(study: Study, view: plan_view.View) -> Goal:
    """Return what is aimed at, by both answers."""
    if view.goal == "risk":
        return _calibrated(study, view)
    if view.goal == "rate":
        error, part = RISKS[risk(study, view)], words.percent(view.fraction)
        text = f"To bring the worst-case {error} to **{part}** of today's"
        return _made(study, view, Aim.of_rate(study, view.fraction, risk(study, view)), text)
    if view.goal == "sample":
        times = words.number(view.multiple)
        text = f"To make the effective sample **{times}** times today's"
        return _made(study, view, Aim(multiple=view.multiple), text)
    if view.goal == "need":
        records = need(study, view)
        text = f"To be worth **{records:,.6g}** effective records"
        return _made(study, view, Aim(needed=records), text)
    text = f"To win back **{words.percent(view.part)}** of what privacy costs"
    if view.part == 0.5:
        text = "To halve what privacy costs"
    return _made(study, view, Aim(part=view.part), text)


def _made(
    study: Study,
    view: plan_view.View,
    aim: Aim,
    text: str,
    *,
    kappas: tuple[float, ...] = KAPPAS,
    note: str = "",
) -> Goal:
    plain = Lens(risk=risk(study, view), kappa=kappas[len(kappas) // 2])
    by_equation = aim.fraction(study, plain)
    fraction = by_equation if plain.lacks_delta(study) else aim.fraction(study, plain.named)
    return Goal(
        aim=aim,
        fraction=fraction if 1e-300 < fraction < 1.0 else None,
        by_equation=by_equation,
        text=text,
        kappas=kappas,
        note=note,
    )


def refused(text: str, why: str) -> Goal:
    """A goal that cannot be said."""
    return Goal(aim=None, fraction=None, by_equation=1.0, text=text, refusal=why)


def _calibrated(study: Study, view: plan_view.View) -> Goal:
    now = today(study, view)
    if now.refusal:
        return refused(
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
        return refused(text, str(refusal))
    note = (
        f"The risk is that of this world: {words.md(calibrated_state.ground(found))}. Whether your "
        "patients are like it cannot be told from it."
    )
    aim = Aim.of_rate(study, fraction, risk(study, view))
    return _made(study, view, aim, text, kappas=(found.yardstick.kappa,), note=note)


def remarks(found: Goal) -> None:
    """Say why a goal cannot be said, or what it rests on."""
    if found.refusal:
        st.error(words.plain(found.refusal))
    if found.note:
        st.caption(found.note)
