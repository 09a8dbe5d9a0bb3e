"""How much detail survives: D or the rate of equal servers, and one server that grows."""

from __future__ import annotations

import math

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray

from pages.figures.chart import number, percent, theme
from rates.resolution import Branch, Curve, Growth

AXES = {
    "budget": "Budget ε of each site",
    "spread": "Sites m, all records fixed",
    "sites": "Sites m, records per site fixed",
    "records": "Records per site n",
    "smoothness": "Smoothness α",
    "roughness": "1/p (0: equally smooth everywhere)",
}
RISKS = {"integrated": "Over the whole curve", "pointwise": "At one point"}
SHORT = {"integrated": "Whole curve", "pointwise": "One point"}
HUES = {"integrated": "#7b4fb5", "pointwise": "#1b8a7a"}
SYMBOLS = {"integrated": "circle", "pointwise": "diamond"}
CONDITIONS = {"(8)": "(8) all private", "(9)": "(9) one decides"}
_LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 0,
    "yref": "container",
    "yanchor": "bottom",
    "traceorder": "normal",
    "entrywidthmode": "fraction",
    "entrywidth": 0.48,
}


def _branches(curve: Curve) -> dict[str, Branch]:
    """The risks that differ: both, or the whole curve alone where p is infinite."""
    same = np.array_equal(curve.integrated.smoothness, curve.pointwise.smoothness)
    both = {"integrated": curve.integrated, "pointwise": curve.pointwise}
    return {"integrated": curve.integrated} if same else both


def _shown(branch: Branch, log_D: NDArray, quantity: str) -> NDArray:
    """D, or the rate that it stands for, capped at 1."""
    if quantity == "D":
        return np.asarray(np.exp(np.clip(log_D, -690.0, 690.0)))
    with np.errstate(invalid="ignore"):
        return np.asarray(np.exp(np.clip(-2.0 * branch.smoothness * log_D, -690.0, 0.0)))


def figure(curve: Curve, *, quantity: str, here: float, title: str) -> go.Figure:
    """Draw D (with its level) or the rate along one quantity, with branches and elbows.

    Args:
        curve: Both risks of equal servers.
        quantity: "D" or "rate".
        here: The study's own value.
        title: The finding.
    """
    risks = _branches(curve)
    ends = np.concatenate([_shown(b, b.log_D, quantity) for b in risks.values()])
    low, high = math.log10(ends.min()), math.log10(ends.max())
    pad = max(0.08 * (high - low), 0.1)
    bounds = [low - pad, high + pad]
    if quantity == "D":  # room for the highest step
        top = float(curve.integrated.level.max()) * math.log10(2.0)
        bounds[1] = max(bounds[1], top + 0.02)
    traces: list[dict] = []
    for risk, branch in risks.items():
        traces += _thin(curve, branch, quantity, first=risk == "integrated")
    if quantity == "D":
        traces.append(_steps(curve))
    for risk, branch in risks.items():
        traces.append(_main(curve, branch, quantity, risk, alone=len(risks) == 1))
    traces += _elbows(curve, risks, quantity)
    if curve.x[0] <= here <= curve.x[-1]:
        traces.append(
            {
                "x": [here, here],
                "y": [10 ** bounds[0], 10 ** bounds[1]],
                "mode": "lines",
                "name": "This design",
                "line": {"dash": "dot", "color": theme.COLOURS[theme.NONE], "width": 2},
                "hoverinfo": "skip",
            }
        )
    return theme.figure(traces, _layout(curve, quantity, bounds, traces), title=title)


def _main(curve: Curve, branch: Branch, quantity: str, risk: str, *, alone: bool) -> dict:
    name = "Both errors" if alone else SHORT[risk]
    return {
        "x": curve.x,
        "y": _shown(branch, branch.log_D, quantity),
        "mode": "lines+markers",
        "name": name,
        "customdata": branch.level,
        "line": {"color": HUES[risk], "width": 3},
        "marker": {"symbol": SYMBOLS[risk], "size": 7, "maxdisplayed": 9},
        "hovertemplate": "%{x:.3g}: %{y:.3g}, level %{customdata:.0f}<extra>" + name + "</extra>",
    }


def _thin(curve: Curve, branch: Branch, quantity: str, *, first: bool) -> list[dict]:
    """Both branches as they would go on alone; the rate follows the smaller D."""
    out = []
    for log_D, name, limit, dash in (
        (branch.log_private, "Privacy alone", theme.PRIVACY, "dash"),
        (branch.log_free, "Sampling alone", theme.SAMPLE, "dashdot"),
    ):
        if np.isfinite(log_D).all():
            out.append(
                {
                    "x": curve.x,
                    "y": _shown(branch, log_D, quantity),
                    "mode": "lines",
                    "name": name,
                    "legendgroup": name,
                    "showlegend": first,
                    "line": {"color": theme.COLOURS[limit], "dash": dash, "width": 1.5},
                    "hoverinfo": "skip",
                }
            )
    return out


def _steps(curve: Curve) -> dict:
    """The level of the whole curve, on the right axis."""
    return {
        "x": curve.x,
        "y": curve.integrated.level,
        "yaxis": "y2",
        "mode": "lines",
        "name": "Level, curve",
        "line": {"color": theme.COLOURS[theme.NONE], "width": 1.5, "shape": "hv"},
        "hovertemplate": "%{x:.3g}: level %{y:.0f}<extra></extra>",
    }


def _elbows(curve: Curve, risks: dict[str, Branch], quantity: str) -> list[dict]:
    out = []
    for risk, branch in risks.items():
        if not curve.x[0] <= branch.elbow <= curve.x[-1]:  # also where it is nan
            continue
        y = float(np.interp(branch.elbow, curve.x, _shown(branch, branch.log_D, quantity)))
        out.append(
            {
                "x": [branch.elbow],
                "y": [y],
                "mode": "markers",
                "name": "Elbow",
                "legendgroup": "elbow",
                "showlegend": not out,
                "marker": {
                    "symbol": f"{SYMBOLS[risk]}-open",
                    "size": 15,
                    "color": HUES[risk],
                    "line": {"width": 2.5},
                },
                "hovertemplate": f"%{{x:.4g}}<extra>elbow, {RISKS[risk].lower()}</extra>",
            }
        )
    return out


def _layout(curve: Curve, quantity: str, bounds: list[float], traces: list[dict]) -> dict:
    rows = math.ceil(sum(t.get("showlegend", True) for t in traces) / 2)
    x: dict = {"title": {"text": AXES[curve.axis], "standoff": 8}, "fixedrange": True}
    if curve.axis not in ("smoothness", "roughness"):
        x |= {"type": "log", **theme.log_ticks(float(curve.x[0]), float(curve.x[-1]))}
    name = "Functions recovered, D" if quantity == "D" else "Rate, up to constants"
    layout: dict = {
        "height": 440 + 20 * rows,
        "legend": _LEGEND,
        "margin": {"l": 10, "r": 10, "t": 56, "b": 64 + 20 * rows},
        "xaxis": x,
        "yaxis": {
            "type": "log",
            "title": {"text": name},
            "range": bounds,
            "fixedrange": True,
            **theme.log_ticks(10 ** bounds[0], 10 ** bounds[1]),
        },
    }
    if quantity == "D":
        bits = [b / math.log10(2.0) for b in bounds]
        layout["yaxis2"] = {
            "overlaying": "y",
            "side": "right",
            "title": {"text": "Level, log₂ D rounded up"},
            "range": bits,
            "dtick": max(1, round((bits[1] - bits[0]) / 8)),
            "showgrid": False,
            "fixedrange": True,
        }
    return layout


def title(curve: Curve, *, quantity: str) -> str:
    """The finding: whether the curve has an elbow in the range shown."""
    what = "D" if quantity == "D" else "The rate"
    ends = (b.elbow for b in _branches(curve).values())
    if any(curve.x[0] <= elbow <= curve.x[-1] for elbow in ends):
        return f"{what} bends where privacy meets sampling"
    return f"{what} where one limit binds throughout"


def alt(curve: Curve, *, quantity: str) -> str:
    """Say in words what the chart shows."""
    what = "D" if quantity == "D" else "Rate"
    parts = []
    for risk, branch in _branches(curve).items():
        y = _shown(branch, branch.log_D, quantity)
        picks = (0, len(y) // 2, len(y) - 1)
        at = ", ".join(f"{number(float(y[k]))} at {number(float(curve.x[k]))}" for k in picks)
        elbow = "" if math.isnan(branch.elbow) else f", elbow at {number(branch.elbow)}"
        parts.append(f"{RISKS[risk].lower()} {at}{elbow}")
    return f"{what} against {AXES[curve.axis]}: {'; '.join(parts)}."


def csv_rows(curve: Curve) -> list[dict[str, object]]:
    """Return the plotted numbers, one row per point of the curve."""
    columns: dict[str, NDArray] = {curve.axis: curve.x}
    for risk in RISKS:
        branch = getattr(curve, risk)
        columns |= {
            f"D, {risk}": np.exp(branch.log_D),
            f"level, {risk}": branch.level,
            f"rate, {risk}": _shown(branch, branch.log_D, "rate"),
            f"D by privacy alone, {risk}": np.exp(np.minimum(branch.log_private, 690.0)),
            f"D by sampling alone, {risk}": np.exp(branch.log_free),
        }
    return _rows(columns)


def _rows(columns: dict[str, NDArray]) -> list[dict[str, object]]:
    lists = {name: values.tolist() for name, values in columns.items()}
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]


def growth_figure(result: Growth, *, here: float, title: str) -> go.Figure:
    """Draw D while one server takes over the others' records, and where (8) and (9) hold.

    Args:
        result: D of both risks and the spans of both conditions.
        here: The part that has moved.
        title: The finding.
    """
    same = np.array_equal(result.integrated, result.pointwise)
    risks = ["integrated"] if same else ["integrated", "pointwise"]
    logs = np.concatenate([getattr(result, risk) for risk in risks])
    low, high = logs.min() / math.log(10.0), logs.max() / math.log(10.0)
    pad = max(0.08 * (high - low), 0.02)
    bounds = [low - pad, high + pad]
    traces: list[dict] = []
    for risk in risks:
        name = "Both errors" if same else SHORT[risk]
        traces.append(
            {
                "x": result.moved,
                "y": np.exp(getattr(result, risk)),
                "mode": "lines+markers",
                "name": name,
                "line": {"color": HUES[risk], "width": 3},
                "marker": {"symbol": SYMBOLS[risk], "size": 7, "maxdisplayed": 9},
                "hovertemplate": "%{x:.1%} moved: D = %{y:.3g}<extra>" + name + "</extra>",
            }
        )
    traces += _bars(result, risks)
    traces.append(
        {
            "x": [here, here],
            "y": [10 ** bounds[0], 10 ** bounds[1]],
            "mode": "lines",
            "name": "This design",
            "line": {"dash": "dot", "color": theme.COLOURS[theme.NONE], "width": 2},
            "hoverinfo": "skip",
        }
    )
    ticks = [_bar_name(which, risk, same) for which in CONDITIONS for risk in risks]
    rows = math.ceil(sum(t.get("showlegend", True) for t in traces) / 2)
    layout = {
        "height": 440 + 24 * len(ticks) + 20 * rows,
        "legend": _LEGEND,
        "margin": {"l": 10, "r": 10, "t": 56, "b": 64 + 20 * rows},
        "xaxis": {
            "title": {"text": "Part of the others' records moved to one site", "standoff": 8},
            "tickformat": ".0%",
            "range": [-0.02, 1.02],
            "anchor": "y2",
            "fixedrange": True,
        },
        "yaxis": {
            "type": "log",
            "domain": [0.42, 1.0],
            "title": {"text": "Functions, D"},
            "range": bounds,
            "fixedrange": True,
            **theme.log_ticks(10 ** bounds[0], 10 ** bounds[1]),
        },
        "yaxis2": {
            "domain": [0.0, 0.34],
            "categoryorder": "array",
            "categoryarray": ticks[::-1],
            "range": [-0.6, len(ticks) - 0.4],
            "automargin": True,
            "fixedrange": True,
        },
    }
    return theme.figure(traces, layout, title=title)


def _bar_name(which: str, risk: str, same: bool) -> str:
    return which if same else f"{which} {'curve' if risk == 'integrated' else 'point'}"


def _bars(result: Growth, risks: list[str]) -> list[dict]:
    """Where each condition holds, as bars with one look per condition."""
    looks = {"(8)": theme.PRIVACY, "(9)": theme.MIXED}
    out = []
    for which, look in looks.items():
        mine = [s for s in result.spans if s.condition == which and s.risk in risks]
        names = [_bar_name(which, s.risk, len(risks) == 1) for s in mine]
        if not mine:  # keeps the row, empty
            mine_x, base = [None], [0.0]
            names = [_bar_name(which, risks[0], len(risks) == 1)]
        else:
            mine_x, base = [s.high - s.low for s in mine], [s.low for s in mine]
        out.append(
            {
                "type": "bar",
                "orientation": "h",
                "yaxis": "y2",
                "y": names,
                "x": mine_x,
                "base": base,
                "customdata": [[s.low, s.high] for s in mine],
                "name": CONDITIONS[which],
                "marker": {
                    "color": theme.COLOURS[look],
                    "pattern": {
                        "shape": theme.HATCHES[look],
                        "bgcolor": theme.COLOURS[look],
                        "fgcolor": "rgba(255,255,255,0.75)",
                        "size": 7,
                        "solidity": 0.2,
                    },
                },
                "hovertemplate": f"{which} holds from %{{customdata[0]:.1%}} to "
                "%{customdata[1]:.1%}<extra></extra>",
            }
        )
    return out


def growth_alt(result: Growth) -> str:
    """Say in words what the chart shows."""
    parts = []
    for risk, name in RISKS.items():
        D = np.exp(getattr(result, risk))
        parts.append(f"{name.lower()} from {number(float(D[0]))} to {number(float(D[-1]))}")
    spans = [
        f"{s.condition} {RISKS[s.risk].lower()} from {percent(s.low)} to {percent(s.high)}"
        for s in result.spans
    ]
    return (
        f"D as one site takes over the others' records: {'; '.join(parts)}. "
        f"Conditions hold: {'; '.join(spans) or 'neither anywhere'}."
    )


def growth_rows(result: Growth) -> list[dict[str, object]]:
    """Return the plotted numbers, one row per point."""
    return _rows(
        {
            "moved": result.moved,
            "D, integrated": np.exp(result.integrated),
            "D, pointwise": np.exp(result.pointwise),
        }
    )
