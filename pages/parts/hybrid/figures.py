"""People asked by each way to learn, and how they grow as volunteers get less alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from pages.figures import simulation
from pages.figures.chart import number, theme
from rates.hybrid import (
    STRATEGIES,
    WORLD,
    YARDSTICKS,
    Circumstances,
    HybridDesign,
    Strategy,
    strategies,
)
from sims.engine import Estimate, Point

_DARK = "rgba(128,128,128,0.9)"
CLOSENESS = ("chi-square", "worst", "own")


def people_figure(found: Sequence[Strategy], *, title: str) -> go.Figure:
    """Draw volunteers and users of every way on one logarithmic axis with yardsticks."""
    traces = []
    for name, symbol, place in (("Volunteers", "circle", 0), ("Local users", "diamond", 2)):
        asked = [s.volunteers if name == "Volunteers" else s.users for s in found]
        there = [
            (x, STRATEGIES[s.key]) for x, s in zip(asked, found, strict=True) if 0 < x < math.inf
        ]
        traces.append(
            {
                "x": [x for x, _ in there],
                "y": [y for _, y in there],
                "mode": "markers+text",
                "name": name,
                "text": [number(x) for x, _ in there],
                "textposition": "top center" if place == 0 else "bottom center",
                "marker": {"symbol": symbol, "size": 12, "color": simulation.look(place)[0]},
                "hovertemplate": "%{y}: %{x:.3g}<extra>" + name + "</extra>",
            }
        )
    most = max([x for t in traces for x in t["x"]] + [WORLD])
    ends = (30.0, 30.0 * most)
    layout = {
        "height": 440,
        "margin": {"l": 10, "r": 10, "t": 64, "b": 90},
        "xaxis": {
            "type": "log",
            "title": {"text": "People"},
            "range": [math.log10(x) for x in ends],
            **theme.log_ticks(*ends),
        },
        "yaxis": {"autorange": "reversed", "categoryarray": list(STRATEGIES.values())},
        "legend": {
            **simulation.LEGEND,
            "xref": "container",  # the names of the ways leave the plot little room on a phone
            "entrywidthmode": "pixels",
            "entrywidth": 110,
        },
        "shapes": [_line(x) for x in YARDSTICKS.values()],
        "annotations": [
            {
                "x": math.log10(x),
                "y": 1.0,
                "yref": "paper",
                "yanchor": "bottom",
                "yshift": 14 * (k % 2),  # two lines of names: neighbours never touch
                "text": name,
                "showarrow": False,
                "font": {"size": 11},
            }
            for k, (name, x) in enumerate(YARDSTICKS.items())
        ],
    }
    return theme.figure(traces, layout, title=title)


def _line(x: float) -> dict:
    return {
        "type": "line",
        "x0": x,
        "x1": x,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": _DARK, "dash": "dot", "width": 1},
    }


def people_alt(found: Sequence[Strategy]) -> str:
    """Say what `people_figure` shows, in words."""
    parts = [
        f"{STRATEGIES[s.key]}: {number(s.volunteers)} volunteers and {number(s.users)} users"
        for s in found
    ]
    return f"People asked by each way, logarithmic. {'; '.join(parts)}."


def people_rows(found: Sequence[Strategy]) -> list[dict[str, object]]:
    """Return the ways as rows for a file."""
    return [
        {"way": STRATEGIES[s.key], "volunteers": s.volunteers, "users": s.users, "note": s.note}
        for s in found
    ]


def closeness(design: HybridDesign, given: Circumstances) -> dict[str, list[tuple[float, float]]]:
    """Return curves of people against X: volunteers of three ways, and users of the last two."""
    out: dict[str, list[tuple[float, float]]] = {}
    for x in np.geomspace(1.0, 1e6, 61):
        for s in strategies(replace(design, divergence=float(x)), given):
            if s.key in CLOSENESS and math.isfinite(s.people):
                out.setdefault(f"{STRATEGIES[s.key]}: volunteers", []).append((x, s.volunteers))
                if s.users > 0:
                    out.setdefault(f"{STRATEGIES[s.key]}: users", []).append((x, s.users))
    return out


def closeness_figure(
    curves: dict[str, list[tuple[float, float]]],
    *,
    here: float,
    volunteers: float,
    title: str,
) -> go.Figure:
    """Draw the curves with the volunteers there are, the world, and the chosen X."""
    traces = []
    for place, (name, points) in enumerate(curves.items()):
        colour, marker, dash = simulation.look(place)
        traces.append(
            {
                "x": [x for x, _ in points],
                "y": [y for _, y in points],
                "mode": "lines+markers",
                "name": name,
                "line": {"color": colour, "dash": dash, "width": 2},
                "marker": {"symbol": marker, "size": 8, "maxdisplayed": 7},
                "hovertemplate": "X = %{x:.3g}: %{y:.3g}<extra>" + name + "</extra>",
            }
        )
    across = [
        (volunteers, f"your volunteers, {number(volunteers)}", "dash"),
        (WORLD, "the world", "dot"),
    ]
    heights = [y for points in curves.values() for _, y in points]
    layout = {
        "height": 500,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 150},
        "xaxis": {
            "type": "log",
            "title": {"text": "X, chi-square plus one"},
            **theme.log_ticks(1.0, 1e6),
        },
        "yaxis": {
            "type": "log",
            "title": {"text": "People"},
            "exponentformat": "power",
            "dtick": max(1, math.ceil(math.log10(max(heights) / min(heights)) / 7)),
        },
        "legend": {**simulation.LEGEND, "entrywidth": 0.9},
        "shapes": [
            _line(here),
            *(
                {
                    "type": "line",
                    "x0": 0,
                    "x1": 1,
                    "xref": "paper",
                    "y0": y,
                    "y1": y,
                    "line": {"color": _DARK, "dash": dash, "width": 1.5},
                }
                for y, _, dash in across
                if y > 0
            ),
        ],
        "annotations": [
            {
                "x": 0,
                "xref": "paper",
                "xanchor": "left",
                "y": math.log10(y),
                "yanchor": "bottom",
                "text": name,
                "showarrow": False,
                "font": {"size": 11},
            }
            for y, name, _ in across
            if y > 0
        ],
    }
    return theme.figure(traces, layout, title=title)


def closeness_alt(curves: dict[str, list[tuple[float, float]]]) -> str:
    """Say what `closeness_figure` shows, in words."""
    parts = [
        f"{name} from {number(points[0][1])} at X = 1 to {number(points[-1][1])} at X = 1e6"
        for name, points in curves.items()
    ]
    return f"People against X, both logarithmic. {'; '.join(parts)}."


def closeness_rows(curves: dict[str, list[tuple[float, float]]]) -> list[dict[str, object]]:
    """Return the curves as rows for a file."""
    return [
        {"curve": name, "X": float(x), "people": float(y)}
        for name, points in curves.items()
        for x, y in points
    ]


def sweep_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    *,
    x_title: str,
    y_title: str,
    title: str,
    setting: str,
    level: float | None = None,
) -> go.Figure:
    """Draw shares or errors against one setting: intervals of 95 %, and exact lines.

    Args:
        points: The points of the run.
        estimates: What has been simulated so far, in the same order.
        x_title: Name of the axis.
        y_title: Name of the other.
        title: The finding.
        setting: Which of the points' settings lies along the axis.
        level: Where a grey line is drawn across; nowhere if None.
    """
    traces: list[dict] = []
    xs = [float(p.settings[setting]) for p in points]
    for place, (series, at) in enumerate(simulation.series_of(points).items()):
        colour, marker, dash = simulation.look(place)
        exact = [points[i].exact for i in at]
        if any(y is not None for y in exact):
            traces.append(
                {
                    "x": [xs[i] for i in at],
                    "y": exact,
                    "mode": "lines",
                    "name": f"{series}, exact",
                    "line": {"color": colour, "dash": dash, "width": 1.5},
                    "hovertemplate": "%{x:.4g}: %{y:.3g}, exact<extra></extra>",
                }
            )
        seen = [i for i in at if estimates[i].replicates >= 2]
        traces.append(
            {
                "x": [xs[i] for i in seen] or [None],
                "y": [estimates[i].mean for i in seen] or [None],
                "mode": "markers",
                "name": series,
                "marker": {"symbol": marker, "size": 9, "color": colour},
                "error_y": {
                    "type": "data",
                    "array": [estimates[i].margin for i in seen],
                    "color": colour,
                    "thickness": 1.5,
                    "width": 3,
                },
                "hovertemplate": "%{x:.4g}: %{y:.3g}<extra>" + series + "</extra>",
            }
        )
    ends = (min(xs) / 1.1, max(xs) * 1.1)
    shapes = []
    if level is not None:
        shapes.append(
            {
                "type": "line",
                "x0": 0,
                "x1": 1,
                "xref": "paper",
                "y0": level,
                "y1": level,
                "line": {"color": _DARK, "dash": "dash", "width": 1.5},
            }
        )
    layout = {
        "height": 450,
        "margin": {"l": 10, "r": 10, "t": 48, "b": 110},
        "xaxis": {
            "type": "log",
            "title": {"text": x_title},
            "range": [math.log10(x) for x in ends],
            **theme.log_ticks(*ends),
        },
        "yaxis": {"title": {"text": y_title}, "range": [-0.05, 1.05]},
        "legend": simulation.LEGEND,
        "shapes": shapes,
        "uirevision": "run",
    }
    return theme.figure(traces, layout, title=title)


def sweep_alt(
    points: Sequence[Point], estimates: Sequence[Estimate], x_title: str, setting: str
) -> str:
    """Say what `sweep_figure` shows, in words."""
    parts = []
    for series, at in simulation.series_of(points).items():
        seen = [i for i in at if estimates[i].replicates >= 2]
        if seen:
            ends = [
                f"{number(estimates[i].mean)} at {number(float(points[i].settings[setting]))}"
                for i in (seen[0], seen[-1])
            ]
            parts.append(f"{series}: from {ends[0]} to {ends[1]}")
    return f"Against {x_title}: {'; '.join(parts) or 'no simulated points yet'}."
