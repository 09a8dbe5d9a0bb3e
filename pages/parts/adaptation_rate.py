"""Tab "Records": error against private records, one curve per budget."""

from __future__ import annotations

import math

import streamlit as st

from pages.parts import adaptation_common as common
from pages.parts import formula, inputs, live, words
from pages.parts.live_plan import of_experiment
from pages.parts.live_tabs import Tabs
from rates.parameters import DomainError
from sims.adaptation_curves import EXACT, PLAIN, RATE, SOURCE, TARGET, budget_name
from sims.experiment import Estimate, Request
from sims.run import Progress
from sims.settings import Value

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
        try:
            request = Request(
                experiment=RATE, values=asked.values, replicates=asked.replicates, seed=asked.seed
            )
        except DomainError as error:
            place.markdown("These parameters cannot be run together.")
            st.error(str(error))
            return
        if asked.values["method"] == "printed":
            common.promises(asked.values["epsilon"], asked.values["delta"])  # type: ignore[arg-type]
        job = live.Job(
            key="adaptation_rate", request=request, answer=answer, draw=draw, auto=asked == USUAL
        )
        live.panel(job, place)


def _controls(tabs: Tabs) -> None:
    common.select(tabs, TAB, "method", "Private algorithm", common.METHODS)
    tabs.choice(TAB, "loss", "Labels", common.LOSSES, then=_with_loss)
    tabs.between(TAB, "private", "Private records n", _STOPS)
    tabs.several(TAB, "epsilon", "Budgets ε, one curve each", (10.0, 3.0, 1.0, 0.5, 0.1))
    tabs.number(TAB, "alpha", "Share α of the source", inputs.steps(0.05, 0.95, 0.05))
    common.shifts(tabs, TAB)
    tabs.repetition(TAB, most=200)
    with st.expander("Public records, dimension, penalty, steps, bounds, δ"):
        tabs.number(TAB, "public", "Public records m", [100, 500, 1000, 2000, 5000, 10_000])
        tabs.number(TAB, "dimension", "Dimension d", [2, 5, 10, 20, 50])
        tabs.number(TAB, "penalty", "Penalty κ₁", [0.001, 0.01, 0.04, 0.1, 0.3, 1.0])
        tabs.number(TAB, "steps", "Steps T of the printed algorithm", [100, 300, 1000, 3000])
        tabs.number(TAB, "norm_bound", "Bound Λ of the coefficients", inputs.steps(1, 4, 0.5))
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
    ends = [found.get((budget_name(tight), n)) for n in (small, large)]
    plain = [found.get((PLAIN, n)) for n in (small, large)]
    if None in ends or None in plain:
        return (
            "**Run** draws source and target, fits the target privately, and compares with the "
            "same fit without privacy, with the target alone and with the source alone."
        )
    ratio = [_ratio(a, b) for a, b in zip(ends, plain, strict=True)]
    text = (
        f"With ε = {words.number(tight)} the error is **{ratio[0]}** times that without privacy "
        f"at n = {small:,.0f}, and **{ratio[1]}** times at n = {large:,.0f}."
    )
    source, target = found.get((SOURCE, small)), found.get((TARGET, small))
    if source and target:
        best = min(
            ((e, found[budget_name(e), n]) for e in budgets for n in sizes[:1]
             if (budget_name(e), n) in found),
            key=lambda row: row[1].mean,
        )  # fmt: skip
        verdict = "and beats every private fit here" if source.mean < best[1].mean else (
            "and is beaten by a private fit here"
        )  # fmt: skip
        text += (
            f" At n = {small:,.0f} the source alone, which costs no budget, has error "
            f"{common.told(source)} {verdict}; the target alone without privacy has "
            f"{common.told(target)}."
        )
    return text


def _ratio(a: Estimate | None, b: Estimate | None) -> str:
    return words.number(a.mean / b.mean, 3) if a and b and b.mean > 0 else "undefined"


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
    common.folds(_why, common.LIMITS, STATEMENTS, privacy=RATE.privacy)


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
