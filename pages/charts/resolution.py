"""How much detail survives: D or the rate of equal servers, and one server that grows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import theme, words
from rates.resolution import Branch, Curve, Growth

AXES = {
    "budget": "Budget ε of each site",
    "spread": "Sites m, all records fixed",
    "sites": "Sites m, records per site fixed",
    "records": "Records per site n",
    "smoothness": "Smoothness α",
    "roughness": "1/p (0: equally smooth everywhere)",
}
SHORT = {"integrated": "Whole curve", "pointwise": "One point"}
HUES = {"integrated": theme.COLOURS[theme.BIAS], "pointwise": theme.COLOURS[theme.UNLIKE]}
SYMBOLS = {"integrated": "circle", "pointwise": "diamond"}
CONDITIONS = {"(8)": "(8) all private", "(9)": "(9) one decides"}


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
        return np.asarray(np.exp(np.clip(-2.0 * (branch.smoothness * log_D), -690.0, 0.0)))


def curve_figure(curve: Curve, *, quantity: str, here: float, caption: str) -> charts.Figure:
    """Return D (with its level) or the rate along one quantity, with branches and elbows.

    Args:
        curve: Both risks of equal servers.
        quantity: "D" or "rate".
        here: The study's own value.
        caption: Below the figure.
    """
    risks = _branches(curve)
    shown = {risk: _shown(b, b.log_D, quantity) for risk, b in risks.items()}
    bounds = _bounds(np.concatenate([np.log10(y) for y in shown.values()]), 0.1)
    level = curve.integrated.level
    if quantity == "D":  # room for the highest step
        bounds = (bounds[0], max(bounds[1], float(level.max()) * math.log10(2.0) + 0.02))
    marks: list[charts.Curve] = []
    for risk, branch in risks.items():
        marks += _thin(curve, branch, quantity, first=risk == "integrated")
    up = [_height("Functions recovered, D" if quantity == "D" else "Rate, up to constants", bounds)]
    if quantity == "D":
        look: charts.Fields = {"stroke": charts.Stroke(charts.GREY, 1.5, steps="hv"), "y_axis": 2}
        look |= {"hover": "%{x:.3g}: level %{y:.0f}", "extra": ""}
        marks.append(charts.Curve(x=curve.x, y=level, name="Level, curve", **look))
        bits = (bounds[0] / math.log10(2.0), bounds[1] / math.log10(2.0))
        more: charts.Fields = {"span": bits, "step": max(1, round((bits[1] - bits[0]) / 8))}
        title = "Level, log₂ D rounded up"
        up.append(charts.Axis(over=True, title=title, grid=False, fixed=True, **more))
    for risk, y in shown.items():
        more = {"data": risks[risk].level, "hover": "%{x:.3g}: %{y:.3g}, level %{customdata:.0f}"}
        marks.append(_main(curve.x, y, risk, alone=len(risks) == 1, **more))
    marks += _elbows(curve, shown)
    if curve.x[0] <= here <= curve.x[-1]:
        marks.append(_here(here, bounds))
    across: charts.Fields = {"title": AXES[curve.axis], "standoff": 8, "fixed": True}
    plain = curve.axis in ("smoothness", "roughness")
    ends = (float(curve.x[0]), float(curve.x[-1]))
    return charts.plot(
        marks,
        charts.Axis(**across) if plain else charts.log_axis(ends=ends, fit=True, **across),
        up,
        title=_title(curve, quantity),
        **_room(440, marks),
        name="resolution",
        caption=caption,
    )


def _room(height: float, marks: Sequence[charts.Mark]) -> dict[str, Any]:
    more = 20 * math.ceil(charts.entries(marks) / 2)
    return charts.room(height, 64, 56, charts.Legend(), more=more)


def _bounds(logs: NDArray, least: float) -> tuple[float, float]:
    """The ends of a log axis around values, with some room."""
    low, high = float(logs.min()), float(logs.max())
    pad = max(0.08 * (high - low), least)
    return low - pad, high + pad


def _height(name: str, bounds: tuple[float, float], **more: Any) -> charts.Axis:
    ends = (10 ** bounds[0], 10 ** bounds[1])
    return charts.log_axis(name, ends, span=bounds, fixed=True, **more)


def _here(here: float, bounds: tuple[float, float]) -> charts.Curve:
    return charts.line([here, here], [10 ** bounds[0], 10 ** bounds[1]], "This design", dash="dot")


def _main(x: NDArray, y: NDArray, risk: str, *, alone: bool, **more: Any) -> charts.Curve:
    name = "Both errors" if alone else SHORT[risk]
    marked = charts.Dots(symbol=SYMBOLS[risk], size=7, most=9)
    return charts.line(x, y, name, HUES[risk], width=3, dots=marked, **more)


def _thin(curve: Curve, branch: Branch, quantity: str, *, first: bool) -> Iterator[charts.Curve]:
    """Both branches as they would go on alone; the rate follows the smaller D."""
    for log_D, name, limit, dash in (
        (branch.log_private, "Privacy alone", theme.PRIVACY, "dash"),
        (branch.log_free, "Sampling alone", theme.SAMPLE, "dashdot"),
    ):
        if np.isfinite(log_D).all():
            more: charts.Fields = {"group": name, "listed": first, "hover": "%{x:.3g}: %{y:.3g}"}
            y = _shown(branch, log_D, quantity)
            yield charts.line(curve.x, y, name, theme.COLOURS[limit], dash, 1.5, **more)


def _elbows(curve: Curve, shown: Mapping[str, NDArray]) -> list[charts.Curve]:
    out: list[charts.Curve] = []
    for risk, y in shown.items():
        elbow = getattr(curve, risk).elbow
        if curve.x[0] <= elbow <= curve.x[-1]:  # nowhere if it is nan
            more: charts.Fields = {"group": "elbow", "listed": not out, "hover": "%{x:.4g}"}
            more["extra"] = f"elbow, {words.RISKS[risk].lower()}"
            more["edge"] = charts.Stroke(width=2.5)
            height, symbol = float(np.interp(elbow, curve.x, y)), f"{SYMBOLS[risk]}-open"
            out.append(charts.dots([elbow], [height], "Elbow", symbol, 15, HUES[risk], **more))
    return out


def _title(curve: Curve, quantity: str) -> str:
    """The finding: whether the curve has an elbow in the range shown."""
    what = "D" if quantity == "D" else "The rate"
    ends = (b.elbow for b in _branches(curve).values())
    if any(curve.x[0] <= elbow <= curve.x[-1] for elbow in ends):
        return f"{what} bends where privacy meets sampling"
    return f"{what} where one limit binds throughout"


def growth_figure(result: Growth, *, here: float) -> charts.Figure:
    """Return D while one server takes over the others' records, and where (8) and (9) hold.

    Args:
        result: D of both risks and the spans of both conditions.
        here: The part that has moved.
    """
    same = np.array_equal(result.integrated, result.pointwise)
    risks = ["integrated"] if same else ["integrated", "pointwise"]
    logs = [getattr(result, risk) for risk in risks]
    bounds = _bounds(np.concatenate(logs) / math.log(10.0), 0.02)
    hover = "%{x:.1%} moved: D = %{y:.3g}"
    marks: list[charts.Mark] = [
        _main(result.moved, np.exp(log_D), risk, alone=same, hover=hover)
        for risk, log_D in zip(risks, logs, strict=True)
    ]
    marks += [_spans(result, which, risks) for which in CONDITIONS]
    marks.append(_here(here, bounds))
    ticks = [_bar_name(which, risk, same) for which in CONDITIONS for risk in risks]
    across: charts.Fields = {"standoff": 8, "share": True, "beside": 2, "fixed": True}
    title = "Part of the others' records moved to one site"
    return charts.plot(
        marks,
        charts.Axis(title=title, span=(-0.02, 1.02), **across),
        [
            _height("Functions, D", bounds, part=(0.42, 1.0)),
            charts.named(ticks, part=(0.0, 0.34), span=(-0.6, len(ticks) - 0.4)),
        ],
        title="From all alike to one dominating site",
        **_room(440 + 24 * len(ticks), marks),
        name="alike-or-dominating",
        caption="Bars: where condition (8), for Corollary 3, or (9), for Corollary 4, holds. Where "
        "neither does, the rate equation answers all the same. Where a bar of (8) "
        "ends, sampling starts to bind the large site.",
    )


def _bar_name(which: str, risk: str, same: bool) -> str:
    return which if same else f"{which} {'curve' if risk == 'integrated' else 'point'}"


def _spans(result: Growth, which: str, risks: list[str]) -> charts.Bars:
    """Where a condition holds, as bars in its look; without one the row stays, empty."""
    limit = theme.PRIVACY if which == "(8)" else theme.MIXED
    mine = [s for s in result.spans if s.condition == which and s.risk in risks]
    return charts.caused(
        limit,
        CONDITIONS[which],
        [s.high - s.low for s in mine] or [None],
        [_bar_name(which, risk, len(risks) == 1) for risk in [s.risk for s in mine] or risks[:1]],
        y_axis=2,
        base=[s.low for s in mine] or [0.0],
        data=[[s.low, s.high] for s in mine],
        hover=f"{which} holds from %{{customdata[0]:.1%}} to %{{customdata[1]:.1%}}",
        extra="",
    )
