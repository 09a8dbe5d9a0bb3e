"""The rate along a lever, and two designs along their budgets: both answers on one figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts.budget import equation, mechanism
from pages.charts.words import number
from rates.plan import LeverCurve, ScaleCurve, SiteValue, VersusCurve
from rates.split import Frontier

POINTS = 121
MOST_MARKS = 12
MOST_SITES = 16
VALUES = (
    "What is left of the effective sample without a site, and what it becomes with one more site "
    "like it. A row with a count is left out as a whole, and one site of its kind is added."
)


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


def grid(low: float, high: float, points: int = POINTS) -> NDArray[np.float64]:
    """Return values of a lever on a log scale."""
    return np.geomspace(low, high, points)


def grown(
    curve: ScaleCurve,
    *,
    label: str,
    title: str,
    enough: Sequence[float],
    by_equation: float,
    needed: float | None,
    caption: str,
) -> charts.Figure:
    """Return what a study is worth along one factor on what all of its rows have.

    Args:
        curve: Both answers on a grid of factors.
        label: Name of the horizontal axis.
        title: The finding.
        enough: Factors from which on the mechanism reaches the goal, over its constants.
        by_equation: The same by the rate equation; not drawn where it is 1 or not finite.
        needed: Effective records that are aimed at; None where that depends on the answer.
        caption: Below the figure.
    """
    x = curve.factors.astype("float32")
    ends = (float(x[0]), float(x[-1]))
    seen = [float(v) for v in (*curve.equation, *curve.mechanism.ravel()) if 0 < v < math.inf]
    span = charts.around([*seen, *([needed] if needed else [])], 1.3)
    hover = "%{x:.3g}: %{y:.3g}"
    marks: list[charts.Mark] = [*mechanism(x, curve.mechanism, hover)]
    marks.append(equation(x, curve.equation, hover))
    columns = {label: curve.factors, "rate equation": curve.equation}
    if len(curve.mechanism):
        low, high = curve.mechanism.min(axis=0), curve.mechanism.max(axis=0)
        columns |= {"mechanism, lowest": low, "mechanism, highest": high}
    marks.append(charts.line([1.0, 1.0], span, "Today", dash="dot"))
    for k, at in enumerate(f for f in enough if ends[0] <= f <= ends[1] and f != 1.0):
        shown = {"listed": k == 0}
        marks.append(
            charts.line([at, at], span, "Enough, mechanism", charts.MECHANISM, "dashdot", **shown)
        )
    if 1.0 < by_equation <= ends[1]:
        at = by_equation
        marks.append(charts.line([at, at], span, "Enough, equation", charts.EQUATION, "dashdot"))
    if needed:
        marks.append(charts.line(ends, [needed, needed], "Needed", dash="dashdot"))
    told = []
    for k in (0, len(x) // 2, len(x) - 1):
        text = f"at × {number(curve.factors[k])}: equation {number(curve.equation[k])}"
        if len(curve.mechanism):
            text += f", mechanism {charts.between(low[k], high[k])}"
        told.append(text)
    figure = charts.Chart(
        marks=marks,
        title=title,
        head=64,
        height=470,
        legend=charts.LOOSE,
        foot=140,
        x=charts.log_axis(label, ends, fit=True, fixed=True),
        y=charts.log_axis("Effective records", span, fixed=True),
    )
    return charts.Figure(
        figure=figure,
        alt=f"Effective records against a common factor. {'; '.join(told)}.",
        rows=charts.rows_of(columns),
        name="lever",
        caption=caption,
    )


def along(
    curve: LeverCurve,
    *,
    label: str,
    where: str,
    title: str,
    target: float,
    by_equation: float,
    now: float,
    marks: Sequence[Mark],
    caption: str,
) -> charts.Figure:
    """Return the rate over today's along a lever, by both answers.

    Args:
        curve: Both answers on a grid.
        label: Name of the horizontal axis.
        title: The finding.
        target: The rate wanted, over today's.
        by_equation: The same by the rate equation, drawn where it is another one below 1.
        now: The lever today.
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
        drawn.append(charts.line(x, y, "Named mechanism", charts.MECHANISM, "dash", 2.5, **look))
    drawn.append(charts.line(ends, [target, target], "Target", dash="dashdot"))
    if by_equation < 1 and not math.isclose(by_equation, target, rel_tol=1e-9):
        aimed = [by_equation, by_equation]
        drawn.append(charts.line(ends, aimed, "Target, equation", charts.EQUATION, "dashdot"))
    if ends[0] <= now <= ends[1]:
        drawn.append(charts.line([now, now], [0.0, top], "Today", dash="dot"))
    drawn += [_dot(mark) for mark in marks if ends[0] <= mark.x <= ends[1]]
    figure = charts.Chart(
        marks=drawn,
        title=title,
        head=64,
        height=470,
        legend=charts.LOOSE,
        foot=140,
        x=charts.log_axis(f"{label}{where}", ends, fit=True, fixed=True),
        y=charts.Axis(title="Rate over today's", span=(0, top), fixed=True),
    )
    columns = {label: curve.values, "rate equation": curve.equation}
    if not curve.missing:
        columns["named mechanism"] = curve.mechanism
    return charts.Figure(
        figure=figure,
        alt=_told(curve, label, marks),
        rows=charts.rows_of(columns),
        name="lever",
        caption=caption,
    )


def _top(curve: LeverCurve, target: float) -> float:
    found = np.concatenate([curve.equation, curve.mechanism])
    found = found[np.isfinite(found)]
    largest = float(found.max()) if found.size else 1.0
    return 1.08 * min(max(largest, target, 1.0), 3.0)


def _dot(mark: Mark) -> charts.Curve:
    symbol = "diamond" if mark.mechanism else "circle"
    return charts.dots(
        [mark.x],
        [mark.y],
        mark.name,
        f"{symbol}-open" if mark.open else symbol,
        12,
        charts.MECHANISM if mark.mechanism else charts.EQUATION,
        charts.Stroke(width=2 if mark.open else 1),
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


_MARKED = (None, ("circle-open", "diamond-open"), ("square-open", "square-open"), ("x", "x"))


def designs(curve: VersusCurve, *, label: str, title: str, caption: str) -> charts.Figure:
    """Return the effective samples of up to four designs along one change of all, by both answers.

    Args:
        curve: The designs along common factors.
        label: Name of the horizontal axis.
        title: The finding.
        caption: Below the figure.
    """
    x = curve.factors.astype("float32")
    marks: list[charts.Curve] = []
    seen: list[NDArray] = []
    columns = {label: curve.factors}
    answers = (
        (curve.equation, "rate equation", charts.EQUATION, "solid"),
        (curve.mechanism, "named mechanism", charts.MECHANISM, "dash"),
    )
    for k, name in enumerate("ABCD"[: len(curve.equation)]):
        for way, (lines, words, colour, dash) in enumerate(answers):
            columns[f"{name}, {words}"] = lines[k]
            y = lines[k].astype("float32")
            if not np.isfinite(y).any():
                continue
            seen.append(y)
            told = {"hover": "%{x:.3g}: %{y:.3g}", "extra": f"{name}, {words}"}
            symbols = _MARKED[k]
            symbol = symbols[way] if symbols else "circle-open"
            dots = charts.Dots(
                symbol=symbol, size=9, colour=colour, most=MOST_MARKS, shown=bool(symbols)
            )
            named = f"Design {name}, {words}"
            marks.append(charts.line(x, y, named, colour, dash, 2.5, dots=dots, **told))
    found = np.concatenate(seen)
    found = found[np.isfinite(found) & (found > 0)]
    figure = charts.Chart(
        marks=marks,
        title=title,
        head=64,
        height=440 if len(curve.equation) < 3 else 520,
        legend=charts.LOOSE,
        foot=130 if len(curve.equation) < 3 else 210,
        x=charts.log_axis(label, (float(x[0]), float(x[-1])), fit=True, fixed=True),
        y=charts.log_axis("Effective records", charts.around(found.tolist(), 1.3), fixed=True),
    )
    parts = []
    for k in (0, len(curve.factors) // 2, len(curve.factors) - 1):
        text = f"at {number(curve.factors[k])}"
        for lines, words, _, _ in answers:
            if math.isfinite(lines[0][k]):
                values = zip("ABCD", lines, strict=False)
                told_values = ", ".join(f"{name} {number(line[k])}" for name, line in values)
                text += f"{':' if words[0] == 'r' else ','} {words.split()[-1]} {told_values}"
        parts.append(text)
    return charts.Figure(
        figure=figure,
        alt=f"Effective records of {_HOW_MANY[len(curve.equation)]} designs against {label}. "
        f"{'; '.join(parts)}.",
        rows=charts.rows_of(columns),
        name="designs",
        caption=caption,
    )


_HOW_MANY = {2: "two", 3: "three", 4: "four"}


def of_values(found: Sequence[SiteValue]) -> charts.Figure:
    """What is lost without each site, and gained by one more like it."""
    first = ranked(found)
    title = f"{charts.label(first[0].name)} matters most"
    return values(first, title=title, caption=VALUES)


def ranked(found: Sequence[SiteValue]) -> list[SiteValue]:
    """The sites, the one first that the study loses most without by the mechanism."""
    named = not any(math.isnan(x.kept_mechanism) for x in found)
    return sorted(found, key=lambda x: x.kept_mechanism if named else x.kept)


def values(found: Sequence[SiteValue], *, title: str, caption: str) -> charts.Figure:
    """Return what the study loses without each site, and gains by one more like it.

    Args:
        found: The sites, the one that the study loses most without first.
        title: The finding.
        caption: Below the figure.
    """
    missing = any(math.isnan(x.kept_mechanism) for x in found)
    shown = found[:MOST_SITES]
    names = [charts.label(x.name) for x in shown]
    equation_at = [x - 1.0 for v in shown for x in (v.kept, v.joined)]
    marks: list[charts.Mark] = []
    if not missing:
        for hatch, values_of, name in (
            (False, [v.kept_mechanism - 1.0 for v in shown], "Without it, named mechanism"),
            (True, [v.joined_mechanism - 1.0 for v in shown], "One more like it, named mechanism"),
        ):
            pattern = charts.Hatch(shape="/", paper="#ffffff", ink=charts.MECHANISM, size=7)
            marks.append(
                charts.Bars(
                    x=values_of,
                    y=names,
                    name=name,
                    colour=charts.MECHANISM,
                    hatch=pattern if hatch else None,
                    hover="%{y}: %{x:+.1%}",
                    extra=name,
                )
            )
    marks.append(
        charts.dots(
            equation_at,
            [name for name in names for _ in range(2)],
            "The same by the rate equation",
            "circle",
            9,
            charts.EQUATION,
            charts.Stroke(width=1),
            hover="%{y}: %{x:+.1%}",
            extra="rate equation",
        )
    )
    seen = [
        *equation_at,
        *(x for v in shown for x in (v.kept_mechanism - 1, v.joined_mechanism - 1)),
    ]
    known = [x for x in seen if math.isfinite(x)]
    low, high = min(-0.05, *known), max(0.05, *known)
    room = 0.06 * (high - low)
    figure = charts.Chart(
        marks=marks,
        title=title,
        head=64,
        height=190 + 30 * len(names),
        stacked="overlay",
        foot=120,
        legend=charts.LOOSE,
        x=charts.Axis(
            title="Effective sample, change",
            share=True,
            span=(low - room, high + room),
            fixed=True,
            zero=True,
        ),
        y=charts.Axis(names=names[::-1], fixed=True, roomy=True),
    )
    columns: dict[str, Sequence[object]] = {"site": [v.name for v in found]}
    for field in ("kept", "joined", "kept_mechanism", "joined_mechanism"):
        by = "mechanism" if field.endswith("mechanism") else "rate equation"
        what = "without it" if field.startswith("kept") else "with one more like it"
        if not (missing and by == "mechanism"):
            columns[f"effective sample {what}, {by}"] = [getattr(v, field) for v in found]
    told = [
        f"{v.name} {charts.percent(v.kept if missing else v.kept_mechanism)}" for v in shown[:5]
    ]
    return charts.Figure(
        figure=figure,
        alt=f"What is left of the effective sample without a site: {', '.join(told)}.",
        rows=charts.rows_of(columns),
        name="values",
        caption=caption,
    )


def frontier(lines: Sequence[tuple[str, Frontier]], *, title: str, caption: str) -> charts.Figure:
    """Return the effective sample that a cost buys at least: points that are exact, and steps.

    Args:
        lines: "rate equation" or "named mechanism", and its points.
        title: The finding.
        caption: Below the figure.
    """
    marks, told = [], []
    columns: dict[str, list[Any]] = {"answer": [], "cost": [], "effective records": []}
    for name, line in lines:
        named = name != "rate equation"
        colour = charts.MECHANISM if named else charts.EQUATION
        cost = [0.0, *(p.mix.cost for p in line.points)]
        worth = [line.now, *(p.effective_n for p in line.points)]
        steps = charts.Stroke(colour=colour, width=2, dash="dash" if named else "solid", steps="hv")
        marks.append(
            charts.Curve(
                x=cost,
                y=worth,
                name=name.capitalize(),
                stroke=steps,
                dots=charts.Dots(symbol="diamond" if named else "circle", size=9, colour=colour),
                hover="%{x:.4g} buys %{y:.3g}",
                extra=name,
            )
        )
        columns["answer"] += [name] * len(cost)
        columns["cost"] += cost
        columns["effective records"] += worth
        told.append(f"{name}: {number(cost[-1])} buys {number(worth[-1])}, from {number(worth[0])}")
    most, seen = max(columns["cost"]), columns["effective records"]
    figure = charts.Chart(
        marks=marks,
        title=title,
        head=64,
        height=430,
        legend=charts.LOOSE,
        foot=120,
        x=charts.Axis(title="Cost", span=(-0.03 * most, 1.05 * most), fixed=True),
        y=charts.log_axis("Effective records", charts.around(seen, 1.3), fixed=True),
    )
    return charts.Figure(
        figure=figure,
        alt=f"Effective records against cost. {'; '.join(told)}.",
        rows=charts.rows_of(columns),
        name="frontier",
        caption=caption,
    )
