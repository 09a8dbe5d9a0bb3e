"""Tab "How alike": the error after reweighting against the share of volunteers alike, live."""

from __future__ import annotations

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.frame import figure_card, folds
from pages.parts.hybrid import figures
from pages.parts.live import Tabs, of_experiment
from pages.parts.live import panel as live
from rates.numbers import decades
from sims.engine import Progress
from sims.hybrid import CLOSENESS, POOLED, REWEIGHTED, privacy_of, setup_of

TAB = "alike"
USUAL = of_experiment(CLOSENESS)
_LEAST = 5  # replicates before a difference is told
_STOPS = (0.01, 0.03, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)
_X, _Y = "Share of volunteers like the population", "Error on the population"
STATEMENTS = {"KS:Sec1:baseline": "When a small error on volunteers is enough"}
LIMITS = (
    "- Where half of the volunteers or more are like the population, a learner without weights is "
    "right for the majority anyway, and reweighting has nothing to repair.\n"
    "- The number of volunteers and the density stay the same along the axis, so for a small share "
    "the cut of large weights holds the good cluster down: a smaller κ needs more volunteers for "
    "the same budget.\n"
    "- Bars are Monte-Carlo intervals of 95 % over runs. The scatter of single runs is larger."
)


def above(tabs: Tabs) -> None:
    """Nothing needs the whole width."""


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        request = tabs.request(TAB, CLOSENESS, place)
        if request is None:
            return
        job = live.Job(
            key="hybrid_alike", request=request, answer=answer, draw=draw, auto=asked == USUAL
        )
        live.panel(job, place)


def _controls(tabs: Tabs) -> None:
    tabs.between(TAB, "share", "Range of the share ρ", _STOPS)
    sizes = [2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 4e5, 1e6]
    tabs.number(TAB, "records", "Volunteers n", sizes)
    tabs.number(TAB, "rounds", "Rounds allowed T", [1, 5, 10, 20, 30, 40, 60, 80, 120, 200])
    tabs.number(TAB, "density", "Density κ", [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0])
    tabs.number(TAB, "step", "Update rate η", [0.0125, 0.025, 0.05, 0.1, 0.2, 0.3])
    tabs.repetition(TAB, most=200)
    with st.expander("Sample, users, accuracy, exact list"):
        tabs.number(TAB, "sample", "Records per round m", [50, 100, 200, 400, 800, 2000])
        tabs.number(TAB, "users_per_test", "Users per test N₀", decades(2, 7, whole=True))
        tabs.number(TAB, "accuracy", "Accuracy α", [0.02, 0.05, 0.08, 0.1, 0.12])
        tabs.listing(TAB, "share", "ρ, exact list")
    tabs.refusal()


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    seen = {
        (p.series, p.x): e
        for p, e in zip(progress.request.points, progress.estimates, strict=True)
        if e.replicates >= min(_LEAST, progress.request.replicates)
    }
    shares = sorted({p.x for p in progress.request.points})
    # A pair counts where both series have an interval and those do not meet.
    better = [
        x
        for x in shares
        if (REWEIGHTED, x) in seen
        and (POOLED, x) in seen
        and seen[REWEIGHTED, x].interval()[1] < seen[POOLED, x].interval()[0]
    ]
    if not seen:
        return "**Run** compares reweighting with one learner without weights, at each share."
    if not better:
        return (
            "At **no** share so far does reweighting lower the error beyond the 95 % intervals. "
            "Move the range, or give it more rounds."
        )
    best = min(better, key=lambda x: seen[REWEIGHTED, x].mean)
    one, other = seen[REWEIGHTED, best], seen[POOLED, best]
    return (
        f"Reweighting lowers the error at shares from **{words.number(better[0])}** to "
        f"**{words.number(better[-1])}**, that is X from {words.number(1 / better[-1])} to "
        f"{words.number(1 / better[0])}. At {words.number(best)} it errs by "
        f"**{words.around(one, words.percent)}**, one learner without weights by "
        f"**{words.around(other, words.percent)}**."
    )


def draw(progress: Progress) -> None:
    """Draw the figure."""
    points, estimates = progress.request.points, progress.estimates
    setup = setup_of(progress.request.values.changed(share=points[0].x))
    drawn = chart.Drawn(
        figure=figures.sweep_figure(
            points,
            estimates,
            x_title=f"{_X} ρ",
            y_title=_Y,
            title="Error with and without weights",
            setting="share",
            level=setup.threshold,
        ),
        alt=figures.sweep_alt(points, estimates, _X, "share"),
        rows=simulation.rows(points, estimates),
        name="alike",
        caption=f"The dashed line is the test at which a run ends, {3 if setup.private else 2} α. "
        "X = 1/ρ. "
        "Mean over runs with 95 % Monte-Carlo intervals.",
    )
    figure_card.show(drawn, key="figure_hybrid_alike")


def below(tabs: Tabs) -> None:
    """What stands below the tab."""
    folds.show(_why, LIMITS, STATEMENTS, privacy=privacy_of(tabs.plan(TAB).values))


def _why() -> None:
    st.latex(r"S = \rho\,T + (1-\rho)\,Q, \qquad X = \sup w = 1/\rho")
    st.markdown(
        "The two clusters have opposite labels, so for ρ < 1/2 the best rule for the "
        "volunteers is the wrong one for the population. No amount of volunteers repairs "
        "this; the users' tests do."
    )
