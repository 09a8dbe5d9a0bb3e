"""The rate along a lever, and two designs along their budgets: both answers on one figure."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import theme
from pages.charts.budget import both, equation
from pages.charts.words import number
from rates.plan import LeverCurve, ScaleCurve, SiteValue, VersusCurve
from rates.split import Frontier, Taps

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
    """

    name: str
    x: float
    y: float
    mechanism: bool


def grid(low: float, high: float, points: int = POINTS) -> NDArray[np.float64]:
    """Return values of a lever on a log scale."""
    return np.geomspace(low, high, points)


def grown(
    curve: ScaleCurve,
    *,
    label: str,
    enough: Sequence[float],
    by_equation: float,
    needed: float | None,
    **words: Any,
) -> charts.Figure:
    """Return what a study is worth along one factor on what all of its rows have.

    Args:
        curve: Both answers on a grid of factors.
        label: Name of the horizontal axis.
        enough: Factors from which on the mechanism reaches the goal, over its constants.
        by_equation: The same by the rate equation; not drawn where it is 1 or not finite.
        needed: Effective records that are aimed at; None where that depends on the answer.
        **words: Title (the finding) and caption.
    """
    x, hover = curve.factors.astype("float32"), "%{x:.3g}: %{y:.3g}"
    ends = (float(x[0]), float(x[-1]))
    seen = [float(v) for v in (*curve.equation, *curve.mechanism.ravel()) if 0 < v < math.inf]
    span = charts.around([*seen, *([needed] if needed else [])], 1.3)
    marks = both(x, curve.mechanism, curve.equation, hover)
    marks.append(charts.line([1.0, 1.0], span, "Today", dash="dot"))
    there = [(at, charts.MECHANISM) for at in enough if ends[0] <= at <= ends[1] and at != 1.0]
    for k, (at, colour) in enumerate(there):
        name = "Enough, mechanism"
        marks.append(charts.line([at, at], span, name, colour, "dashdot", listed=k == 0))
    if 1.0 < by_equation <= ends[1]:
        at = by_equation
        marks.append(charts.line([at, at], span, "Enough, equation", charts.EQUATION, "dashdot"))
    if needed:
        marks.append(charts.line(ends, [needed, needed], "Needed", dash="dashdot"))
    columns = {label: curve.factors, "rate equation": curve.equation}
    if len(curve.mechanism):
        low, high = curve.mechanism.min(axis=0), curve.mechanism.max(axis=0)
        columns |= {"mechanism, lowest": low, "mechanism, highest": high}
    told = [
        f"at × {number(curve.factors[k])}: equation {number(curve.equation[k])}"
        + (f", mechanism {charts.between(low[k], high[k])}" if len(curve.mechanism) else "")
        for k in charts.thirds(x)
    ]
    return charts.plot(
        marks,
        charts.log_axis(label, ends, fit=True, fixed=True),
        charts.log_axis("Effective records", span, fixed=True),
        columns,
        **charts.room(470, 140),
        alt=f"Effective records against a common factor. {'; '.join(told)}.",
        name="lever",
        **words,
    )


def along(
    curve: LeverCurve,
    *,
    label: str,
    where: str,
    target: float,
    by_equation: float,
    now: float,
    marks: Sequence[Mark],
    **words: Any,
) -> charts.Figure:
    """Return the rate over today's along a lever, by both answers.

    Args:
        curve: Both answers on a grid.
        label: Name of the horizontal axis.
        where: Of which site the lever is, after its name on the axis.
        target: The rate wanted, over today's.
        by_equation: The same by the rate equation, drawn where it is another one below 1.
        now: The lever today.
        marks: Points where the target is met.
        **words: Title (the finding) and caption.
    """
    x, hover = curve.values.astype("float32"), "%{x:.3g}: %{y:.3g} of today's"
    ends, top = (float(x[0]), float(x[-1])), _top(curve, target)
    columns = {label: curve.values, "rate equation": curve.equation}
    drawn = [equation(x, curve.equation, hover)]
    if not curve.missing:
        columns["named mechanism"] = curve.mechanism
        y, look = curve.mechanism.astype("float32"), {"hover": hover, "extra": "named mechanism"}
        drawn.append(charts.line(x, y, "Named mechanism", charts.MECHANISM, "dash", 2.5, **look))
    drawn.append(charts.line(ends, [target, target], "Target", dash="dashdot"))
    if by_equation < 1 and not math.isclose(by_equation, target, rel_tol=1e-9):
        aimed = [by_equation, by_equation]
        drawn.append(charts.line(ends, aimed, "Target, equation", charts.EQUATION, "dashdot"))
    if ends[0] <= now <= ends[1]:
        drawn.append(charts.line([now, now], [0.0, top], "Today", dash="dot"))
    drawn += [_dot(mark) for mark in marks if ends[0] <= mark.x <= ends[1]]
    told = [
        f"at {number(curve.values[k])}: equation {number(curve.equation[k])}"
        + ("" if curve.missing else f", mechanism {number(curve.mechanism[k])}")
        for k in charts.thirds(x)
    ]
    told += [f"{mark.name} at {number(mark.x)}" for mark in marks if math.isfinite(mark.x)]
    return charts.plot(
        drawn,
        charts.log_axis(f"{label}{where}", ends, fit=True, fixed=True),
        charts.Axis(title="Rate over today's", span=(0, top), fixed=True),
        columns,
        **charts.room(470, 140),
        alt=f"Rate over today's against {label}. {'; '.join(told)}.",
        name="lever",
        **words,
    )


def _top(curve: LeverCurve, target: float) -> float:
    found = np.concatenate([curve.equation, curve.mechanism])
    found = found[np.isfinite(found)]
    largest = float(found.max()) if found.size else 1.0
    return 1.08 * min(max(largest, target, 1.0), 3.0)


def _dot(mark: Mark) -> charts.Curve:
    symbol = "diamond" if mark.mechanism else "circle"
    colour = charts.MECHANISM if mark.mechanism else charts.EQUATION
    edge = charts.Stroke(width=1)
    return charts.dots([mark.x], [mark.y], mark.name, symbol, 12, colour, edge, hover="%{x:.4g}")


_MARKED = (None, ("circle-open", "diamond-open"), ("square-open", "square-open"), ("x", "x"))
_HOW_MANY = {2: "two", 3: "three", 4: "four"}


def designs(curve: VersusCurve, *, label: str, **words: Any) -> charts.Figure:
    """Return the effective samples of up to four designs along one change of all, by both answers.

    Args:
        curve: The designs along common factors.
        label: Name of the horizontal axis.
        **words: Title (the finding) and caption.
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
        for way, (lines, answer, colour, dash) in enumerate(answers):
            columns[f"{name}, {answer}"] = lines[k]
            y = lines[k].astype("float32")
            if not np.isfinite(y).any():
                continue
            seen.append(y)
            symbols = _MARKED[k]
            look: charts.Fields = {"symbol": symbols[way] if symbols else "circle-open", "size": 9}
            dots = charts.Dots(**look, colour=colour, most=MOST_MARKS, shown=bool(symbols))
            told = {"hover": "%{x:.3g}: %{y:.3g}", "extra": f"{name}, {answer}"}
            text = f"Design {name}, {answer}"
            marks.append(charts.line(x, y, text, colour, dash, 2.5, dots=dots, **told))
    found = np.concatenate(seen)
    found = found[np.isfinite(found) & (found > 0)]
    parts = []
    for k in charts.thirds(curve.factors):
        text = f"at {number(curve.factors[k])}"
        for lines, answer, _, _ in answers:
            if math.isfinite(lines[0][k]):
                values = zip("ABCD", lines, strict=False)
                each = ", ".join(f"{name} {number(line[k])}" for name, line in values)
                text += f"{':' if answer[0] == 'r' else ','} {answer.split()[-1]} {each}"
        parts.append(text)
    many = _HOW_MANY[len(curve.equation)]
    return charts.plot(
        marks,
        charts.log_axis(label, (float(x[0]), float(x[-1])), fit=True, fixed=True),
        charts.log_axis("Effective records", charts.around(found.tolist(), 1.3), fixed=True),
        columns,
        **charts.room(440, 130) if len(curve.equation) < 3 else charts.room(520, 210),
        alt=f"Effective records of {many} designs against {label}. {'; '.join(parts)}.",
        name="designs",
        **words,
    )


def ranked(found: Sequence[SiteValue]) -> list[SiteValue]:
    """The sites, the one first that the study loses most without by the mechanism."""
    named = not any(math.isnan(x.kept_mechanism) for x in found)
    return sorted(found, key=lambda x: x.kept_mechanism if named else x.kept)


def of_values(found: Sequence[SiteValue]) -> charts.Figure:
    """What is lost without each site, and gained by one more like it."""
    missing, first = any(math.isnan(x.kept_mechanism) for x in found), ranked(found)
    shown = first[:MOST_SITES]
    names = [charts.label(x.name) for x in shown]
    ends = [x - 1.0 for v in shown for x in (v.kept, v.joined)]
    lost = [v.kept_mechanism - 1.0 for v in shown]
    gained = [v.joined_mechanism - 1.0 for v in shown]
    marks: list[charts.Mark] = []
    hover: charts.Fields = {"hover": "%{y}: %{x:+.1%}"}
    if not missing:
        look: charts.Fields = {"y": names, "colour": charts.MECHANISM, **hover}
        stripes = charts.Hatch(shape="/", paper="#ffffff", ink=charts.MECHANISM, size=7)
        for at, what, hatch in ((lost, "Without it", None), (gained, "One more like it", stripes)):
            marks.append(charts.Bars(x=at, name=f"{what}, named mechanism", hatch=hatch, **look))
    name, twice = "The same by the rate equation", [name for name in names for _ in range(2)]
    dot = ("circle", 9, charts.EQUATION, charts.Stroke(width=1))
    marks.append(charts.dots(ends, twice, name, *dot, extra="rate equation", **hover))
    known = [x for x in (*ends, *lost, *gained) if math.isfinite(x)]
    low, high = min(-0.05, *known), max(0.05, *known)
    room = 0.06 * (high - low)
    axis: charts.Fields = {"share": True, "span": (low - room, high + room), "zero": True}
    columns: dict[str, charts.Values] = {"site": [v.name for v in first]}
    for field in ("kept", "joined", "kept_mechanism", "joined_mechanism"):
        by = "mechanism" if field.endswith("mechanism") else "rate equation"
        what = "without it" if field.startswith("kept") else "with one more like it"
        if not (missing and by == "mechanism"):
            columns[f"effective sample {what}, {by}"] = [getattr(v, field) for v in first]
    told = [
        f"{v.name} {charts.percent(v.kept if missing else v.kept_mechanism)}" for v in shown[:5]
    ]
    return charts.plot(
        marks,
        charts.Axis(title="Effective sample, change", fixed=True, **axis),
        charts.named(names),
        columns,
        **charts.room(190 + 30 * len(names), 120),
        stacked="overlay",
        alt=f"What is left of the effective sample without a site: {', '.join(told)}.",
        title=f"{charts.label(first[0].name)} matters most",
        name="values",
        caption=VALUES,
    )


def frontier(lines: Sequence[tuple[str, Frontier]], **words: Any) -> charts.Figure:
    """Return the effective sample that a cost buys at least: points that are exact, and steps.

    Args:
        lines: "rate equation" or "named mechanism", and its points.
        **words: Title (the finding) and caption.
    """
    marks, told = [], []
    columns: dict[str, list[Any]] = {"answer": [], "cost": [], "effective records": []}
    for name, line in lines:
        colour, dash, symbol = charts.EQUATION, "solid", "circle"
        if name != "rate equation":
            colour, dash, symbol = charts.MECHANISM, "dash", "diamond"
        cost = [0.0, *(p.mix.cost for p in line.points)]
        worth = [line.now, *(p.effective_n for p in line.points)]
        look: charts.Fields = {"hover": "%{x:.4g} buys %{y:.3g}", "extra": name}
        look["stroke"] = charts.Stroke(colour, 2, dash, steps="hv")
        look["dots"] = charts.Dots(symbol=symbol, size=9, colour=colour)
        marks.append(charts.Curve(x=cost, y=worth, name=name.capitalize(), **look))
        columns["answer"] += [name] * len(cost)
        columns["cost"] += cost
        columns["effective records"] += worth
        told.append(f"{name}: {number(cost[-1])} buys {number(worth[-1])}, from {number(worth[0])}")
    most, seen = max(columns["cost"]), columns["effective records"]
    return charts.plot(
        marks,
        charts.Axis(title="Cost", span=(-0.03 * most, 1.05 * most), fixed=True),
        charts.log_axis("Effective records", charts.around(seen, 1.3), fixed=True),
        columns,
        **charts.room(430, 120),
        alt=f"Effective records against cost. {'; '.join(told)}.",
        name="frontier",
        **words,
    )


_APART, _BENDS = 0.13, 33  # of pipes: from one to the next, over all they add; points of an edge


def pipes(found: Taps, names: Sequence[str], silent: Sequence[str], **words: Any) -> charts.Figure:
    """Return what each site adds as a pipe of that width, all merging into one.

    Args:
        found: What each adds.
        names: Of the sites.
        silent: Why the budget of a site cannot be doubled; empty where it can.
        **words: Name.
    """
    adds, whole = found.adds[0], float(found.adds[0].sum())
    gains = [float(found.adds[step].sum()) - whole for step in found.steps]
    across, apart = np.linspace(0.0, 1.0, _BENDS), _APART * whole
    bend = 0.5 - 0.5 * np.cos(np.pi * across)
    starts = itertools.accumulate(adds, lambda at, add: at + add + apart, initial=0.0)
    ends = itertools.accumulate(adds, initial=apart * (len(adds) - 1) / 2)
    marks, middles, ticks, told = [], [], [], []
    for k, start, end in zip(range(len(adds)), starts, ends, strict=False):
        amount = number(float(adds[k]))
        limit = theme.PRIVACY if found.private[0, k] else theme.SAMPLE
        edge, colour = -(start + (end - start) * bend), theme.COLOURS[limit]
        marks += charts.band(across, edge - adds[k], edge, colour)
        marks.append(charts.line(across, edge - adds[k] / 2, None, colour, width=1))  # where thin
        middles.append(float(-start - adds[k] / 2))
        ticks.append(f"{charts.label(names[k])}: {amount}, {silent[k] or theme.LIMITS[limit]}")
        more = "" if silent[k] else f", {number(gains[k])} more if its ε is doubled"
        told.append(f"{charts.label(names[k])} {amount}{more}")
    return charts.plot(
        marks,
        charts.Axis(shown=False, span=(0.0, 1.0), fixed=True),
        charts.Axis(
            ticks=charts.Ticks(middles, ticks), grid=False, zero=False, roomy=True, fixed=True
        ),
        {"site": list(names), "adds": adds, "records gained by twice its budget": gains},
        title=f"All sites together are worth {number(whole)} effective records",
        height=120 + 52 * len(adds),
        keys=False,
        alt=f"What each site adds, in effective records: {'; '.join(told)}.",
        **words,
    )
