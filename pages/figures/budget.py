"""What every common change of the budgets would keep: both answers, with both elbows."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from pages.figures import theme
from pages.parts.words import number, percent
from rates.compare import Sweep

EQUATION, MECHANISM = "#3b82c4", "#d1682b"


def figure(sweep: Sweep, *, unit: float, label: str, title: str, here: float = 1.0) -> go.Figure:
    """Draw the fraction of the effective sample that is kept against the budgets.

    Args:
        sweep: Both answers on a grid of factors.
        unit: What factor 1 stands for on the horizontal axis: the common budget, or 1.
        label: Name of the horizontal axis.
        title: The finding.
        here: The factor to mark.
    """
    x = (sweep.factors * unit).astype("float32")
    chart = go.Figure()
    if len(sweep.mechanism):
        low, high = sweep.mechanism.min(axis=0), sweep.mechanism.max(axis=0)
        middle = sweep.mechanism[len(sweep.mechanism) // 2]
        hidden = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
        chart.add_scatter(x=x, y=low.astype("float32"), **hidden)
        chart.add_scatter(
            x=x,
            y=high.astype("float32"),
            fill="tonexty",
            fillcolor="rgba(209,104,43,0.25)",
            **hidden,
        )
        chart.add_scatter(
            x=x,
            y=middle.astype("float32"),
            mode="lines",
            name="Named mechanism (band: its free constant)",
            line={"color": MECHANISM, "dash": "dash", "width": 2.5},
            hovertemplate="%{x:.3g}: %{y:.1%} kept<extra>named mechanism</extra>",
        )
    chart.add_scatter(
        x=x,
        y=sweep.equation.astype("float32"),
        mode="lines",
        name="Rate equation",
        line={"color": EQUATION, "width": 2.5},
        hovertemplate="%{x:.3g}: %{y:.1%} kept<extra>rate equation</extra>",
    )
    chart.add_vline(
        x=here * unit,
        line={"dash": "dot", "color": theme.COLOURS[theme.NONE]},
        annotation_text="this study",
        annotation_position="top left",
    )
    _elbow(chart, sweep.elbow * unit, 1.0, "circle", EQUATION, "no cost from here, equation")
    _elbow(chart, sweep.half * unit, 0.5, "diamond", MECHANISM, "half is kept, mechanism")
    theme.style(chart, height=380, title=title)
    chart.update_layout(legend={"y": -0.28}, margin={"b": 90})
    chart.update_xaxes(type="log", title=label, fixedrange=True, dtick=1)
    chart.update_yaxes(
        title="Effective sample kept", tickformat=".0%", range=[-0.03, 1.08], fixedrange=True
    )
    return chart


def _elbow(chart: go.Figure, x: float, y: float, symbol: str, colour: str, name: str) -> None:
    first, last = chart.data[-1].x[0], chart.data[-1].x[-1]
    if math.isnan(x) or not first <= x <= last:
        return
    chart.add_scatter(
        x=[x],
        y=[y],
        mode="markers",
        name=name,
        marker={"symbol": symbol, "size": 11, "color": colour, "line": {"width": 1}},
        hovertemplate="%{x:.3g}<extra>" + name + "</extra>",
    )


def alt(sweep: Sweep, *, unit: float, label: str) -> str:
    """Say in words what the chart shows."""
    picks = [0, len(sweep.factors) // 2, len(sweep.factors) - 1]
    parts = []
    for k in picks:
        text = f"at {number(float(sweep.factors[k]) * unit)}: rate equation {percent(float(sweep.equation[k]))}"
        if len(sweep.mechanism):
            text += f", mechanism {percent(float(sweep.mechanism[len(sweep.mechanism) // 2][k]))}"
        parts.append(text)
    return f"Effective sample kept against {label}. " + "; ".join(parts) + "."
