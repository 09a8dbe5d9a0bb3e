"""Tab "Paper figures": Figures 3, 4 and 5 rebuilt at chosen replicates."""

from __future__ import annotations

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.classification import privacy as classification_privacy
from pages.parts.frame import claim_table, figure_card
from pages.parts.live import Tabs, plan
from pages.parts.live import panel as live
from sims.classification import BUDGET, GAMMA
from sims.engine import Choice, Estimate, Numbers, Progress, Request, Spent
from sims.paper_acc import ALGORITHM, BASE, SPLIT, claims, figures

TAB = "paper"
EXPERIMENTS = {"3": figures.FIGURE_3, "4": figures.FIGURE_4, "5": figures.FIGURE_5}
TITLES = {"3": "Figure 3", "4": "Figure 4", "5": "Figure 5"}
_ONE_BUDGET = Numbers(parameter=BUDGET, default=(2.0,), most=3)
USUAL = plan(
    (
        Choice(
            name="figure",
            options=tuple(EXPERIMENTS),
            default="4",
            help="3: transfer or the target alone. 4: all methods. 5: 500 records spread over "
            "more servers.",
        ),
        Numbers(parameter=GAMMA, default=(1.0,), most=3),
        _ONE_BUDGET,
        figures.KERNEL,
        figures.TUNING,
        figures.BIN_CHOICE,
        figures.LAW_CHOICE,
        SPLIT,
        BASE,
        ALGORITHM,
    ),
    replicates=50,
    defaults={"kernel": "gaussian"},
)
_KERNELS = {"both": "Both", "gaussian": "Gaussian", "triangular": "Triangular"}
_TUNING = {"setting": "Per point", "replicate": "Per replicate"}
_BINS = {"both": "Both", **{name: name.capitalize() for name in figures.BIN_CHOICE.options[1:]}}
_LAWS = {"printed and laplace": "Both", "printed": "Gauss", "exact": "Exact", "laplace": "Laplace"}
SPLITS = {"printed": "As printed", "composed": "Composed", "unsplit": "Not split"}
BASES = {"2": "Base 2", "e": "Natural"}
ALGORITHMS = {"2": "2, all weights", "1": "1, one weight"}


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    experiment = EXPERIMENTS[asked.values["figure"]]
    own = {setting.name for setting in experiment.parameters}
    own -= {"epsilon"} if asked.values["figure"] != "5" else set()
    values = {name: value for name, value in asked.values.items() if name in own}
    with right:
        request = tabs.request(TAB, experiment, place, values=values)
        if request is None:
            return
        live.panel(
            live.Job(key="classification_paper", request=request, answer=answer, draw=draw), place
        )
        classification_privacy.show_each(_spent(request))
        if asked.values["tuning"] == "replicate":
            st.caption(
                "The best of every replicate is found by comparing tuned releases at all "
                "bandwidths, each with the whole budget; what is said above counts one of them."
            )


def _controls(tabs: Tabs) -> None:
    tabs.choice(TAB, "figure", "Which", TITLES)
    figure = tabs.plan(TAB).values["figure"]
    tabs.several(TAB, "gamma", "Signal exponents γ", (0.25, 0.5, 1.0, 1.5, 4.0))
    if figure == "5":
        tabs.several(TAB, "epsilon", "Budgets ε", (float("inf"), 2.0, 1.0, 0.5))
    tabs.choice(TAB, "kernel", "Kernel", _KERNELS)
    tabs.choice(TAB, "tuning", "Tuned on the test set", _TUNING)
    if figure != "3":
        with st.expander("Histogram, adaptive rule"):
            tabs.choice(TAB, "bins", "Bins", _BINS)
            tabs.choice(TAB, "noise", "Histogram noise", _LAWS)
            tabs.choice(TAB, "split", "Budget over bandwidths", SPLITS)
            tabs.choice(TAB, "base", "Grid of bandwidths", BASES)
            tabs.choice(TAB, "algorithm", "Algorithm", ALGORITHMS)
    tabs.repetition(TAB, most=1_000)
    tabs.refusal()


def _curves(progress: Progress) -> dict[str, tuple[list[float], list[Estimate]]]:
    request, estimates = progress.request, progress.estimates
    points = request.points
    alone = len({point.settings["gamma"] for point in points}) == 1
    broken = classification_privacy.broken(request, figures.point_spent)
    return {
        _short(name, alone) + classification_privacy.NOT * (name in broken): (
            [points[i].x for i in at],
            [estimates[i] for i in at],
        )
        for name, at in simulation.series_of(points).items()
    }


def _spent(request: Request) -> dict[str, list[Spent]]:
    """What the releases of each method guarantee."""
    out: dict[str, list[Spent]] = {}
    for point in request.points:
        if found := figures.point_spent(request.values, point):
            out.setdefault(str(point.settings["method"]), []).append(found)
    return out


def _short(series: str, alone: bool) -> str:
    """A series in the page's letters, without an exponent that all of them share."""
    kept = [part for part in series.split(", ") if not (alone and part.startswith("gamma"))]
    return claim_table.letters(", ".join(kept))


def answer(progress: Progress) -> str:
    """Return the finding so far as a sentence."""
    if not progress.done:
        return "**Run** rebuilds the figure; every accuracy is an exact integral, without test set."
    if min(progress.counts) < 1:
        return _begun(progress)
    found = {
        name: (xs[place], estimates[place])
        for name, (xs, estimates) in _curves(progress).items()
        for place in [len(xs) // 2]
        if estimates[place].replicates >= 2
    }
    if not found:
        return "The first replicates are being computed."
    x = next(iter(found.values()))[0]
    best = max(found, key=lambda name: found[name][1].mean)
    worst = min(found, key=lambda name: found[name][1].mean)
    label = "m" if progress.request.experiment is figures.FIGURE_5 else "ε"
    counts = words.span(str(min(progress.counts)), str(max(progress.counts)))
    return (
        f"After **{counts} replicates**: at {label} = {words.number(x)}, {best} is right for "
        f"**{_share(found[best][1])}** of new records and {worst} for "
        f"**{_share(found[worst][1])}**. No classifier exceeds **{100 * figures.BEST:.1f} %**."
    )


def _begun(progress: Progress) -> str:
    """What is known while some points have no replicate: nothing that compares methods."""
    begun = sum(count > 0 for count in progress.counts)
    tuning = (
        f" Most of the time goes into **tuning** every point on {figures.PILOT} replicates of its "
        "own; the replicates after it are quick."
        if progress.request.values["tuning"] == "setting"
        else ""
    )
    return (
        f"**{begun} of {len(progress.counts)}** points have replicates so far; methods are "
        f"compared once all have.{tuning}"
    )


def _share(found: Estimate) -> str:
    return words.around(found, lambda share: f"{100 * share:.1f} %")


def draw(progress: Progress) -> None:
    """Draw accuracies with their intervals."""
    curves = _curves(progress)
    spread = progress.request.experiment is figures.FIGURE_5
    drawn = chart.Drawn(
        figure=simulation.budget_figure(
            {"Accuracy": curves},
            title="Accuracy in the paper's design",
            x_title="Number of sources m" if spread else "Budget ε (none: no privacy)",
        ),
        alt="Accuracy of each method. " + simulation.told(curves),
        rows=simulation.panel_rows({"Accuracy": curves}),
        name="figure",
        caption="Bars are 95 % Monte-Carlo intervals. DTK, targetDTK and DT-HIST are **tuned on "
        "the test "
        "set**, as in the paper: their best bandwidth and weight are chosen by looking at the "
        "truth, which no data set would tell. "
        "DTK beats targetDTK by construction, since weight 1 is among its choices; only the size "
        "of the gain says something. AdaptDTK chooses from the releases alone.",
    )
    figure_card.show(drawn, key="figure_classification_paper")
    _claims(progress)


def _claims(progress: Progress) -> None:
    """What the text says of the figure, and what this run says of that."""
    if min(progress.counts) < 2:
        return
    note = "Claims about several γ need several γ in the run."
    if classification_privacy.broken(progress.request, figures.point_spent):
        note += " Curves named not private exceed their budget; a claim does not count that."
    claim_table.show(claims(progress), note=note)
