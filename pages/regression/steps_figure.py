"""The chain from the printed recipe to no privacy, and two kinds of risk side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from pages import charts
from pages.charts import number, theme
from sims.engine import Estimate, Point


def chain_figure(
    points: Sequence[Point],
    estimates: Sequence[Estimate],
    names: Mapping[str, str],
    *,
    zero: float,
    title: str,
) -> charts.Chart:
    """Draw one row per step: exact risk as a diamond, simulation with its interval.

    Args:
        points: One point per step.
        estimates: What has been simulated so far.
        names: What a step is called.
        zero: Risk of the estimate 0.
        title: The finding.
    """
    rows = [names[point.series] for point in points]
    exact = [point.exact for point in points]
    seen = [i for i, e in enumerate(estimates) if e.replicates >= 2 and e.mean > 0]
    found = [estimates[i] for i in seen]
    colour = charts.look(0)[0]
    marks = [
        charts.Curve(
            x=exact,
            y=rows,
            name="Exact, not simulated",
            stroke=charts.Stroke(charts.GREY, 1.5, "dot"),
            dots=charts.Dots(symbol="diamond-open", size=13, colour=charts.GREY),
            words=charts.Words(texts=[number(x or math.nan) for x in exact], at="top center"),
            hover="%{y}: %{x:.3g}, exact",
            extra="",
        ),
        charts.dots(
            [e.mean for e in found],
            [rows[i] for i in seen],
            "Simulated",
            size=8,
            colour=colour,
            spread=charts.intervals(found, colour, log=True, across=True),
            data=[e.replicates for e in found],
            hover="%{y}: %{x:.3g}, %{customdata} replicates",
            extra="Simulated",
        ),
        charts.line(
            [zero, zero],
            [rows[0], rows[-1]],
            "Estimating by zero",
            theme.COLOURS[theme.PRIVACY],
            "longdashdot",
            hover="Estimating by zero: %{x:.3g}",
            extra="",
        ),
    ]
    return charts.Chart(
        marks=marks,
        title=title,
        height=480,
        foot=100,
        x=charts.log_axis(
            "Squared error",
            charts.around([*filter(None, exact), *(e.mean for e in found), zero], 2.0),
        ),
        y=charts.Axis(kind="category", downwards=True, roomy=True),
        kept="chain",
    )


def pair_figure(
    series: Mapping[str, Sequence[Point]], slopes: Mapping[str, float], *, x_title: str, title: str
) -> charts.Chart:
    """Draw exact risks of several kinds; points outside the window of the fit are hollow.

    Args:
        series: By name, the points in the order of the axis.
        slopes: By name, the exponent of the theory, drawn through the window's middle.
        x_title: Name of the axis.
        title: The finding.
    """
    marks: list[charts.Curve] = []
    every = [p for points in series.values() for p in points]
    for place, (name, points) in enumerate(series.items()):
        colour, symbol, dash = charts.look(place)
        marks.append(
            charts.Curve(
                x=[p.x for p in points],
                y=[p.exact for p in points],
                name=name,
                stroke=charts.Stroke(colour, 2, "dot"),
                dots=charts.Dots(
                    symbol=[f"{symbol}-open" if p.left_out else symbol for p in points],
                    size=8,
                    colour=colour,
                ),
                data=[p.settings["K"] for p in points],
                hover="%{x:.3g}: %{y:.3g}, K = %{customdata}",
                extra=f"{name}, exact",
            )
        )
        inside = [p for p in points if p.exact and not p.left_out]
        slope = slopes.get(name, math.nan)
        if inside and not math.isnan(slope):
            middle = inside[len(inside) // 2]
            ends = [inside[0].x, inside[-1].x]
            theory = [(middle.exact or math.nan) * (x / middle.x) ** slope for x in ends]
            told = f"Exponent of theory, {name.lower()}"
            marks.append(charts.line(ends, theory, told, colour, dash, 3, opacity=0.5))
    return charts.Chart(
        marks=marks,
        title=title,
        height=500,
        foot=110,
        x=charts.log_axis(x_title, charts.around([p.x for p in every], 1.2)),
        y=charts.log_axis(
            "Squared error",
            charts.around([p.exact for p in every if p.exact], 2.0),
            powers=True,
            step=1,
        ),
        legend=charts.Legend(entry=0.98),
        kept="pair",
    )
