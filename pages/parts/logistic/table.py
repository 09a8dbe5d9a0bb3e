"""Tab "Table 1": the printed accuracies beside simulated ones with intervals."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.figures import chart, simulation
from pages.parts.frame import figure_card, tables
from pages.parts.live import Tabs, plan
from pages.parts.live import panel as live
from pages.parts.logistic import common as logistic_common
from pages.parts.logistic import figures
from rates.logistic import best_accuracy, signal_variance
from rates.numbers import decades, steps
from sims.engine import Estimate, Progress
from sims.logistic import METHODS, PRINTED, TABLE, World

TAB = "table"
USUAL = plan(TABLE.parameters, replicates=TABLE.replicates)
KINDS = {"printed": "Inside the sum, as Algorithm 1", "printed once": "On the sum, as (9)"}


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        tabs.number(TAB, "transferable", "Sources |A|, all like the target", steps(1, 18, 1))
        tabs.number(TAB, "deviation", "Their distance h", steps(0, 20, 1))
        tabs.select(TAB, "kind", "Noise", KINDS)
        tabs.repetition(TAB, most=200)
        with st.expander("Sizes, exact scales"):
            tabs.number(TAB, "n0", "Records of the target", decades(2, 4, whole=True))
            tabs.number(TAB, "nk", "Records of each source", decades(2, 4, whole=True))
            tabs.listing(TAB, "scale", "Laplace scales, exact list")
        tabs.refusal()
    with right:
        request = tabs.request(TAB, TABLE, place)
        if request is None:
            return
        live.panel(live.Job(key="logistic_table", request=request, answer=answer, draw=draw), place)


def _rows(progress: Progress) -> dict[tuple[str, str, float], Estimate]:
    """Estimates by law, method and scale."""
    return {
        (str(p.settings["law"]), str(p.settings["method"]), p.x): found
        for p, found in zip(progress.request.points, progress.estimates, strict=True)
    }


def _best(progress: Progress, law: str) -> float:
    values = progress.request.values
    world = World(
        dimension=values["dimension"], sparsity=values["sparsity"], sources=1, transferable=1
    )
    return best_accuracy(signal_variance(world.truth), law)


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    printed = (
        "All twelve printed accuracies are whole hits of 300 records: one test set, not an "
        "average. The highest, **96.67 %**, lies above **93.8 %**, the most that any rule reaches "
        "in this design on average."
    )
    rows = _rows(progress)
    if not all(found.replicates >= 2 for found in rows.values()):
        return f"{printed} **Run** repeats the design."
    near = [key for key in rows if key in PRINTED]
    inside = sum(_inside(PRINTED[key] / 100, rows[key]) for key in near)
    return (
        f"{printed} Simulated, **{inside} of {len(near)}** printed numbers lie within what one "
        f"test set of 300 allows. {_order(rows)}"
    )


def _order(rows: Mapping[tuple[str, str, float], Estimate]) -> str:
    """Say in how many cells transfer helps and harms, beyond both intervals."""
    cells = [
        (found, rows[law, "oracle", x])
        for (law, method, x), found in rows.items()
        if method == "naive"
    ]
    helps = sum(alone.interval()[1] < pooled.interval()[0] for alone, pooled in cells)
    harms = sum(pooled.interval()[1] < alone.interval()[0] for alone, pooled in cells)
    said = f"Transfer helps beyond both 95 % intervals in **{helps} of {len(cells)}** cells"
    if helps == len(cells):
        return f"{said}: the printed order reproduces."
    rest = len(cells) - helps - harms
    return f"{said}, harms in **{harms}**, and is not told apart in **{rest}**."


def _inside(printed: float, found: Estimate) -> bool:
    """Whether a printed share of 300 lies within two standard deviations of the mean.

    >>> _inside(0.9, Estimate(0.9, 0.001, 20)), _inside(0.8, Estimate(0.9, 0.001, 20))
    (True, False)
    """
    spread = (found.mean * (1 - found.mean) / 300 + found.stderr**2 * found.replicates) ** 0.5
    return abs(printed - found.mean) <= 1.96 * spread


def draw(progress: Progress) -> None:
    """Draw the simulated accuracies, and the printed ones beside them."""
    rows = _rows(progress)
    series: dict[str, tuple[list[float], list[Estimate]]] = {}
    for (law, method, x), found in rows.items():
        name = f"{logistic_common.LAWS[law]}: {METHODS[method].lower()}"
        xs, estimates = series.setdefault(name, ([], []))
        xs.append(x)
        estimates.append(found)
    drawn = chart.Drawn(
        figure=figures.sweep(
            series,
            title="Accuracy in the design of Table 1",
            x_title="Laplace scale, the paper's Δ/ε",
            y_title="Right labels",
            share=True,
        ),
        alt=f"Accuracy against the Laplace scale. {figures.told(series)}",
        rows=simulation.panel_rows({"Right labels": series}),
        name="table",
    )
    figure_card.show(drawn, key="figure_logistic_table")
    columns: dict[str, list[str]] = {
        "Errors": [logistic_common.LAWS[law] for law, _, _ in rows],
        "Fit": [METHODS[method] for _, method, _ in rows],
        "Scale": [f"{x:g}" for _, _, x in rows],
        "Printed, %": [f"{PRINTED[key]:.2f}" if key in PRINTED else "none" for key in rows],
        "Of 300": [f"{round(3 * PRINTED[key])}" if key in PRINTED else "" for key in rows],
        "Simulated, % (± 95 %)": [
            f"{100 * e.mean:.2f} ± {100 * e.margin:.2f}" if e.replicates >= 2 else "not yet"
            for e in rows.values()
        ],
        "Best, %": [f"{100 * _best(progress, law):.2f}" for law, _, _ in rows],
    }
    tables.wide(columns, alt="Printed and simulated accuracies, and the best possible")
    st.caption(
        "Simulated: mean ± half of its 95 % Monte-Carlo interval, as the bars, of the probability "
        "of a right label. Best: what no rule exceeds. Of 300: right labels that the printed "
        "number stands for. Within what one test set allows: the printed share is at most 1.96 "
        "standard deviations away, of the 300 labels and of a single fit together. The paper does "
        "not state |A| and its threshold."
    )


def below() -> None:
    """What stands below the tab."""
    logistic_common.folds(
        _why,
        f"{live.ERRORS}\n\n{logistic_common.LIMITS}",
        {"DPLR:Tab1:one-run": "One test set of 300", "DPLR:Tab1:best": "Above the best"},
        privacy=TABLE.privacy,
    )


def _why() -> None:
    st.latex(
        r"P(\text{right}) = \sum_k \pi_k\Big(1 - \tfrac1\pi\arccos"
        r"\frac{w^T\Sigma\beta}{\sqrt{w^T\Sigma w\,(\beta^T\Sigma\beta+\sigma_k^2)}}\Big)"
    )
    st.markdown(
        "The error laws are mixtures of normal laws with weights π and variances σ², so the "
        "probability of a right label follows from the angle between the fit w and the truth β. "
        "No test records are needed, and no noise of a test set is in the simulated numbers."
    )
