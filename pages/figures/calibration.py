"""Risk against calibrated rate on a world, with the constant between them."""

from __future__ import annotations

import math

import plotly.graph_objects as go

from pages.figures.budget import MECHANISM
from pages.figures.chart import number, theme
from sims.fit import Calibration


def figure(found: Calibration, *, title: str, y_title: str) -> go.Figure:
    """Draw every setting that was tried, and C times the rate where it was fitted."""
    traces: list[dict] = []
    told = [t for t in found.settings if t.risk > 0 and t.rate > 0]
    for name, symbol, colour, out in (
        ("In the fit", "circle", MECHANISM, False),
        ("Left out", "x", theme.COLOURS[theme.NONE], True),
    ):
        at = [t for t in told if bool(t.left_out) == out]
        if at:
            traces.append(
                {
                    "x": [t.rate for t in at],
                    "y": [t.risk for t in at],
                    "error_y": {"type": "data", "array": [1.96 * t.stderr for t in at]},
                    "mode": "markers",
                    "marker": {"symbol": symbol, "size": 9, "color": colour},
                    "name": name,
                    "text": [
                        f"{number(t.records)} × records, {number(t.budget)} × budgets"
                        if math.isfinite(t.budget)
                        else f"{number(t.records)} × records, no privacy"
                        for t in at
                    ],
                    "hovertemplate": "%{text}<br>rate %{x:.3g}, risk %{y:.3g}<extra></extra>",
                }
            )
    if found.constant is not None and found.rates[0] > 0:
        ends = list(found.rates)
        traces.append(
            {
                "x": ends,
                "y": [found.constant.value * rate for rate in ends],
                "mode": "lines",
                "line": {"dash": "dash", "width": 2, "color": theme.COLOURS[theme.MIXED]},
                "name": f"{number(found.constant.value)} × rate",
                "hoverinfo": "skip",
            }
        )
    rates, risks = [t.rate for t in told] or [1.0], [t.risk for t in told] or [1.0]
    return theme.figure(
        traces,
        {
            "height": 330,
            "xaxis": _axis("Rate of the named mechanism", min(rates), max(rates)),
            "yaxis": _axis(y_title, min(risks), max(risks)),
            "margin": {"l": 10, "r": 20, "t": 64, "b": 90},
            "legend": {
                "orientation": "h",
                "x": 0,
                "y": 0,
                "yref": "container",
                "yanchor": "bottom",
            },
        },
        title=title,
    )


def _axis(title: str, low: float, high: float) -> dict:
    return {
        "type": "log",
        "title": {"text": title},
        "automargin": True,
        **theme.log_ticks(low / 1.2, high * 1.2),
    }


def alt(found: Calibration) -> str:
    """Say in words what the figure shows."""
    used = [t for t in found.settings if not t.left_out]
    text = f"Risk against calibrated rate at {len(found.settings)} settings, {len(used)} fitted."
    if found.constant is None or not used:
        return text
    low, high = min(t.ratio for t in used), max(t.ratio for t in used)
    return f"{text} Their quotient lies between {number(low)} and {number(high)}."


def csv_rows(found: Calibration) -> list[dict[str, object]]:
    """Every setting that was tried."""
    return [
        {
            "times records": t.records,
            "times budgets": t.budget,
            "rate": t.rate,
            "risk": t.risk,
            "stderr": t.stderr,
            "left out": t.left_out,
        }
        for t in found.settings
    ]
