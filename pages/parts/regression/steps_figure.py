"""The chain from the printed recipe to no privacy, and two kinds of risk side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from pages.figures import simulation
from pages.figures.chart import number, theme
from sims.engine import Estimate, Point


def chain_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    names: Mapping[str, str],
    *,
    zero: float,
    title: str,
) -> go.Figure:
    """Draw one row per step: exact risk as a diamond, simulation with its interval.

    Args:
        points: One point per step.
        estimates: What has been simulated so far.
        names: What a step is called.
        zero: Risk of the estimate 0.
        title: The finding.
    """
    rows = [names[point.series] for point in points]
    exact = [point.exact for point in points]
    seen = [i for i, e in enumerate(estimates) if e.replicates >= 2 and e.mean > 0]
    half = [estimates[i].margin for i in seen]
    mean = [estimates[i].mean for i in seen]
    colour = simulation.look(0)[0]
    heights = [*filter(None, exact), *mean, zero]
    low, high = min(heights) / 2.0, max(heights) * 2.0
    traces: list[dict] = [
        {
            "x": exact,
            "y": rows,
            "mode": "lines+markers+text",
            "name": "Exact, not simulated",
            "text": [number(x or math.nan) for x in exact],
            "textposition": "top center",
            "line": {"color": simulation.GREY, "dash": "dot", "width": 1.5},
            "marker": {"symbol": "diamond-open", "size": 13, "color": simulation.GREY},
            "hovertemplate": "%{y}: %{x:.3g}, exact<extra></extra>",
        },
        {
            "x": mean,
            "y": [rows[i] for i in seen],
            "mode": "markers",
            "name": "Simulated",
            "marker": {"symbol": "circle", "size": 8, "color": colour},
            "error_x": {
                "type": "data",
                "symmetric": False,
                "array": half,
                "arrayminus": [min(h, 0.9 * m) for h, m in zip(half, mean, strict=True)],
                "color": colour,
                "thickness": 1.5,
            },
            "customdata": [estimates[i].replicates for i in seen],
            "hovertemplate": "%{y}: %{x:.3g}, %{customdata} replicates<extra>Simulated</extra>",
        },
        {
            "x": [zero, zero],
            "y": [rows[0], rows[-1]],
            "mode": "lines",
            "name": "Estimating by zero",
            "line": {"color": theme.COLOURS[theme.PRIVACY], "dash": "longdashdot", "width": 2},
            "hovertemplate": "Estimating by zero: %{x:.3g}<extra></extra>",
        },
    ]
    layout = {
        "height": 480,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 100},
        "xaxis": {
            "type": "log",
            "range": [math.log10(low), math.log10(high)],
            "title": {"text": "Squared error"},
            **theme.log_ticks(low, high),
        },
        "yaxis": {"autorange": "reversed", "automargin": True, "type": "category"},
        "legend": simulation.LEGEND,
        "uirevision": "chain",
    }
    return theme.figure(traces, layout, title=title)


def pair_figure(
    series: Mapping[str, Sequence[Point]],
    slopes: Mapping[str, float],
    *,
    x_title: str,
    title: str,
) -> go.Figure:
    """Draw exact risks of several kinds; points outside the window of the fit are hollow.

    Args:
        series: By name, the points in the order of the axis.
        slopes: By name, the exponent of the theory, drawn through the window's middle.
        x_title: Name of the axis.
        title: The finding.
    """
    traces: list[dict] = []
    xs = [p.x for points in series.values() for p in points]
    ys = [p.exact for points in series.values() for p in points if p.exact]
    for place, (name, points) in enumerate(series.items()):
        colour, marker, dash = simulation.look(place)
        kept = [not p.left_out for p in points]
        traces.append(
            {
                "x": [p.x for p in points],
                "y": [p.exact for p in points],
                "mode": "lines+markers",
                "name": name,
                "line": {"color": colour, "width": 2, "dash": "dot"},
                "marker": {
                    "symbol": [marker if k else f"{marker}-open" for k in kept],
                    "size": 8,
                    "color": colour,
                },
                "customdata": [p.settings["K"] for p in points],
                "hovertemplate": "%{x:.3g}: %{y:.3g}, K = %{customdata}<extra>"
                + f"{name}, exact</extra>",
            }
        )
        inside = [p for p, k in zip(points, kept, strict=True) if k and p.exact]
        slope = slopes.get(name, math.nan)
        if inside and not math.isnan(slope):
            middle = inside[len(inside) // 2]
            base = middle.exact or math.nan
            traces.append(
                {
                    "x": [inside[0].x, inside[-1].x],
                    "y": [base * (p.x / middle.x) ** slope for p in (inside[0], inside[-1])],
                    "mode": "lines",
                    "name": f"Exponent of theory, {name.lower()}",
                    "line": {"color": colour, "width": 3, "dash": dash},
                    "opacity": 0.5,
                    "hoverinfo": "skip",
                }
            )
    ends = (min(xs) / 1.2, max(xs) * 1.2)
    rise = (min(ys) / 2.0, max(ys) * 2.0)
    layout = {
        "height": 500,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 110},
        "xaxis": {
            "type": "log",
            "title": {"text": x_title},
            "range": [math.log10(x) for x in ends],
            **theme.log_ticks(*ends),
        },
        "yaxis": {
            "type": "log",
            "title": {"text": "Squared error"},
            "range": [math.log10(y) for y in rise],
            "exponentformat": "power",
            "dtick": 1,
        },
        "legend": {**simulation.LEGEND, "entrywidth": 0.98},
        "uirevision": "pair",
    }
    return theme.figure(traces, layout, title=title)
