"""Tab "Constants": from the printed recipe to the best valid one, step by step."""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable

from pages.charts import Figure, simulation, words
from pages.core import Block, Heading, Link, Note, Slider, Table, Text
from pages.core.live import Folded, Plan, plan, repetition
from pages.regression import steps_figure as figures
from pages.regression import world
from rates.numbers import decades
from sims import regression as sim
from sims.engine import Progress, Request, Values

NAMES = {
    "as printed": "As printed",
    "best K": "Best K",
    "exact sensitivity": "Exact sensitivity",
    "exact noise": "Exact noise",
    "best threshold": "Best threshold",
    "no privacy": "No privacy",
}
BEST = "best threshold"
_constants = functools.lru_cache(maxsize=16)(sim.lemma)


@functools.lru_cache(maxsize=64)
def _chain(values: Values) -> sim.Chain:
    return sim.chain(values, values.numbers("epsilon")[0])


def _chain_of(request: Request) -> sim.Chain:
    return _chain(world.complete(request.values))


def _made(asked: Plan) -> Request:
    values = asked.values.changed(epsilon=asked.values.numbers("epsilon")[:1])
    request = asked.request(world.experiment(sim.CONSTANTS), values)
    _chain_of(request)  # or it is refused
    return request


def _weak(request: Request) -> Iterable[Block]:
    return world.warning(s.guarantee for s in _chain_of(request).steps if s.guarantee)


def _step(found: sim.Chain, name: str) -> sim.Step:
    return next(step for step in found.steps if step.name == name)


def answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    found = _chain_of(progress.request)
    epsilon = progress.request.values.numbers("epsilon")[0]
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


def _below(found: sim.Chain) -> str:
    """At which budgets the recipe is worse than zero; the search ends at `LARGEST_BUDGET`."""
    largest = words.number(sim.LARGEST_BUDGET)
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


def drawn(progress: Progress) -> Iterable[Block]:
    """The chain and its table."""
    found = _chain_of(progress.request)
    points, estimates = progress.request.points, progress.estimates
    yield Figure(
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
    before = [found.steps[0].risk, *(step.risk for step in found.steps)]
    yield Table(
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
            "What changes": [sim.STEPS[step.name] for step in found.steps],
        },
        "Steps of the chain with dimension, threshold and exact risk",
    )
    yield Text(f"**Why the printed K.** {found.comparison.reason}")


def _alt(found: sim.Chain) -> str:
    told = "; ".join(f"{NAMES[s.name]} {words.number(s.risk)}" for s in found.steps)
    return f"Exact squared error by step: {told}. Estimating by zero: {words.number(found.zero)}."


def _guarantees(request: Request) -> Iterable[Block]:
    """What every step's noise really guarantees, and the constant at a point."""
    found = _chain_of(request)
    yield Heading("What the noise really guarantees", anchor=True)
    shown = [(step, step.guarantee) for step in found.steps if step.guarantee]
    yield Table(
        {
            "Step": [NAMES[step.name] for step, _ in shown],
            "Law": [g.law for _, g in shown],
            "ε asked": [words.number(g.epsilon) for _, g in shown],
            "ε that holds": [words.number(g.actual_epsilon) for _, g in shown],
            "δ asked": [words.number(g.delta) for _, g in shown],
            "δ that holds": [words.number(g.actual_delta) for _, g in shown],
            "Valid": ["yes" if g.valid else "no" for _, g in shown],
        },
        "Privacy asked for and privacy that holds at each step",
    )
    yield Note(
        "Per server, one record replaced. A δ far below the one asked for is noise for nothing."
    )
    yield Heading("Lemma 3.3: the constant at one point", anchor=True)
    bases = _constants(world.complete(request.values))
    yield Table(
        {
            "Wavelets": [name[0].upper() + name[1:] for name, _ in bases],
            "As printed, 2 c‖ψ‖²": [words.number(c.printed) for _, c in bases],
            "As it must be, 4 c‖ψ‖²": [words.number(c.corrected) for _, c in bases],
            "Exact": [words.number(c.tight) for _, c in bases],
            "ε printed gives, 1 asked": [words.number(c.factor) for _, c in bases],
        },
        "The constant of Lemma 3.3 in several bases, and the epsilon that it gives",
    )
    haar = bases[0][1]
    yield Text(
        f"With Haar wavelets the printed constant is **{words.number(haar.printed)}** and one "
        f"record can move the value by **{words.number(haar.tight)}** (in units of τ 2^L/n): "
        f"Laplace noise as printed asks for ε and gives **{words.number(haar.factor)} ε**. Our "
        "reading has 4 in place of 2. With smoother wavelets both are loose enough to be valid."
    )
    yield Link("CCV:Lem3.3:constant", "Lemma 3.3: proof and counterexample")
    yield Link("CCV:Sec3.3:laplace", "Laplace noise: a scale, not a variance")


TAB = world.tab(
    sim.CONSTANTS,
    name="constants",
    title="Constants",
    usual=plan(sim.CONSTANTS.parameters, replicates=20, defaults={"epsilon": (1.0,)}),
    fields=(
        Slider("epsilon", "Budget ε of every server", decades(-1, 1)),
        Slider("n", "Records of each server n", decades(3, 7, whole=True)),
        Slider("m", "Number of servers m", decades(0, 3, whole=True)),
        world.ask_curve,
        *repetition(most=500),
        Folded("Error, δ", (world.RISK, world.DELTA)),
    ),
    made=_made,
    before=_weak,
    answer=answer,
    drawn=drawn,
    below=_guarantees,
    formula=r"\text{noise variance of a coefficient} = \frac{b\,K}{n^2\varepsilon^2}, \qquad "
    r"b = 4\tau^2\kappa^2\,\big(\varepsilon\,\sigma/\Delta\big)^2",
    why=(
        "Here Δ is the L2 sensitivity, 2 κ τ √K/n with κ² the largest mean square of the basis. "
        "Equation (6) balances bias with b = 1. The printed sensitivity, noise multiplier and "
        "threshold together make b ten thousand and more, so D asks for far too many "
        "coefficients, each with far too much noise. As n grows K/D becomes a constant and the "
        "rate is right; the constant remains."
    ),
    limits=(
        "- The paper proves rates, which leave constants open. Nothing here contradicts a rate.\n"
        "- The best K and the best threshold know the curve. They bound what a rule can reach.\n"
        "- The constants of Lemma 3.3 are at the place chosen above and 32 functions."
    ),
    statements={
        "CCV:Lem3.1:constant": "Lemma 3.1: the sensitivity of the coefficients",
        "CCV:Sec3.2:noise": "The Gaussian noise for arbitrary budgets",
        "CCV:Sec3.2:noise-moderate": "The Gaussian noise for moderate budgets",
        "CCV:Sec3.2:clip": "The clipping threshold",
    },
)
