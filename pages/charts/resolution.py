"""How much detail survives: D or the rate of equal servers, and one server that grows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import theme, words
from rates.maps import Branch, Curve, Growth

AXES = {
    "budget": "Budget ε of each site",
    "spread": "Sites m, all records fixed",
    "sites": "Sites m, records per site fixed",
    "records": "Records per site n",
    "smoothness": "Smoothness α",
    "roughness": "1/p (0: equally smooth everywhere)",
}
_LOOKS = {  # name, colour, symbol
    "integrated": ("Whole curve", theme.COLOURS[theme.BIAS], "circle"),
    "pointwise": ("One point", theme.COLOURS[theme.UNLIKE], "diamond"),
}
CONDITIONS = {"(8)": "(8) all private", "(9)": "(9) one decides"}


def _branches(curve: Curve) -> dict[str, Branch]:
    """The risks that differ: both, or the whole curve alone where p is infinite."""
    same = np.array_equal(curve.integrated.smoothness, curve.pointwise.smoothness)
    return {risk: getattr(curve, risk) for risk in list(_LOOKS)[: 1 if same else 2]}


def _shown(branch: Branch, log_D: NDArray, quantity: str) -> NDArray:
    """D, or the rate that it stands for, capped at 1."""
    if quantity == "D":
        return np.asarray(np.exp(np.clip(log_D, -690.0, 690.0)))
    with np.errstate(invalid="ignore"):
        return np.asarray(np.exp(np.clip(-2.0 * (branch.smoothness * log_D), -690.0, 0.0)))


def curve_figure(curve: Curve, *, quantity: str, here: float, caption: str) -> charts.Figure:
    """Return D or the rate along one quantity, with branches and elbows.

    Args:
        curve: Both risks of equal servers.
        quantity: "D" or "rate".
        here: The study's own value.
        caption: Below the figure.
    """
    risks, x = _branches(curve), curve.x
    shown = {risk: _shown(b, b.log_D, quantity) for risk, b in risks.items()}
    rise = charts.around(np.concatenate(list(shown.values())).tolist(), 1.3)
    marks: list[charts.Curve] = []
    for risk, branch in risks.items():
        marks += _thin(curve, branch, quantity, first=risk == "integrated")
    for risk, y in shown.items():
        told = {"data": risks[risk].level, "hover": "%{x:.3g}: %{y:.3g}, level %{customdata:.0f}"}
        marks.append(_main(x, y, risk, alone=len(risks) == 1, **told))
    elbows = [
        _elbow(x, y, risk, elbow)
        for risk, y in shown.items()
        if x[0] <= (elbow := risks[risk].elbow) <= x[-1]  # nowhere if it is nan
    ]
    marks += [*elbows[:1], *(replace(elbow, listed=False) for elbow in elbows[1:])]
    if x[0] <= here <= x[-1]:
        marks.append(charts.line([here, here], rise, "This design", dash="dot"))
    across: charts.Fields = {"title": AXES[curve.axis], "fixed": True}
    plain = curve.axis in ("smoothness", "roughness")
    ends, what, name = (float(x[0]), float(x[-1])), "The rate", "Rate, up to constants"
    if quantity == "D":
        what, name = "D", "Functions recovered, D"
    return charts.plot(
        marks,
        charts.Axis(**across) if plain else charts.log_axis(ends=ends, fit=True, **across),
        charts.log_axis(name, rise, fixed=True),
        title=f"{what} bends where privacy meets sampling"
        if elbows
        else f"{what} where one limit binds throughout",
        **_room(440, marks),
        name="resolution",
        caption=caption,
    )


def _room(height: float, marks: Sequence[charts.Mark]) -> dict[str, Any]:
    more = 20 * math.ceil(charts.entries(marks) / 2)
    return charts.room(height, 64, 56, charts.COLUMNS, more=more)


def _main(x: NDArray, y: NDArray, risk: str, *, alone: bool, **more: Any) -> charts.Curve:
    name, colour, symbol = _LOOKS[risk]
    marked = charts.Dots(symbol=symbol, size=7, most=9)
    return charts.line(x, y, "Both errors" if alone else name, colour, width=3, dots=marked, **more)


def _elbow(x: NDArray, y: NDArray, risk: str, at: float) -> charts.Curve:
    _, colour, symbol = _LOOKS[risk]
    more: charts.Fields = {"group": "elbow", "edge": charts.Stroke(width=2.5)}
    more |= {"hover": "%{x:.4g}", "extra": f"elbow, {words.RISKS[risk].lower()}"}
    height = float(np.interp(at, x, y))
    return charts.dots([at], [height], "Elbow", f"{symbol}-open", 15, colour, **more)


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


def growth_figure(result: Growth, *, here: float) -> charts.Figure:
    """Return D while one server takes over the others' records, and where (8) and (9) hold.

    Args:
        result: D of both risks and the spans of both conditions.
        here: The part that has moved.
    """
    same = np.array_equal(result.integrated, result.pointwise)
    shown = {risk: np.exp(getattr(result, risk)) for risk in list(_LOOKS)[: 1 if same else 2]}
    rise = charts.around(np.concatenate(list(shown.values())).tolist(), 1.1)
    marks: list[charts.Mark] = [
        _main(result.moved, D, risk, alone=same, hover="%{x:.1%} moved: D = %{y:.3g}")
        for risk, D in shown.items()
    ]
    ticks: list[str] = []
    for which, limit in zip(CONDITIONS, (theme.PRIVACY, theme.MIXED), strict=True):
        rows = {
            risk: which if same else f"{which} {'curve' if risk == 'integrated' else 'point'}"
            for risk in shown
        }
        ticks += rows.values()
        mine = [s for s in result.spans if s.condition == which and s.risk in rows]
        hover = f"{which} holds from %{{customdata[0]:.1%}} to %{{customdata[1]:.1%}}"
        more: charts.Fields = {"base": [s.low for s in mine] or [0.0], "extra": "", "hover": hover}
        more["data"] = [[s.low, s.high] for s in mine]
        wide: charts.Values = [s.high - s.low for s in mine] or [None]  # the row stays, empty
        there = [rows[s.risk] for s in mine] or [ticks[-1]]
        marks.append(charts.caused(limit, CONDITIONS[which], wide, there, y_axis=2, **more))
    marks.append(charts.line([here, here], rise, "This design", dash="dot"))
    title = "Part of the others' records moved to one site"
    return charts.plot(
        marks,
        charts.Axis(title=title, span=(-0.02, 1.02), share=True, beside=2, fixed=True),
        [
            charts.log_axis("Functions, D", rise, part=(0.42, 1.0), fixed=True),
            charts.named(ticks, part=(0.0, 0.34), span=(-0.6, len(ticks) - 0.4)),
        ],
        title="From all alike to one dominating site",
        **_room(440 + 24 * len(ticks), marks),
        name="alike-or-dominating",
        caption="Bars: where condition (8), for Corollary 3, or (9), for Corollary 4, holds. Where "
        "a bar of (8) ends, sampling starts to bind the large site.",
    )
