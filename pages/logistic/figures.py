"""Which sources are kept, how accurate the fits are, their coefficients, what a scale means."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pages import charts
from pages.charts import label, number
from sims.dplr import Detection, Source

KEPT, DROPPED = charts.theme.COLOURS[charts.theme.UNLIKE], charts.MECHANISM
_TRUTH = {True: ", like the target", False: ", unlike it", None: ""}
_MARKS = {True: "circle", False: "x", None: "diamond"}
LEAST = 1e-3  # budgets below it are not drawn


def detection(sources: Sequence[Source], found: Detection, **more: Any) -> charts.Figure:
    """Return every source's held-out loss, the threshold, and what was decided."""
    ordered = sorted(sources, key=lambda source: -source.loss)
    names = [label(source.name) for source in ordered]
    marks: list[charts.Curve] = []
    for kept, alike in sorted({(s.kept, s.alike) for s in ordered}, key=str, reverse=True):
        rows = [source for source in ordered if (source.kept, source.alike) == (kept, alike)]
        symbol, colour = _MARKS[alike], KEPT if kept else DROPPED
        xs, ys = [source.loss for source in rows], [label(source.name) for source in rows]
        name, edge = f"{'Kept' if kept else 'Dropped'}{_TRUTH[alike]}", charts.Stroke(colour, 2)
        shape = symbol if kept else f"{symbol}-open"
        marks.append(charts.dots(xs, ys, name, shape, 11, colour, edge, hover="%{y}: %{x:.4f}"))
    ends = (found.alone, "Target alone", "dot"), (found.threshold, "Threshold", "dash")
    for x, text, dash in ends:
        marks.append(charts.line([x, x], [names[0], names[-1]], f"{text}: {x:.3f}", dash=dash))
    return charts.plot(
        marks,
        charts.Axis(title="Mean held-out surrogate loss of the target"),
        charts.Axis(names=names, roomy=True),
        title="Left of the threshold a source is kept",
        **charts.room(146 + 24 * len(ordered), 76, 48, charts.SINGLE, more=22 * len(marks)),
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
        shown = [y if LEAST < y < math.inf else None for y in ys]
        hover = "scale %{x:.3g}: ε %{y:.4g}"
        marks.append(charts.series(scales, shown, name, place, size=6, hover=hover))
    marks.append(charts.line([chosen, chosen], ends, f"Scale {number(chosen)}", dash="dot"))
    return charts.plot(
        marks,
        charts.log_axis("Laplace scale, the paper's Δ/ε", (min(scales), max(scales)), fit=True),
        charts.log_axis("ε", ends, fit=True),
        title="The ε that a noise scale means",
        **charts.room(404, 64, 48, charts.SINGLE, more=22 * len(marks)),
        name="epsilon-of-scale",
        caption="One record replaced. The crude bound is for norms at most 1.",
    )
