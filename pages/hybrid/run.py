"""Tab "Private run": Subsample-Test-Reweigh as it happens, five runs at once."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Iterable
from typing import NamedTuple

import streamlit as st

from pages.charts import words
from pages.core import Block, Note, Slider, Switch
from pages.core.live import Folded, Plan, plan, seed
from pages.hybrid import common
from pages.hybrid import run_figures as figures
from rates.numbers import Parameter, budgets, decades
from sims.engine import Number
from sims.hybrid import RUN_SETTINGS, Run, Setup, privacy_of, reweighting, setup_of

RUNS = 5
LEARNERS = {
    "exponential": "Exponential",
    "permute and flip": "Permute and flip",
    "least error": "No privacy",
}
SHOWN = Parameter(
    "round",
    "t",
    "1, ..., 500",
    rule="The round shown must be a whole number of at least 1.",
    limit_rule="The round shown must be at most 500.",
    help="The round whose weights and rule are drawn; the last one if there were fewer.",
)
PATIENCE = budgets.VOLUNTEERS_SECONDS


class Made(NamedTuple):
    """The runs, and which round of the first one is shown."""

    runs: tuple[Run, ...]
    shown: int


def made(asked: Plan) -> Made:
    """Make the runs that are asked for."""
    return Made(runs_of(setup_of(asked.values), asked.seed), asked.values.whole("round"))


def runs_of(setup: Setup, seed: int) -> tuple[Run, ...]:
    """Make the runs one by one, with progress; a control that is moved ends them."""
    bar, begun, out = st.empty(), time.monotonic(), []
    for k in range(RUNS):
        spent = time.monotonic() - begun
        if k and spent > PATIENCE:
            break
        if k and spent > 0.5:
            left = spent / k * (RUNS - k)
            bar.progress(k / RUNS, text=f"Run {k + 1} of {RUNS}, about {left:.0f} s left")
        out.append(_one(setup, seed, k))
    bar.empty()
    return tuple(out)


@functools.lru_cache(maxsize=80)
def _one(setup: Setup, seed: int, index: int) -> Run:
    """Make a run; only the first keeps its weights, up to 2 MB, as no other's are drawn."""
    found = reweighting.one_of(setup, seed, index)
    return found if index == 0 else dataclasses.replace(found, weights=found.weights[:0])


def answer(made: Made) -> str:
    """Return the finding as sentences."""
    runs, setup, first = made.runs, made.runs[0].setup, made.runs[0]
    errors = sorted(r.error for r in runs)
    rounds = sorted(len(r.rounds) for r in runs)
    start = sorted(r.pooled for r in runs)
    passed = sum(r.halted for r in runs)
    end = "round" if rounds[-1] == 1 else "rounds"
    told = (
        f"**{passed} of {len(runs)}** runs pass a test, after "
        f"**{words.span(str(rounds[0]), str(rounds[-1]))}** {end}. The error on the population is "
        f"**{words.span(words.percent(errors[0]), words.percent(errors[-1]))}**; the same learner "
        f"without weights errs by {words.span(words.percent(start[0]), words.percent(start[-1]))}."
    )
    if not setup.private:
        return f"{told} Nothing here is private: this is Algorithm 1."
    return (
        f"{told} Each volunteer spends ε = **{words.number(setup.budgeted)}** at "
        f"δ = {words.number(setup.delta)} for the {setup.rounds} rounds allowed; for the "
        f"{len(first.rounds)} that the first run used it would have been "
        f"{words.number(first.spent)}. That run asked **{words.number(first.users)}** users once "
        f"each, at ε = {words.number(setup.epsilon)}."
    )


def drawn(made: Made) -> Iterable[Block]:
    """The volunteers in one round, and all rounds."""
    runs, first = made.runs, made.runs[0]
    if len(runs) < RUNS:
        yield Note(
            f"{len(runs)} of {RUNS} runs: no further one is begun after {PATIENCE:.0f} seconds."
        )
    yield figures.points(first, min(made.shown, len(first.rounds)) - 1)
    yield figures.rounds(runs)


TAB = common.tab(
    name="run",
    title="Private run",
    usual=plan((*RUN_SETTINGS, Number(SHOWN, 40)), replicates=RUNS),
    wide=(Switch("learner", "Learner", LEARNERS),),
    fields=(
        Slider("share", "Share of volunteers like the population ρ", decades(-2, 0)),
        *common.RUN,
        Slider("round", "Round shown", range(1, 41)),
        seed(),
        Folded(
            "Sample, users, accuracy, budgets, flipped labels",
            (
                *common.TESTS,
                Slider("epsilon", "Budget ε of a user", decades(-1, 1)),
                Slider("learner_epsilon", "Budget ε₀ of the learner in a round", [0.1, 0.3, 1, 2]),
                Slider("delta", "δ", [1e-10, 1e-8, 1e-6, 1e-5, 1e-4]),
                Slider("flips", "Share of flipped labels", [0, 0.01, 0.02, 0.05, 0.1, 0.2]),
            ),
        ),
    ),
    made=made,
    cannot="This run cannot be made.",
    answer=answer,
    drawn=drawn,
    privacy=lambda asked: privacy_of(asked.values),
    formula=r"w_i \leftarrow w_i\,e^{-\eta\,[1-L_i]},\qquad"
    r" \varepsilon^* = m\log\Big(1+\frac{e^{\varepsilon_0}-1}{\kappa n}\Big)",
    why=(
        "In each round m volunteers are drawn by weight, a private learner picks a rule, and "
        "new users say, each with noise, whether it is right for them. If it is not, the "
        "volunteers on whom it was right lose weight, so that the next rule must be right "
        "elsewhere. Weights are cut so that none exceeds 1/(κ n), which bounds what one "
        "volunteer can change; the rounds are added up by exact composition. The printed step "
        "6 ε₀ m/(κ n) is several times larger."
    ),
    limits=(
        "- Two clusters in the plane and 756 halfspaces are an easy world. With 500 features the "
        "learner's sample decides, and the bounds of the first tab are the only promise.\n"
        "- The number of rounds and the density are chosen by hand here. The theorem asks for α/8 "
        "as the rate and for tens of thousands of rounds.\n"
        "- The volunteers' budget is that of all rounds allowed, because nobody knows before the "
        "run how many it takes. Stopping early gives nothing back; the smaller number is shown so "
        "that one sees what knowing would be worth.\n"
        "- Volunteers and users are simulated. This is not a tool to release data."
    ),
    statements={
        "KS:Claim4.1:step": "What one round costs a volunteer",
        "KS:Eq2:projection": "Weights of which none is large",
    },
)
