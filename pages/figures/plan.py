"""The rate along a lever, and two designs along their budgets: both answers on one figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pages.figures import chart
from pages.figures.budget import equation
from pages.figures.chart import number
from rates.plan import LeverCurve, VersusCurve

POINTS = 121
MOST_MARKS = 12


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
    where: str,
    title: str,
    target: float,
    now: float,
    marks: Sequence[Mark],
    caption: str,
) -> chart.Drawn:
    """Return the rate over today's along a lever, by both answers.

    Args:
        curve: Both answers on a grid.
        label: Name of the horizontal axis.
        title: The finding.
        target: The rate wanted, over today's.
        now: The lever today; nan for a common value of rows that differ.
        marks: Points where the target is met, and where the lever stops mattering.
        where: Of which site the lever is, after its name on the axis.
        caption: Below the figure.
    """
    x = curve.values.astype("float32")
    ends, top = (float(x[0]), float(x[-1])), _top(curve, target)
    hover = "%{x:.3g}: %{y:.3g} of today's"
    drawn = [equation(x, curve.equation, hover)]
    if not curve.missing:
        y = curve.mechanism.astype("float32")
        look = {"hover": hover, "extra": "named mechanism"}
        drawn.append(chart.line(x, y, "Named mechanism", chart.MECHANISM, "dash", 2.5, **look))
    drawn.append(chart.line(ends, [target, target], "Target", dash="dashdot"))
    if ends[0] <= now <= ends[1]:
        drawn.append(chart.line([now, now], [0.0, top], "Today", dash="dot"))
    drawn += [_dot(mark) for mark in marks if ends[0] <= mark.x <= ends[1]]
    figure = chart.Chart(
        marks=drawn,
        title=title,
        head=64,
        height=470,
        legend=chart.LOOSE,
        foot=140,
        x=chart.log_axis(f"{label}{where}", ends, fit=True, fixed=True),
        y=chart.Axis(title="Rate over today's", span=(0, top), fixed=True),
    )
    columns = {label: curve.values, "rate equation": curve.equation}
    if not curve.missing:
        columns["named mechanism"] = curve.mechanism
    return chart.Drawn(
        figure=figure,
        alt=_told(curve, label, marks),
        rows=chart.rows_of(columns),
        name="lever",
        caption=caption,
    )


def _top(curve: LeverCurve, target: float) -> float:
    found = np.concatenate([curve.equation, curve.mechanism])
    found = found[np.isfinite(found)]
    largest = float(found.max()) if found.size else 1.0
    return 1.08 * min(max(largest, target, 1.0), 3.0)


def _dot(mark: Mark) -> chart.Curve:
    symbol = "diamond" if mark.mechanism else "circle"
    return chart.dots(
        [mark.x],
        [mark.y],
        mark.name,
        f"{symbol}-open" if mark.open else symbol,
        12,
        chart.MECHANISM if mark.mechanism else chart.EQUATION,
        chart.Stroke(width=2 if mark.open else 1),
        hover="%{x:.4g}",
    )


def _told(curve: LeverCurve, label: str, marks: Sequence[Mark]) -> str:
    parts = []
    for k in (0, len(curve.values) // 2, len(curve.values) - 1):
        text = f"at {number(curve.values[k])}: equation {number(curve.equation[k])}"
        if not curve.missing:
            text += f", mechanism {number(curve.mechanism[k])}"
        parts.append(text)
    points = [f"{m.name} at {number(m.x)}" for m in marks if math.isfinite(m.x)]
    return f"Rate over today's against {label}. {'; '.join([*parts, *points])}."


_DESIGNS = (("A", "first", False), ("B", "second", True))


def designs(curve: VersusCurve, *, label: str, title: str, caption: str) -> chart.Drawn:
    """Return the effective samples of two designs along one change of both, by both answers.

    Args:
        curve: Both designs along common factors.
        label: Name of the horizontal axis.
        title: The finding.
        caption: Below the figure.
    """
    x = curve.factors.astype("float32")
    marks: list[chart.Curve] = []
    seen: list[NDArray] = []
    for name, first, marked in _DESIGNS:
        for suffix, words, colour, dash, symbol in (
            ("", "rate equation", chart.EQUATION, "solid", "circle-open"),
            ("_mechanism", "named mechanism", chart.MECHANISM, "dash", "diamond-open"),
        ):
            y = getattr(curve, f"{first}{suffix}").astype("float32")
            if not np.isfinite(y).any():
                continue
            seen.append(y)
            told = {"hover": "%{x:.3g}: %{y:.3g}", "extra": f"{name}, {words}"}
            dots = chart.Dots(symbol=symbol, size=9, colour=colour, most=MOST_MARKS, shown=marked)
            named = f"Design {name}, {words}"
            marks.append(chart.line(x, y, named, colour, dash, 2.5, dots=dots, **told))
    found = np.concatenate(seen)
    found = found[np.isfinite(found) & (found > 0)]
    figure = chart.Chart(
        marks=marks,
        title=title,
        head=64,
        height=440,
        legend=chart.LOOSE,
        foot=130,
        x=chart.log_axis(label, (float(x[0]), float(x[-1])), fit=True, fixed=True),
        y=chart.log_axis("Effective records", chart.around(found.tolist(), 1.3), fixed=True),
    )
    parts = []
    for k in (0, len(curve.factors) // 2, len(curve.factors) - 1):
        text = f"at {number(curve.factors[k])}: equation {_both(curve.first[k], curve.second[k])}"
        if math.isfinite(curve.first_mechanism[k]):
            text += f", mechanism {_both(curve.first_mechanism[k], curve.second_mechanism[k])}"
        parts.append(text)
    columns = {
        label: curve.factors,
        "A, rate equation": curve.first,
        "B, rate equation": curve.second,
        "A, named mechanism": curve.first_mechanism,
        "B, named mechanism": curve.second_mechanism,
    }
    return chart.Drawn(
        figure=figure,
        alt=f"Effective records of two designs against {label}. {'; '.join(parts)}.",
        rows=chart.rows_of(columns),
        name="designs",
        caption=caption,
    )


def _both(first: float, second: float) -> str:
    return f"A {number(first)}, B {number(second)}"
