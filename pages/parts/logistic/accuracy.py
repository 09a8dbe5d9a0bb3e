"""Tab "Does pooling help?": four fits over budget, size, |A| or h, with intervals."""

from __future__ import annotations

import math

import streamlit as st

from pages.figures import chart, simulation
from pages.figures.chart import words
from pages.parts.live import Tabs, plan
from pages.parts.live import panel as live
from pages.parts.logistic import common as logistic_common
from pages.parts.logistic import figures
from pages.parts.session import controls
from rates.logistic import best_accuracy, signal_variance
from rates.numbers import steps
from sims.engine import Estimate, Progress, Value
from sims.logistic import KEPT, METHODS, METRICS, PRIVACY, TRANSFER, world_of

TAB = "accuracy"
USUAL = plan(TRANSFER.parameters, replicates=TRANSFER.replicates)
SWEEPS = {"epsilon": "Budget ε", "size": "Size", "transferable": "|A|", "deviation": "h"}
_AXES = {
    "epsilon": "Budget ε of every site",
    "size": "Factor on all records",
    "transferable": "Sources like the target |A|",
    "deviation": "Their distance h",
}
LABELS = {
    "accuracy": "Right labels",
    "direction": "Angle to the truth, degrees",
    "error": "Error |w − β|, as in the paper",
    "shrunken": "Error |w − cβ|",
    "relative": "log of error over that of the target alone",
    "kept": "Share of sources kept",
}
_SHARES = ("accuracy", "kept")
_BUDGETS = (1.0, 4.0, 16.0, 64.0, math.inf)
_LISTS: dict[str, dict[str, Value]] = {
    "epsilon": {"epsilon": _BUDGETS, "size": (1.0,), "transferable": (5.0,), "deviation": (3.0,)},
    "size": {
        "epsilon": (1.0,),
        "size": (1.0, 3.0, 10.0, 20.0),
        "transferable": (5.0,),
        "deviation": (3.0,),
    },
    "transferable": {
        "epsilon": (16.0,),
        "size": (1.0,),
        "transferable": (0.0, 2.0, 4.0, 6.0, 8.0, 10.0),
        "deviation": (3.0,),
    },
    "deviation": {
        "epsilon": (16.0,),
        "size": (1.0,),
        "transferable": (5.0,),
        "deviation": (0.0, 4.0, 8.0, 12.0, 16.0, 20.0),
    },
}
_STOPS = {
    "epsilon": (0.25, 0.5, *_BUDGETS[:-1], 2.0, 8.0, 32.0, math.inf),
    "size": (0.1, 0.3, 1.0, 3.0, 10.0, 20.0),
    "transferable": tuple(float(k) for k in range(0, 21, 2)),
    "deviation": tuple(float(k) for k in range(0, 21, 2)),
}
_PAPER: dict[str, Value] = {
    "sweep": "transferable",
    "dimension": 50,
    "sparsity": 10,
    "sources": 20,
    "kind": "printed",
    "scale": 0.1,
    "epsilon": (math.inf,),
    "size": (1.0,),
    "n0": 300,
    "nk": 400,
    "law": "normal",
}
FIGURES: dict[str, dict[str, Value]] = {
    "Figure 2": {
        **_PAPER,
        "sources": 18,
        "metric": "relative",
        "transferable": (3.0, 6.0, 12.0, 18.0),
        "deviation": (2.0, 20.0),
    },
    "Figure 3": {
        **_PAPER,
        "metric": "error",
        "transferable": (0.0, 4.0, 10.0, 16.0, 20.0),
        "deviation": (4.0,),
    },
}
_REPLICATES = 5  # of a figure of the paper, as one replicate takes longer

Series = dict[str, tuple[list[float], list[Estimate]]]
from pages.parts.frame import figure_card


def show(tabs: Tabs, place: st.delta_generator.DeltaGenerator) -> None:
    """Draw the tab; `place` takes the answer."""
    left, right = st.columns([1, 2], gap="large")
    with left:
        _controls(tabs)
    asked = tabs.plan(TAB)
    with right:
        request = tabs.request(TAB, TRANSFER, place)
        if request is None:
            return
        job = live.Job(
            key="logistic_accuracy",
            request=request,
            answer=answer,
            draw=draw,
            auto=asked == USUAL,
        )
        live.panel(job, place)


def _controls(tabs: Tabs) -> None:
    tabs.choice(TAB, "sweep", "Along the axis", SWEEPS, then=_LISTS.__getitem__)
    swept = str(tabs.plan(TAB).values["sweep"])
    tabs.between(TAB, swept, f"Range of {SWEEPS[swept]}", _STOPS[swept])
    tabs.select(TAB, "metric", "Shown", LABELS)
    kind = logistic_common.noise(tabs, TAB)
    if swept != "epsilon" and kind in logistic_common.HONEST:
        tabs.number(TAB, "epsilon", "Budget ε of every site", list(logistic_common.BUDGETS))
    if swept != "transferable":
        tabs.number(TAB, "transferable", "Sources like the target |A|", steps(0, 20, 1))
    if swept != "deviation":
        tabs.number(TAB, "deviation", "Their distance h", steps(0, 20, 1))
    tabs.repetition(TAB, most=200)
    with st.expander("Design, clipping, exact lists"):
        logistic_common.design(tabs, TAB)
        logistic_common.more_noise(tabs, TAB, kind)
        for name in SWEEPS:
            tabs.listing(TAB, name, f"{name}, exact list")
    with st.container(horizontal=True):
        for name, values in FIGURES.items():
            controls.button(
                f"As {name} of the paper", f"logistic_{name}", _as_printed, tabs, values
            )
    tabs.refusal()


def _as_printed(tabs: Tabs, values: dict[str, Value]) -> None:
    live.state.touch()
    tabs.change(TAB, **values, replicates=_REPLICATES)


def series_of(progress: Progress) -> Series:
    """Return values and estimates by series."""
    out: Series = {}
    for point, found in zip(progress.request.points, progress.estimates, strict=True):
        xs, estimates = out.setdefault(point.series, ([], []))
        xs.append(point.x)
        estimates.append(found)
    return out


def shown(x: float, metric: str) -> str:
    """Return a mean in the metric's unit.

    >>> shown(0.8123, "accuracy"), shown(12.34, "direction"), shown(-0.05, "relative")
    ('81.2 %', '12.3°', '−0.05')
    """
    if metric in _SHARES:
        return f"{100 * x:.1f} %"
    return f"{x:.1f}°" if metric == "direction" else words.number(x).replace("-", "−")


def pair(found: Estimate, metric: str) -> str:
    """Return a mean with its 95 % interval, that of the figure's bars, in the metric's unit.

    >>> pair(Estimate(0.8123, 0.01, 1000), "accuracy")
    '81.2 % (95 %: 79.3 to 83.2 %)'
    """
    return words.around(found, lambda x: shown(x, metric))


def answer(progress: Progress) -> str:
    """Return the finding so far as sentences."""
    values, series = progress.request.values, series_of(progress)
    metric, swept = str(values["metric"]), str(values["sweep"])
    if not all(e.replicates >= 2 for _, row in series.values() for e in row):
        return "**Run** repeats the draw and compares the four fits."
    xs = next(iter(series.values()))[0]
    several = any(", " in name and name not in KEPT for name in series)
    parts = []
    for place in dict.fromkeys((0, len(xs) - 1)):
        at = _place(swept, xs[place])
        told = "; ".join(
            f"{name.lower()} **{pair(row[place], metric)}**"
            for name, (_, row) in list(series.items())[: 4 if not several else 3]
        )
        parts.append(f"At {at}: {told}.")
    return f"{LABELS[metric]}. {' '.join(parts)}{_harm(series, metric, swept)}"


def _place(swept: str, x: float) -> str:
    if swept == "epsilon" and math.isinf(x):
        return "no noise"
    name = {"epsilon": "ε =", "size": "records ×", "transferable": "|A| =", "deviation": "h ="}
    return f"{name[swept]} {words.number(x)}"


def _harm(series: Series, metric: str, swept: str) -> str:
    """Say where pooling with all is worse than the target alone, beyond both intervals."""
    if metric != "accuracy" or not {METHODS["naive"], METHODS["all"]} <= set(series):
        return ""
    xs, alone = series[METHODS["naive"]]
    every = series[METHODS["all"]][1]
    worse = [
        _place(swept, x)
        for x, a, b in zip(xs, alone, every, strict=True)
        if b.interval()[1] < a.interval()[0]
    ]
    if not worse:
        return " Nowhere is pooling with all sources worse than the target alone beyond the noise."
    return f" Pooling with **all** sources does **harm** at {', '.join(worse)}."


def draw(progress: Progress) -> None:
    """Draw the figure."""
    values, series = progress.request.values, series_of(progress)
    metric, swept = str(values["metric"]), str(values["sweep"])
    lines: dict[str, float] = {}
    if metric == "accuracy":
        first = world_of(values, progress.request.points[0].settings)
        best = best_accuracy(signal_variance(first.truth), first.law)
        lines = {f"Best possible, {100 * best:.1f} %": best}
    drawn = chart.Drawn(
        figure=figures.sweep(
            series,
            title=f"{LABELS[metric]} against {SWEEPS[swept]}",
            x_title=_AXES[swept],
            y_title=LABELS[metric],
            share=metric in _SHARES,
            lines=lines,
        ),
        alt=f"{LABELS[metric]} against {_AXES[swept]}. {figures.told(series)}",
        rows=simulation.panel_rows({LABELS[metric]: series}),
        name="pooling",
        caption="Means with 95 % intervals over replicates. All budgets see the same records, and "
        "all "
        "fits the same released numbers, so differences are surer than the bars suggest. "
        f"Shown: {METRICS[metric]}.",
    )
    figure_card.show(drawn, key="figure_logistic_accuracy")


def below() -> None:
    """What stands below the tab."""
    logistic_common.folds(
        _why, f"{live.ERRORS}\n\n{logistic_common.LIMITS}", STATEMENTS, privacy=PRIVACY
    )


def _why() -> None:
    logistic_common.reduction()
    st.markdown(
        "**Negative transfer.** Pooling with sources that are unlike the target pulls the first "
        "step away from it, and the second step has only the target's few records to repair it. "
        "**Size.** The noise of G and b does not grow with the number of records, what they "
        "measure does; larger sites make the same ε harmless. **The paper's error** |w − β| "
        "contains a constant: the surrogate estimates cβ, however many records there are."
    )


STATEMENTS = {
    "DPLR:Fig3:negative": "Using all sources can harm",
    "DPLR:Sec3.2:all-four": "What cannot depend on h",
    "DPLR:Eq11:floor": "The error that no sample size removes",
}
