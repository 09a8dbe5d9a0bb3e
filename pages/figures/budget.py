"""What every common change of the budgets would keep: both answers, with both elbows."""

from __future__ import annotations

import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.figures.chart import number, percent, theme
from rates.answer import Sweep

EQUATION, MECHANISM = "#3b82c4", "#d1682b"


def figure(
    sweep: Sweep,
    *,
    unit: float,
    label: str,
    title: str,
    here: float = 1.0,
    mark: str = "This study",
) -> go.Figure:
    """Draw the fraction of the effective sample that is kept against the budgets.

    Args:
        sweep: Both answers on a grid of factors.
        unit: What factor 1 stands for on the horizontal axis: the common budget, or 1.
        label: Name of the horizontal axis.
        title: The finding.
        here: The factor to mark.
        mark: What is marked there.
    """
    x = (sweep.factors * unit).astype("float32")
    traces: list[dict] = []
    if len(sweep.mechanism):
        traces += _band(x, sweep)
    traces += [
        {
            "x": x,
            "y": sweep.equation.astype("float32"),
            "mode": "lines",
            "name": "Rate equation",
            "line": {"color": EQUATION, "width": 2.5},
            "hovertemplate": "%{x:.3g}: %{y:.1%} kept<extra>rate equation</extra>",
        },
        {
            "x": [here * unit] * 2,
            "y": [-0.03, 1.08],
            "mode": "lines",
            "name": mark,
            "line": {"dash": "dot", "color": theme.COLOURS[theme.NONE], "width": 2},
            "hoverinfo": "skip",
        },
    ]
    for at, level, symbol, colour, name in (
        (sweep.elbow * unit, 1.0, "circle", EQUATION, "Equation: no cost from here"),
        (sweep.half * unit, 0.5, "diamond", MECHANISM, "Mechanism: half is kept"),
    ):
        if float(x[0]) <= at <= float(x[-1]):  # false for nan
            traces.append(
                {
                    "x": [at],
                    "y": [level],
                    "mode": "markers",
                    "name": name,
                    "marker": {"symbol": symbol, "size": 11, "color": colour, "line": {"width": 1}},
                    "hovertemplate": "%{x:.3g}<extra>" + name + "</extra>",
                }
            )
    layout = {
        "height": 430,
        "legend": {
            "orientation": "h",
            "x": 0,
            "y": 0,
            "yref": "container",
            "yanchor": "bottom",
            "traceorder": "normal",
        },
        "margin": {"l": 10, "r": 10, "t": 64, "b": 120},
        "xaxis": {"type": "log", "title": {"text": label}, "fixedrange": True, "dtick": 1},
        "yaxis": {
            "title": {"text": "Effective sample kept"},
            "tickformat": ".0%",
            "range": [-0.03, 1.08],
            "fixedrange": True,
        },
    }
    return theme.figure(traces, layout, title=title)


def _band(x: NDArray, sweep: Sweep) -> list[dict]:
    """The mechanism: a band over its free constant, and its middle."""
    low, high = sweep.mechanism.min(axis=0), sweep.mechanism.max(axis=0)
    middle = sweep.mechanism[len(sweep.mechanism) // 2]
    hidden = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    fill = {"fill": "tonexty", "fillcolor": "rgba(209,104,43,0.25)"}
    return [
        {"x": x, "y": low.astype("float32"), **hidden},
        {"x": x, "y": high.astype("float32"), **fill, **hidden},
        {
            "x": x,
            "y": middle.astype("float32"),
            "mode": "lines",
            "name": "Named mechanism (band: its free constant)",
            "line": {"color": MECHANISM, "dash": "dash", "width": 2.5},
            "hovertemplate": "%{x:.3g}: %{y:.1%} kept<extra>named mechanism</extra>",
        },
    ]


def alt(sweep: Sweep, *, unit: float, label: str) -> str:
    """Say in words what the chart shows."""
    picks = [0, len(sweep.factors) // 2, len(sweep.factors) - 1]
    parts = []
    for k in picks:
        at = number(float(sweep.factors[k]) * unit)
        text = f"at {at}: rate equation {percent(float(sweep.equation[k]))}"
        if len(sweep.mechanism):
            text += f", mechanism {percent(float(sweep.mechanism[len(sweep.mechanism) // 2][k]))}"
        parts.append(text)
    return f"Effective sample kept against {label}. " + "; ".join(parts) + "."


def csv_rows(sweep: Sweep, *, unit: float, label: str) -> list[dict[str, object]]:
    """Return the fractions kept by both answers, one row per budget."""
    out = []
    for k, factor in enumerate(sweep.factors.tolist()):
        line: dict[str, object] = {label: factor * unit, "rate equation": float(sweep.equation[k])}
        if len(sweep.mechanism):
            column = sweep.mechanism[:, k]
            line["mechanism, middle"] = float(column[len(column) // 2])
            line["mechanism, lowest"] = float(column.min())
            line["mechanism, highest"] = float(column.max())
        out.append(line)
    return out
