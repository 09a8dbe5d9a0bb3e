"""Which sources are kept, how accurate the fits are, their coefficients, what a scale means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pages import charts
from pages.charts import label, number, simulation
from sims.logistic import Look, Source

KEPT, DROPPED = charts.theme.COLOURS[charts.theme.UNLIKE], charts.MECHANISM
_TRUTH = {True: "like the target", False: "unlike it", None: ""}
_MARKS = {True: "circle", False: "x", None: "diamond"}
LEAST = 1e-3  # budgets below it are not drawn
LONGEST = 22  # characters of a name in a legend of two columns


def room(marks: Sequence[charts.Mark], height: float, foot: float) -> dict[str, Any]:
    """Return the legend with room for it; long names, which a phone would cut, get a row each."""
    names = [mark.name or "" for mark in marks]
    if max(map(len, names), default=0) <= LONGEST:
        return charts.room(height, foot, 48, charts.COLUMNS, more=22 * math.ceil(len(names) / 2))
    return charts.room(height, foot, 48, charts.SINGLE, more=22 * len(names))


def kind(source: Source) -> str:
    """Return what became of a source, with the truth where it is known."""
    done = "Kept" if source.kept else "Dropped"
    return f"{done}, {_TRUTH[source.alike]}" if source.alike is not None else done


def detection(
    sources: Sequence[Source], alone: float, threshold: float, **more: Any
) -> charts.Figure:
    """Return every source's held-out loss, the threshold, and what was decided."""
    ordered = sorted(sources, key=lambda source: -source.loss)
    names = [label(source.name) for source in ordered]
    marks: list[charts.Curve] = []
    for name in sorted({kind(source) for source in ordered}, reverse=True):
        rows = [source for source in ordered if kind(source) == name]
        symbol, colour = f"{_MARKS[rows[0].alike]}-open", DROPPED
        if rows[0].kept:
            symbol, colour = _MARKS[rows[0].alike], KEPT
        xs, ys = [source.loss for source in rows], [label(source.name) for source in rows]
        look: tuple[Any, ...] = (symbol, 11, colour, charts.Stroke(colour, 2))
        marks.append(charts.dots(xs, ys, name, *look, hover="%{y}: %{x:.4f}"))
    for x, text, dash in ((alone, "Target alone", "dot"), (threshold, "Threshold", "dash")):
        marks.append(charts.line([x, x], [names[0], names[-1]], f"{text}: {x:.3f}", dash=dash))
    return charts.plot(
        marks,
        charts.Axis(title="Mean held-out surrogate loss of the target"),
        charts.Axis(names=names, roomy=True),
        title="Left of the threshold a source is kept",
        **room(marks, 146 + 24 * len(ordered), 76),
        **more,
    )


def strip(look: Look) -> charts.Figure:
    """Return the coefficients of every method beside the truth and what the surrogate estimates."""
    places = list(range(1, len(look.truth) + 1))
    steps = {"Truth β": (1.0, "solid"), "What is estimated, cβ": (look.factor, "dash")}
    marks = [
        charts.Curve(
            x=places,
            y=[factor * x for x in look.truth],
            name=name,
            stroke=charts.Stroke(charts.GREY, 2, dash, "hvh"),
            hover="%{y:.3f}",
        )
        for name, (factor, dash) in steps.items()
    ]
    for k, (name, values) in enumerate(look.coefficients.items()):
        colour, symbol, _ = charts.look(k)
        xs = [j + 0.15 * (k - 1.5) for j in places]
        marks.append(charts.dots(xs, list(values), name, symbol, 7, colour, hover="%{y:.3f}"))
    return charts.plot(
        marks,
        charts.Axis(title="Covariate j"),
        charts.Axis(title="Coefficient"),
        {"covariate": places, "truth": look.truth} | dict(look.coefficients),
        title="The surrogate shrinks every coefficient",
        height=470,
        foot=130,
        alt=f"Coefficients of four fits over {len(look.truth)} covariates, beside the truth and "
        f"{number(look.factor)} times it.",
        name="coefficients",
        caption="Solid: the truth. Dashed: what the surrogate estimates with infinitely many "
        f"records, c = {number(look.factor)} times the truth. The direction, and with it the "
        "label, is not affected.",
    )


def sweep(
    series: simulation.Scores,
    title: str,
    axes: tuple[str, str],
    *,
    share: bool = True,
    lines: Mapping[str, float] | None = None,
    **more: Any,
) -> charts.Figure:
    """Return means with 95% intervals against a quantity whose values stand at even distances.

    Args:
        series: By series, values of the quantity and estimates.
        title: The finding.
        axes: Names of both axes.
        share: Whether the means are shares, shown in per cent.
        lines: Levels to compare with, by name.
        **more: Name of its files, and what stands below.
    """
    everywhere = sorted({x for xs, _ in series.values() for x in xs})
    at, last = {x: place for place, x in enumerate(everywhere)}, len(everywhere) - 1
    marks: list[charts.Curve] = []
    for place, (method, (xs, found)) in enumerate(series.items()):
        colour, symbol, dash = charts.look(place)
        shift = 0.05 * (place - (len(series) - 1) / 2)
        look: dict[str, Any] = {
            "stroke": charts.Stroke(colour, 2, dash),
            "dots": charts.Dots(symbol=symbol, size=9),
            "hover": "%{y:.4g}",
        }
        look["at"] = [at[x] + shift for x in xs]
        marks.append(charts.measured(xs, found, method, colour, **look))
    for name, level in (lines or {}).items():
        marks.append(charts.line([0, last], [level, level], name, dash="dot", width=1.5))
    empty = not any(e.replicates >= 2 for _, found in series.values() for e in found)
    fixed: dict[str, Any] = {"span": (0, 1), "labels": share}  # nothing to fit the axis to yet
    ticks = ["no noise" if math.isinf(x) else number(x) for x in everywhere]
    return charts.plot(
        marks,
        charts.Axis(
            title=axes[0], ticks=charts.Ticks(list(at.values()), ticks), span=(-0.4, len(at) - 0.6)
        ),
        charts.Axis(title=axes[1], share=share, **fixed if empty else {}),
        title=title,
        **room(marks, 430, 70),
        kept="run",
        **more,
    )


def meaning(
    scales: Sequence[float], curves: Mapping[str, Sequence[float]], chosen: float
) -> charts.Figure:
    """Return epsilon against the noise scale, both in logarithms, and the chosen scale."""
    finite = [y for ys in curves.values() for y in ys if LEAST < y < math.inf]
    ends = (min(finite), max(finite)) if finite else (0.1, 10.0)
    marks: list[charts.Curve] = []
    for place, (name, ys) in enumerate(curves.items()):
        shown = [(x, y) for x, y in zip(scales, ys, strict=True) if LEAST < y < math.inf]
        hover = "scale %{x:.3g}: ε %{y:.4g}"
        xs: charts.Values = [x for x, _ in shown] or [None]
        heights: charts.Values = [y for _, y in shown] or [None]
        marks.append(charts.series(xs, heights, name, place, size=6, hover=hover))
    marks.append(charts.line([chosen, chosen], ends, f"Scale {number(chosen)}", dash="dot"))
    told = "; ".join(
        f"{name}: {number(ys[0])} at {number(scales[0])} to {number(ys[-1])} at "
        f"{number(scales[-1])}"
        for name, ys in curves.items()
    )
    return charts.plot(
        marks,
        charts.log_axis("Laplace scale, the paper's Δ/ε", (min(scales), max(scales)), fit=True),
        charts.log_axis("ε", ends, fit=True),
        {"scale": scales} | dict(curves),
        title="The ε that a noise scale means",
        **room(marks, 404, 64),
        alt=f"ε against the Laplace scale. {told}",
        name="epsilon-of-scale",
        caption="Every point is for one record replaced. The crude bound is for norms at most 1 "
        "only. Where noise is added to every record and only sums are seen, the curve is for the "
        "stated δ and a normal approximation.",
    )
