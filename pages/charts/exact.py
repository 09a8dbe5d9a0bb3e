"""Exact risk curves with simulated points on them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pages import charts
from pages.charts import simulation
from pages.charts.words import number
from sims.engine import Estimate, Fit, Point
from sims.regression import ExactCurve

EVERY = "Exact, every whole K"
_OUT = "Saturated, left out"


def rate_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    fitted: Sequence[Fit],
    curves: Mapping[str, ExactCurve],
    *,
    zero: float,
    staircase: bool = False,
    **words: Any,
) -> charts.Chart:
    """Draw exact risks, the theory over the same axis, both elbows, and simulated points.

    Args:
        points: The points of the run.
        estimates: What has been simulated so far, in the same order.
        fitted: One fit per series; its constant lifts the theory's curve.
        curves: Exact risks by series.
        zero: Risk of the estimate 0.
        staircase: Whether the curves are those of powers of two, and every whole K stands beside.
        **words: The names `title`, `x_title` and `curve` of `simulation.rate_figure`.
    """
    bare = [replace(point, exact=None) for point in points]
    drawn = simulation.rate_figure(bare, estimates, fitted, y_title="Squared error", **words)
    seen = [e.mean for e in estimates if e.replicates >= 2]
    found = curves.values()
    low = min(float(c.without.min()) for c in found) / 2.0
    high = 2.0 * max([zero, *(float(c.risk.max()) for c in found), *seen])
    ends = min(float(c.x[0]) for c in found), max(float(c.x[-1]) for c in found)
    x, y = (  # of all curves without privacy, one after the other with gaps between
        [value for c in found for value in (*getattr(c, key).tolist(), math.nan)]
        for key in ("x", "without")
    )
    marks: list[charts.Mark] = [
        *lines(curves, staircase=staircase),
        charts.line(x, y, "No privacy", dash="dash", width=1.5),
        charts.line(ends, (zero, zero), "Estimating by zero", dash="longdashdot", width=1.5),
        *_elbows(curves, ends, (low, high)),
        *(replace(m, name="Outside the fit") if m.name == _OUT else m for m in drawn.marks),
    ]
    rows = math.ceil(charts.entries(marks) / 2)
    span = (math.log10(low), math.log10(high))
    up = replace(drawn.axes("y")[0], span=span, step=max(1, math.ceil((span[1] - span[0]) / 7)))
    return replace(drawn, marks=marks, height=420 + 22 * rows, foot=60 + 22 * rows, y=up)


def lines(curves: Mapping[str, ExactCurve], *, staircase: bool = False) -> Iterator[charts.Curve]:
    """Return the exact risk of every series; with a staircase also that of every whole K."""
    for place, (series, found) in enumerate(curves.items()):
        told: charts.Fields = {"listed": place == 0}
        if staircase:
            yield charts.line(found.x, found.every, EVERY, charts.GREY, "solid", 1.0, **told)
        told |= {"data": found.dimension, "extra": f"{series}, exact"}
        told["hover"] = "%{x:.4g}: %{y:.3g}, K = %{customdata:.0f}"
        name, colour = "Exact, not simulated", charts.look(place)[0]
        yield charts.line(found.x, found.risk, name, colour, "dot", 2.5, **told)


def _elbows(
    curves: Mapping[str, ExactCurve], ends: tuple[float, float], height: tuple[float, float]
) -> Iterator[charts.Curve]:
    """Vertical lines: where the elbow is by the printed formula, and where it lies."""
    for name, dash, attribute in (
        ("Elbow as printed", "dash", "printed"),
        ("Elbow where it lies", "solid", "actual"),
    ):
        inside = [
            (charts.look(place)[0], at)
            for place, curve in enumerate(curves.values())
            if ends[0] <= (at := getattr(curve.elbow, attribute)) <= ends[1]
        ]
        for place, (colour, at) in enumerate(inside):
            told: charts.Fields = {"hover": f"{name}: %{{x:.3g}}", "extra": ""}
            told["listed"] = place == 0
            yield charts.line([at, at], height, name, colour, dash, 1.2, **told)


def rows(
    points: Sequence[Point], estimates: Sequence[Estimate], curves: Mapping[str, ExactCurve]
) -> list[dict[str, object]]:
    """Return the points of the run, then the exact curves."""
    out = simulation.rows(points, estimates)
    nothing = dict.fromkeys(out[0], "")
    return out + [
        {**nothing, "series": f"{series}, exact", "x": x, "exact": risk}
        for series, curve in curves.items()
        for x, risk in zip(curve.x.tolist(), curve.risk.tolist(), strict=True)
    ]


def alt(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    curves: Mapping[str, ExactCurve],
    x_title: str,
) -> str:
    """Say what `rate_figure` shows, in words."""
    parts = []
    for series, found in curves.items():
        at = [i for i, point in enumerate(points) if point.series == series]
        seen = sum(estimates[i].replicates >= 2 for i in at)
        parts.append(
            f"{series}: exact risk from {number(float(found.risk[0]))} at "
            f"{number(float(found.x[0]))} to {number(float(found.risk[-1]))} at "
            f"{number(float(found.x[-1]))}, {seen} simulated points with intervals; elbow as "
            f"printed {number(found.elbow.printed)}, where it lies {number(found.elbow.actual)}"
        )
    return f"Squared error against {x_title}, both logarithmic. {'; '.join(parts)}."
