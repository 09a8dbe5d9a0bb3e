"""Tab "My study": the current study's own servers on a world that is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

import rates
from pages.charts import simulation, words
from pages.classification import common, privacy
from pages.core import Between, Block, Heading, Table, layout
from pages.core.live import Folded, Missing, kept, repetition
from pages.current import simulated, state
from rates.answer import calibrated, offered_delta
from rates.study import TransferStudy
from sims.classification import RULES, STUDY, study_spent, study_trial, study_values
from sims.engine import Point, Progress

OWN = ("n", "epsilon", "delta", "gamma", "count")  # what the study itself says
_FACTORS = tuple(2.0**k for k in range(-6, 7))
_STUDY = kept(STUDY)
_NAMES = {"matched": "Calibrated", "printed": "(11), (12)"}  # in the legend


def _lacks() -> Missing | None:
    if isinstance(state.current(), TransferStudy):
        return None
    return Missing(
        "The current study fits a **curve**; a classifier needs a target.",
        [
            lambda: st.page_link(
                layout.page("study"), label="Open a study with a target", icon=":material/edit:"
            )
        ],
    )


def _caps(study: TransferStudy, note: str) -> str:
    """What had to be changed or filled in to simulate the study."""
    parts = [
        "Sizes, budgets and signal exponents are the study's. Smoothness, dimension and margin "
        "are the world's (β = 1, α β = d), not the study's "
        f"(β = {words.number(study.smoothness)}, d = {study.dimension}, "
        f"α = {words.number(study.margin)})."
    ]
    if any(row.private and row.delta is None for row in study.servers):
        parts.append(f"Where no δ is given it is {words.number(offered_delta(study))}.")
    parts.append(f"**Capped.** {note}" if note else "Nothing had to be capped.")
    return " ".join(parts)


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    own = simulated.at_one(progress)
    if not own:
        return simulated.ABSENT
    parts = []
    for (series, (point, found)), name in zip(
        own.items(), ("the mechanism's own equation", "the paper's (11) and (12)"), strict=False
    ):
        if found.replicates >= 2:
            value = f"**{words.around(found, words.percent)}**"
        elif point.exact is not None:
            value = f"**{words.percent(point.exact)}** (exact)"
        else:
            value = "not computed yet"
        parts.append(f"{value} with bandwidth and weights of {name}")
        assert series in RULES
    end = (
        " At these sizes the classifier is **saturated**: it still errs far from the boundary, "
        "so the rate cannot show yet."
        if any(point.left_out for point, _ in own.values())
        else ""
    )
    told = ", ".join(parts)
    return f"On this world the study's classifier errs more than the best one by {told}.{end}"


def _named(progress: Progress) -> tuple[Point, ...]:
    """The points under short names; before a run there is no mark to call left out."""
    return tuple(
        replace(
            point,
            series=_NAMES[RULES[point.series]],
            left_out=point.left_out if progress.done else "",
        )
        for point in progress.request.points
    )


def drawn(progress: Progress) -> Iterable[Block]:
    """The figure."""
    points = _named(progress)
    yield simulation.rate_drawn(
        points,
        progress.estimates,
        name="study",
        alt=simulation.alt(points, progress.estimates, "the factor on every budget"),
        caption="Two ways to choose bandwidth and weights, each over its own rate: **calibrated**, "
        "from the mechanism's own equation, and **(11), (12)** of the paper over the rate of "
        "equation (5), which knows no constants. Simulated risks have constants; the rates do "
        "not, so only shapes can be compared.",
        x_title="Factor on every budget",
        y_title="Excess risk",
        title="This study on a known world, as its budgets scale",
        curve="its rate",
    )


def _below(made: simulated.Current) -> Iterable[Block]:
    """Both answers of the engine, for the study's own shape and for the world's."""
    yield Heading("Both answers of the engine", anchor=True)
    full = simulated.stated(made.study)
    trial = study_trial(made.request.values, 1.0, "matched")
    mechanism, kappa = trial.mechanism, trial.kappa
    rows = [
        ("Rate equation (5), up to constants and logs", "study's", rates.solve(full)),
        ("Rate equation (5), up to constants and logs", "world's", rates.solve(trial.study)),
        ("Named mechanism", "study's", calibrated(full, mechanism=mechanism, kappa=kappa)),
        ("Named mechanism", "world's", calibrated(trial.study, mechanism=mechanism, kappa=kappa)),
    ]
    yield Table(
        {
            "Answer": [name for name, _, _ in rows],
            "β, d, α": [shape for _, shape, _ in rows],
            "r": [words.number(found.r) for _, _, found in rows],
            "Rate, capped at 1": [words.number(found.rate) for _, _, found in rows],
            "Bandwidth h": [
                "none" if found.bandwidth is None else words.number(found.bandwidth)
                for _, _, found in rows
            ],
            "Target's share": [words.percent(found.shares[0]) for _, _, found in rows],
            "Target limited by": [found.limited_by[0] for _, _, found in rows],
        },
        "Both answers of the engine for the study and for the world",
    )


TAB = common.tab(
    "study",
    "My study",
    alone=False,
    usual=simulated.usual(STUDY, OWN, replicates=200),
    lacks=_lacks,
    fields=(
        common.WORLD,
        Between("factor", "All budgets times", _FACTORS),
        *repetition(),
        Folded("Mechanism, bandwidth", (common.NOISE, common.KAPPA)),
    ),
    made=lambda asked: simulated.made(asked, _STUDY, study_values, _caps),
    cannot=simulated.CANNOT,
    before=lambda made: [made.told],
    answer=answer,
    drawn=drawn,
    after=lambda made: privacy.said(study_spent(made.request.values), who="Each row's release"),
    below=_below,
)
