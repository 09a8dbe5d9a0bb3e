"""The rate along a lever, and two designs along their budgets: both answers on one figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.figures.budget import EQUATION, MECHANISM
from pages.figures.chart import number, theme
from rates.plan import LeverCurve, VersusCurve

POINTS = 121
MOST_MARKS = 12
_LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 0,
    "yref": "container",
    "yanchor": "bottom",
    "traceorder": "normal",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A point on one of the two lines.

    Attributes:
        name: What it is.
        x: Value of the lever; not drawn where it is not finite or off the range.
        y: Rate over today's there.
        mechanism: Whether it belongs to the mechanism.
        open: Whether it is drawn hollow.
    """

    name: str
    x: float
    y: float
    mechanism: bool
    open: bool = False


def grid(low: float, high: float) -> NDArray[np.float64]:
    """Return values of a lever on a log scale."""
    return np.geomspace(low, high, POINTS)


def along(
    curve: LeverCurve,
    *,
    label: str,
    title: str,
    target: float,
    now: float,
    marks: Sequence[Mark],
) -> go.Figure:
    """Draw the rate over today's along a lever, by both answers.

    Args:
        curve: Both answers on a grid.
        label: Name of the horizontal axis.
        title: The finding.
        target: The rate wanted, over today's.
        now: The lever today; nan for a common value of rows that differ.
        marks: Points where the target is met, and where the lever stops mattering.
    """
    x = curve.values.astype("float32")
    top = _top(curve, target)
    traces: list[dict] = [
        {
            "x": x,
            "y": curve.equation.astype("float32"),
            "mode": "lines",
            "name": "Rate equation",
            "line": {"color": EQUATION, "width": 2.5},
            "hovertemplate": "%{x:.3g}: %{y:.3g} of today's<extra>rate equation</extra>",
        }
    ]
    if not curve.missing:
        traces.append(
            {
                "x": x,
                "y": curve.mechanism.astype("float32"),
                "mode": "lines",
                "name": "Named mechanism",
                "line": {"color": MECHANISM, "dash": "dash", "width": 2.5},
                "hovertemplate": "%{x:.3g}: %{y:.3g} of today's<extra>named mechanism</extra>",
            }
        )
    grey = theme.COLOURS[theme.NONE]
    traces.append(
        {
            "x": [float(x[0]), float(x[-1])],
            "y": [target, target],
            "mode": "lines",
            "name": "Target",
            "line": {"dash": "dashdot", "color": grey, "width": 2},
            "hoverinfo": "skip",
        }
    )
    if float(x[0]) <= now <= float(x[-1]):
        traces.append(
            {
                "x": [now, now],
                "y": [0.0, top],
                "mode": "lines",
                "name": "Today",
                "line": {"dash": "dot", "color": grey, "width": 2},
                "hoverinfo": "skip",
            }
        )
    traces += [_mark(mark) for mark in marks if float(x[0]) <= mark.x <= float(x[-1])]
    layout = {
        "height": 470,
        "legend": _LEGEND,
        "margin": {"l": 10, "r": 10, "t": 64, "b": 140},
        "xaxis": {
            "type": "log",
            "title": {"text": label},
            "fixedrange": True,
            **theme.log_ticks(float(x[0]), float(x[-1])),
        },
        "yaxis": {
            "title": {"text": "Rate over today's"},
            "range": [0, top],
            "fixedrange": True,
        },
    }
    return theme.figure(traces, layout, title=title)


def _top(curve: LeverCurve, target: float) -> float:
    found = np.concatenate([curve.equation, curve.mechanism])
    found = found[np.isfinite(found)]
    largest = float(found.max()) if found.size else 1.0
    return 1.08 * min(max(largest, target, 1.0), 3.0)


def _mark(mark: Mark) -> dict:
    symbol = "diamond" if mark.mechanism else "circle"
    return {
        "x": [mark.x],
        "y": [mark.y],
        "mode": "markers",
        "name": mark.name,
        "marker": {
            "symbol": f"{symbol}-open" if mark.open else symbol,
            "size": 12,
            "color": MECHANISM if mark.mechanism else EQUATION,
            "line": {"width": 2 if mark.open else 1},
        },
        "hovertemplate": "%{x:.4g}<extra>" + mark.name + "</extra>",
    }


def along_alt(curve: LeverCurve, *, label: str, marks: Sequence[Mark]) -> str:
    """Say in words what the curve shows."""
    parts = []
    for k in (0, len(curve.values) // 2, len(curve.values) - 1):
        text = f"at {number(float(curve.values[k]))}: equation {number(float(curve.equation[k]))}"
        if not curve.missing:
            text += f", mechanism {number(float(curve.mechanism[k]))}"
        parts.append(text)
    points = [f"{m.name} at {number(m.x)}" for m in marks if math.isfinite(m.x)]
    return f"Rate over today's against {label}. {'; '.join([*parts, *points])}."


def along_rows(curve: LeverCurve, *, label: str) -> list[dict[str, object]]:
    """Return both answers, one row per value of the lever."""
    out = []
    for k, x in enumerate(curve.values.tolist()):
        line: dict[str, object] = {label: x, "rate equation": float(curve.equation[k])}
        if not curve.missing:
            line["named mechanism"] = float(curve.mechanism[k])
        out.append(line)
    return out


_DESIGNS = (("A", "first", 0), ("B", "second", 1))


def designs(curve: VersusCurve, *, label: str, title: str) -> go.Figure:
    """Draw the effective samples of two designs along one change of both, by both answers.

    Args:
        curve: Both designs along common factors.
        label: Name of the horizontal axis.
        title: The finding.
    """
    x = curve.factors.astype("float32")
    traces: list[dict] = []
    for name, first, number_ in _DESIGNS:
        for suffix, words, colour, dash, symbol in (
            ("", "rate equation", EQUATION, "solid", "circle-open"),
            ("_mechanism", "named mechanism", MECHANISM, "dash", "diamond-open"),
        ):
            y = getattr(curve, f"{first}{suffix}")
            if not np.isfinite(y).any():
                continue
            traces.append(
                {
                    "x": x,
                    "y": y.astype("float32"),
                    "mode": "lines+markers" if number_ else "lines",
                    "name": f"Design {name}, {words}",
                    "line": {"color": colour, "width": 2.5, "dash": dash},
                    "marker": {
                        "symbol": symbol,
                        "size": 9,
                        "color": colour,
                        "maxdisplayed": MOST_MARKS,
                    },
                    "hovertemplate": f"%{{x:.3g}}: %{{y:.3g}}<extra>{name}, {words}</extra>",
                }
            )
    layout = {
        "height": 440,
        "legend": _LEGEND,
        "margin": {"l": 10, "r": 10, "t": 64, "b": 130},
        "xaxis": {
            "type": "log",
            "title": {"text": label},
            "fixedrange": True,
            **theme.log_ticks(float(x[0]), float(x[-1])),
        },
        "yaxis": {
            "type": "log",
            "title": {"text": "Effective records"},
            "fixedrange": True,
            **_log_range(traces),
        },
    }
    return theme.figure(traces, layout, title=title)


def _log_range(traces: Sequence[dict]) -> dict:
    found = np.concatenate([trace["y"] for trace in traces])
    found = found[np.isfinite(found) & (found > 0)]
    low, high = float(found.min()) / 1.3, float(found.max()) * 1.3
    return {"range": [math.log10(low), math.log10(high)], **theme.log_ticks(low, high)}


def designs_alt(curve: VersusCurve, *, label: str) -> str:
    """Say in words what the two designs do."""
    parts = []
    for k in (0, len(curve.factors) // 2, len(curve.factors) - 1):
        a, b = float(curve.first[k]), float(curve.second[k])
        parts.append(
            f"at {number(float(curve.factors[k]))}: equation A {number(a)}, B {number(b)}"
            + (
                f", mechanism A {number(float(curve.first_mechanism[k]))}, "
                f"B {number(float(curve.second_mechanism[k]))}"
                if math.isfinite(float(curve.first_mechanism[k]))
                else ""
            )
        )
    return f"Effective records of two designs against {label}. {'; '.join(parts)}."


def designs_rows(curve: VersusCurve, *, label: str) -> list[dict[str, object]]:
    """Return both designs by both answers, one row per factor."""
    return [
        {
            label: factor,
            "A, rate equation": float(curve.first[k]),
            "B, rate equation": float(curve.second[k]),
            "A, named mechanism": float(curve.first_mechanism[k]),
            "B, named mechanism": float(curve.second_mechanism[k]),
        }
        for k, factor in enumerate(curve.factors.tolist())
    ]
