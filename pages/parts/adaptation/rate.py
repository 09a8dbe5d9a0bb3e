"""Tab "Records": error against private records, one curve per budget."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from pages.figures.chart import words
from pages.parts.adaptation import common
from pages.parts.frame import folds, formula
from pages.parts.live import Tabs, of_experiment
from pages.parts.live import panel as live
from rates.numbers import steps
from sims.adaptation import EXACT, PLAIN, RATE, SOURCE, TARGET, budget_name, ratio_at
from sims.adaptation import below as lower
from sims.engine import Estimate, Progress, Value

TAB = "rate"
USUAL = of_experiment(RATE)
PLAIN_SERIES = (PLAIN, TARGET, SOURCE, EXACT)
_STOPS = (50.0, 100.0, 200.0, 400.0, 800.0, 1500.0, 3000.0, 10_000.0, 30_000.0)
STATEMENTS = {
    "BCMM:Eq3:weights": "Whether the algorithm comes close to the minimum",
    "BCMM:Alg1:movement": "How far its weights move",
    "BCMM:Fig1:approach": "The private curves approach those without privacy",
    "BCMM:Fig2:target-only": "Against noisy descent on the target alone",
}


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        request = tabs.request(TAB, RATE, place)
        if request is None:
            return
        if asked.values["method"] == "printed":
            common.promises(asked.values["epsilon"], asked.values["delta"])  # type: ignore[arg-type]
        job = live.Job(
            key="adaptation_rate", request=request, answer=answer, draw=draw, auto=asked == USUAL
        )
        live.panel(job, place)


def _controls(tabs: Tabs) -> None:
    tabs.select(TAB, "method", "Private algorithm", common.METHODS)
    tabs.choice(TAB, "loss", "Labels", common.LOSSES, then=_with_loss)
    tabs.between(TAB, "private", "Private records n", _STOPS)
    tabs.several(TAB, "epsilon", "Budgets ε, one curve each", (10.0, 3.0, 1.0, 0.5, 0.1))
    tabs.number(TAB, "alpha", "Share α of the source", steps(0.05, 0.95, 0.05))
    common.shifts(tabs, TAB)
    tabs.repetition(TAB, most=200)
    with st.expander("Public records, dimension, penalty, steps, bounds, δ"):
        tabs.number(TAB, "public", "Public records m", [100, 500, 1000, 2000, 5000, 10_000])
        tabs.number(TAB, "dimension", "Dimension d", [2, 5, 10, 20, 50])
        tabs.number(TAB, "penalty", "Penalty κ₁", [0.001, 0.01, 0.04, 0.1, 0.3, 1.0])
        tabs.number(TAB, "steps", "Steps T of the printed algorithm", [100, 300, 1000, 3000])
        tabs.number(TAB, "norm_bound", "Bound Λ of the coefficients", steps(1, 4, 0.5))
        tabs.number(TAB, "delta", "δ", common.DELTAS)
        tabs.listing(TAB, "private", "n, exact list")
        tabs.listing(TAB, "epsilon", "ε, exact list")
    tabs.refusal()


def _with_loss(loss: str) -> dict[str, Value]:
    """Labels ±1 have no private minimiser of ours, and steps that take longer."""
    return {"method": "printed", "steps": 200.0 if loss == "logistic" else 1000.0}


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    values, request = progress.request.values, progress.request
    found = common.by_place(request.points, progress.estimates)
    budgets = [e for e in values["epsilon"] if not math.isinf(e)]  # type: ignore[union-attr]
    sizes = sorted(values["private"])  # type: ignore[arg-type]
    if not budgets:
        return "Choose a budget. **Run** simulates the curves."
    small, large, tight = sizes[0], sizes[-1], min(budgets)
    near, far = (ratio_at(progress, (budget_name(tight), n), (PLAIN, n)) for n in (small, large))
    if near is None or far is None:
        return (
            "**Run** draws source and target, fits the target privately, and compares with the "
            "same fit without privacy, with the target alone and with the source alone."
        )
    text = (
        f"With ε = {words.number(tight)} the error is {common.told(near)} times that without "
        f"privacy at n = {small:,.0f}, and {common.told(far)} times at n = {large:,.0f}."
    )
    source, target = found.get((SOURCE, small)), found.get((TARGET, small))
    if source and target:
        private = {
            e: found[budget_name(e), small] for e in budgets if (budget_name(e), small) in found
        }
        text += (
            f" At n = {small:,.0f} the source alone, which costs no budget, has error "
            f"{common.told(source)} {against(source, private)}; the target alone without privacy "
            f"has {common.told(target)}."
        )
    return text


def against(source: Estimate, private: Mapping[float, Estimate]) -> str:
    """Say how the source alone stands against private fits, where the intervals separate.

    >>> good, bad = Estimate(1.0, 0.01, 9), Estimate(2.0, 0.01, 9)
    >>> against(good, {1.0: bad, 3.0: good}), against(good, {1.0: bad})
    ('and is not told apart from the private fit at ε = 3', 'and beats every private fit here')
    """
    better = [e for e, fit in private.items() if lower(fit, source)]
    unclear = [e for e, fit in private.items() if not lower(source, fit)]
    if not better and not unclear:
        return "and beats every private fit here"
    word = "is beaten by" if better else "is not told apart from"
    which = sorted(better or unclear)
    budgets = ", ".join(words.number(e) for e in which)
    return f"and {word} the private fit{'s' * (len(which) > 1)} at ε = {budgets}"


def draw(progress: Progress) -> None:
    """Draw the figure."""
    values = progress.request.values
    common.draw(
        progress.request.points,
        progress.estimates,
        key="figure_adaptation_rate",
        plain=PLAIN_SERIES,
        x_title="Private records n",
        y_title=common.ERRORS[str(values["loss"])],
        title=f"Error on the target: {common.METHODS[str(values['method'])].lower()}",
    )
    st.caption(
        "Coloured: private, bars are 95 % Monte-Carlo intervals. Grey: without privacy, where "
        f'"{PLAIN}" is the same algorithm without noise. The weights of the printed algorithm '
        "are held where they start; see *Weights*."
    )


def below() -> None:
    """What stands below the tab."""
    folds.show(_why, common.LIMITS, STATEMENTS, privacy=RATE.privacy)


def _why() -> None:
    formula.show(
        r"\min_{w}\; \alpha\,\frac1m\sum_{i\le m} \ell_i(w) + (1-\alpha)\frac1n\sum_{i>m}\ell_i(w)"
    )
    st.markdown(
        "With weights that stay where they start, the printed algorithm is noisy descent on this "
        "fixed mixture of both samples. Its noise is set by G, the largest gradient that a record "
        "can have: G = 2r(Λr + 1). Profiling the weights out bounds a private record's gradient "
        "by 2r√κ₁ instead, and one noisy vector per step is enough instead of two."
    )
