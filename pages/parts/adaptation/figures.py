"""Figures of the adaptation page: error curves, readings, weights, and budgets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import plotly.graph_objects as go

from pages.figures.chart import number, theme
from pages.figures.simulation import GREY, LEGEND, look, series_of
from sims.engine import Estimate, Point

PLAIN_DASHES = ("dash", "dot", "longdash", "dashdot")


def error_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    *,
    plain: Sequence[str],
    x_title: str,
    y_title: str,
    title: str,
    log_x: bool = True,
    log_y: bool = True,
) -> go.Figure:
    """Draw errors with 95 % intervals; series without privacy are grey lines.

    Args:
        points: The points of the run.
        estimates: What has been simulated so far, in the same order.
        plain: Series without privacy.
        x_title: Name of the axis.
        y_title: Name of the other.
        title: The finding.
        log_x: Whether the axis is logarithmic.
        log_y: Whether the other is.
    """
    traces: list[dict] = []
    shown = series_of(points)
    coloured = [name for name in shown if name not in plain]
    for name, at in shown.items():
        seen = [i for i in at if estimates[i].replicates >= 2]
        seen = [i for i in seen if estimates[i].mean > 0] if log_y else seen
        grey = name in plain
        place = plain.index(name) if grey else coloured.index(name)
        colour, marker, dash = look(place)
        if grey:
            colour, dash = GREY, PLAIN_DASHES[place % len(PLAIN_DASHES)]
        mean = [estimates[i].mean for i in seen]
        half = [estimates[i].margin for i in seen]
        lower = [min(h, 0.9 * m) if log_y else h for h, m in zip(half, mean, strict=True)]
        traces.append(
            {
                "x": [points[i].x for i in seen] or [None],
                "y": mean or [None],
                "mode": "lines+markers",
                "name": name,
                "line": {"color": colour, "dash": dash, "width": 2},
                "marker": {
                    "symbol": f"{marker}-open" if grey else marker,
                    "size": 6 if grey else 9,
                    "color": colour,
                },
                "error_y": {
                    "type": "data",
                    "symmetric": False,
                    "array": half,
                    "arrayminus": lower,
                    "color": colour,
                    "thickness": 1.5,
                },
                "customdata": [estimates[i].replicates for i in seen],
                "hovertemplate": "%{x:.4g}: %{y:.3g}, %{customdata} replicates"
                f"<extra>{name}</extra>",
            }
        )
    rows = 1 + math.ceil(len(shown) / 2)
    xs = sorted({point.x for point in points})
    x_axis: dict = {"title": {"text": x_title}}
    if log_x:
        ends = (min(xs) / 1.25, max(xs) * 1.25)
        x_axis |= {"type": "log", "range": [math.log10(x) for x in ends], **theme.log_ticks(*ends)}
    else:
        room = 0.05 * (max(xs) - min(xs)) or 0.5
        x_axis["range"] = [min(xs) - room, max(xs) + room]
    y_axis: dict = {"title": {"text": y_title}}
    seen_means = [e.mean for e in estimates if e.replicates >= 2]
    heights = [mean for mean in seen_means if mean > 0]
    if log_y:
        rise = (min(heights) / 1.3, max(heights) * 1.5) if heights else (0.01, 1.0)
        y_axis |= {
            "type": "log",
            "range": [math.log10(y) for y in rise],
            **theme.log_ticks(*rise),
        }
    if not (heights if log_y else seen_means):  # nothing to fit the axis to yet
        y_axis["showticklabels"] = False
        if not log_y:
            y_axis["range"] = [0, 1]
    return theme.figure(
        traces,
        {
            "height": 420 + 22 * rows,
            "margin": {"l": 10, "r": 10, "t": 48, "b": 60 + 22 * rows},
            "xaxis": x_axis,
            "yaxis": y_axis,
            "legend": LEGEND,
            "uirevision": "run",
        },
        title=title,
    )


def alt(points: Sequence[Point], estimates: Sequence[Estimate], what: str) -> str:
    """Say what `error_figure` shows, in words."""
    parts = []
    for name, at in series_of(points).items():
        seen = [i for i in at if estimates[i].replicates >= 2]
        if seen:
            first, last = seen[0], seen[-1]
            parts.append(
                f"{name}: from {number(estimates[first].mean)} at {number(points[first].x)} to "
                f"{number(estimates[last].mean)} at {number(points[last].x)}"
            )
    return f"{what}. {'; '.join(parts) or 'No simulated points yet'}."


def weights_figure(
    bars: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, title: str
) -> go.Figure:
    """Draw shares of records by their weight over the reference weight.

    Args:
        bars: By name, middles of bins and shares.
        title: The finding.
    """
    hatches = ("", "/", "x")
    traces: list[dict] = []
    for place, (name, (middles, shares)) in enumerate(bars.items()):
        colour, _, _ = look(place)
        traces.append(
            {
                "type": "bar",
                "x": list(middles),
                "y": list(shares),
                "name": name,
                "marker": {"color": colour, "pattern": {"shape": hatches[place % 3]}},
                "hovertemplate": "weight %{x:.3g}: %{y:.1%} of records" + f"<extra>{name}</extra>",
            }
        )
    return theme.figure(
        traces,
        {
            "height": 460,
            "margin": {"l": 10, "r": 10, "t": 48, "b": 120},
            "barmode": "group",
            "bargap": 0.1,
            "xaxis": {"title": {"text": "Weight over the reference weight"}, "range": [0, 1.02]},
            "yaxis": {"title": {"text": "Share of the records"}, "tickformat": ".0%"},
            "legend": {**LEGEND, "entrywidth": 1.0},
        },
        title=title,
    )


def budget_figure(
    nominal: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    *,
    limit: float,
    chosen: float,
    title: str,
) -> go.Figure:
    """Draw true budgets against nominal ones, in logarithms, beside the line of equality.

    Args:
        nominal: Nominal budgets.
        curves: By name, true budgets along them.
        limit: Where the printed noise stops being enough.
        chosen: The nominal budget chosen.
        title: The finding.
    """
    equal = {"color": GREY, "dash": "dot", "width": 1.5}
    traces: list[dict] = [
        {
            "x": list(nominal),
            "y": list(nominal),
            "mode": "lines",
            "name": "as promised",
            "line": equal,
            "hoverinfo": "skip",
        }
    ]
    for place, (name, values) in enumerate(curves.items()):
        colour, marker, dash = look(place)
        at = [i for i, x in enumerate(nominal) if x == chosen]
        line = {"color": colour, "dash": dash, "width": 2.5}
        seen = [y if y > 0 else None for y in values]
        traces.append(
            {
                "x": list(nominal),
                "y": seen,
                "mode": "lines+markers",
                "name": name,
                "line": line,
                "marker": {
                    "symbol": marker,
                    "color": colour,
                    "size": [11 if i in at else 1 for i in range(len(seen))],
                },
                "hovertemplate": "nominal %{x:.3g}: really %{y:.3g}" + f"<extra>{name}</extra>",
            }
        )
    ends = (min(nominal) / 1.1, max(nominal) * 1.1)
    low = min([y for values in curves.values() for y in values if y > 0.02], default=0.02)
    high = max(*(max(values) for values in curves.values()), *nominal) * 1.2
    return theme.figure(
        traces,
        {
            "height": 460,
            "margin": {"l": 10, "r": 10, "t": 48, "b": 110},
            "xaxis": {
                "type": "log",
                "title": {"text": "Nominal budget ε"},
                "range": [math.log10(x) for x in ends],
                **theme.log_ticks(*ends),
            },
            "yaxis": {
                "type": "log",
                "title": {"text": "True budget ε"},
                "range": [math.log10(low / 1.2), math.log10(high)],
                **theme.log_ticks(low / 1.2, high),
            },
            "shapes": [
                {
                    "type": "line",
                    "x0": limit,
                    "x1": limit,
                    "y0": 0,
                    "y1": 1,
                    "yref": "paper",
                    "line": equal,
                }
            ],
            "legend": {**LEGEND, "entrywidth": 1.0},
        },
        title=title,
    )
