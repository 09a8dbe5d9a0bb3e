"""The answer of the resolution page in sentences, and the corollaries that cover a study."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.charts import words
from rates.answer import FederatedAnswer, RiskAnswer, Setback, setback
from rates.answer import solve as solve_study
from rates.resolution import Coverage, Detail, applies
from rates.study import FederatedStudy

RISKS = {risk: text.lower() for risk, text in words.RISKS.items()}
covered = functools.lru_cache(maxsize=64)(applies)


@functools.lru_cache(maxsize=64)
def solve(study: FederatedStudy) -> FederatedAnswer:
    """Solve the rate equation of a curve, once for every study."""
    return solve_study(study)


def _setback(study: FederatedStudy, risk: str) -> Setback:
    return setback(risk_of(solve(study), risk), risk_of(solve(study.unprotected()), risk))


def risk_of(answer: FederatedAnswer, risk: str) -> RiskAnswer:
    """The part of an answer that speaks of one error."""
    return answer.integrated if risk == "integrated" else answer.pointwise


def show(design: Detail, study: FederatedStudy) -> None:
    """Say how much detail survives, and what privacy costs."""
    if solve(study).integrated.D == 0:
        st.markdown("**No site carries information**: a budget of 0 releases nothing.")
        return
    first = _grown(design, study) if len(study.servers) > 1 else _alike(design, study)
    cost = [words.number(_setback(study, risk).rate_ratio) for risk in RISKS]
    st.markdown(
        f"{first} Privacy multiplies the error over the whole curve by **{cost[0]}** and the "
        f"error at one point by **{cost[1]}**, up to constants."
    )
    if solve(study).pointwise.D <= 1:
        st.caption(
            "Where D is at most 1 the bound is trivial: no detail survives, and the rate is 1."
        )


def _alike(design: Detail, study: FederatedStudy) -> str:
    answer = solve(study)
    parts = [
        f"**{words.number(risk_of(answer, risk).D)}** functions {text} (level "
        f"**{risk_of(answer, risk).level}**, {_binds(risk_of(answer, risk))} binds)"
        for risk, text in RISKS.items()
    ]
    sites = "site recovers" if design.sites == 1 else "sites recover"
    budget = "no protection" if math.isinf(design.epsilon) else f"ε = {_number(design.epsilon)}"
    return (
        f"**{design.sites:,}** {sites} {' and '.join(parts)} from **{design.n:,}** records "
        f"each, under {budget}."
    )


def _number(x: float) -> str:
    return f"**{words.number(x)}**"


def _binds(answer: RiskAnswer) -> str:
    return "privacy" if answer.limited_by[0] == "privacy" else "sampling"


def _grown(design: Detail, study: FederatedStudy) -> str:
    large, other = study.servers
    before, after = solve(design.study()), solve(study)
    parts = [
        f"from {words.number(risk_of(before, risk).D)} to "
        f"**{words.number(risk_of(after, risk).D)}** {text}"
        for risk, text in RISKS.items()
    ]
    others = f"each of the other {other.count:,} has" if other.count > 1 else "the other site has"
    return (
        f"With **{words.number(design.moved)} %** moved, one site has **{large.n:,}** records "
        f"and {others} **{other.n:,}**. D goes {' and '.join(parts)}. {_corollaries(study)}"
    )


def _corollaries(study: FederatedStudy) -> str:
    """Which of Corollaries 3 and 4 applies, for each error."""
    found = {risk: _names(study, risk) for risk in RISKS}
    if found["integrated"] == found["pointwise"]:
        return f"For both errors {found['integrated']}."
    parts = [f"{text} {found[risk]}" for risk, text in RISKS.items()]
    return f"{first('; '.join(parts))}."


def first(text: str) -> str:
    """The text with its first letter large."""
    return text[0].upper() + text[1:]


def _names(study: FederatedStudy, risk: str) -> str:
    numbers = [k for k in (3, 4) if row(study, f"Corollary {k}, {risk}").holds]
    if not numbers:
        return "**neither Corollary 3 nor Corollary 4** applies"
    verb = "apply" if len(numbers) > 1 else "applies"
    return f"**{' and '.join(f'Corollary {k}' for k in numbers)}** {verb}"


def row(study: FederatedStudy, name: str) -> Coverage:
    """Whether a corollary covers a study."""
    return next(row for row in covered(study) if row.corollary == name)
