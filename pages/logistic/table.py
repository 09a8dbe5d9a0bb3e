"""Tab "Table 1": the printed accuracies beside simulated ones with intervals."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pages.charts import simulation
from pages.core import Block, Listing, Menu, Note, Slider, Table
from pages.core.live import Folded, of_experiment, panel, repetition
from pages.logistic import common, figures
from rates.logistic import best_accuracy, signal_variance
from rates.numbers import steps
from sims.engine import Estimate, Progress
from sims.logistic import METHODS, PRINTED, TABLE, World

KINDS = {"printed": "Inside the sum, as Algorithm 1", "printed once": "On the sum, as (9)"}


def _rows(progress: Progress) -> dict[tuple[str, str, float], Estimate]:
    """Estimates by law, method and scale."""
    return {
        (str(p.settings["law"]), str(p.settings["method"]), p.x): found
        for p, found in progress.seen(0)
    }


def _best(progress: Progress, law: str) -> float:
    values = progress.request.values
    world = World(
        dimension=values.whole("dimension"),
        sparsity=values.whole("sparsity"),
        sources=1,
        transferable=1,
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
    return bool(abs(printed - found.mean) <= 1.96 * spread)


def _named(series: str) -> str:
    law, method = series.split(", ")
    return f"{common.LAWS[law]}: {method.lower()}"


def drawn(progress: Progress) -> Iterable[Block]:
    """The simulated accuracies, and the printed ones beside them."""
    rows = _rows(progress)
    yield figures.sweep(
        simulation.scores(progress.request.points, progress.estimates, _named),
        "table",
        "Accuracy in the design of Table 1",
        "Laplace scale, the paper's Δ/ε",
        "Right labels",
        told="Accuracy against the Laplace scale",
    )
    yield Table(
        {
            "Errors": [common.LAWS[law] for law, _, _ in rows],
            "Fit": [METHODS[method] for _, method, _ in rows],
            "Scale": [f"{x:g}" for _, _, x in rows],
            "Printed, %": [f"{PRINTED[key]:.2f}" if key in PRINTED else "none" for key in rows],
            "Of 300": [f"{round(3 * PRINTED[key])}" if key in PRINTED else "" for key in rows],
            "Simulated, % (95 %)": [
                f"{100 * e.mean:.2f} ({100 * e.low:.2f} to {100 * e.high:.2f})"
                if e.replicates >= 2
                else "not yet"
                for e in rows.values()
            ],
            "Best, %": [f"{100 * _best(progress, law):.2f}" for law, _, _ in rows],
        },
        alt="Printed and simulated accuracies, and the best possible",
    )
    yield Note(
        "Simulated: mean with its 95 % Monte-Carlo interval, as the bars, of the probability of a "
        "right label. Best: what no rule exceeds. Of 300: right labels that the printed "
        "number stands for. Within what one test set allows: the printed share is at most 1.96 "
        "standard deviations away, of the 300 labels and of a single fit together. The paper does "
        "not state |A| and its threshold."
    )


TAB = common.tab(
    name="table",
    title="Table 1",
    usual=of_experiment(TABLE),
    fields=(
        Slider("transferable", "Sources |A|, all like the target", steps(1, 18, 1)),
        common.DISTANCE,
        Menu("kind", "Noise", KINDS),
        *repetition(most=200),
        Folded(
            "Sizes, exact scales",
            (*common.SIZES, Listing("scale", "Laplace scales, exact list")),
        ),
    ),
    experiment=TABLE,
    answer=answer,
    drawn=drawn,
    formula=r"P(\text{right}) = \sum_k \pi_k\Big(1 - \tfrac1\pi\arccos"
    r"\frac{w^T\Sigma\beta}{\sqrt{w^T\Sigma w\,(\beta^T\Sigma\beta+\sigma_k^2)}}\Big)",
    why=(
        "The error laws are mixtures of normal laws with weights π and variances σ², so the "
        "probability of a right label follows from the angle between the fit w and the truth β. "
        "No test records are needed, and no noise of a test set is in the simulated numbers."
    ),
    limits=f"{panel.ERRORS}\n\n{common.LIMITS}",
    statements={"DPLR:Tab1:one-run": "One test set of 300", "DPLR:Tab1:best": "Above the best"},
)
