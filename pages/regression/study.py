"""Tab "My study": the current study's own servers on a curve that is known."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

import rates
from pages.charts import words
from pages.core import Between, Block, Heading, Note, Table, button, layout
from pages.core.live import Folded, Missing, repetition
from pages.current import simulated, state
from pages.regression import world
from rates.study import PRESETS, FederatedStudy
from sims.engine import Progress
from sims.regression import RULES, STUDY, study_servers, study_setup, study_values

OWN = ("n", "epsilon", "delta", "count", "smoothness")  # what the study itself says
_FACTORS = tuple(2.0**k for k in range(-4, 7))
_MOST_ROWS = 12  # rows listed


def _lacks() -> Missing | None:
    """A classifier is another study; a curve is offered."""
    if isinstance(state.current(), FederatedStudy):
        return None
    return Missing(
        "The current study is a **classifier** with a target. This page estimates a **curve** "
        "from servers alike in what they see; it needs a study of that kind.",
        [_offer],
    )


def _offer() -> None:
    for preset in [preset for preset in PRESETS if isinstance(preset.study, FederatedStudy)][:1]:
        st.markdown(f"**{words.md(preset.title)}.** {preset.story}")
        button(
            f"Open the example: {preset.title}",
            "regression_open_example",
            state.adopt,
            preset.study,
            icon=":material/auto_stories:",
        )
    st.page_link(layout.page("classification"), label="Simulate the classifier instead")
    st.page_link(layout.page("study"), label="Edit the study", icon=":material/edit:")


def _before(made: simulated.Current) -> Iterable[Block]:
    yield made.told
    yield from world.weak(study_setup, made.request)


def _caps(study: FederatedStudy, note: str) -> str:
    """What had to be changed or filled in to simulate the study."""
    start = (
        "Sizes, budgets and δ are the study's. The curve is a stand-in of smoothness "
        f"α = {words.number(min(study.smoothness, 2.0))} unless another is chosen."
    )
    end = f"**Changed to simulate it.** {words.md(note)}" if note else "Nothing had to be capped."
    return f"{start} {end} At most 1e9 records in a row and 2,048 basis functions are simulated."


def answer(progress: Progress) -> str:
    """Return the finding as a sentence."""
    found = simulated.at_one(progress)
    if not found:
        return simulated.ABSENT
    parts = []
    for series, (point, estimate) in found.items():
        errs = (
            f", simulated **{words.number(estimate.mean)} ± {words.number(estimate.stderr, 2)}**"
            if estimate.replicates >= 2
            else ""
        )
        parts.append(f"**{words.number(point.exact or 0.0)}**{errs} with {series}")
    assert set(found) == set(RULES)
    return f"On this curve the study's exact squared error is {'; '.join(parts)}."


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure."""
    yield world.drawn(
        progress.request.points,
        progress.estimates,
        title="This study on a known curve, as its budgets scale",
        curve="its rate",
        name="study",
        caption="Three ways to choose K and weights, each over its own rate: the calibrated one, "
        "and for the printed choice that of equation (6), which knows no constants.",
    )


def _below(made: simulated.Current) -> Iterable[Block]:
    """What is simulated, row by row; both answers of the engine beside its K."""
    study, request = made.study, made.request
    yield Heading("The servers that are simulated", anchor=True)
    rows = study_servers(request.values, 1.0)
    pairs = list(zip(study.servers, rows, strict=True))[:_MOST_ROWS]
    yield Table(
        {
            "Row": [own.name for own, _ in pairs],
            "Servers": [words.number(row.count) for _, row in pairs],
            "Records n": [f"{row.n:,}" for _, row in pairs],
            "ε": [words.number(row.epsilon) if row.private else "none" for _, row in pairs],
            "δ": [words.number(row.delta or 0.0) if row.private else "none" for _, row in pairs],
        },
        "Servers of the study as they are simulated",
    )
    if len(rows) > _MOST_ROWS:
        yield Note(f"And {len(rows) - _MOST_ROWS} rows more; the JSON file holds all.")
    yield Heading("Both answers of the engine", anchor=True)
    full = simulated.stated(study)
    plain, named = rates.solve(full), rates.calibrated(full)
    answers = [
        ("Rate equation (6), up to constants and logs", plain.integrated, plain.pointwise),
        ("Named mechanism, with its constants", named.integrated, named.pointwise),
    ]
    yield Table(
        {
            "Answer": [name for name, _, _ in answers],
            "D, whole curve": [words.number(a.D) for _, a, _ in answers],
            "Rate, whole curve": [words.number(a.rate) for _, a, _ in answers],
            "D, one point": [words.number(b.D) for _, _, b in answers],
            "Rate, one point": [words.number(b.rate) for _, _, b in answers],
        },
        "Both answers of the engine for the study",
    )
    K = {p.series: p.settings.number("K") for p in request.points if p.x == 1.0}
    told = "; ".join(f"{name}: K = {words.number(k)}" for name, k in K.items())
    yield Note(
        f"Simulated at the study's own budgets: {told}. A rate is no error: compare the order of "
        "the two answers, and the errors with the exact risks above."
    )


TAB = world.tab(
    STUDY,
    name="study",
    title="My study",
    alone=False,
    usual=simulated.usual(STUDY, OWN, replicates=20),
    lacks=_lacks,
    fields=(
        Between("factor", "All budgets times", _FACTORS),
        world.ask_curve,
        *repetition(most=200),
        Folded("Error, noise, threshold", (world.RISK, world.NOISE, world.CLIP)),
    ),
    made=lambda asked: simulated.made(asked, world.experiment(STUDY), study_values, _caps),
    cannot=simulated.CANNOT,
    before=_before,
    answer=answer,
    drawn=drawn,
    below=_below,
    formula=r"D^{2g+2} = \sum_j (n_j^2\varepsilon_j^2) \wedge (n_j D)",
    why=(
        "The rate equation (6) weighs the servers against each other with all constants 1. The "
        "named mechanism puts the noise of the estimator that is simulated here into the same "
        "equation. The exact risk needs neither: it is computed for the curve."
    ),
    limits=(
        "- The study's own curve is unknown; this one is a stand-in, scaled to sup 1 with noise of "
        "variance 1.\n"
        "- Best K and weights know the curve; they bound what a rule can reach.\n"
        "- No data of the study enter, only its sizes and budgets."
    ),
    statements={"CCV:Eq13:weights": "The weights (13)", "CCV:Eq13:risk": "What they give"},
)
