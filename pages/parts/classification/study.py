"""Tab "My study": the current study's own servers on a world that is known."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

import rates
from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.classification import privacy as classification_privacy
from pages.parts.classification import rate as classification_rate
from pages.parts.frame import figure_card, shell, tables
from pages.parts.live import Tabs, kept, plan
from pages.parts.live import panel as live
from pages.parts.session import state
from rates.answer import calibrated, offered_delta
from rates.numbers import DomainError, steps
from rates.study import Server, TransferStudy
from sims.classification import RULES, STUDY, study_spent, study_trial, study_values
from sims.engine import Estimate, Point, Progress, Request, fits

TAB = "study"
OWN = ("n", "epsilon", "delta", "gamma", "count")  # what the study itself says
USUAL = plan(
    tuple(setting for setting in STUDY.parameters if setting.name not in OWN), replicates=200
)
_FACTORS = (1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64)
_STUDY = kept(STUDY)
_NAMES = {"matched": "Calibrated", "printed": "(11), (12)"}  # in the legend


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    study = state.current()
    if not isinstance(study, TransferStudy):
        place.markdown("The current study fits a **curve**; a classifier needs a target.")
        st.page_link(
            shell.page("study"), label="Open a study with a target", icon=":material/edit:"
        )
        return
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        try:
            values, note = study_values(study)
            st.caption(_caps(study, note))
            request = Request(
                experiment=_STUDY,
                values=values.changed(**asked.values),
                replicates=asked.replicates,
                seed=asked.seed,
            )
        except DomainError as error:
            place.markdown("This study cannot be simulated as it stands.")
            st.error(words.plain(error))
            return
        live.panel(
            live.Job(key="classification_study", request=request, answer=answer, draw=draw), place
        )
        classification_privacy.show(study_spent(request.values), who="Each row's release")
    _both(study, request)


def _controls(tabs: Tabs) -> None:
    tabs.choice(TAB, "world", "World", classification_rate.WORLDS)
    tabs.between(TAB, "factor", "All budgets times", _FACTORS)
    tabs.repetition(TAB)
    with st.expander("Mechanism, bandwidth"):
        tabs.choice(TAB, "mechanism", "Noise", classification_rate.MECHANISMS)
        tabs.number(TAB, "kappa", "Bandwidth over r, κ", steps(1.0, 6.0, 0.5))
    tabs.refusal()


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


def _at_one(progress: Progress) -> dict[str, tuple[Point, Estimate]]:
    """The points at the study's own budgets, by series."""
    pairs = zip(progress.request.points, progress.estimates, strict=True)
    return {point.series: (point, found) for point, found in pairs if point.x == 1.0}


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    own = _at_one(progress)
    if not own:
        return "The study's own budgets, factor 1, are not among those shown."
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
    saturated = any(point.left_out for point, _ in own.values())
    end = (
        " At these sizes the classifier is **saturated**: it still errs far from the boundary, "
        "so the rate cannot show yet."
        if saturated
        else ""
    )
    found = ", ".join(parts)
    return f"On this world the study's classifier errs more than the best one by {found}.{end}"


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


def draw(progress: Progress) -> None:
    """Draw the figure."""
    estimates = progress.estimates
    points = _named(progress)
    drawn = chart.Drawn(
        figure=simulation.rate_figure(
            points,
            estimates,
            fits(points, estimates),
            x_title="Factor on every budget",
            y_title="Excess risk",
            title="This study on a known world, as its budgets scale",
            curve="its rate",
        ),
        alt=simulation.alt(points, estimates, "the factor on every budget"),
        rows=simulation.rows(points, estimates),
        name="study",
        caption="Two ways to choose bandwidth and weights, each over its own rate: **calibrated**, "
        "from "
        "the mechanism's own equation, and **(11), (12)** of the paper over the rate of equation "
        "(5), which knows no constants. Simulated risks have constants; the "
        "rates do not, so only shapes can be compared.",
    )
    figure_card.show(drawn, key="figure_classification_study")


def _both(study: TransferStudy, request: Request) -> None:
    """Both answers of the engine, for the study's own shape and for the world's."""
    st.header("Both answers of the engine")
    delta = offered_delta(study)
    full = TransferStudy(
        target=_with_delta(study.target, delta),
        sources=tuple(_with_delta(row, delta) for row in study.sources),
        smoothness=study.smoothness,
        dimension=study.dimension,
        margin=study.margin,
    )
    trial = study_trial(request.values, 1.0, "matched")
    mechanism, kappa = trial.mechanism, trial.kappa
    rows = [
        ("Rate equation (5), up to constants and logs", "study's", rates.solve(full)),
        ("Rate equation (5), up to constants and logs", "world's", rates.solve(trial.study)),
        ("Named mechanism", "study's", calibrated(full, mechanism=mechanism, kappa=kappa)),
        ("Named mechanism", "world's", calibrated(trial.study, mechanism=mechanism, kappa=kappa)),
    ]
    tables.wide(
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
        alt="Both answers of the engine for the study and for the world",
    )


def _with_delta(row: Server, delta: float) -> Server:
    return Server(
        name=row.name,
        n=row.n,
        epsilon=row.epsilon,
        delta=row.delta or delta,
        signal_exponent=row.signal_exponent,
        count=row.count,
    )
