"""What the tabs of the adaptation page share: words, a list for one word, folds, the figure."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.adaptation import figures
from pages.parts.live import Tabs
from pages.parts.live import panel as live
from rates.adaptation import deployed_budget
from rates.numbers import steps
from sims.engine import Estimate, Point

METHODS = {
    "printed": "The printed algorithm",
    "profiled": "Our minimiser, weights profiled out",
    "descent": "Noisy descent, target alone",
}
LOSSES = {"squared": "Numbers", "logistic": "±1"}
DELTAS = [1e-8, 1e-6, 1e-5, 1e-4, 1e-3, 0.01]
ERRORS = {"squared": "Mean squared error", "logistic": "Share of wrong signs"}
LIMITS = (
    f"{live.ERRORS}\n\n"
    "- The world is synthetic: features in the unit ball, labels near a line, ten of them by "
    "default. Other data behave otherwise; the last tab has two real tables.\n"
    "- α, the penalty and the steps are chosen by you. Choosing them by private data costs "
    "budget, which no figure here includes.\n"
    "- One record per person. People with several records are less protected; see *Budget*.\n"
    "- This is a simulation, not a tool to release data."
)
from pages.parts.frame import figure_card


def shifts(tabs: Tabs, tab: str, *, concept: bool = True) -> None:
    """The two dials of the world."""
    if concept:
        tabs.number(tab, "concept", "Concept shift s", steps(0, 2, 0.1))
    tabs.number(tab, "covariate", "Covariate shift c", steps(0, 1.5, 0.1))


def draw(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    *,
    key: str,
    plain: Sequence[str],
    x_title: str,
    y_title: str,
    title: str,
    log_x: bool = True,
    log_y: bool = True,
) -> None:
    """Draw the figure of a run."""
    drawn = chart.Drawn(
        figure=figures.error_figure(
            points,
            estimates,
            plain=plain,
            x_title=x_title,
            y_title=y_title,
            title=title,
            log_x=log_x,
            log_y=log_y,
        ),
        alt=figures.alt(points, estimates, f"{y_title} against {x_title}"),
        rows=simulation.rows(points, estimates),
        name=key,
    )
    figure_card.show(drawn, key=key)


_deployed = functools.lru_cache(maxsize=128)(deployed_budget)


def promises(budgets: Sequence[float], delta: float) -> None:
    """Say at which budgets the printed noise gives less than it promises."""
    broken = [_deployed(e, delta) for e in budgets if not math.isinf(e)]
    broken = [found for found in broken if not found.valid]
    if broken:
        told = "; ".join(
            f"ε = {words.number(x.nominal)} is really {words.number(x.epsilon)}" for x in broken
        )
        st.warning(
            f"**The printed noise breaks its promise here**, at δ = {words.number(delta)}: {told}. "
            "See *Budget and bounds*.",
            icon=":material/shield:",
        )


def by_place(
    points: Sequence[Point], estimates: Sequence[Estimate]
) -> dict[tuple[str, float], Estimate]:
    """Return estimates by series and place; those without replicates are left out."""
    pairs = zip(points, estimates, strict=True)
    return {(p.series, p.x): e for p, e in pairs if e.replicates >= 2}


def told(estimate: Estimate) -> str:
    """Return a mean with its 95 % interval, in bold.

    >>> told(Estimate(0.5, 0.01, 1000))
    '**0.5 (95 %: 0.48 to 0.52)**'
    """
    return f"**{words.around(estimate)}**"
