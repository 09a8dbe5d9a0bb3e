"""Tab "Constants": from the printed recipe to the best valid one, step by step."""

from __future__ import annotations

import functools
import math

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.frame import figure_card, ledger_links, tables
from pages.parts.live import Tabs, plan
from pages.parts.live import panel as live
from pages.parts.regression import steps_figure as figures
from pages.parts.regression import world as regression_world
from rates.numbers import DomainError, decades
from sims.curves import Curve
from sims.engine import Progress, Request, Value
from sims.regression import (
    CONSTANTS,
    LARGEST_BUDGET,
    STEPS,
    Chain,
    LaplaceConstants,
    Step,
    chain,
    lemma,
)

TAB = "constants"
USUAL = plan(CONSTANTS.parameters, replicates=20, defaults={"epsilon": (1.0,)})
NAMES = {
    "as printed": "As printed",
    "best K": "Best K",
    "exact sensitivity": "Exact sensitivity",
    "exact noise": "Exact noise",
    "best threshold": "Best threshold",
    "no privacy": "No privacy",
}
BEST = "best threshold"


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        try:
            request = Request(
                experiment=regression_world.experiment(CONSTANTS, regression_world.own()),
                values={**asked.values, "epsilon": asked.values["epsilon"][:1]},
                replicates=asked.replicates,
                seed=asked.seed,
            )
            found = _chain(_items(request, regression_world.own()))
        except DomainError as error:
            place.markdown("These parameters cannot be run together.")
            st.error(words.plain(error))
            return
        regression_world.warn(step.guarantee for step in found.steps if step.guarantee)
        live.panel(regression_world.job(TAB, request, answer=answer, draw=draw), place)
    _privacy(found)
    _lemma(_items(request, regression_world.own()))


def _controls(tabs: Tabs) -> None:
    tabs.number(TAB, "epsilon", "Budget ε of every server", decades(-1, 1))
    tabs.number(TAB, "n", "Records of each server n", decades(3, 7, whole=True))
    tabs.number(TAB, "m", "Number of servers m", decades(0, 3, whole=True))
    regression_world.controls(tabs, TAB)
    tabs.repetition(TAB, most=500)
    with st.expander("Error, δ"):
        tabs.choice(TAB, "risk", "Error", regression_world.RISKS)
        tabs.number(TAB, "delta", "δ of every server", regression_world.DELTAS)
    tabs.refusal()


Items = tuple[tuple[str, Value], ...]


def _items(request: Request, own: Curve | None) -> Items:
    return tuple(regression_world.complete(request.values, own).items())


@functools.lru_cache(maxsize=64)
def _chain(items: Items) -> Chain:
    values = dict(items)
    return chain(values, values["epsilon"][0])  # type: ignore[index]


@functools.lru_cache(maxsize=16)
def _constants(items: Items) -> tuple[tuple[str, LaplaceConstants], ...]:
    return lemma(dict(items))


def _step(found: Chain, name: str) -> Step:
    return next(step for step in found.steps if step.name == name)


def answer(progress: Progress, own: Curve | None) -> str:
    """Return the finding as sentences."""
    found = _chain(_items(progress.request, own))
    epsilon = progress.request.values["epsilon"][0]
    printed, best = _step(found, "as printed"), _step(found, BEST)
    times = words.number(printed.risk / found.zero)
    against = (
        f"**{times}** times that of estimating by zero: **worse than no estimate**"
        if found.comparison.worse
        else f"**{times}** times that of estimating by zero"
    )
    return (
        f"At ε = **{words.number(epsilon)}** the recipe as printed has exact risk "
        f"**{words.number(printed.risk)}**, {against}. {_below(found)} The best valid recipe has "
        f"**{words.number(best.risk)}**, a factor of **{words.number(printed.risk / best.risk)}** "
        "less."
    )


def _below(found: Chain) -> str:
    """At which budgets the recipe is worse than zero; the search ends at `LARGEST_BUDGET`."""
    largest = words.number(LARGEST_BUDGET)
    if math.isnan(found.worse_below):
        return f"At none of the budgets tried, 0.001 to {largest}, is it worse than zero."
    if math.isinf(found.worse_below) and found.worse_throughout:
        return f"It is worse than zero at every budget tried, up to {largest}."
    if math.isinf(found.worse_below):
        return f"It is worse than zero even at the largest budget tried, {largest}."
    at = f"ε = **{words.number(found.worse_below)}**"
    if found.worse_throughout:
        return f"It is worse than zero up to {at}."
    return f"It is worse than zero at some budgets, the largest of them {at}."


def draw(progress: Progress, own: Curve | None) -> None:
    """Draw the chain and its table."""
    found = _chain(_items(progress.request, own))
    points, estimates = progress.request.points, progress.estimates
    drawn = chart.Drawn(
        figure=figures.chain_figure(
            points,
            estimates,
            NAMES,
            zero=found.zero,
            title="Squared error from the printed recipe to no privacy",
        ),
        alt=_alt(found),
        rows=simulation.rows(points, estimates),
        name="chain",
    )
    figure_card.show(drawn, key="figure_regression_constants")
    before = [found.steps[0].risk, *(step.risk for step in found.steps)]
    tables.wide(
        {
            "Step": [NAMES[step.name] for step in found.steps],
            "K": [words.number(step.dimension) for step in found.steps],
            "τ": ["none" if s.guarantee is None else words.number(s.clip) for s in found.steps],
            "Exact risk": [words.number(step.risk) for step in found.steps],
            "Of zero's": [words.percent(step.risk / found.zero) for step in found.steps],
            "This step gains": [
                "" if i == 0 else f"× {words.number(before[i] / step.risk)}"
                for i, step in enumerate(found.steps)
            ],
            "What changes": [STEPS[step.name] for step in found.steps],
        },
        alt="Steps of the chain with dimension, threshold and exact risk",
    )
    st.markdown(f"**Why the printed K.** {found.comparison.reason}")


def _alt(found: Chain) -> str:
    told = "; ".join(f"{NAMES[s.name]} {words.number(s.risk)}" for s in found.steps)
    return f"Exact squared error by step: {told}. Estimating by zero: {words.number(found.zero)}."


def _privacy(found: Chain) -> None:
    """What every step's noise really guarantees."""
    st.header("What the noise really guarantees")
    shown = [(step, step.guarantee) for step in found.steps if step.guarantee]
    tables.wide(
        {
            "Step": [NAMES[step.name] for step, _ in shown],
            "Law": [g.law for _, g in shown],
            "ε asked": [words.number(g.epsilon) for _, g in shown],
            "ε that holds": [words.number(g.actual_epsilon) for _, g in shown],
            "δ asked": [words.number(g.delta) for _, g in shown],
            "δ that holds": [words.number(g.actual_delta) for _, g in shown],
            "Valid": ["yes" if g.valid else "no" for _, g in shown],
        },
        alt="Privacy asked for and privacy that holds at each step",
    )
    st.caption(
        "Per server, one record replaced. A δ far below the one asked for is noise for nothing."
    )


def _lemma(items: Items) -> None:
    st.header("Lemma 3.3: the constant at one point")
    found = _constants(items)
    tables.wide(
        {
            "Wavelets": [name[0].upper() + name[1:] for name, _ in found],
            "As printed, 2 c‖ψ‖²": [words.number(c.printed) for _, c in found],
            "As it must be, 4 c‖ψ‖²": [words.number(c.corrected) for _, c in found],
            "Exact": [words.number(c.tight) for _, c in found],
            "ε printed gives, 1 asked": [words.number(c.factor) for _, c in found],
        },
        alt="The constant of Lemma 3.3 in several bases, and the epsilon that it gives",
    )
    haar = found[0][1]
    st.markdown(
        f"With Haar wavelets the printed constant is **{words.number(haar.printed)}** and one "
        f"record can move the value by **{words.number(haar.tight)}** (in units of τ 2^L/n): "
        f"Laplace noise as printed asks for ε and gives **{words.number(haar.factor)} ε**. Our "
        "reading has 4 in place of 2. With smoother wavelets both are loose enough to be valid."
    )
    ledger_links.link("CCV:Lem3.3:constant", "Lemma 3.3: proof and counterexample")
    ledger_links.link("CCV:Sec3.3:laplace", "Laplace noise: a scale, not a variance")


def below() -> None:
    """What stands below the tab."""
    regression_world.folds(_why, LIMITS, STATEMENTS, privacy=CONSTANTS.privacy)


def _why() -> None:
    st.latex(
        r"\text{noise variance of a coefficient} = \frac{b\,K}{n^2\varepsilon^2}, \qquad "
        r"b = 4\tau^2\kappa^2\,\big(\varepsilon\,\sigma/\Delta\big)^2"
    )
    st.markdown(
        "Here Δ is the L2 sensitivity, 2 κ τ √K/n with κ² the largest mean square of the basis. "
        "Equation (6) balances bias with b = 1. The printed sensitivity, noise multiplier and "
        "threshold together make b ten thousand and more, so D asks for far too many "
        "coefficients, each with far too much noise. As n grows K/D becomes a constant and the "
        "rate is right; the constant remains."
    )


STATEMENTS = {
    "CCV:Lem3.1:constant": "Lemma 3.1: the sensitivity of the coefficients",
    "CCV:Sec3.2:noise": "The Gaussian noise for arbitrary budgets",
    "CCV:Sec3.2:noise-moderate": "The Gaussian noise for moderate budgets",
    "CCV:Sec3.2:clip": "The clipping threshold",
}
LIMITS = (
    f"{live.ERRORS}\n\n"
    "- The paper proves rates, which leave constants open. Nothing here contradicts a rate.\n"
    "- The best K and the best threshold know the curve. They bound what a rule can reach.\n"
    "- The constants of Lemma 3.3 are at the place chosen above and 32 functions.\n"
    "- This is a simulation, not a tool to release data."
)
