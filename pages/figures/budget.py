"""What every common change of the budgets would keep: both answers, with both elbows."""

from __future__ import annotations

from numpy.typing import NDArray

from pages.figures import chart
from pages.figures.chart import number, percent
from rates.answer import Sweep


def figure(
    sweep: Sweep,
    *,
    unit: float,
    label: str,
    title: str,
    here: float = 1.0,
    mark: str = "This study",
) -> chart.Chart:
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
    ends = (-0.03, 1.08)
    hover = "%{x:.3g}: %{y:.1%} kept"
    marks = [
        *mechanism(x, sweep.mechanism, hover),
        equation(x, sweep.equation, hover),
        chart.line([here * unit] * 2, ends, mark, dash="dot"),
    ]
    for at, level, symbol, colour, name in (
        (sweep.elbow * unit, 1.0, "circle", chart.EQUATION, "Equation: no cost from here"),
        (sweep.half * unit, 0.5, "diamond", chart.MECHANISM, "Mechanism: half is kept"),
    ):
        if float(x[0]) <= at <= float(x[-1]):  # false for nan
            edge, hover = chart.Stroke(width=1), "%{x:.3g}"
            marks.append(chart.dots([at], [level], name, symbol, 11, colour, edge, hover=hover))
    return chart.Chart(
        marks=marks,
        title=title,
        head=64,
        height=430,
        foot=120,
        legend=chart.LOOSE,
        x=chart.Axis(kind="log", title=label, fixed=True, step=1),
        y=chart.Axis(title="Effective sample kept", share=True, span=ends, fixed=True),
    )


def equation(x: NDArray, y: NDArray, hover: str, name: str = "Rate equation") -> chart.Curve:
    """Return the line of the rate equation."""
    shown = y.astype("float32")
    return chart.line(x, shown, name, chart.EQUATION, width=2.5, hover=hover, extra="rate equation")


def mechanism(x: NDArray, rows: NDArray, hover: str) -> list[chart.Curve]:
    """Return the mechanism: a band over its free constant, and its middle; nothing without rows."""
    if not len(rows):
        return []
    low, middle, high = (
        y.astype("float32") for y in (rows.min(axis=0), rows[len(rows) // 2], rows.max(axis=0))
    )
    name = "Named mechanism (band: its free constant)"
    return [
        *chart.band(x, low, high, "rgba(209,104,43,0.25)"),
        chart.line(
            x, middle, name, chart.MECHANISM, "dash", 2.5, hover=hover, extra="named mechanism"
        ),
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
    columns = {label: sweep.factors * unit, "rate equation": sweep.equation}
    if len(rows := sweep.mechanism):
        columns["mechanism, middle"] = rows[len(rows) // 2]
        columns |= {"mechanism, lowest": rows.min(axis=0), "mechanism, highest": rows.max(axis=0)}
    return chart.rows_of(columns)
