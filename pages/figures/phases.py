"""The phase map of (4) as exact polygons, and the rate along a cut through it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from pages.figures.chart import number, theme
from rates.phases import Cut, Polygon, Regime

# Privacy and sampling differ by hue and hatch, target and source by depth and mark.
COLOURS = {
    "1": "#9aa3af",
    "Pt": "#b5511b",
    "Ps": "#e79a68",
    "NPt": "#2563a8",
    "NPs": "#86b6e3",
    "public": "#5b9a68",
}
HATCHES = {"Pt": "/", "Ps": "\\", "1": "."}
NAMES = {
    "1": "trivial: rate 1",
    "Pt": f"{theme.TARGET_MARK} Pt: target, privacy binds",
    "NPt": f"{theme.TARGET_MARK} NPt: target, sampling binds",
    "Ps": f"{theme.SOURCE_MARK} Ps: sources, privacy binds",
    "NPs": f"{theme.SOURCE_MARK} NPs: sources, sampling binds",
    "public": "unprotected source",
}
SHORT = {label: text.split(":")[0] for label, text in NAMES.items()}


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of the map."""

    title: str
    log: bool
    low: float
    high: float


def map_figure(
    regions: Mapping[str, Sequence[Polygon]],
    *,
    x: Axis,
    y: Axis,
    here: tuple[float, float],
    title: str,
    wrong: Sequence[Polygon] = (),
    lines: Sequence[tuple[str, float]] = (),
) -> go.Figure:
    """Draw the map, the movable cut and, hatched, where a printed table differs.

    Args:
        regions: Polygons by label.
        x: Horizontal axis.
        y: Vertical axis.
        here: The chosen point.
        title: The finding.
        wrong: Polygons on which the chosen reading of the printed table is wrong.
        lines: Names and positions of the endpoints on the cut through the chosen point.
    """
    traces = [_filled(label, polygons) for label, polygons in regions.items() if polygons]
    if wrong:
        xs, ys = _joined(wrong)
        traces.append(
            {
                "x": xs,
                "y": ys,
                "mode": "lines",
                "line": {"color": "#111111", "width": 1.5, "dash": "dash"},
                "fill": "toself",
                "fillcolor": "rgba(255,255,255,0.35)",
                "fillpattern": {"shape": "x", "fgcolor": "#111111", "size": 9, "solidity": 0.25},
                "name": "printed table differs",
                "hoverinfo": "skip",
            }
        )
    traces += _cross(here, x, y)
    if lines:
        shown = sorted((at, name) for name, at in lines if x.low <= at <= x.high)
        traces.append(
            {
                "x": [at for at, _ in shown],
                "y": [here[1]] * len(shown),
                "mode": "markers+text",
                "text": [name for _, name in shown],
                "textposition": (["top center", "bottom center"] * len(shown))[: len(shown)],
                "marker": {"symbol": "line-ns-open", "size": 12, "color": "#111111"},
                "textfont": {"color": "#111111", "size": 15, "shadow": _HALO},
                "name": "endpoints on the cut",
                "hovertemplate": "%{text} = %{x:.4g}<extra></extra>",
                "showlegend": False,
            }
        )
    layout = {
        "height": 560,
        "xaxis": _axis(x),
        "yaxis": _axis(y),
        "annotations": _labels(regions, x, y),
        "legend": _LEGEND,
        "margin": {"l": 10, "r": 10, "t": 54, "b": 150},
    }
    return theme.figure(traces, layout, title=title)


_LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 0,
    "yref": "container",
    "yanchor": "bottom",
    "traceorder": "normal",
}


_HALO = "1px 1px 2px white, -1px -1px 2px white, 1px -1px 2px white, -1px 1px 2px white"


def _axis(axis: Axis) -> dict:
    ends = [math.log10(axis.low), math.log10(axis.high)] if axis.log else [axis.low, axis.high]
    out: dict = {"title": {"text": axis.title}, "range": ends, "fixedrange": True}
    if axis.log:
        out |= {"type": "log", "dtick": 1, "exponentformat": "power"}
    return out


def _joined(polygons: Sequence[Polygon]) -> tuple[np.ndarray, np.ndarray]:
    """Several polygons as one path with gaps."""
    gap = np.array([np.nan])
    xs = np.concatenate([part for p in polygons for part in (p.x, gap)])
    ys = np.concatenate([part for p in polygons for part in (p.y, gap)])
    return xs[:-1].astype("float32"), ys[:-1].astype("float32")


def _filled(label: str, polygons: Sequence[Polygon]) -> dict:
    xs, ys = _joined(polygons)
    out: dict = {
        "x": xs,
        "y": ys,
        "mode": "lines",
        "line": {"width": 0.8, "color": "white"},
        "fill": "toself",
        "fillcolor": COLOURS[label],
        "name": NAMES[label],
        "hoverinfo": "skip",
    }
    if label in HATCHES:
        out["fillpattern"] = {
            "shape": HATCHES[label],
            "bgcolor": COLOURS[label],
            "fgcolor": "rgba(255,255,255,0.55)",
            "size": 9,
            "solidity": 0.14,
        }
    return out


def _cross(here: tuple[float, float], x: Axis, y: Axis) -> list[dict]:
    line = {"color": "#111111", "width": 1.5, "dash": "dot"}
    return [
        {
            "x": [x.low, x.high],
            "y": [here[1]] * 2,
            "mode": "lines",
            "line": line,
            "hoverinfo": "skip",
            "showlegend": False,
        },
        {
            "x": [min(max(here[0], x.low), x.high)],
            "y": [here[1]],
            "mode": "markers",
            "marker": {
                "symbol": "star",
                "size": 15,
                "color": "#ffd84d",
                "line": {"color": "#111111", "width": 1.5},
            },
            "name": "your point",
            "hovertemplate": "%{x:.3g}, %{y:.3g}<extra>your point</extra>",
        },
    ]


def _labels(regions: Mapping[str, Sequence[Polygon]], x: Axis, y: Axis) -> list[dict]:
    """A name in the widest part of every region that has room for it."""
    out = []
    for label, polygons in regions.items():
        spots = [spot for polygon in polygons if (spot := _spot(polygon, x, y))]
        if not spots:
            continue
        _, at_x, at_y = max(spots)
        out.append(
            {
                "x": at_x,
                "y": at_y,
                "text": f"<b>{SHORT[label]}</b>",
                "showarrow": False,
                "bgcolor": "rgba(255,255,255,0.85)",
                "font": {"color": "#111111", "size": 13},
                "borderpad": 2,
            }
        )
    return out


def _spot(polygon: Polygon, x: Axis, y: Axis) -> tuple[float, float, float] | None:
    """The room, and the axis coordinates, of the middle of a polygon's best row."""
    across = np.log10(polygon.x) if x.log else polygon.x
    up = np.log10(polygon.y) if y.log else polygon.y
    low, high = (math.log10(v) if x.log else v for v in (x.low, x.high))
    bottom, top = (math.log10(v) if y.log else v for v in (y.low, y.high))
    across = np.clip(across, low, high)
    half = (len(across) - 1) // 2
    left, right = across[:half], across[half:-1][::-1]
    rows = up[:half]
    if not len(rows):
        return None
    width = (right - left) / (high - low)
    height = (rows.max() - rows.min()) / (top - bottom)
    k = int(np.argmax(width - 0.3 * np.abs(rows - rows.mean()) / (top - bottom)))
    if width[k] < 0.09 or height < 0.05:
        return None
    return float(width[k] * height), float((left[k] + right[k]) / 2), float(rows[k])


def cut_figure(
    cut: Cut, regimes: Sequence[Regime], *, here: float, title: str, label: str, rates: str
) -> go.Figure:
    """Draw the rate along the cut, by both answers, over a strip that names the phases.

    Args:
        cut: Rates as the budgets are multiplied.
        regimes: The phases on the same budgets.
        here: The budget at factor 1, the chosen point.
        title: The finding.
        label: Name of the horizontal axis.
        rates: Name of the line.
    """
    x = (cut.factors * here).astype("float32")
    traces: list[dict] = []
    if len(cut.mechanism):
        low, high = cut.mechanism.min(axis=0), cut.mechanism.max(axis=0)
        hidden = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
        traces += [
            {"x": x, "y": low.astype("float32"), **hidden},
            {
                "x": x,
                "y": high.astype("float32"),
                "fill": "tonexty",
                "fillcolor": "rgba(209,104,43,0.25)",
                **hidden,
            },
            {
                "x": x,
                "y": cut.mechanism[len(cut.mechanism) // 2].astype("float32"),
                "mode": "lines",
                "name": "Named mechanism (band: its free constant)",
                "line": {"color": "#d1682b", "dash": "dash", "width": 2.5},
                "hovertemplate": "%{x:.3g}: %{y:.3g}<extra>named mechanism</extra>",
            },
        ]
    traces.append(
        {
            "x": x,
            "y": cut.equation.astype("float32"),
            "mode": "lines",
            "name": rates,
            "line": {"color": "#3b82c4", "width": 2.5},
            "hovertemplate": "%{x:.3g}: %{y:.3g}<extra>rate equation</extra>",
        }
    )
    least = min(float(cut.equation.min()), *(float(row.min()) for row in cut.mechanism), 0.5)
    traces.append(
        {
            "x": [here, here],
            "y": [least, 1.0],
            "mode": "lines",
            "name": "your point",
            "line": {"dash": "dot", "color": theme.COLOURS[theme.NONE], "width": 2},
            "hoverinfo": "skip",
        }
    )
    traces += _strip(regimes, float(x[0]), float(x[-1]))
    layout = {
        "height": 460,
        "xaxis": {
            "type": "log",
            "title": {"text": label},
            "fixedrange": True,
            "dtick": 1,
            "exponentformat": "power",
            "anchor": "y2",
        },
        "yaxis": {
            "type": "log",
            "title": {"text": "Rate"},
            "domain": [0.17, 1],
            "fixedrange": True,
            "exponentformat": "power",
        },
        "yaxis2": {"domain": [0, 0.11], "visible": False, "fixedrange": True, "range": [0, 1]},
        "annotations": _strip_labels(regimes, float(x[0]), float(x[-1])),
        "legend": _LEGEND,
        "margin": {"l": 10, "r": 10, "t": 54, "b": 110},
    }
    return theme.figure(traces, layout, title=title)


def _strip(regimes: Sequence[Regime], low: float, high: float) -> list[dict]:
    """The phases of (4) as a band of boxes under the curve."""
    out = []
    for row in regimes:
        lo, hi = max(row.lo, low), min(row.hi, high)
        if lo >= hi:
            continue
        box = Polygon(x=np.array([lo, lo, hi, hi, lo]), y=np.array([0, 1, 1, 0, 0]))
        out.append({**_filled(row.rate, [box]), "yaxis": "y2", "showlegend": False})
    return out


def _strip_labels(regimes: Sequence[Regime], low: float, high: float) -> list[dict]:
    out = []
    whole = math.log10(high / low)
    for row in regimes:
        lo, hi = max(row.lo, low), min(row.hi, high)
        if lo < hi and math.log10(hi / lo) / whole > 0.07:
            out.append(
                {
                    "x": (math.log10(lo) + math.log10(hi)) / 2,
                    "y": 0.5,
                    "yref": "y2",
                    "text": f"<b>{SHORT[row.rate]}</b>",
                    "showarrow": False,
                    "bgcolor": "rgba(255,255,255,0.85)",
                    "font": {"color": "#111111", "size": 12},
                }
            )
    return out


def map_alt(regimes: Sequence[Regime], *, across: str, up: str) -> str:
    """Say in words what the map shows along the cut."""
    return f"Phase map, {across} against {up}. Along the cut: {steps(regimes)}."


def steps(regimes: Sequence[Regime]) -> str:
    """The order of the phases along the cut, in words."""
    return "; ".join(
        f"{NAMES[row.rate].lstrip(theme.TARGET_MARK + theme.SOURCE_MARK + ' ')}"
        f" up to {number(row.hi)}"
        for row in regimes
    )


def map_rows(regions: Mapping[str, Sequence[Polygon]], across: str, up: str) -> list[dict]:
    """The corners of every polygon as rows of a table."""
    return [
        {"label": label, "polygon": k, across: float(a), up: float(b)}
        for label, polygons in regions.items()
        for k, polygon in enumerate(polygons, start=1)
        for a, b in zip(polygon.x.tolist(), polygon.y.tolist(), strict=True)
    ]


def cut_rows(cut: Cut, here: float) -> list[dict]:
    """The curves along the cut as rows of a table."""
    return [
        {"epsilon": e * here, "rate_equation": cut.equation[k].item()}
        | {f"mechanism_{j + 1}": row[k].item() for j, row in enumerate(cut.mechanism)}
        for k, e in enumerate(cut.factors.tolist())
    ]
