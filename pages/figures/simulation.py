"""Simulated points with their intervals over the theory's curves."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from pages.figures.chart import number, theme
from sims.engine import Estimate, Fit, Point

LOOKS = (  # colour, marker, dash of the theory
    ("#7b4fb5", "circle", "solid"),
    ("#1b8a7a", "diamond", "dash"),
    ("#d1682b", "square", "dashdot"),
    ("#3b82c4", "triangle-up", "longdash"),
    ("#b8476f", "cross", "longdashdot"),
    ("#8a7a1f", "star", "dash"),
    ("#6d7683", "triangle-down", "dot"),
    ("#4a6fe3", "pentagon", "solid"),
    ("#5d9c3b", "hexagram", "dash"),
    ("#c0392b", "x", "dashdot"),
    ("#9b6bcc", "bowtie", "longdash"),
    ("#2f6f6a", "hourglass", "longdashdot"),
)
GREY = theme.COLOURS[theme.NONE]
LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 0,
    "yref": "container",
    "yanchor": "bottom",
    "traceorder": "normal",
    "entrywidthmode": "fraction",
    "entrywidth": 0.48,
}


def look(place: int) -> tuple[str, str, str]:
    """Return colour, marker and dash of a series."""
    return LOOKS[place % len(LOOKS)]


def series_of(points: Sequence[Point]) -> dict[str, list[int]]:
    """Return the places of each series' points, in order of appearance."""
    out: dict[str, list[int]] = {}
    for i, point in enumerate(points):
        out.setdefault(point.series, []).append(i)
    return out


def rate_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    fitted: Sequence[Fit],
    *,
    x_title: str,
    y_title: str,
    title: str,
    curve: str,
    bends: Mapping[str, Sequence[float]] | None = None,
) -> go.Figure:
    """Draw simulated risks over the theory's curves, in logarithms.

    Args:
        points: The points of the run.
        estimates: What has been simulated so far, in the same order.
        fitted: One fit per series; its constant lifts the theory's curve.
        x_title: Name of the axis.
        y_title: Name of the other.
        title: The finding.
        curve: What the theory's line is called.
        bends: By series, where its rate bends.
    """
    traces: list[dict] = []
    constants = {fit.series: fit.constant for fit in fitted}
    for place, (series, at) in enumerate(series_of(points).items()):
        colour, marker, dash = look(place)
        constant = constants.get(series)
        xs = [points[i].x for i in at]
        if constant is not None:
            lifted = [constant.value * (points[i].theory or math.nan) for i in at]
            traces.append(_line(xs, lifted, series, colour, dash, 2.0))
        exact = [points[i].exact for i in at]
        if any(value is not None for value in exact):
            traces.append(_line(xs, exact, series, colour, "dot", 1.5))
        used = [i for i in at if not points[i].left_out]
        out = [i for i in at if points[i].left_out]
        if used or not out:
            traces.append(_dots(points, estimates, used, series, colour, marker))
        if out:
            hollow = _dots(points, estimates, out, series, colour, f"{marker}-open")
            traces.append({**hollow, "showlegend": not used})
    traces += _keys(points, curve, lifted=any(c is not None for c in constants.values()))
    shapes = [
        {
            "type": "line",
            "x0": x,
            "x1": x,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": look(place)[0], "dash": "dot", "width": 1},
        }
        for place, series in enumerate(series_of(points))
        for x in (bends or {}).get(series, ())
    ]
    return theme.figure(traces, _layout(points, estimates, x_title, y_title, shapes), title=title)


def _line(
    xs: Sequence[float],
    ys: Sequence[float | None],
    series: str,
    colour: str,
    dash: str,
    width: float,
) -> dict:
    return {
        "x": list(xs),
        "y": list(ys),
        "mode": "lines",
        "name": series,
        "legendgroup": series,
        "showlegend": False,
        "line": {"color": colour, "dash": dash, "width": width},
        "hoverinfo": "skip",
    }


def _dots(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    at: Sequence[int],
    series: str,
    colour: str,
    marker: str,
) -> dict:
    """Points with 95 % intervals; an interval that reaches 0 is cut where it can be drawn."""
    seen = [i for i in at if estimates[i].replicates >= 2 and estimates[i].mean > 0]
    left_out = marker.endswith("-open")
    half = [estimates[i].margin for i in seen]
    mean = [estimates[i].mean for i in seen]
    return {
        "x": [points[i].x for i in seen] or [None],  # without a point the legend would not say
        "y": mean or [None],
        "mode": "markers",
        "name": series,
        "legendgroup": series,
        "showlegend": True,
        "marker": {"symbol": marker, "size": 9, "color": colour, "line": {"width": 1.5}},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": half,
            "arrayminus": [min(h, 0.9 * m) for h, m in zip(half, mean, strict=True)],
            "color": colour,
            "thickness": 1.5,
            "width": 3,
        },
        "customdata": [estimates[i].replicates for i in seen],
        "hovertemplate": "%{x:.4g}: %{y:.3g}, %{customdata} replicates<extra>%{fullData.name}"
        f"{', left out' if left_out else ''}</extra>",
    }


def _keys(points: Sequence[Point], curve: str, *, lifted: bool) -> list[dict]:
    """Legend entries that stand for a kind of mark in every series."""
    out = []
    if lifted:
        out.append(_key(f"C × {curve}", mode="lines", line={"color": GREY, "width": 2}))
    if any(point.exact is not None for point in points):
        dotted = {"color": GREY, "dash": "dot", "width": 1.5}
        out.append(_key("Exact, not simulated", mode="lines", line=dotted))
    if any(point.left_out for point in points):
        mark = {"symbol": "circle-open", "size": 9, "color": GREY}
        out.append(_key("Saturated, left out", mode="markers", marker=mark))
    return out


def _key(name: str, **kind: object) -> dict:
    return {"x": [None], "y": [None], "name": name, "hoverinfo": "skip", **kind}


def _layout(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    x_title: str,
    y_title: str,
    shapes: list[dict],
) -> dict:
    xs = [point.x for point in points]
    heights = [point.exact for point in points if point.exact]
    heights += [e.mean for e in estimates if e.replicates >= 2 and e.mean > 0]
    if not heights:
        heights = [point.theory for point in points if point.theory]
    ends = (min(xs) / 1.25, max(xs) * 1.25)
    rise = (min(heights) / 2.5, max(heights) * 2.5) if heights else (1e-3, 1.0)
    rows = 2 + math.ceil(len(series_of(points)) / 2)
    return {
        "height": 430 + 22 * rows,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 60 + 22 * rows},
        "xaxis": {
            "type": "log",
            "title": {"text": x_title},
            "range": [math.log10(x) for x in ends],
            **theme.log_ticks(*ends),
        },
        "yaxis": {
            "type": "log",
            "title": {"text": y_title},
            "range": [math.log10(y) for y in rise],
            "exponentformat": "power",
            "dtick": max(1, math.ceil(math.log10(rise[1] / rise[0]) / 7)),
        },
        "shapes": shapes,
        "legend": LEGEND,
        "uirevision": "run",
    }


def alt(points: Sequence[Point], estimates: Sequence[Estimate], x_title: str) -> str:
    """Say what `rate_figure` shows, in words."""
    parts = []
    for series, at in series_of(points).items():
        seen = [i for i in at if estimates[i].replicates >= 2]
        if seen:
            first, last = seen[0], seen[-1]
            parts.append(
                f"{series}: {len(seen)} points, from {number(estimates[first].mean)} at "
                f"{number(points[first].x)} to {number(estimates[last].mean)} at "
                f"{number(points[last].x)}"
            )
    found = "; ".join(parts) or "no simulated points yet"
    return f"Excess risk against {x_title}, both logarithmic. {found}."


def budget_figure(
    panels: Mapping[str, Mapping[str, tuple[Sequence[float], Sequence[Estimate]]]],
    *,
    title: str,
    plain: Sequence[str] = (),
    x_title: str = "Budget ε (none: no privacy)",
    per_cent: bool = True,
) -> go.Figure:
    """Draw scores against the budget, one panel below the other; no privacy stands at the end.

    Args:
        panels: By panel, by series, budgets and estimates.
        title: The finding.
        plain: Series that are drawn as a line alone, such as a baseline.
        x_title: Name of the axis.
        per_cent: Whether the scores are shares; else they are shown in logarithms.
    """
    traces: list[dict] = []
    budgets = sorted({x for series in panels.values() for xs, _ in series.values() for x in xs})
    places = {x: place for place, x in enumerate(budgets)}
    rows = 1 + math.ceil(max(len(series) for series in panels.values()) / 2)
    layout: dict = {
        "height": 330 * len(panels) + 30 + 22 * rows,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 70 + 22 * rows},
        "legend": LEGEND,
        "uirevision": "run",
    }
    for row, (panel, series) in enumerate(panels.items()):
        axis = "" if row == 0 else str(row + 1)
        step = 1.0 / len(panels)
        top = 1.0 - row * step
        layout[f"yaxis{axis}"] = {
            "title": {"text": panel},
            "domain": [top - step + (0.09 if row < len(panels) - 1 else 0.0), top],
            **({"tickformat": ".0%"} if per_cent else {"type": "log", "exponentformat": "power"}),
        }
        if per_cent and not any(e.replicates > 1 for _, many in series.values() for e in many):
            layout[f"yaxis{axis}"]["range"] = [0.5, 1.0]  # nothing to fit the axis to yet
        layout[f"xaxis{axis}"] = {
            "anchor": f"y{axis}",
            "tickmode": "array",
            "tickvals": list(places.values()),
            "ticktext": ["none" if math.isinf(x) else number(x) for x in budgets],
            "title": {"text": x_title if row == len(panels) - 1 else ""},
        }
        for place, (name, (xs, estimates)) in enumerate(series.items()):
            traces.append(
                _scores(name, [places[x] for x in xs], estimates, place, axis, flat=name in plain)
            )
    return theme.figure(traces, layout, title=title)


def _scores(
    name: str,
    xs: Sequence[int],
    estimates: Sequence[Estimate],
    place: int,
    axis: str,
    *,
    flat: bool,
) -> dict:
    colour, marker, dash = look(place)
    seen = [k for k, e in enumerate(estimates) if e.replicates >= 2]
    return {
        "x": [xs[k] for k in seen],
        "y": [estimates[k].mean for k in seen],
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
        "mode": "lines" if flat else "lines+markers",
        "name": name,
        "legendgroup": name,
        "showlegend": not axis,
        "line": {"color": GREY if flat else colour, "dash": "dot" if flat else dash, "width": 2},
        "marker": {"symbol": marker, "size": 9},
        "error_y": {
            "type": "data",
            "array": [estimates[k].margin for k in seen],
            "color": colour,
            "thickness": 1.5,
            "visible": not flat,
        },
        "hovertemplate": "%{y:.4g}<extra>" + name + "</extra>",
    }


def told(series: Mapping[str, tuple[Sequence[float], Sequence[Estimate]]]) -> str:
    """Say what a panel of `budget_figure` shows, in words."""
    parts = []
    for name, (xs, estimates) in series.items():
        seen = [(x, e) for x, e in zip(xs, estimates, strict=True) if e.replicates >= 2]
        if seen:
            (first, low), (last, high) = seen[0], seen[-1]
            parts.append(
                f"{name}: {low.mean:.1%} at {number(first)} to {high.mean:.1%} at {number(last)}"
            )
    return "; ".join(parts) or "No simulated points yet."
