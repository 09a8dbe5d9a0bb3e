"""From a rate to a risk: a constant fitted on a world.

The constant that a session has accepted is the only ground for an absolute risk on a page.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from pages import core
from pages.charts import Figure, words
from pages.charts import plan as figures
from pages.current import fields, state
from pages.study import RISKS
from rates.numbers import DomainError, Words
from rates.study import Scope, Study, theory_for
from sims import calibration as fits
from sims.acc import Cusp

_WORLDS = "calibration_world"  # by risk, the world that is looked at; kept between studies
_NONE = "none"
_CURVES = {
    "fourier": "Random waves of the study's smoothness",
    "cusps": "Curves with one cusp, error at the cusp",
}


@dataclass(frozen=True, slots=True)
class Held:
    """A calibration with what repeats it: "risk:world" and study."""

    calibration: fits.Calibration
    name: str
    study: Study


@functools.lru_cache(maxsize=32)
def fit(study: Study, world: str, pointwise: bool, scope: Scope) -> fits.Calibration:
    """Return the constant of a world at a study's sites."""
    found = fits.worlds_for(study, pointwise=pointwise)[world]
    return fits.calibrate(study, found, scope=scope)


class _Url(core.UrlState[Held | None]):
    """What a link says of the calibration: "risk:world", and nothing where that is not enough.

    A constant that was fitted before the study changed is not in the link: fitted again, at the
    sites as they are now, it would be another one.
    """

    def read(self, texts: core.Texts) -> Held | None:
        given = texts.get(self.parameter, "")
        if not given:
            return None
        # The page wrote this address itself: what it stands for is kept, and not fitted again.
        return self.get() if texts == self.link(self.get()) else _fitted(given)

    def write(self, value: Held | None) -> core.Texts:
        return {self.parameter: value.name if value and value.study == state.current() else ""}


CONSTANT = _Url(
    parameter="constant", start=None, refused="The constant in the address could not be used."
)


def _fitted(text: str) -> Held:
    """Fit the constant that a link names."""
    kind, _, world = text.partition(":")
    study = state.current()
    transfer = study.kind == "transfer"
    allowed = [
        f"{risk}:{name}"
        for risk in (("classification",) if transfer else ("integrated", "pointwise"))
        for name in fits.worlds_for(study, pointwise=risk == "pointwise")
    ]
    if text not in allowed:
        rule = f"For this study it must be one of {', '.join(allowed)}."
        rule = rule if allowed else "For this study there is no world to fit a constant in."
        raise DomainError(rule, field=CONSTANT.parameter, value=text[:60])
    with st.spinner("Risks at 28 settings"):
        found = fit(study, world, kind == "pointwise", state.scope())
    if not found.accepted:
        raise DomainError(
            "The fit is refused.", field=CONSTANT.parameter, value=Words(found.refusal)
        )
    # The menu shows what the link chose.
    st.session_state.setdefault(_WORLDS, {})[kind] = world
    return Held(found, text, study)


def get(study: Study, kind: str | None = None) -> fits.Calibration | None:
    """Return the calibration if it belongs to a study: its kind, its parameters, its theory.

    Args:
        study: The study on the page.
        kind: "classification", "integrated" or "pointwise", where only that risk is wanted.
    """
    held = CONSTANT.get()
    if held is None or held.calibration.yardstick.mismatch(study):
        return None
    if kind not in (None, held.calibration.yardstick.kind):
        return None
    return held.calibration if theory_for(study, state.scope()).covers_numbers else None


def risk(study: Study, kind: str | None = None) -> fits.Absolute:
    """Return the absolute risk of a study by the session's calibration, or why there is none."""
    return fits.risk_of(get(study, kind), study)


def ground(calibration: fits.Calibration) -> str:
    """Say in which world, at which settings and how the constant was found."""
    used = [t for t in calibration.settings if not t.left_out]
    ends = words.extremes([t.records for t in used])
    finite = words.extremes([t.budget for t in used if math.isfinite(t.budget)] or [math.inf])
    return (
        f"{calibration.world}; {len(used)} settings with {ends} times the records and {finite} "
        f"times the budgets, or no privacy, by exact formula"
    )


def plain(study: Study, kind: str | None = None) -> str:
    """Return the absolute risk as plain text, also for a protocol; empty if there is none."""
    found, told = get(study, kind), risk(study, kind)
    if found is None or told.refusal:
        return ""
    return (
        f"The {RISKS[found.yardstick.kind]} of the named procedure at these sites is about "
        f"{value(found, told.value)} (95% interval {ends(found, told)}) in this world: "
        f"{ground(found)}. Whether our patients are like it cannot be told from it."
    )


def ends(calibration: fits.Calibration, told: fits.Absolute) -> str:
    """Return the 95% interval of a risk as text."""
    return words.span(value(calibration, told.low), value(calibration, told.high))


def value(calibration: fits.Calibration, x: float) -> str:
    """Return a risk as text: per cent for a classifier, a number for a curve."""
    if calibration.yardstick.kind == "classification":
        return f"{words.number(100.0 * x)}%"
    return words.number(x)


# The section of the page -------------------------------------------------------------------------


def section(study: Study, chosen: str) -> None:
    """Offer worlds, show the fit or the refusal, and what rests on an accepted one.

    Args:
        study: The current study.
        chosen: Which error counts: "classification", "integrated" or "pointwise".
    """
    place = st.container()  # the answer stands above what it depends on, and is known after it
    left, right = st.columns([1, 1], gap="large")
    with left:
        st.markdown(
            "The **rate** says how the error falls with records and budgets, and leaves out its "
            "constant, so it is not yet a risk. The **named mechanism** is one concrete procedure "
            "with all its constants. A **world** is a made-up truth in which everything is known: "
            "there, and only there, the constant C of *risk = C × rate* can be found for your own "
            "sites."
        )
        if (drawn := _offered(study, chosen)) is not None:
            with right:
                core.blocks.show([drawn()], page="fit")
    with place:
        st.markdown(_answer(study, chosen))
    if get(study, chosen) is not None:
        st.caption("*What would help* says what a smaller risk needs.")


def _offered(study: Study, chosen: str) -> Callable[[], Figure] | None:
    """Take a world; offer its constant, and return what draws the fit."""
    worlds = fits.worlds_for(study, pointwise=chosen == "pointwise")
    options = {_NONE: "None: rates only"} | {
        name: world_label(name, w) for name, w in worlds.items()
    }
    if not worlds:
        st.info(
            f"Your study has {study.dimension} covariates, and the risk is known only in worlds "
            "with one or two, so there is no absolute risk."
            if study.target is not None
            else "No world has curves as smooth as this study's: the smoothest random ones have "
            "α = 2, the smoothest cusps below 2. So no absolute error is shown."
        )
        return None
    looked = st.session_state.setdefault(_WORLDS, {})
    name = looked[chosen] = fields.choose(
        f"world_{chosen}",
        "World",
        options,
        looked.get(chosen, _NONE),
        help="Choose the one most like your patients. Whether they are like it cannot be tested "
        "here.",
    )
    if name == _NONE:
        return None
    with st.spinner("Risks at 28 settings"):
        asked = study, name, chosen == "pointwise", state.scope()
        found = fit(*asked)
    draw = functools.partial(core.with_lines, calibration_drawn, *asked)
    if found.refusal:
        st.warning(f"**Refused.** {words.md(found.refusal)} No absolute risk is shown.")
        return draw if found.settings else None
    title, yard = "Use this constant", found.yardstick
    if study.target is not None and yard.mismatch(study):
        beta, alpha = words.number(yard.study.smoothness), words.number(yard.study.margin)
        title += f", and set β = {beta} and α = {alpha} in the study"
    how: dict[str, Any] = {
        "icon": ":material/straighten:",
        "disabled": get(study, chosen) == found,
    }
    core.button(title, "keep_calibration", _keep, found, name, **how)
    return draw


def world_label(name: str, world: fits.World) -> str:
    """What a world is called in the menu."""
    if isinstance(world, Cusp):
        beta, alpha = words.number(world.smoothness), words.number(world.margin)
        return f"Risk crosses 50% along a line, β = {beta}, α = {alpha}"
    return _CURVES[name]


def _keep(found: fits.Calibration, world: str) -> None:
    """Make an accepted fit the session's; the study takes the world's parameters."""
    study, yard = state.current(), found.yardstick
    if study.target is not None and yard.mismatch(study):
        state.adopt(
            replace(study, smoothness=yard.study.smoothness, margin=yard.study.margin),
            state.scope(),
        )
    CONSTANT.set(Held(found, f"{yard.kind}:{world}", state.current()))


def calibration_drawn(study: Study, world: str, pointwise: bool, scope: Scope) -> Figure:
    """Risk against rate in a world, at a study's sites."""
    return _picture(fit(study, world, pointwise, scope))


def _picture(found: fits.Calibration) -> Figure:
    """Risk against rate, and the constant between them if there is one."""
    title = "No constant"
    if found.constant is not None and not found.refusal:
        title = f"Risk is {words.number(found.constant.value)} times the rate in this world"
    y_title = "Excess error" if found.yardstick.kind == "classification" else "Squared error"
    return figures.calibration_figure(found, title=title, y_title=y_title, caption=_caption(found))


def _caption(found: fits.Calibration) -> str:
    used, constant = sum(not t.left_out for t in found.settings), found.constant
    parts = [
        "Your sites with fewer and more records, smaller and larger budgets, and without "
        "privacy, in this world.",
        f"{used} of {len(found.settings)} settings are in the fit.",
    ]
    if constant is not None:
        ends = words.between(constant.low, constant.high)
        parts.append(f"C = {words.number(constant.value)} (95%: {ends}).")
    parts.append("All risks are exact: the intervals say how far C moves between settings.")
    return " ".join([*parts, words.md(found.note)])


def _answer(study: Study, chosen: str) -> str:
    """The absolute risk, or why there is none."""
    if get(study, chosen) is None:
        if CONSTANT.get() is None:
            return "**No absolute risk yet**: nothing has been calibrated."
        return (
            "**No absolute risk**: the constant that was used belongs to another study, to other "
            "parameters, or the answers above leave its theory."
        )
    if refusal := risk(study, chosen).refusal:
        return f"**No absolute risk at these sites.** {words.md(refusal)}"
    return words.md(plain(study, chosen))
