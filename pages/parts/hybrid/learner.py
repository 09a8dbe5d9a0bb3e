"""Tab "Private PARITY": volunteers for the private learner, users who test its answers."""

from __future__ import annotations

import functools

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.frame import figure_card, folds, tables
from pages.parts.hybrid import figures
from pages.parts.live import Tabs, kept, of_experiment
from pages.parts.live import panel as live
from rates.hybrid import parity as hybrid_parity
from rates.hybrid import parity_learner as hybrid_parity_learner
from rates.numbers import decades
from sims.engine import Progress, Values
from sims.hybrid import PRIVATE_PARITY, agrees, design

TAB = "learner"
USUAL = of_experiment(PRIVATE_PARITY)
FAILURE = 0.01
_EXPERIMENT = kept(PRIVATE_PARITY)
STATEMENTS = {
    "KS:CorB.3:rank": "Batches so large show all bits",
    "KS:CorB.3:batches": "How many batches",
}
LIMITS = (
    "- PARITY is the example that proves a gain of the hybrid model: local users alone would need "
    "exponentially many answers. It is not a model of a study.\n"
    "- The learner gives up half of the time, so that no number of volunteers in one batch finds "
    "the bits with a chance above 1/2; batches do.\n"
    "- Counts of volunteers and users are known to all; the guarantees are for each person's "
    "record, in one batch or one test.\n"
    "- This is a simulation, not a tool to release data."
)


def above(tabs: Tabs) -> None:
    """Nothing needs the whole width."""


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        request = tabs.request(TAB, _EXPERIMENT, place)
        if request is None:
            return
        live.panel(live.Job(key="hybrid_learner", request=request, answer=answer, draw=draw), place)
        _table(asked.values)


def _controls(tabs: Tabs) -> None:
    tabs.number(TAB, "bits", "Bits d", [4, 8, 16, 24, 32, 48, 64, 96, 128])
    rare = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5]
    tabs.number(TAB, "rare", "Frequency of the first bit among volunteers q", rare)
    tabs.number(TAB, "batches", "Batches of volunteers B", [1, 2, 5, 10, 19, 30, 50])
    tabs.number(TAB, "epsilon", "Budget ε of every person", [0.05, 0.1, 0.2, 0.3, 0.4, 0.5])
    tabs.number(TAB, "users_per_test", "Users for each test", decades(0, 6, whole=True))
    tabs.repetition(TAB, most=500)
    with st.expander("δ of the users, exact list of batch sizes"):
        tabs.number(TAB, "delta", "δ of the users", [1e-8, 1e-7, 1e-6, 1e-5, 1e-4])
        tabs.listing(TAB, "records", "Records in a batch")
    tabs.refusal()


@functools.lru_cache(maxsize=64)
def _needed(bits: int, rare: float, epsilon: float, batches: int) -> int | None:
    return hybrid_parity_learner.batch_needed(bits, FAILURE, rare, epsilon, batches)


def _asked(values: Values) -> tuple[int | None, float, int]:
    """Batch that is enough, batch of Corollary B.3, and its number of batches."""
    whole = design(values)
    bits, rare, budget = int(whole["bits"]), whole["rare"], whole["epsilon"]
    x = hybrid_parity.mean_square_of(rare)
    printed = hybrid_parity.batch_records(bits, FAILURE, x, budget)
    exact = _needed(bits, rare, budget, int(whole["batches"]))
    return exact, printed, hybrid_parity.batches(FAILURE)


def answer(progress: Progress) -> str:
    """Return the finding as sentences."""
    values = progress.request.values
    whole, (exact, printed, count) = design(values), _asked(progress.request.values)
    batches = int(whole["batches"])
    told = (
        f"With {batches} batches of **{words.number(exact)}** volunteers, "
        f"{words.number(batches * exact)} in all, the right bits are among the private answers "
        "with probability 99 %"
        if exact is not None
        else f"{batches} batches cannot name the right bits with probability 99 %, however many "
        "volunteers each has: the learner gives up half of the time"
    )
    last = progress.request.points[-1]
    users = int(whole["users_per_test"])
    parts = [
        f"{told}. Corollary B.3 asks {count} batches of **{words.number(printed)}**.",
        f"With {words.number(users)} users for each test, {words.number(batches * users)} in all, "
        f"batches of {words.number(last.x)} end with the right bits in "
        f"**{words.percent(last.exact or 0.0)}** of runs.",
    ]
    pairs = zip(progress.request.points, progress.estimates, strict=True)
    seen = [(p, e) for p, e in pairs if e.replicates >= 2]
    if seen:
        inside = sum(agrees(p, e) for p, e in seen)
        parts.append(
            f"**{inside} of {len(seen)}** simulated shares lie within three standard errors of "
            "the exact one."
        )
    return " ".join(parts)


def draw(progress: Progress) -> None:
    """Draw the figure."""
    points, estimates = progress.request.points, progress.estimates
    title = "Volunteers in each batch"
    drawn = chart.Drawn(
        figure=figures.sweep_figure(
            points,
            estimates,
            x_title=title,
            y_title="Share of runs that find the bits",
            title="Chance to find the bits",
            setting="records",
        ),
        alt=figures.sweep_alt(points, estimates, title, "records"),
        rows=simulation.rows(points, estimates),
        name="learner",
        caption="Lines are exact, by counting and one integral; bars are 95 % Monte-Carlo "
        "intervals.",
    )
    figure_card.show(drawn, key="figure_hybrid_learner")


def _table(values: Values) -> None:
    whole, (exact, printed, count) = design(values), _asked(values)
    batches, users = int(whole["batches"]), int(whole["users_per_test"])
    tables.wide(
        {
            "For β = 0.01": ["this run, exact", "Corollary B.3"],
            "Batches": [words.number(batches), words.number(count)],
            "Volunteers in each": [
                "none is enough" if exact is None else words.number(exact),
                words.number(printed),
            ],
            "Volunteers in all": [
                "none is enough" if exact is None else words.number(batches * exact),
                words.number(count * printed),
            ],
            "Users in all": [words.number(batches * users), "order 1/(ε α)² for each test"],
        },
        alt="Volunteers and users, exact and as bounded",
    )


def below(tabs: Tabs) -> None:
    """What stands below the tab."""
    folds.show(_why, LIMITS, STATEMENTS, privacy=PRIVATE_PARITY.privacy)


def _why() -> None:
    st.latex(
        r"p = \tfrac12\,\mathbb E\,2^{\operatorname{rank}-d}, \qquad k \sim "
        r"\mathrm{Bin}(n, \varepsilon/4) \text{ records kept}"
    )
    st.markdown(
        "The learner gives up half of the time. Otherwise it keeps every record with "
        "probability ε/4 and picks one of the subsets of bits that fit what it kept; one of "
        "them is the truth. A new batch of volunteers is another try, and users of the "
        "population, who err for half of a wrong subset and for none of the right one, say "
        "which answer to keep. Keeping ε/4 of the records is why privacy costs a factor 4/ε "
        "in volunteers here, whatever their number."
    )
