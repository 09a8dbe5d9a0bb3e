"""Tab "Private run": Subsample-Test-Reweigh as it happens, five runs at once."""

from __future__ import annotations

import functools
import time

import streamlit as st

from pages.figures import chart
from pages.figures.chart import words
from pages.parts.frame import figure_card, folds
from pages.parts.hybrid import run_figures as figures
from pages.parts.live import Tabs, plan
from rates.numbers import DomainError, Parameter, decades
from sims.engine import Number
from sims.hybrid import RUN_SETTINGS, Run, Setup, privacy_of, reweighting, setup_of

TAB = "run"
RUNS = 5
LEARNERS = {
    "exponential": "Exponential",
    "permute and flip": "Permute and flip",
    "least error": "No privacy",
}
SHOWN = Parameter(
    name="round",
    symbol="t",
    low=1,
    high=500,
    whole=True,
    rule="The round shown must be a whole number of at least 1.",
    limit_rule="The round shown must be at most 500.",
    typical=(1, 40),
    help="The round whose weights and rule are drawn; the last one if there were fewer.",
)
USUAL = plan((*RUN_SETTINGS, Number(SHOWN, 40)), replicates=RUNS)
STATEMENTS = {
    "KS:Claim4.1:step": "What one round costs a volunteer",
    "KS:Eq2:projection": "Weights of which none is large",
}
LIMITS = (
    "- Two clusters in the plane and 756 halfspaces are an easy world. With 500 features the "
    "learner's sample decides, and the bounds of the first tab are the only promise.\n"
    "- The number of rounds and the density are chosen by hand here. The theorem asks for "
    "α/8 as the rate and for tens of thousands of rounds.\n"
    "- The volunteers' budget is that of all rounds allowed, because nobody knows before the run "
    "how many it takes. Stopping early gives nothing back; the smaller number is shown so that "
    "one sees what knowing would be worth.\n"
    "- Volunteers and users are simulated. This is not a tool to release data."
)
PATIENCE = 15.0  # seconds after which no further run is begun
_one = functools.lru_cache(maxsize=80)(reweighting.one_of)


def above(tabs: Tabs) -> None:
    """The switch that needs the whole width."""
    tabs.choice(TAB, "learner", "Learner", LEARNERS)


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        try:
            setup = setup_of(asked.values)
        except DomainError as error:
            place.markdown("This run cannot be made.")
            st.error(words.plain(error))
            return
        runs = runs_of(setup, asked.seed)
        place.markdown(answer(runs))
        if len(runs) < RUNS:
            st.caption(
                f"{len(runs)} of {RUNS} runs: no further one is begun after {PATIENCE:.0f} seconds."
            )
        first = runs[0]
        at = min(int(asked.values["round"]), len(first.rounds)) - 1
        drawn = chart.Drawn(
            figure=figures.points_figure(
                first, at, title=f"Volunteers by weight, round {at + 1} of {len(first.rounds)}"
            ),
            caption="The first of the runs. Where a shown rule is right a volunteer loses weight; "
            "the population's cluster is the upper one. No real curator would show this picture.",
            alt=figures.points_alt(first, at),
            rows=figures.points_rows(first, at),
            name="volunteers-by-weight",
        )
        figure_card.show(drawn, key="figure_hybrid_points")
        drawn = chart.Drawn(
            figure=figures.rounds_figure(
                runs, title="Error, noisy test and weight along the rounds"
            ),
            caption="The curator sees the noisy test only. The error is exact, by integration."
            if setup.private
            else "The test is the error itself: both are exact, by integration.",
            alt=figures.rounds_alt(runs),
            rows=figures.rounds_rows(runs),
            name="rounds",
        )
        figure_card.show(drawn, key="figure_hybrid_rounds")


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


def answer(runs: tuple[Run, ...]) -> str:
    """Return the finding as sentences."""
    setup = runs[0].setup
    first = runs[0]
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


def _controls(tabs: Tabs) -> None:
    tabs.number(TAB, "share", "Share of volunteers like the population ρ", decades(-2, 0))
    sizes = [2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 4e5, 1e6]
    tabs.number(TAB, "records", "Volunteers n", sizes)
    tabs.number(TAB, "rounds", "Rounds allowed T", [1, 5, 10, 20, 30, 40, 60, 80, 120, 200])
    tabs.number(TAB, "density", "Density κ", [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0])
    tabs.number(TAB, "step", "Update rate η", [0.0125, 0.025, 0.05, 0.1, 0.2, 0.3])
    tabs.number(TAB, "round", "Round shown", [float(t) for t in range(1, 41)])
    tabs.seed(TAB)
    with st.expander("Sample, users, accuracy, budgets, flipped labels"):
        tabs.number(TAB, "sample", "Records per round m", [50, 100, 200, 400, 800, 2000])
        users = decades(2, 7, whole=True)
        tabs.number(TAB, "users_per_test", "Users per test N₀", users)
        tabs.number(TAB, "accuracy", "Accuracy α", [0.02, 0.05, 0.08, 0.1, 0.12])
        tabs.number(TAB, "epsilon", "Budget ε of a user", decades(-1, 1))
        tabs.number(TAB, "learner_epsilon", "Budget ε₀ of the learner in a round", [0.1, 0.3, 1, 2])
        tabs.number(TAB, "delta", "δ", [1e-10, 1e-8, 1e-6, 1e-5, 1e-4])
        tabs.number(TAB, "flips", "Share of flipped labels", [0, 0.01, 0.02, 0.05, 0.1, 0.2])
    tabs.refusal()


def below(tabs: Tabs) -> None:
    """What stands below the tab."""
    folds.show(_why, LIMITS, STATEMENTS, privacy=privacy_of(tabs.plan(TAB).values))


def _why() -> None:
    st.latex(
        r"w_i \leftarrow w_i\,e^{-\eta\,[1-L_i]},\qquad"
        r" \varepsilon^* = m\log\Big(1+\frac{e^{\varepsilon_0}-1}{\kappa n}\Big)"
    )
    st.markdown(
        "In each round m volunteers are drawn by weight, a private learner picks a rule, and "
        "new users say, each with noise, whether it is right for them. If it is not, the "
        "volunteers on whom it was right lose weight, so that the next rule must be right "
        "elsewhere. Weights are cut so that none exceeds 1/(κ n), which bounds what one "
        "volunteer can change; the rounds are added up by exact composition. The printed step "
        "6 ε₀ m/(κ n) is several times larger."
    )
