"""Exact risk curves with simulated points on them, for the regression page."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import plotly.graph_objects as go

from pages.figures import simulation
from pages.figures.chart import number
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
    x_title: str,
    title: str,
    curve: str,
    staircase: bool = False,
) -> go.Figure:
    """Draw exact risks, the theory over the same axis, both elbows, and simulated points.

    Args:
        points: The points of the run.
        estimates: What has been simulated so far, in the same order.
        fitted: One fit per series; its constant lifts the theory's curve.
        curves: Exact risks by series.
        zero: Risk of the estimate 0.
        x_title: Name of the axis.
        title: The finding.
        curve: What the theory's line is called.
        staircase: Whether the curves are those of powers of two, and every whole K stands beside.
    """
    bare = [replace(point, exact=None) for point in points]
    figure = simulation.rate_figure(
        bare, estimates, fitted, x_title=x_title, y_title="Squared error", title=title, curve=curve
    )
    figure.update_traces(name="Outside the fit", selector={"name": _OUT})
    low = min(float(c.without.min()) for c in curves.values()) / 2.0
    seen = [e.mean for e in estimates if e.replicates >= 2]
    high = 2.0 * max([zero, *(float(c.risk.max()) for c in curves.values()), *seen])
    ends = (
        min(float(c.x[0]) for c in curves.values()),
        max(float(c.x[-1]) for c in curves.values()),
    )
    under = _exact(curves, staircase=staircase)
    under += [
        _line("No privacy", *_floor(curves), "dash", 1.5),
        _line("Estimating by zero", ends, (zero, zero), "longdashdot", 1.5),
    ]
    under += _elbows(curves, ends, (low, high))
    figure.add_traces([go.Scatter(trace) for trace in under])
    size = len(under)
    figure.data = (*figure.data[-size:], *figure.data[:-size])
    rows = math.ceil(sum(trace.showlegend is not False for trace in figure.data) / 2)
    figure.update_layout(
        height=420 + 22 * rows, margin={"l": 10, "r": 10, "t": 48, "b": 60 + 22 * rows}
    )
    span = [math.log10(low), math.log10(high)]
    figure.update_yaxes(range=span, dtick=max(1, math.ceil((span[1] - span[0]) / 7)))
    return figure


def _exact(curves: Mapping[str, ExactCurve], *, staircase: bool) -> list[dict]:
    out = []
    for place, (series, found) in enumerate(curves.items()):
        colour, _, _ = simulation.look(place)
        if staircase:
            thin = _line(EVERY, found.x, found.every, "solid", 1.0)
            out.append({**thin, "showlegend": place == 0})
        out.append(
            {
                "x": found.x,
                "y": found.risk,
                "customdata": found.dimension,
                "mode": "lines",
                "name": "Exact, not simulated",
                "showlegend": place == 0,
                "line": {"color": colour, "dash": "dot", "width": 2.5},
                "hovertemplate": "%{x:.4g}: %{y:.3g}, K = %{customdata:.0f}<extra>"
                f"{series}, exact</extra>",
            }
        )
    return out


def _line(
    name: str, x: Sequence[float], y: Sequence[float], dash: str, width: float
) -> dict[str, object]:
    return {
        "x": list(x),
        "y": list(y),
        "mode": "lines",
        "name": name,
        "line": {"color": simulation.GREY, "dash": dash, "width": width},
        "hoverinfo": "skip",
    }


def _floor(curves: Mapping[str, ExactCurve]) -> tuple[list[float], list[float]]:
    """Every curve without privacy, one after the other with gaps between."""
    x: list[float] = []
    y: list[float] = []
    for found in curves.values():
        x += [*found.x.tolist(), math.nan]
        y += [*found.without.tolist(), math.nan]
    return x, y


def _elbows(
    curves: Mapping[str, ExactCurve], ends: tuple[float, float], height: tuple[float, float]
) -> list[dict]:
    """Vertical lines: where the elbow is by the printed formula, and where it lies."""
    out = []
    for name, dash, attribute in (
        ("Elbow as printed", "dash", "printed"),
        ("Elbow where it lies", "solid", "actual"),
    ):
        first = True
        for place, found in enumerate(curves.values()):
            at = getattr(found.elbow, attribute)
            if not ends[0] <= at <= ends[1]:
                continue
            colour, _, _ = simulation.look(place)
            out.append(
                {
                    "x": [at, at],
                    "y": list(height),
                    "mode": "lines",
                    "name": name,
                    "showlegend": first,
                    "line": {"color": colour, "dash": dash, "width": 1.2},
                    "hovertemplate": f"{name}: %{{x:.3g}}<extra></extra>",
                }
            )
            first = False
    return out


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
