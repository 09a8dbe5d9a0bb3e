"""The calibration that a session has accepted: the only ground for an absolute risk on a page."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass

import streamlit as st

from pages.charts import words
from pages.core import Texts, UrlState
from pages.current import state
from pages.study import RISKS
from rates.numbers import DomainError, Words
from rates.study import Scope, Study, TransferStudy, theory_for
from sims.fit import Absolute, Calibration, calibrate, risk_of, worlds_for

REPEATS = 60  # per setting, where no exact formula exists
WORLDS = "calibration_world"  # by risk, the world that is looked at; kept between studies


@dataclass(frozen=True, slots=True)
class Held:
    """A calibration with what repeats it: "risk:world" and study; empty for a pilot's."""

    calibration: Calibration
    name: str = ""
    study: Study | None = None


@functools.lru_cache(maxsize=32)
def fit(study: Study, world: str, pointwise: bool, scope: Scope) -> Calibration:
    """Return the constant of a world at a study's sites."""
    found = worlds_for(study, pointwise=pointwise)[world]
    return calibrate(study, found, scope=scope, repeats=REPEATS)


class _Url(UrlState[Held | None]):
    """What a link says of the calibration: "risk:world", and nothing where that is not enough.

    A constant that was fitted before the study changed is not in the link: fitted again, at the
    sites as they are now, it would be another one.
    """

    def read(self, texts: Texts) -> Held | None:
        given = texts.get(self.parameter, "")
        if not given:
            return None
        return self.get() if texts == self.link(self.get()) else _fitted(given)

    def write(self, value: Held | None) -> Texts:
        return {self.parameter: value.name if value and value.study == state.current() else ""}


CONSTANT = _Url(
    parameter="constant",
    start=None,
    refused="The constant in the address could not be used.",
)


def keep(calibration: Calibration, world: str = "", study: Study | None = None) -> None:
    """Make an accepted fit the session's calibration; one that was refused is not kept.

    Args:
        calibration: The fit.
        world: Name of its world; empty for a pilot, which no link can hold.
        study: Where it was fitted.
    """
    if calibration.accepted:
        name = f"{calibration.yardstick.kind}:{world}" if world else ""
        CONSTANT.set(Held(calibration, name, study))


def held() -> Calibration | None:
    """Return the calibration whatever the study; None if none was accepted."""
    kept = CONSTANT.get()
    return kept.calibration if kept else None


def _fitted(text: str) -> Held:
    """Fit the constant that a link names."""
    kind, _, world = text.partition(":")
    study = state.current()
    allowed = [
        f"{risk}:{name}"
        for risk in RISKS
        if risk in _risks(study)
        for name in worlds_for(study, pointwise=risk == "pointwise")
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
    st.session_state.setdefault(WORLDS, {})[kind] = world
    return Held(found, text, study)


def _risks(study: Study) -> tuple[str, ...]:
    return ("classification",) if isinstance(study, TransferStudy) else ("integrated", "pointwise")


def get(study: Study, kind: str | None = None) -> Calibration | None:
    """Return the calibration if it belongs to a study: its kind, its parameters, its theory.

    Args:
        study: The study on the page.
        kind: "classification", "integrated" or "pointwise", where only that risk is wanted.
    """
    found = held()
    if found is None or found.yardstick.mismatch(study):
        return None
    if kind is not None and found.yardstick.kind != kind:
        return None
    return found if theory_for(study, state.scope()).covers_numbers else None


def risk(study: Study, kind: str | None = None) -> Absolute:
    """Return the absolute risk of a study by the session's calibration, or why there is none."""
    return risk_of(get(study, kind), study)


def settings(calibration: Calibration) -> str:
    """Say at which settings the constant was fitted, and how."""
    used = [t for t in calibration.settings if not t.left_out]
    least, most = (words.number(f(t.records for t in used)) for f in (min, max))
    if calibration.pilot:
        return f"{len(used)} training sets of {least} to {most} records, seed {calibration.seed}"
    records = words.span(least, most)
    mixed = f" and {len(calibration.uneven)} uneven ones" if calibration.uneven else ""
    finite = [t.budget for t in used if math.isfinite(t.budget)]
    budgets = "no privacy"
    if finite:
        budgets = f"{words.between(min(finite), max(finite))} times the budgets"
        if len(finite) < len(used):
            budgets += " or no privacy"
    how = "by exact formula"
    if calibration.seed is not None:
        how = (
            f"by {calibration.method} with seed {calibration.seed}, "
            f"{calibration.replicates} replicates"
        )
    return f"{len(used)} settings with {records} times the records, {budgets}{mixed}, {how}"


def ground(calibration: Calibration) -> str:
    """Say in words in which world, at which settings and how the constant was found."""
    return f"{calibration.world}; {settings(calibration)}"


def plain(study: Study, kind: str | None = None) -> str:
    """Return the absolute risk as plain text for a protocol; empty if there is none."""
    found, told = get(study, kind), risk(study, kind)
    if found is None or told.refusal:
        return ""
    return (
        f"Where the truth is {found.world}, the {RISKS[found.yardstick.kind]} of that procedure at "
        f"these sites is about {value(found, told.value)} (95 % interval {ends(found, told)}; "
        f"constant fitted at {settings(found)}). Whether our patients are like this cannot be told "
        "from it."
    )


def sentence(study: Study, kind: str | None = None) -> str:
    """Return the absolute risk with world, settings and interval; empty if there is none."""
    found, told = get(study, kind), risk(study, kind)
    if found is None or told.refusal:
        return ""
    return (
        f"about **{value(found, told.value)}** (95 %: {ends(found, told)}) in this world: "
        f"{words.md(ground(found))}"
    )


def ends(calibration: Calibration, told: Absolute) -> str:
    """Return the 95 % interval of a risk as text."""
    return words.span(value(calibration, told.low), value(calibration, told.high))


def value(calibration: Calibration, x: float) -> str:
    """Return a risk as text: per cent for a classifier, a number for a curve."""
    if calibration.yardstick.kind == "classification":
        return f"{words.number(100.0 * x)} %"
    return words.number(x)
