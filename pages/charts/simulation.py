"""Simulated points with their intervals over theory's curves, exact ones, and promises."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pages import charts
from pages.charts.words import number
from sims.engine import Estimate, Fit, Point, fits

if TYPE_CHECKING:  # not every page that shows a run needs these
    from sims.audit import Bound
    from sims.regression import ExactCurve


BUDGET = "Budget ε (none: no privacy)"
EVERY, _OUT = "Exact, every whole K", "Saturated, left out"
Scores = Mapping[str, tuple[Sequence[float], Sequence[Estimate]]]  # by series, along the axis


def series_of(points: Sequence[Point]) -> dict[str, list[int]]:
    """Return the places of each series' points, in order of appearance."""
    out: dict[str, list[int]] = {}
    for i, point in enumerate(points):
        out.setdefault(point.series, []).append(i)
    return out


def rate_chart(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    fitted: Sequence[Fit],
    *,
    x_title: str,
    y_title: str,
    title: str,
    curve: str,
    bends: Mapping[str, Sequence[float]] | None = None,
) -> charts.Chart:
    """Draw simulated risks over the theory's curves, in logarithms.

    Args:
        points: The points of the run.
        estimates: What has been simulated so far, in the same order.
        fitted: One fit per series; its constant lifts the theory's curve.
        x_title: Name of the axis.
        y_title: Name of the other.
        title: The finding.
        curve: What the theory's line is called.
        bends: By series, where its rate bends.
    """
    marks: list[charts.Curve] = []
    constants = {fit.series: fit.constant for fit in fitted}
    rules = []
    for place, (series, at) in enumerate(series_of(points).items()):
        colour, symbol, dash = charts.look(place)
        constant, mine = constants.get(series), [points[i] for i in at]
        xs = [point.x for point in mine]
        silent: charts.Fields = {"group": series, "listed": False}
        run = any(estimates[i].replicates >= 2 for i in at)
        if constant is not None:
            lifted = [constant.value * (point.theory or math.nan) for point in mine]
            marks.append(charts.line(xs, lifted, series, colour, dash, **silent))
        if any(point.exact is not None for point in mine):
            exact, told = [point.exact for point in mine], silent | {"listed": not run}
            marks.append(charts.line(xs, exact, series, colour, "dot", 1.5, **told))
        for out in (False, True):
            there = [i for i in at if bool(points[i].left_out) == out]
            look = f"{symbol}-open" if out else symbol
            more: charts.Fields = {"listed": not out or there == at, "group": series, "edge": 1.5}
            more["extra"] = "%{fullData.name}" + (", left out" if out else "")
            if there:
                xs, found = [points[i].x for i in there], [estimates[i] for i in there]
                marks.append(_dots(xs, found, series, colour, look, **more))
        rules += [charts.upright(x, colour=colour) for x in (bends or {}).get(series, ())]
    drawn = [p for p, e in zip(points, estimates, strict=True) if e.replicates >= 2]
    fitted_any = any(c is not None for c in constants.values())
    marks += _keys(points, drawn, curve, lifted=fitted_any)
    heights = [point.exact for point in points if point.exact]
    heights += [e.mean for e in estimates if e.replicates >= 2 and e.mean > 0]
    heights = heights or [point.theory for point in points if point.theory]
    rise = charts.around(heights, 2.5) if heights else (1e-3, 1.0)
    rows = 2 + math.ceil(len(series_of(points)) / 2)
    return charts.Chart(
        marks=marks,
        title=title,
        **charts.room(430, 60, 48, charts.Legend(), more=22 * rows),
        x=charts.log_axis(x_title, charts.around([point.x for point in points], 1.25)),
        y=charts.log_axis(y_title, rise, powers=True, step=charts.step(rise)),
        rules=rules,
        kept="run",
    )


def _dots(
    xs: Sequence[float],
    estimates: Sequence[Estimate],
    name: str,
    colour: str,
    symbol: str,
    *,
    edge: float | None = None,
    **more: Any,
) -> charts.Curve:
    """Points with 95% intervals; an interval that reaches 0 is cut where it can be drawn."""
    stroke = None if edge is None else charts.Stroke(width=edge)
    dots = charts.Dots(symbol=symbol, size=9, colour=colour, edge=stroke)
    how: charts.Fields = {"log": True, "ends": 3, "counted": True, "dots": dots}
    return charts.measured(xs, estimates, name, colour, **how, **more)


def _keys(
    points: Sequence[Point], drawn: Sequence[Point], curve: str, *, lifted: bool
) -> Iterator[charts.Curve]:
    """Legend entries that stand for a kind of mark in every series, of those that are there."""
    if lifted:
        yield charts.key(f"C × {curve}", stroke=charts.Stroke(charts.GREY, 2))
    if any(point.exact is not None for point in points):
        yield charts.key("Exact, not simulated", stroke=charts.Stroke(charts.GREY, 1.5, "dot"))
    if any(point.left_out for point in drawn):
        mark = charts.Dots(symbol="circle-open", size=9, colour=charts.GREY)
        yield charts.key(_OUT, dots=mark)


def alt(points: Sequence[Point], estimates: Sequence[Estimate], x_title: str) -> str:
    """Say what `rate_chart` shows, in words."""
    found = told(scores(points, estimates), number, "{} points, from ", "no simulated points yet")
    return f"Excess risk against {x_title}, both logarithmic. {found}."


def told(
    series: Scores,
    show: Callable[[float], str] = "{:.1%}".format,
    lead: str = "",
    nothing: str = "No simulated points yet.",
) -> str:
    """Say where each series begins and ends, in words.

    Args:
        series: By name, places and estimates.
        show: Writes a mean.
        lead: What stands before the first mean; "{}" in it is the number of points.
        nothing: What is said without a point.
    """
    parts = []
    for name, (xs, estimates) in series.items():
        seen = [(x, e) for x, e in zip(xs, estimates, strict=True) if e.replicates >= 2]
        if seen:
            ends = (f"{show(e.mean)} at {number(x)}" for x, e in (seen[0], seen[-1]))
            parts.append(f"{name}: {lead.format(len(seen))}{' to '.join(ends)}")
    return "; ".join(parts) or nothing


def rows(points: Sequence[Point], estimates: Sequence[Estimate]) -> list[dict[str, object]]:
    """Return the numbers of a run, one row per point; what is not known is empty."""
    return [
        {
            "series": point.series,
            "x": point.x,
            "theory": "" if point.theory is None else point.theory,
            "exact": "" if point.exact is None else point.exact,
            **_simulated(found),
            "left out": point.left_out,
        }
        for point, found in zip(points, estimates, strict=True)
    ]


def rate_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    *,
    name: str,
    alt: str,
    caption: str = "",
    **figure: Any,
) -> charts.Figure:
    """Return `rate_chart` over the fits of a run, with its numbers."""
    chart = rate_chart(points, estimates, fits(points, estimates), **figure)
    numbers = rows(points, estimates)
    return charts.Figure(figure=chart, alt=alt, rows=numbers, name=name, caption=caption)


def _simulated(found: Estimate) -> dict[str, object]:
    ends = (found.mean, found.low, found.high) if found.replicates >= 2 else ("", "", "")
    names = ("mean", "95% low", "95% high", "replicates")
    return dict(zip(names, (*ends, found.replicates), strict=True))


def scores(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    named: Callable[[str], str] = str,
    setting: str = "",
) -> Scores:
    """Return the estimates of a run by the name of their series, along x or a setting."""
    return {
        named(series): (
            [points[i].settings.number(setting) if setting else points[i].x for i in at],
            [estimates[i] for i in at],
        )
        for series, at in series_of(points).items()
    }


def budget_figure(
    panels: Mapping[str, Scores],
    *,
    start: str,
    plain: Sequence[str] = (),
    x_title: str = BUDGET,
    per_cent: bool = True,
    **words: Any,
) -> charts.Figure:
    """Draw scores against the budget, one panel below the other; no privacy stands at the end.

    Args:
        panels: By panel, by series, budgets and estimates.
        start: Begins what it shows in words.
        plain: Series that are drawn as a line alone, such as a baseline.
        x_title: Name of the axis.
        per_cent: Whether the scores are shares; else they are shown in logarithms.
        **words: Title (the finding), name and caption.
    """
    marks: list[charts.Curve] = []
    budgets = sorted({x for series in panels.values() for xs, _ in series.values() for x in xs})
    places = {x: place for place, x in enumerate(budgets)}
    texts = ["none" if math.isinf(x) else number(x) for x in budgets]
    ticks = charts.Ticks(list(places.values()), texts)
    rows = 1 + math.ceil(max(len(series) for series in panels.values()) / 2)
    height, last = 1.0 / len(panels), len(panels)
    x_axes, y_axes = [], []
    for row, (panel, series) in enumerate(panels.items(), 1):
        top = 1.0 - (row - 1) * height
        bottom = top - height + (0.09 if row < last else 0.0)
        seen = any(e.replicates > 1 for _, many in series.values() for e in many)
        span = None if seen else (0.5, 1.0) if per_cent else (-3, 0)  # nothing to fit it to yet
        kind = None if per_cent else "log"
        scale = charts.Axis(kind=kind, share=per_cent, powers=not per_cent, span=span)
        y_axes.append(replace(scale, title=panel, part=(bottom, top)))
        x_axes.append(charts.Axis(title=x_title if row == last else "", ticks=ticks, beside=row))
        for place, (name, (xs, estimates)) in enumerate(series.items()):
            at = [places[x] for x in xs]
            found = any(e.replicates >= 2 for e in estimates)
            look: charts.Fields = {"name": name, "group": name, "listed": row == 1 and found}
            look |= {"x_axis": row, "y_axis": row}
            marks.append(_scores(at, estimates, place, flat=name in plain, **look))
    return charts.plot(
        marks,
        x_axes,
        y_axes,
        panel_rows(panels),
        **charts.room(330 * last + 30, 70, 48, charts.Legend(), more=22 * rows),
        kept="run",
        alt=f"{start} {told(next(iter(panels.values())))}",
        **words,
    )


def _scores(
    xs: Sequence[int], estimates: Sequence[Estimate], place: int, *, flat: bool, **more: Any
) -> charts.Curve:
    """Means joined by a line, with their intervals; a flat one is a grey line alone."""
    colour, symbol, dash = charts.look(place)
    seen = [(x, e) for x, e in zip(xs, estimates, strict=True) if e.replicates >= 2]
    x, y = [x for x, _ in seen], [e.mean for _, e in seen]
    more["dots"] = charts.Dots(symbol=symbol, size=9, shown=not flat)
    more["spread"] = charts.intervals([e for _, e in seen], colour, shown=not flat)
    line = (charts.GREY, 2, "dot") if flat else (colour, 2, dash)
    return charts.Curve(x=x, y=y, stroke=charts.Stroke(*line), hover="%{y:.4g}", **more)


def panel_rows(panels: Mapping[str, Scores]) -> list[dict[str, object]]:
    """Return the numbers of `budget_figure`, one row per score."""
    return [
        {"score": panel, "series": name, "x": x, **_simulated(found)}
        for panel, series in panels.items()
        for name, (xs, estimates) in series.items()
        for x, found in zip(xs, estimates, strict=True)
    ]


def exact_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    curves: Mapping[str, ExactCurve],
    *,
    zero: float,
    x_title: str,
    staircase: bool = False,
    name: str,
    **words: Any,
) -> charts.Figure:
    """Draw exact risks, the theory over the same axis, both elbows, and simulated points.

    Args:
        points: The points of the run.
        estimates: What has been simulated so far, in the same order.
        curves: Exact risks by series.
        zero: Risk of the estimate 0.
        x_title: Name of the axis.
        staircase: Whether the curves are those of powers of two, and every whole K stands beside.
        name: Of the files.
        **words: The names `title` and `curve` of `rate_chart`.
    """
    bare = [replace(point, exact=None) for point in points]
    words |= {"x_title": x_title, "y_title": "Squared error"}
    chart = rate_chart(bare, estimates, fits(points, estimates), **words)
    seen = [e.mean for e in estimates if e.replicates >= 2]
    found = curves.values()
    low = min(float(c.without.min()) for c in found) / 2.0
    high = 2.0 * max([zero, *(float(c.risk.max()) for c in found), *seen])
    ends = min(float(c.x[0]) for c in found), max(float(c.x[-1]) for c in found)
    x, y = (  # of all curves without privacy, one after the other with gaps between
        [value for c in found for value in (*getattr(c, key).tolist(), math.nan)]
        for key in ("x", "without")
    )
    marks: list[charts.Mark] = [
        *exact_lines(curves, staircase=staircase, run=bool(seen)),
        charts.line(x, y, "No privacy", dash="dash", width=1.5),
        charts.line(ends, (zero, zero), "Estimating by zero", dash="longdashdot", width=1.5),
        *_elbows(curves, ends, (low, high)),
        *(replace(m, name="Outside the fit") if m.name == _OUT else m for m in chart.marks),
    ]
    rows = math.ceil(charts.entries(marks) / 2)
    span = (math.log10(low), math.log10(high))
    up = replace(chart.axes("y")[0], span=span, step=max(1, math.ceil((span[1] - span[0]) / 7)))
    chart = replace(chart, marks=marks, height=420 + 22 * rows, foot=60 + 22 * rows, y=up)
    shown = (points, estimates, curves)
    alt = f"Squared error against {x_title}, both logarithmic. {_exact_text(*shown)}."
    return charts.Figure(figure=chart, alt=alt, rows=_exact_rows(*shown), name=name)


def exact_lines(
    curves: Mapping[str, ExactCurve], *, staircase: bool = False, run: bool = True
) -> Iterator[charts.Curve]:
    """Return the exact risk of every series; with a staircase also that of every whole K.

    As long as there is no ``run`` beside them, whose marks have the names, the lines have them.
    """
    for place, (series, found) in enumerate(curves.items()):
        told: charts.Fields = {"listed": place == 0}
        if staircase:
            yield charts.line(found.x, found.every, EVERY, charts.GREY, "solid", 1.0, **told)
        told |= {"data": found.dimension, "extra": f"{series}, exact"}
        told["hover"] = "%{x:.4g}: %{y:.3g}, K = %{customdata:.0f}"
        name = "Exact, not simulated" if run else f"{series}, exact"
        colour, told["listed"] = charts.look(place)[0], not run or place == 0
        yield charts.line(found.x, found.risk, name, colour, "dot", 2.5, **told)


def _elbows(
    curves: Mapping[str, ExactCurve], ends: tuple[float, float], height: tuple[float, float]
) -> Iterator[charts.Curve]:
    """Vertical lines: where the elbow is by the printed formula, and where it lies."""
    for name, dash, attribute in (
        ("Elbow as printed", "dash", "printed"),
        ("Elbow where it lies", "solid", "actual"),
    ):
        inside = [
            (charts.look(place)[0], at)
            for place, curve in enumerate(curves.values())
            if ends[0] <= (at := getattr(curve.elbow, attribute)) <= ends[1]
        ]
        for place, (colour, at) in enumerate(inside):
            told: charts.Fields = {"hover": f"{name}: %{{x:.3g}}", "extra": ""}
            told["listed"] = place == 0
            yield charts.line([at, at], height, name, colour, dash, 1.2, **told)


def _exact_rows(
    points: Sequence[Point], estimates: Sequence[Estimate], curves: Mapping[str, ExactCurve]
) -> list[dict[str, object]]:
    """Return the points of the run, then the exact curves."""
    exact = [
        {"series": f"{series}, exact", "x": x, "exact": risk}
        for series, curve in curves.items()
        for x, risk in zip(curve.x.tolist(), curve.risk.tolist(), strict=True)
    ]
    return charts.aligned([*rows(points, estimates), *exact])


def _exact_text(
    points: Sequence[Point], estimates: Sequence[Estimate], curves: Mapping[str, ExactCurve]
) -> str:
    parts = []
    for series, found in curves.items():
        at = [i for i, point in enumerate(points) if point.series == series]
        seen = sum(estimates[i].replicates >= 2 for i in at)
        parts.append(
            f"{series}: exact risk from {number(float(found.risk[0]))} at "
            f"{number(float(found.x[0]))} to {number(float(found.risk[-1]))} at "
            f"{number(float(found.x[-1]))}, {seen} simulated points with intervals; elbow as "
            f"printed {number(found.elbow.printed)}, where it lies {number(found.elbow.actual)}"
        )
    return "; ".join(parts)


def audit_figure(found: Sequence[Bound], promised: Sequence[float]) -> charts.Figure:
    """Draw the lower bounds of epsilon over the promises.

    Args:
        found: One record per promise that has been tried.
        promised: All promises of the run.
    """
    right = 1.1 * max(promised)
    top = 1.1 * max([*promised, *(one.proved for one in found)])
    marks = [charts.line([0.0, right], [0.0, right], "Promise", charts.GREY, "dash")]
    for place, (name, symbol) in enumerate(
        (("At least, 95%", "circle"), ("At least, promise broken", "x"))
    ):
        mine = [one for one in found if one.broken == bool(place)]
        x, y = [one.epsilon for one in mine], [one.proved for one in mine]
        if mine or not place:
            hover, colour = "promised %{x:.3g}, at least %{y:.3g}", charts.look(place)[0]
            marks.append(charts.dots(x, y, name, symbol, 11, colour, hover=hover))
    rows: dict[str, charts.Values] = {
        "promised epsilon": [one.epsilon for one in found],
        "promised delta": [one.delta for one in found],
        "epsilon at least (95%)": [one.proved for one in found],
        "runs in each world": [one.runs for one in found],
        "share of right guesses": [one.right for one in found],
    }
    told = [f"{number(o.epsilon)} promised, at least {number(o.proved)}" for o in found]
    table = {
        "Promised ε": [number(one.epsilon) for one in found],
        "δ": [number(one.delta) for one in found],
        "ε at least (95%)": [number(one.proved) for one in found],
        "Guessed right": [f"{100 * one.right:.1f}%" for one in found],
        "Says": ["broken" if one.broken else "nothing against it" for one in found],
    }
    says = "Lower bounds of epsilon beside the promises"
    return charts.plot(
        marks,
        charts.Axis(title="Promised ε", span=(0.0, right)),
        charts.Axis(title="ε at least", span=(0.0, top)),
        rows,
        title="What an attacker proves about ε",
        height=380,
        foot=80,
        kept="audit",
        alt=f"Lower bounds of epsilon against the promise: "
        f"{'; '.join(told) or 'nothing tried yet'}.",
        name="attacker",
        caption="Points below the dashed line are what an honest mechanism shows; a point above it "
        "refutes the promise.",
        table=charts.Table(table, says) if found else None,
    )
