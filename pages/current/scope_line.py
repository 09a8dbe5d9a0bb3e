"""One line above a verdict: which theory covers the current study, and what breaks."""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.current import state
from rates.study import Fit, Scope, theory_for

THEORY = {
    "ACC": "the classification theory [ACC]",
    "CCV": "the regression theory [CCV]",
    "KS": "the theory of volunteers and a population [KS]",
    "BCMM": "the theory of open data and one target [BCMM]",
    "DPLR": "the theory of logistic regression across sites [DPLR]",
    "CAC": "the theory of one column at each of two sites [CAC]",
}


def show() -> None:
    """Write the line."""
    found = theory_for(state.current(), state.scope())
    st.caption(words.keyed(sentence(found, state.scope())))


def sentence(found: Fit, scope: Scope) -> str:
    """Return the line.

    >>> from rates.presets import preset
    >>> study = preset("phones").study
    >>> print(sentence(theory_for(study, Scope()), Scope()))
    Scope: not asked yet whether a theory covers this study (Does it apply?).
    """
    name = THEORY[found.theory.key]
    # A verdict about questions that nobody asked would be read as one about the study.
    if not scope.answers:
        return "Scope: not asked yet whether a theory covers this study (Does it apply?)."
    if found.broken:
        text = f"Scope: **outside every theory here**, nearest {name}. Broken: {broken(found)}."
    elif found.unknown:
        rest = len(found.unknown)
        questions = "question" if rest == 1 else "questions"
        text = f"Scope: within {name} as far as answered, {rest} {questions} open (Does it apply?)."
    else:
        text = f"Scope: within {name} by the answers given."
    return " ".join(part for part in (text, elsewhere(found)) if part)


def elsewhere(found: Fit) -> str:
    """Say that the study's numbers are of a theory that does not cover it; empty if they are not.

    >>> from rates.presets import preset
    >>> scope = Scope(answers=(("outcome", "continuous"), ("target", "shared")))
    >>> print(elsewhere(theory_for(preset("hospitals").study, scope)))
    The study's numbers are those of the classification theory [ACC], which does not cover it.
    """
    if not found.elsewhere:
        return ""
    return f"The study's numbers are those of {THEORY[found.own]}, which does not cover it."


def broken(found: Fit) -> str:
    """The broken assumptions in a few words, once each."""
    return words.listed([b.assumption for b in found.broken])
