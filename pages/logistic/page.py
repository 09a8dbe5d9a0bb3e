"""The page: which sources should a private transfer logistic regression drop?

Here the tabs with runs, whether pooling helps and Table 1 of the paper; `sources` has the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from pages import charts, core
from pages.charts import number, simulation, words
from pages.core import Block, Listing, Note, Slider, live
from pages.logistic import sources
from rates.logistic import best_accuracy, signal_variance
from rates.numbers import steps
from sims.dplr import METHODS, METRICS, PRINTED, SYMBOLS, TABLE, TRANSFER, world_of
from sims.engine import Estimate, Progress, Value

_BUDGETS = (1.0, 4.0, 16.0, 64.0, math.inf)
TITLES = {
    "epsilon": "Budget ε of every site",
    "size": "Factor on all records",
    "transferable": "Sources like the target |A|",
    "deviation": "Their distance h",
}
STOPS = {  # where the axis may end
    "epsilon": (0.25, 0.5, 2.0, 8.0, 32.0, *_BUDGETS),
    "size": (0.1, 0.3, 1.0, 3.0, 10.0, 20.0),
    "transferable": steps(0, 20, 2),
    "deviation": steps(0, 20, 2),
}
_USUAL = {"epsilon": (16.0,), "size": (1.0,), "transferable": (5.0,), "deviation": (3.0,)}
LISTS: dict[str, dict[str, Value]] = {  # what is asked for when one is chosen, here and elsewhere
    "epsilon": {**_USUAL, "epsilon": _BUDGETS},
    "size": {**_USUAL, "epsilon": (1.0,), "size": (1.0, 3.0, 10.0, 20.0)},
    "transferable": {**_USUAL, "transferable": (0.0, 2.0, 4.0, 6.0, 8.0, 10.0)},
    "deviation": {**_USUAL, "deviation": (0.0, 4.0, 8.0, 12.0, 16.0, 20.0)},
}
PLACES = {"printed": "Inside the sum, as Algorithm 1", "printed once": "On the sum, as (9)"}
LABELS = {
    "accuracy": "Right labels",
    "error": "Error |w − β|, as in the paper",
    "kept": "Share of sources kept",
}
_SHARES = ("accuracy", "kept")


def pooling_fields(asked: live.Plan) -> Sequence[live.Item]:
    """What is asked of a sweep: what lies along the axis is asked by its ends."""
    swept, kind = asked.values.word("sweep"), asked.values.word("kind")
    fixed = [
        field
        for field in (sources.EPSILON, sources.ALIKE, sources.DISTANCE)
        if field.name != swept and (field.name != "epsilon" or kind in sources.HONEST)
    ]
    lists = [Listing(name, f"{name}, exact list") for name in TITLES]
    more = [*sources.DESIGN, *sources.more_noise(kind), *lists]
    return (
        core.Switch("sweep", "Along the axis", TITLES, then=LISTS.__getitem__),
        core.Between(swept, f"Range of {TITLES[swept]}", STOPS[swept]),
        core.Menu("metric", "Shown", LABELS),
        *sources.noise(kind),
        *fixed,
        *live.repetition(most=200),
        live.Folded("Design, clipping, exact lists", more),
    )


def pair(found: Estimate, metric: str) -> str:
    """Return a mean with its 95% interval, that of the figure's bars, in the metric's unit.

    >>> pair(Estimate(0.8123, 0.01, 1000), "accuracy"), pair(Estimate(12.34, 0, 1), "error")
    ('81.2% (95%: 79.3 to 83.2%)', '12.3')
    """
    return words.around(found, words.tenths if metric in _SHARES else number)


def _at(swept: str, x: float) -> str:
    """Return a place on the axis for a sentence."""
    return "no noise" if math.isinf(x) else f"{SYMBOLS[swept]} = {number(x)}"


def _series(progress: Progress) -> simulation.Scores:
    return simulation.scores(progress.request.points, progress.estimates)


def pooling_answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    values, series = progress.request.values, _series(progress)
    metric, swept = values.word("metric"), values.word("sweep")
    if not all(e.replicates >= 2 for _, row in series.values() for e in row):
        return "**Run** compares the four fits."
    xs = next(iter(series.values()))[0]
    told = LABELS[metric]
    for place in dict.fromkeys((0, len(xs) - 1)):
        fits = (f"{n.lower()} **{pair(row[place], metric)}**" for n, (_, row) in series.items())
        told += f". At {_at(swept, xs[place])}: {'; '.join(islice(fits, 4))}"
    return f"{told}.{_harm(series, metric, swept)}"


def _harm(series: simulation.Scores, metric: str, swept: str) -> str:
    """Say where pooling with all is worse than the target alone, beyond both intervals."""
    if metric != "accuracy" or not {METHODS["naive"], METHODS["all"]} <= set(series):
        return ""
    xs, alone = series[METHODS["naive"]]
    # Beyond both intervals: a difference of means alone may be chance.
    worse = [
        _at(swept, x)
        for x, a, b in zip(xs, alone, series[METHODS["all"]][1], strict=True)
        if b.high < a.low
    ]
    if not worse:
        return " Nowhere is pooling with all sources worse than the target alone beyond the noise."
    return f" Pooling with **all** sources does **harm** at {', '.join(worse)}."


def pooling_figure(progress: Progress) -> Iterable[Block]:
    """The figure."""
    values = progress.request.values
    metric = values.word("metric")
    # Only accuracy has a bound that no rule exceeds.
    level = _best(progress, progress.request.points[0].settings) if metric == "accuracy" else None
    best = "" if level is None else f" The dashed line is the best possible, {words.tenths(level)}."
    yield simulation.budget_figure(
        _series(progress),
        LABELS[metric],
        title=LABELS[metric],
        x_title=TITLES[values.word("sweep")],
        per_cent=metric in _SHARES,
        shapes=[] if level is None else [charts.across(level)],
        name="pooling",
        caption="Means with 95% intervals. All budgets see the same records, so differences are "
        f"surer than the bars suggest. Shown: {METRICS[metric]}.{best}",
    )


def _rows(progress: Progress) -> dict[tuple[str, str, float], Estimate]:
    """Estimates by law, method and scale."""
    seen = progress.seen(0)
    return {(p.settings.word("law"), p.settings.word("method"), p.x): found for p, found in seen}


def _best(progress: Progress, settings: Mapping[str, Value]) -> float:
    world = world_of(progress.request.values.changed(**settings))
    return best_accuracy(signal_variance(world.truth), world.law)


def table_answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    printed = (
        "All twelve printed accuracies are whole hits of 300 records, of one test set. "
        "The highest, **96.67%**, lies above **93.8%**, the most that any rule reaches on average."
    )
    rows = _rows(progress)
    if not all(found.replicates >= 2 for found in rows.values()):
        return f"{printed} **Run** repeats the design."
    near = [key for key in rows if key in PRINTED]
    inside = sum(_inside(PRINTED[key] / 100, rows[key]) for key in near)
    return (
        f"{printed} Simulated, **{inside} of {len(near)}** printed numbers lie within what one "
        "test set of 300 allows."
    )


def _inside(printed: float, found: Estimate) -> bool:
    """Whether a printed share of 300 lies within two standard deviations of the mean.

    >>> _inside(0.9, Estimate(0.9, 0.001, 20)), _inside(0.8, Estimate(0.9, 0.001, 20))
    (True, False)
    """
    # What one test set of 300 adds to the scatter of the replicates.
    spread = (found.mean * (1 - found.mean) / 300 + found.stderr**2 * found.replicates) ** 0.5
    return bool(abs(printed - found.mean) <= 1.96 * spread)


def table_blocks(progress: Progress) -> Iterable[Block]:
    """The simulated accuracies, and the printed ones beside them."""
    rows = _rows(progress)
    yield core.Table(
        {
            "Errors": [sources.LAWS[law] for law, _, _ in rows],
            "Fit": [METHODS[method] for _, method, _ in rows],
            "Scale": [f"{x:g}" for _, _, x in rows],
            "Printed": [f"{PRINTED[key]:.2f}%" if key in PRINTED else "none" for key in rows],
            "Simulated (95%)": [
                words.around(e, "{:.2%}".format) if e.replicates >= 2 else "not yet"
                for e in rows.values()
            ],
            "Best": [f"{_best(progress, p.settings):.2%}" for p, _ in progress.seen(0)],
        },
        alt="Printed and simulated accuracies, and the best possible",
    )
    yield Note(
        "Simulated: the probability of a right label. What one test set allows: 1.96 standard "
        "deviations, of 300 labels and of a fit. The paper does not state |A| and its threshold."
    )


WHY = (
    "**Negative transfer.** Sources unlike the target pull the first step away from it, and the "
    "second has only the target's few records to repair it. **The paper's error** |w − β| contains "
    "a constant: the surrogate estimates cβ, however many records there are."
)
LIMITS = f"{live.panel.ERRORS}\n\n{sources.LIMITS}"
POOLING = sources.tab(
    id="accuracy",
    title="Does pooling help?",
    inputs=pooling_fields,
    experiment=TRANSFER,
    auto=True,
    answer=pooling_answer,
    blocks=pooling_figure,
    why=f"{sources.ONE_RELEASE}\n\n{WHY}",
    limits=LIMITS,
    statements=("DPLR:Fig3:negative", "DPLR:Sec3.2:all-four", "DPLR:Eq11:floor"),
)
TABLE_1 = sources.tab(
    id="table",
    title="Table 1",
    inputs=(
        Slider("transferable", "Sources |A|, all like the target", steps(1, 18, 1)),
        sources.DISTANCE,
        core.Menu("kind", "Noise", PLACES),
        *live.repetition(most=200),
        live.Folded(
            "Sizes, exact scales", (*sources.SIZES, Listing("scale", "Laplace scales, exact list"))
        ),
    ),
    experiment=TABLE,
    answer=table_answer,
    blocks=table_blocks,
    formula=r"P(\text{right}) = \sum_k \pi_k\Big(1 - \tfrac1\pi\arccos"
    r"\frac{w^T\Sigma\beta}{\sqrt{w^T\Sigma w\,(\beta^T\Sigma\beta+\sigma_k^2)}}\Big)",
    why="The errors are mixtures of normal laws with weights π and variances σ², so the angle "
    "between the fit w and the truth β says how probable a right label is, without test records.",
    limits=LIMITS,
    statements=("DPLR:Tab1:one-run", "DPLR:Tab1:best"),
)
TABS = (sources.SOURCES, POOLING, TABLE_1, sources.MEANING, sources.RECORDS)


def draw() -> None:
    """Draw the page."""
    live.page.show("Which sources should I drop?", *TABS)
