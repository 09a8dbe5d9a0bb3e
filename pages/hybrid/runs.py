"""Tabs with runs: Subsample-Test-Reweigh, the share it needs, and PARITY."""

from __future__ import annotations

import functools
import time
from collections.abc import Iterable
from typing import Any

import streamlit as st

from pages.charts import Figure, number, simulation, words
from pages.core import Between, Block, Listing, Note, Slider, Switch
from pages.core.live import Folded, Plan, Tab, plan, repetition, seed
from pages.hybrid import figures
from rates.hybrid import parity
from rates.numbers import decades, steps
from sims import budgets, ks
from sims.engine import Progress

tab = functools.partial(Tab, page="hybrid")
RUNS = 5
LEAST = 5  # replicates before a difference is told
FAILURE = 0.01  # β of the numbers told about PARITY
LEARNERS = {
    "exponential": "Exponential",
    "permute and flip": "Permute and flip",
    "least error": "No privacy",
}
METHOD = (
    Slider("records", "Volunteers n", [2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 4e5, 1e6]),
    Slider("rounds", "Rounds allowed T", [1, 5, 10, 20, 30, 40, 60, 80, 120, 200]),
    Slider("density", "Density κ", [0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0]),
    Slider("step", "Update rate η", [0.0125, 0.025, 0.05, 0.1, 0.2, 0.3]),
)
TESTS = (
    Slider("sample", "Records per round m", [50, 100, 200, 400, 800, 2000]),
    Slider("users_per_test", "Users per test N₀", decades(2, 7, whole=True)),
    Slider("accuracy", "Accuracy α", [0.02, 0.05, 0.08, 0.1, 0.12]),
)
RARE = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
DELTA = Slider("delta", "δ", [1e-10, 1e-8, 1e-6, 1e-5, 1e-4])


def _figure(progress: Progress, *texts: str, **more: Any) -> list[Figure]:
    """Return shares along an axis of sizes, and nothing else."""
    more |= {"log": "x", "span": (-0.05, 1.05)}
    more.setdefault("caption", "Lines are exact; bars are 95% Monte-Carlo intervals.")
    name, title, *axes = texts
    return [simulation.error_figure(progress, *axes, name=name, title=title, **more)]


Made = tuple[ks.Run, ...]
_one = functools.lru_cache(maxsize=80)(ks.reweighting.one_of)


def made(asked: Plan) -> Made:
    """Make the runs one by one; a control that is moved ends them."""
    setup, begun = ks.setup_of(asked.values), time.monotonic()
    out: list[ks.Run] = []
    with st.spinner("Making the runs"):
        while len(out) < RUNS and (
            # The first run is made whatever it takes: without it there is nothing to show.
            not out or time.monotonic() - begun < budgets.VOLUNTEERS_SECONDS
        ):
            out.append(_one(setup, asked.seed, len(out)))
    return tuple(out)


def run_answer(runs: Made) -> str:
    """Return the finding as sentences."""
    first, setup = runs[0], runs[0].setup
    rounds = sorted(len(run.rounds) for run in runs)
    errors, start = (
        words.span(words.percent(min(of_runs)), words.percent(max(of_runs)))
        for of_runs in ([run.error for run in runs], [run.pooled for run in runs])
    )
    told = (
        f"**{sum(run.halted for run in runs)} of {len(runs)}** runs pass a test, after "
        f"**{words.span(str(rounds[0]), str(rounds[-1]))}** round{'s' * (rounds[-1] > 1)}. The "
        f"error on the population is **{errors}**, without weights {start}."
    )
    if not setup.private:
        return f"{told} Nothing here is private: this is Algorithm 1."
    return (
        f"{told} Each volunteer spends ε = **{number(setup.budgeted)}** at δ = "
        f"{number(setup.delta)} for the {setup.rounds} rounds allowed. The first run asked "
        f"**{number(first.users)}** users once each, at ε = {number(setup.epsilon)}."
    )


def run_figures(runs: Made) -> Iterable[Block]:
    """All rounds of the first run."""
    if len(runs) < RUNS:
        yield Note(f"{len(runs)} of {RUNS} runs: time is up.")
    yield figures.rounds(runs[0])


def alike_answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    request = progress.request
    seen = {(p.series, p.x): e for p, e in progress.seen(min(LEAST, request.replicates))}
    if not seen:
        return "**Run** compares reweighting with one learner without weights, at each share."
    names = ks.REWEIGHTED, ks.POOLED
    shares = sorted(x for name, x in seen if name == names[0] and (names[1], x) in seen)
    pairs = {x: [seen[name, x] for name in names] for x in shares}
    # A pair counts where both series have an interval and those do not meet.
    better = [x for x, (one, other) in pairs.items() if one.high < other.low]
    if not better:
        return "At **no** share so far does reweighting lower the error beyond the 95% intervals."
    best = min(better, key=lambda x: pairs[x][0].mean)
    one, other = (words.around(found, words.percent) for found in pairs[best])
    return (
        f"Reweighting lowers the error at shares from **{number(better[0])}** to "
        f"**{number(better[-1])}**. At {number(best)} it errs by **{one}**, one learner without "
        f"weights by **{other}**."
    )


def alike_figure(progress: Progress) -> Iterable[Block]:
    """The errors by share."""
    request = progress.request
    setup = ks.setup_of(request.values.changed(share=request.points[0].x))
    yield from _figure(
        progress,
        "alike",
        "Error with and without weights",
        "Share of volunteers like the population ρ",
        "Error on the population",
        level=setup.threshold,
        caption=f"Bars: 95% intervals. Dashed: the test, {3 if setup.private else 2} α.",
    )


def agreement(progress: Progress) -> str:
    """Say how many simulated shares agree with the exact ones, as far as there are any."""
    if not (seen := progress.seen()):
        return ""
    inside = f"{sum(ks.agrees(p, e) for p, e in seen)} of {len(seen)}"
    return f" **{inside}** simulated shares lie within three standard errors of the exact one."


def parity_answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    values = progress.request.values
    bits, rare = values.whole("bits"), values.number("rare")
    x = parity.mean_square_of(rare)
    source = (
        f" From volunteers with X = **{number(x)}** it takes "
        f"**{number(parity.records_needed(bits, FAILURE, rare))}**, and Claim B.2 asks "
        f"**{number(parity.source_records(bits, FAILURE, x))}**."
    )
    return (
        f"From the population itself **{parity.records_needed(bits, FAILURE)}** records show all "
        f"{bits} bits with probability 99%; Proposition B.1 asks "
        f"**{number(parity.uniform_records(bits, FAILURE))}**."
        f"{source if rare < 0.5 else ''}{agreement(progress)}"
    )


RUN = tab(
    id="run",
    title="Private run",
    usual=plan(ks.RUN_SETTINGS, replicates=RUNS, gone=("round", "flips")),
    inputs=(
        Switch("learner", "Learner", LEARNERS),
        Slider("share", "Share of volunteers like the population ρ", decades(-2, 0)),
        *METHOD,
        seed(),
        Folded(
            "Sample, users, accuracy, budgets",
            (
                *TESTS,
                Slider("epsilon", "Budget ε of a user", decades(-1, 1)),
                Slider("learner_epsilon", "Budget ε₀ of the learner in a round", [0.1, 0.3, 1, 2]),
                DELTA,
            ),
        ),
    ),
    compute=made,
    cannot="This run cannot be made.",
    answer=run_answer,
    blocks=run_figures,
    privacy=lambda asked: ks.privacy_of(asked.values),
    formula=r"w_i \leftarrow w_i\,e^{-\eta\,[1-L_i]},\qquad"
    r" \varepsilon^* = m\log\Big(1+\frac{e^{\varepsilon_0}-1}{\kappa n}\Big)",
    why="In each round m volunteers are drawn by weight, a private learner picks a rule, and new "
    "users say, each with noise, whether it is right for them. If it is not, the volunteers on "
    "whom it was right lose weight. No weight may exceed 1/(κ n), which bounds what one volunteer "
    "can change. The printed step 6 ε₀ m/(κ n) is several times larger.",
    limits="- Two clusters in the plane and 756 halfspaces are an easy world.\n"
    "- Rounds and density are chosen by hand; the theorem asks for tens of thousands of rounds.\n"
    "- A volunteer's budget is that of all rounds allowed: stopping early gives nothing back.\n"
    "- Volunteers and users are simulated. This is not a tool to release data.",
    statements=("KS:Claim4.1:step", "KS:Eq2:projection"),
)
ALIKE = tab(
    id="alike",
    title="How alike",
    inputs=(
        Between("share", "Range of the share ρ", (0.01, 0.03, *steps(0.1, 1, 0.1))),
        *METHOD,
        *repetition(most=200),
        Folded("Sample, users, accuracy, exact list", (*TESTS, Listing("share", "ρ, exact list"))),
    ),
    experiment=ks.CLOSENESS,
    auto=True,
    answer=alike_answer,
    blocks=alike_figure,
    privacy=lambda asked: ks.privacy_of(asked.values),
    formula=r"S = \rho\,T + (1-\rho)\,Q, \qquad X = \sup w = 1/\rho",
    why="The two clusters have opposite labels, so for ρ < 1/2 the best rule for the volunteers is "
    "the wrong one for the population. The users' tests repair this; more volunteers do not.",
    limits="- Where half of the volunteers or more are like the population, there is nothing to "
    "repair.\n"
    "- Near the share at which reweighting begins to fail, a run ends either well or badly: there "
    "bars of a few runs cover the mean less often than in 95% of cases.",
    statements=("KS:Sec1:baseline",),
)
PARITY = tab(
    id="parity",
    title="PARITY",
    inputs=(
        Slider("bits", "Bits d", [4, 8, 16, 24, 32, 48, 64, 96, 128]),
        Slider("rare", "Frequency of the first bit among volunteers q", RARE),
        *repetition(most=1000),
        Folded("Exact list", (Listing("extra", "Records beyond d"),)),
    ),
    experiment=ks.PARITY,
    auto=True,
    answer=parity_answer,
    blocks=lambda progress: _figure(
        progress,
        "parity",
        "Chance that records do not show all bits",
        "Records n",
        "Share that does not show all bits",
        setting="records",
    ),
    formula=r"\Pr[\operatorname{rank} < d] = 1-\{1-(1-q)^n\}\prod_{i=1}^{d-1}(1-2^{i-n})",
    why="The label is the parity of some of the d bits. As soon as the records span all d "
    "dimensions over the field of two elements, one subset of the bits alone fits the labels: no "
    "reweighting is needed.",
    limits="- PARITY is the example that proves a gain of the hybrid model: local users alone "
    "would need exponentially many answers. It is not a model of a study.\n"
    "- The source differs in one bit. Another source of the same X may need fewer or more records, "
    "up to the bound.\n"
    "- The private learner of Corollary B.3 needs the same rank of a subsample.",
    statements=("KS:PropB.1:rank", "KS:PropB.1:enough", "KS:ClaimB.2:rank", "KS:CorB.3:rank"),
)
