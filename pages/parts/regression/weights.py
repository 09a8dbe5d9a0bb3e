"""Tab "Weights": five ways to put unequal servers together, each with its exact risk."""

from __future__ import annotations

import functools

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.frame import figure_card, tables
from pages.parts.live import Tabs, of_experiment
from pages.parts.live import panel as live
from pages.parts.regression import world as regression_world
from rates.numbers import steps
from sims.curves import Curve
from sims.engine import Progress, Value, fits
from sims.regression import WEIGHTS, shares, weights_setup

TAB = "weights"
USUAL = of_experiment(WEIGHTS)
PRESETS = {
    "hospitals": "20 hospitals of unequal size",
    "budgets": "20 equal sizes, unequal budgets",
    "two camps": "Five with ε = 10, five with 0.1",
    "star": "One large beside 50 small",
    "extremes": "Two, with ε = 10 and 0.01",
    "nearly local": "5,000 servers of 20 records",
}
NAMES = {
    "printed": "(13) as printed",
    "calibrated": "(13) with the noise constant",
    "inverse variance": "inverse variance",
    "equal": "equal",
    "sample size": "by sample size",
}
_FACTORS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 10.0, 30.0, 100.0)
_SAME = 1e-6  # shares that differ by less are the same weights


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    with right:
        request = tabs.request(
            TAB, regression_world.experiment(WEIGHTS, regression_world.own()), place
        )
        if request is None:
            return
        regression_world.warn_run(request, weights_setup)
        live.panel(regression_world.job(TAB, request, answer=answer, draw=draw), place)


def _controls(tabs: Tabs) -> None:
    tabs.select(TAB, "servers", "Servers", PRESETS)
    tabs.between(TAB, "factor", "All budgets times", _FACTORS)
    regression_world.controls(tabs, TAB)
    tabs.repetition(TAB, most=200)
    with st.expander("Noise, level, threshold"):
        tabs.choice(TAB, "noise", "Noise", regression_world.NOISES)
        tabs.choice(TAB, "level", "K is", regression_world.LEVELS)
        tabs.number(TAB, "clip", "Clipping threshold τ", steps(1.5, 6.0, 0.5))
        tabs.number(TAB, "delta", "δ of every server", regression_world.DELTAS)
    tabs.refusal()


@functools.lru_cache(maxsize=32)
def _shares(items: tuple[tuple[str, Value], ...], factor: float) -> dict[str, tuple[float, ...]]:
    return shares(dict(items), factor=factor)


def _own_factor(progress: Progress) -> float:
    """The factor that is shown in words: 1 if it is among those run."""
    factors = sorted({point.x for point in progress.request.points})
    return 1.0 if 1.0 in factors else factors[0]


def _at(progress: Progress, factor: float) -> dict[str, tuple[float, float]]:
    """Exact risk and K of every weighting at one factor."""
    return {
        p.series: (p.exact or float("nan"), float(p.settings["K"]))
        for p in progress.request.points
        if p.x == factor
    }


def _given(progress: Progress, own: Curve | None, factor: float) -> dict[str, tuple[float, ...]]:
    values = regression_world.complete(progress.request.values, own)
    return _shares(tuple(values.items()), factor)


def _coincide(given: dict[str, tuple[float, ...]]) -> bool:
    pairs = zip(given["printed"], given["sample size"], strict=True)
    return all(abs(a - b) <= _SAME for a, b in pairs)


def answer(progress: Progress, own: Curve | None) -> str:
    """Return the finding as sentences."""
    factor = _own_factor(progress)
    exact, given = _at(progress, factor), _given(progress, own, factor)
    best = exact["inverse variance"][0]
    ratio = {name: f"**{words.number(risk / best)}**" for name, (risk, _) in exact.items()}
    same = (
        "They **are** the weights by sample size here: n ε² exceeds 2^L at every server, and (13) "
        "does not know the noise constant."
        if _coincide(given)
        else "They differ from the weights by sample size here: at some server n ε² is below 2^L."
    )
    of = "" if factor == 1.0 else f" (budgets times {words.number(factor)})"
    return (
        f"Against weights by inverse variance{of}, the printed weights (13) have {ratio['printed']}"
        f" times the exact risk, those by sample size {ratio['sample size']}, equal ones "
        f"{ratio['equal']}, and (13) with the noise constant {ratio['calibrated']}. {same}"
    )


def draw(progress: Progress, own: Curve | None) -> None:
    """Draw the figure and the table of weights."""
    request, estimates = progress.request, progress.estimates
    drawn = chart.Drawn(
        figure=simulation.rate_figure(
            request.points,
            estimates,
            fits(request.points, estimates),
            x_title="Factor on every budget",
            y_title="Squared error",
            title="Squared error under five weightings",
            curve="rate",
        ),
        alt=regression_world.alt(request.points, estimates, "the factor on every budget"),
        rows=simulation.rows(request.points, estimates),
        name="weights",
    )
    figure_card.show(drawn, key="figure_regression_weights")
    factor = _own_factor(progress)
    exact, given = _at(progress, factor), _given(progress, own, factor)
    best = exact["inverse variance"][0]
    tables.wide(
        {
            "Weights": [NAMES[name] for name in exact],
            "Exact risk": [words.number(risk) for risk, _ in exact.values()],
            "Times inverse variance": [words.number(risk / best) for risk, _ in exact.values()],
            "K": [words.number(K) for _, K in exact.values()],
            "Largest row's share": [words.percent(max(given[name])) for name in exact],
            "Smallest row's share": [words.percent(min(given[name])) for name in exact],
        },
        alt="Exact risk, dimension and shares of weight under five weightings",
    )
    st.caption(
        f"At budgets times {words.number(factor)}; each weighting at its own K. A row's share is "
        "that of all its servers. Weights use public n, ε and δ; inverse variance also uses the "
        "variance of one record, for which 1 + C² is a public bound."
    )


def below() -> None:
    """What stands below the tab."""
    regression_world.folds(_why, LIMITS, STATEMENTS, privacy=WEIGHTS.privacy)


def _why() -> None:
    st.latex(
        r"\text{printed: } u_j \propto n_j^2\varepsilon_j^2 \wedge n_j 2^L, \qquad"
        r"\text{calibrated: } u_j \propto \frac{n_j^2\varepsilon_j^2}{bK} \wedge \frac{n_j}{v}"
    )
    st.markdown(
        "A server's best weight is the inverse of its variance, sampling v K/n plus privacy "
        "b K²/(n ε)². (13) takes b = v = 1. With b in the hundreds its minimum is nearly always "
        "the second term, n 2^L, so it weighs by size and lets a server with a tiny budget in "
        "with its whole noise."
    )


STATEMENTS = {
    "CCV:Eq13:weights": "The weights (13)",
    "CCV:Eq13:risk": "The variance that they give",
}
LIMITS = (
    f"{live.ERRORS}\n\n"
    "- Up to constants (13) is optimal, as the ledger shows; here the constants are in.\n"
    "- The inverse variance is the best choice for linear combinations alone.\n"
    "- This is a simulation, not a tool to release data."
)
