"""Tab "My study": the current study's own servers on a curve that is known."""

from __future__ import annotations

import streamlit as st

import rates
from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.frame import figure_card, shell, tables
from pages.parts.live import Tabs, plan
from pages.parts.live import panel as live
from pages.parts.regression import world as regression_world
from pages.parts.session import state
from rates.numbers import DomainError, steps
from rates.study import PRESETS, FederatedStudy, Preset, Server
from sims.curves import Curve
from sims.engine import Estimate, Point, Progress, Request, fits
from sims.regression import RULES, STUDY, study_servers, study_setup, study_values

TAB = "study"
OWN = ("n", "epsilon", "delta", "count", "smoothness")  # what the study itself says
USUAL = plan(
    tuple(setting for setting in STUDY.parameters if setting.name not in OWN), replicates=20
)
_FACTORS = (1 / 16, 1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64)
_MOST_ROWS = 12  # rows listed


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    study = state.current()
    if not isinstance(study, FederatedStudy):
        _no_curve(place)
        return
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        try:
            values, note = study_values(study)
            request = Request(
                experiment=regression_world.experiment(STUDY, regression_world.own()),
                values={**values, **asked.values},
                replicates=asked.replicates,
                seed=asked.seed,
            )
        except DomainError as error:
            place.markdown("This study cannot be simulated as it stands.")
            st.error(words.plain(error))
            return
        st.caption(_caps(study, note))
        regression_world.warn_run(request, study_setup)
        live.panel(regression_world.job(TAB, request, answer=answer, draw=draw), place)
    _servers(study, request)
    _both(study, request)


def _no_curve(place: st.delta_generator.DeltaGenerator) -> None:
    """Say that a classifier is another study, and offer a curve."""
    place.markdown(
        "The current study is a **classifier** with a target. This page estimates a **curve** "
        "from servers alike in what they see; it needs a study of that kind."
    )
    examples = [preset for preset in PRESETS if isinstance(preset.study, FederatedStudy)]
    if examples:
        st.markdown(f"**{words.md(examples[0].title)}.** {examples[0].story}")
        st.button(
            f"Open the example: {examples[0].title}",
            key="regression_open_example",
            on_click=_open,
            args=(examples[0],),
            icon=":material/auto_stories:",
        )
    st.page_link(shell.page("classification"), label="Simulate the classifier instead")
    st.page_link(shell.page("study"), label="Edit the study", icon=":material/edit:")


def _open(preset: Preset) -> None:
    state.touch()
    state.adopt(preset.study)


def _controls(tabs: Tabs) -> None:
    tabs.between(TAB, "factor", "All budgets times", _FACTORS)
    regression_world.controls(tabs, TAB)
    tabs.repetition(TAB, most=200)
    with st.expander("Error, noise, threshold"):
        tabs.choice(TAB, "risk", "Error", regression_world.RISKS)
        tabs.choice(TAB, "noise", "Noise", regression_world.NOISES)
        tabs.number(TAB, "clip", "Clipping threshold τ", steps(1.5, 6.0, 0.5))
    tabs.refusal()


def _caps(study: FederatedStudy, note: str) -> str:
    """What had to be changed or filled in to simulate the study."""
    start = (
        "Sizes, budgets and δ are the study's. The curve is a stand-in of smoothness "
        f"α = {words.number(min(study.smoothness, 2.0))} unless another is chosen."
    )
    end = f"**Changed to simulate it.** {words.md(note)}" if note else "Nothing had to be capped."
    return f"{start} {end} At most 1e9 records in a row and 2,048 basis functions are simulated."


def _own_points(progress: Progress) -> dict[str, tuple[Point, Estimate]]:
    """The points at the study's own budgets, by series."""
    pairs = zip(progress.request.points, progress.estimates, strict=True)
    return {point.series: (point, found) for point, found in pairs if point.x == 1.0}


def answer(progress: Progress, own: Curve | None) -> str:
    """Return the finding as a sentence."""
    del own
    found = _own_points(progress)
    if not found:
        return "The study's own budgets, factor 1, are not among those shown."
    parts = []
    for series, (point, estimate) in found.items():
        simulated = (
            f", simulated **{words.number(estimate.mean)} ± {words.number(estimate.stderr, 2)}**"
            if estimate.replicates >= 2
            else ""
        )
        parts.append(f"**{words.number(point.exact or 0.0)}**{simulated} with {series}")
    assert set(found) == set(RULES)
    return f"On this curve the study's exact squared error is {'; '.join(parts)}."


def draw(progress: Progress, own: Curve | None) -> None:
    """Draw the figure."""
    del own
    request, estimates = progress.request, progress.estimates
    drawn = chart.Drawn(
        figure=simulation.rate_figure(
            request.points,
            estimates,
            fits(request.points, estimates),
            x_title="Factor on every budget",
            y_title="Squared error",
            title="This study on a known curve, as its budgets scale",
            curve="its rate",
        ),
        alt=regression_world.alt(request.points, estimates, "the factor on every budget"),
        rows=simulation.rows(request.points, estimates),
        name="study",
        caption="Three ways to choose K and weights, each over its own rate: the calibrated one, "
        "and for "
        "the printed choice that of equation (6), which knows no constants.",
    )
    figure_card.show(drawn, key="figure_regression_study")


def _servers(study: FederatedStudy, request: Request) -> None:
    """What is simulated, row by row."""
    st.header("The servers that are simulated")
    rows = study_servers(request.values, 1.0)
    pairs = list(zip(study.servers, rows, strict=True))[:_MOST_ROWS]
    tables.wide(
        {
            "Row": [own.name for own, _ in pairs],
            "Servers": [words.number(row.count) for _, row in pairs],
            "Records n": [f"{row.n:,}" for _, row in pairs],
            "ε": [words.number(row.epsilon) if row.private else "none" for _, row in pairs],
            "δ": [words.number(row.delta or 0.0) if row.private else "none" for _, row in pairs],
        },
        alt="Servers of the study as they are simulated",
    )
    if len(rows) > _MOST_ROWS:
        st.caption(f"And {len(rows) - _MOST_ROWS} rows more; the JSON file holds all.")


def _both(study: FederatedStudy, request: Request) -> None:
    """Both answers of the engine beside the simulation's own K."""
    st.header("Both answers of the engine")
    servers = study_servers(request.values, 1.0)
    full = FederatedStudy(
        servers=tuple(
            Server(
                name=own.name,
                n=own.n,
                epsilon=own.epsilon,
                delta=own.delta or s.delta,
                count=own.count,
            )
            for own, s in zip(study.servers, servers, strict=True)
        ),
        smoothness=study.smoothness,
        integrability=study.integrability,
    )
    plain, named = rates.solve(full), rates.calibrated(full)
    answers = [
        ("Rate equation (6), up to constants and logs", plain.integrated, plain.pointwise),
        ("Named mechanism, with its constants", named.integrated, named.pointwise),
    ]
    tables.wide(
        {
            "Answer": [name for name, _, _ in answers],
            "D, whole curve": [words.number(a.D) for _, a, _ in answers],
            "Rate, whole curve": [words.number(a.rate) for _, a, _ in answers],
            "D, one point": [words.number(b.D) for _, _, b in answers],
            "Rate, one point": [words.number(b.rate) for _, _, b in answers],
        },
        alt="Both answers of the engine for the study",
    )
    K = {p.series: p.settings["K"] for p in request.points if p.x == 1.0}
    told = "; ".join(f"{name}: K = {words.number(float(k))}" for name, k in K.items())
    st.caption(
        f"Simulated at the study's own budgets: {told}. A rate is no error: compare the order of "
        "the two answers, and the errors with the exact risks above."
    )


def below() -> None:
    """What stands below the tab."""
    regression_world.folds(_why, LIMITS, STATEMENTS, privacy=STUDY.privacy)


def _why() -> None:
    st.latex(r"D^{2g+2} = \sum_j (n_j^2\varepsilon_j^2) \wedge (n_j D)")
    st.markdown(
        "The rate equation (6) weighs the servers against each other with all constants 1. The "
        "named mechanism puts the noise of the estimator that is simulated here into the same "
        "equation. The exact risk needs neither: it is computed for the curve."
    )


STATEMENTS = {"CCV:Eq13:weights": "The weights (13)", "CCV:Eq13:risk": "What they give"}
LIMITS = (
    f"{live.ERRORS}\n\n"
    "- The study's own curve is unknown; this one is a stand-in, scaled to sup 1 with noise of "
    "variance 1.\n"
    "- Best K and weights know the curve; they bound what a rule can reach.\n"
    "- No data of the study enter, only its sizes and budgets.\n"
    "- This is a simulation, not a tool to release data."
)
