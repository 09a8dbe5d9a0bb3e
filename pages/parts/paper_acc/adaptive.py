"""Tab "Adaptive": what it costs not to know smoothness and signal exponents."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.classification import privacy as classification_privacy
from pages.parts.frame import figure_card, tables
from pages.parts.live import Tabs, plan
from pages.parts.live import panel as live
from pages.parts.paper_acc import panels as classification_paper
from rates.numbers import decades, steps
from sims.engine import Progress
from sims.paper_acc import ADAPTIVE, ORACLE, PRICE, Price, price_spent, prices

TAB = "adaptive"
USUAL = plan(PRICE.parameters, replicates=50, defaults={"m": (1.0,)})
_NO_PRIVACY = float("inf")
_EMPTY = (-3, 0)  # powers of 10 on the axis while there is nothing to fit it to
_WORLDS = {"quadrants": "The paper's design", "cusp": "Cusp"}
_KERNELS = {"gaussian": "Gaussian", "triangular": "Triangular"}


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    with right:
        request = tabs.request(TAB, PRICE, place)
        if request is None:
            return
        live.panel(
            live.Job(key="classification_adaptive", request=request, answer=answer, draw=draw),
            place,
        )
        classification_privacy.show_each(
            {
                who: [
                    found
                    for point in request.points
                    if point.settings["method"] == method
                    and (found := price_spent(request.values, point))
                ]
                for method, who in ((ORACLE, "The oracle"), (ADAPTIVE, "The adaptive rule"))
            }
        )


def _controls(tabs: Tabs) -> None:
    tabs.choice(TAB, "world", "World", _WORLDS)
    tabs.number(TAB, "n", "Records of each server n", decades(2, 4, whole=True))
    tabs.several(TAB, "m", "Number of sources m", (1.0, 4.0, 9.0, 19.0))
    tabs.number(TAB, "gamma", "Signal exponent γ", steps(0.25, 4.0, 0.25))
    tabs.choice(TAB, "split", "Budget over bandwidths", classification_paper.SPLITS)
    tabs.choice(TAB, "base", "Grid of bandwidths", classification_paper.BASES)
    tabs.repetition(TAB, most=1_000)
    with st.expander("Kernel, algorithm"):
        tabs.choice(TAB, "kernel", "Kernel", _KERNELS)
        tabs.choice(TAB, "algorithm", "Algorithm", classification_paper.ALGORITHMS)
    tabs.refusal()


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    found = prices(progress)
    if not found:
        return (
            "The oracle knows smoothness and signal exponents; the adaptive rule has to find "
            "them in its own releases. **Run** measures the price."
        )
    dearest, cheapest = (f(found, key=lambda price: price.ratio) for f in (max, min))
    return (
        f"Not knowing multiplies the excess risk by **{words.number(cheapest.ratio)}** "
        f"({_interval(cheapest)}) at {_place(cheapest)}, and by "
        f"**{words.number(dearest.ratio)}** ({_interval(dearest)}) at {_place(dearest)}."
    )


def _interval(price: Price) -> str:
    return f"95 %: {words.span(words.number(price.low), words.number(price.high))}"


def _place(price: Price) -> str:
    budget = "no privacy" if price.epsilon == _NO_PRIVACY else f"ε = {words.number(price.epsilon)}"
    return f"{budget}, m = {price.m}"


def draw(progress: Progress) -> None:
    """Draw both risks, and list the prices."""
    points, estimates = progress.request.points, progress.estimates
    broken = classification_privacy.broken(progress.request, price_spent)
    curves = {
        name + classification_privacy.NOT * (name in broken): (
            [points[i].x for i in at],
            [estimates[i] for i in at],
        )
        for name, at in simulation.series_of(points).items()
    }
    figure = simulation.budget_figure(
        {"Excess risk": curves},
        title="Excess risk of the oracle and of the adaptive rule",
        per_cent=False,
    )
    if all(found.replicates < 2 for found in estimates):
        figure = replace(figure, y=[replace(axis, span=_EMPTY) for axis in figure.axes("y")])
    drawn = chart.Drawn(
        figure=figure,
        alt="Excess risk against the budget. " + simulation.told(curves),
        rows=simulation.panel_rows({"Excess risk": curves}),
        name="price",
        caption="The oracle takes bandwidth (11) and weights (12), which ignore constants; a tuned "
        "classifier may do better still. Not split means the whole budget at every bandwidth, "
        "which is **not** (ε, δ)-private. The natural logarithm's grid stops short of the "
        "bandwidths that the theory needs.",
    )
    figure_card.show(drawn, key="figure_classification_adaptive")
    if found := prices(progress):
        tables.wide(
            {
                "Sources m": [str(price.m) for price in found],
                "Budget ε": [
                    "none" if price.epsilon == _NO_PRIVACY else words.number(price.epsilon)
                    for price in found
                ],
                "Price": [f"× {words.number(price.ratio)}" for price in found],
                "95 % interval": [
                    words.span(words.number(price.low), words.number(price.high)) for price in found
                ],
                "Accuracy lost": [f"{100 * price.gap:.1f} points" for price in found],
                "Replicates": [str(price.replicates) for price in found],
            },
            alt="Price of not knowing by number of sources and budget",
        )
