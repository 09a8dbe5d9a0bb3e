"""Simulated points with their intervals over the theory's curves."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pages import charts
from pages.charts.words import number
from sims.engine import Estimate, Fit, Point, fits

BUDGET = "Budget ε (none: no privacy)"
Scores = Mapping[str, tuple[Sequence[float], Sequence[Estimate]]]  # by series, along the axis


def series_of(points: Sequence[Point]) -> dict[str, list[int]]:
    """Return the places of each series' points, in order of appearance."""
    out: dict[str, list[int]] = {}
    for i, point in enumerate(points):
        out.setdefault(point.series, []).append(i)
    return out


def rate_figure(
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
        if constant is not None:
            lifted = [constant.value * (point.theory or math.nan) for point in mine]
            marks.append(charts.line(xs, lifted, series, colour, dash, **silent))
        if any(point.exact is not None for point in mine):
            exact = [point.exact for point in mine]
            marks.append(charts.line(xs, exact, series, colour, "dot", 1.5, **silent))
        for out in (False, True):
            there = [i for i in at if bool(points[i].left_out) == out]
            look = f"{symbol}-open" if out else symbol
            more: charts.Fields = {"listed": not out or there == at, "group": series, "edge": 1.5}
            more["extra"] = "%{fullData.name}" + (", left out" if out else "")
            if there:
                xs, found = [points[i].x for i in there], [estimates[i] for i in there]
                marks.append(_dots(xs, found, series, colour, look, **more))
        rules += [charts.upright(x, colour=colour) for x in (bends or {}).get(series, ())]
    marks += _keys(points, curve, lifted=any(c is not None for c in constants.values()))
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
    """Points with 95 % intervals; an interval that reaches 0 is cut where it can be drawn."""
    stroke = None if edge is None else charts.Stroke(width=edge)
    dots = charts.Dots(symbol=symbol, size=9, colour=colour, edge=stroke)
    how: charts.Fields = {"log": True, "ends": 3, "counted": True, "dots": dots}
    return charts.measured(xs, estimates, name, colour, **how, **more)


def over(one: Estimate, unit: float) -> Estimate:
    """Return an estimate in another unit."""
    parts = (value / unit for value in (one.low, one.high))
    return Estimate(one.mean / unit, one.stderr / unit, one.replicates, *parts)


def divided(
    xs: Sequence[float], estimates: Sequence[Estimate], unit: float, name: str, place: int
) -> charts.Curve:
    """Return points with 95 % intervals in another unit, in the look of a place."""
    colour, symbol, _ = charts.look(place)
    return _dots(xs, [over(e, unit) for e in estimates], name, colour, symbol)


def _keys(points: Sequence[Point], curve: str, *, lifted: bool) -> Iterator[charts.Curve]:
    """Legend entries that stand for a kind of mark in every series."""
    if lifted:
        yield charts.key(f"C × {curve}", stroke=charts.Stroke(charts.GREY, 2))
    if any(point.exact is not None for point in points):
        yield charts.key("Exact, not simulated", stroke=charts.Stroke(charts.GREY, 1.5, "dot"))
    if any(point.left_out for point in points):
        mark = charts.Dots(symbol="circle-open", size=9, colour=charts.GREY)
        yield charts.key("Saturated, left out", dots=mark)


def alt(points: Sequence[Point], estimates: Sequence[Estimate], x_title: str) -> str:
    """Say what `rate_figure` shows, in words."""
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


def rate_drawn(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    *,
    name: str,
    alt: str,
    caption: str = "",
    **figure: Any,
) -> charts.Figure:
    """Return `rate_figure` over the fits of a run, with its numbers."""
    drawn = rate_figure(points, estimates, fits(points, estimates), **figure)
    numbers = rows(points, estimates)
    return charts.Figure(figure=drawn, alt=alt, rows=numbers, name=name, caption=caption)


def _simulated(found: Estimate) -> dict[str, object]:
    ends = (found.mean, found.low, found.high) if found.replicates >= 2 else ("", "", "")
    names = ("mean", "95 % low", "95 % high", "replicates")
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


def budget_drawn(
    panels: Mapping[str, Scores], *, name: str, start: str, caption: str = "", **figure: Any
) -> charts.Figure:
    """Return `budget_figure` with its numbers; `start` begins what it shows in words."""
    alt = f"{start} {told(next(iter(panels.values())))}"
    drawn, numbers = budget_figure(panels, **figure), panel_rows(panels)
    return charts.Figure(figure=drawn, alt=alt, rows=numbers, name=name, caption=caption)


def budget_figure(
    panels: Mapping[str, Scores],
    *,
    title: str,
    plain: Sequence[str] = (),
    x_title: str = BUDGET,
    per_cent: bool = True,
) -> charts.Chart:
    """Draw scores against the budget, one panel below the other; no privacy stands at the end.

    Args:
        panels: By panel, by series, budgets and estimates.
        title: The finding.
        plain: Series that are drawn as a line alone, such as a baseline.
        x_title: Name of the axis.
        per_cent: Whether the scores are shares; else they are shown in logarithms.
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
            look = _scores(at, estimates, place, row, flat=name in plain)
            marks.append(charts.Curve(name=name, group=name, **look))
    return charts.Chart(
        marks=marks,
        title=title,
        **charts.room(330 * last + 30, 70, 48, charts.Legend(), more=22 * rows),
        x=x_axes,
        y=y_axes,
        kept="run",
    )


def _scores(
    xs: Sequence[int], estimates: Sequence[Estimate], place: int, panel: int, *, flat: bool
) -> dict[str, Any]:
    colour, symbol, dash = charts.look(place)
    seen = [k for k, e in enumerate(estimates) if e.replicates >= 2]
    shown = [estimates[k] for k in seen]
    return {
        "x": [xs[k] for k in seen],
        "y": [e.mean for e in shown],
        "x_axis": panel,
        "y_axis": panel,
        "listed": panel == 1,
        "stroke": charts.Stroke(charts.GREY, 2, "dot") if flat else charts.Stroke(colour, 2, dash),
        "dots": charts.Dots(symbol=symbol, size=9, shown=not flat),
        "spread": charts.intervals(shown, colour, shown=not flat),
        "hover": "%{y:.4g}",
    }


def panel_rows(panels: Mapping[str, Scores]) -> list[dict[str, object]]:
    """Return the numbers of `budget_figure`, one row per score."""
    return [
        {"score": panel, "series": name, "x": x, **_simulated(found)}
        for panel, series in panels.items()
        for name, (xs, estimates) in series.items()
        for x, found in zip(xs, estimates, strict=True)
    ]
