"""Tab "Is it close?": three private readings of how far source and target are apart."""

from __future__ import annotations

import math

import streamlit as st

from pages.figures.chart import words
from pages.parts.adaptation import common
from pages.parts.frame import folds, formula, tables
from pages.parts.live import Tabs, of_experiment
from pages.parts.live import panel as live
from rates.numbers import decades, steps
from sims.adaptation import CLOSENESS, GAP, NEAR, SCALAR, readable, reading_scale
from sims.engine import Progress

TAB = "closeness"
USUAL = of_experiment(CLOSENESS)
NAMES = {
    GAP: "discrepancy over all coefficients",
    NEAR: "discrepancy near the public fit",
    SCALAR: "excess loss of the public fit, one number,",
}
STATEMENTS = {
    "BCMM:Eq2:sensitivity": "Sensitivity of the discrepancy",
    "BCMM:Sec4:dca": "How the discrepancy is computed",
}


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        tabs.number(TAB, "private", "Private records n", [50, 100, 200, 500, 1000, 3000, 10_000])
        tabs.number(TAB, "budget", "Budget ε of the reading", decades(-1, 1))
        tabs.between(TAB, "concept", "Concept shifts s", (0.0, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5))
        common.shifts(tabs, TAB, concept=False)
        tabs.repetition(TAB, most=500)
        with st.expander("Public records, dimension, bounds"):
            tabs.number(TAB, "public", "Public records m", [100, 500, 1000, 2000, 5000, 10_000])
            tabs.number(TAB, "dimension", "Dimension d", [2, 5, 10, 20, 50])
            tabs.number(TAB, "norm_bound", "Bound Λ of the coefficients", steps(1, 4, 0.5))
        tabs.refusal()
    asked = tabs.plan(TAB)
    with right:
        request = tabs.request(TAB, CLOSENESS, place)
        if request is None:
            return
        job = live.Job(
            key="adaptation_closeness",
            request=request,
            answer=answer,
            draw=draw,
            auto=asked == USUAL,
        )
        live.panel(job, place)


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    values = progress.request.values
    found = readable(progress.request.points, progress.estimates)
    if not found:
        scale = reading_scale(GAP, values)
        return (
            f"The noise of the discrepancy has scale **{words.number(scale)}** at this budget. "
            "**Run** shows which reading tells a shift from none."
        )
    parts = []
    for row in found:
        seen = (
            f"a shift from s = **{words.number(row.smallest)}** on"
            if math.isfinite(row.smallest)
            else "**none** of these shifts"
        )
        parts.append(f"the {NAMES[row.series]} tells {seen}")
    return (
        f"With n = {values['private']:,.0f} and ε = {words.number(float(values['budget']))}, "  # type: ignore[arg-type]
        f"from one private reading: {'; '.join(parts)}."
    )


def draw(progress: Progress) -> None:
    """Draw the figure and the table of readings."""
    request = progress.request
    common.draw(
        request.points,
        progress.estimates,
        key="figure_adaptation_closeness",
        plain=(),
        x_title="Concept shift s",
        y_title="Private reading",
        title="Mean of three private readings against the shift",
        log_x=False,
        log_y=False,
    )
    found = readable(request.points, progress.estimates)
    tables.wide(
        {
            "Reading": [row.series for row in found],
            "Noise scale": [
                words.number(reading_scale(row.series, request.values)) for row in found
            ],
            "Spread": [words.number(row.spread) for row in found],
            "Smallest s seen": [
                words.number(row.smallest) if math.isfinite(row.smallest) else "none"
                for row in found
            ],
        },
        alt="Noise and spread of the readings, and the smallest shift that one of them tells",
    )
    st.caption(
        "Bars are intervals of the mean; one reading scatters by the spread in the table, chance "
        "and privacy noise together. Seen: with 5 % errors of either kind, for normal readings."
    )


def below() -> None:
    """What stands below the tab."""
    folds.show(_why, common.LIMITS, STATEMENTS, privacy=CLOSENESS.privacy)


def _why() -> None:
    formula.show(r"\hat d = \max_{\|w\|\le\Lambda}\;\bigl|\hat L_{priv}(w) - \hat L_{pub}(w)\bigr|")
    st.markdown(
        "The discrepancy is a maximum over all coefficients, so it is large by chance even where "
        "source and target are alike, and its noise is set by B, the largest loss of any of them. "
        "Near the public fit both are smaller. One number, the private minus the public loss of "
        "the public fit with losses cut at 1, has sensitivity 1/n whatever the dimension."
    )
