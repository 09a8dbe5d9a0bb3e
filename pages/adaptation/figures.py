"""Figures of the adaptation page: error curves, readings, weights, and budgets."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

from pages import charts
from pages.charts import number, simulation
from sims.engine import Progress

PLAIN_DASHES = ("dash", "dot", "longdash", "dashdot")


def errors(
    progress: Progress,
    name: str,
    title: str,
    x_title: str,
    y_title: str,
    *,
    plain: Sequence[str] = (),
    log_x: bool = True,
    log_y: bool = True,
    names: Mapping[str, str] | None = None,
) -> charts.Figure:
    """Return errors with 95 % intervals; series without privacy are grey lines.

    Args:
        progress: What has been simulated so far.
        name: Name of its files.
        title: The finding.
        x_title: Name of the axis.
        y_title: Name of the other.
        plain: Series without privacy.
        log_x: Whether the axis is logarithmic.
        log_y: Whether the other is.
        names: Names of the series that are shown; of all, as they are, if None.
    """
    points, estimates = progress.request.points, progress.estimates
    if names is not None:
        pairs = zip(points, estimates, strict=True)
        kept = [(replace(p, series=names[p.series]), e) for p, e in pairs if p.series in names]
        points, estimates = zip(*kept, strict=True)
    marks: list[charts.Curve] = []
    shown = simulation.series_of(points)
    coloured = [series for series in shown if series not in plain]
    for series, at in shown.items():
        grey = series in plain
        place = plain.index(series) if grey else coloured.index(series)
        colour, symbol, dash = charts.look(place)
        if grey:
            colour, dash = charts.GREY, PLAIN_DASHES[place % len(PLAIN_DASHES)]
            symbol = f"{symbol}-open"
        marks.append(
            charts.measured(
                [points[i].x for i in at],
                [estimates[i] for i in at],
                series,
                colour,
                log=log_y,
                counted=True,
                stroke=charts.Stroke(colour, 2, dash),
                dots=charts.Dots(symbol=symbol, size=6 if grey else 9, colour=colour),
            )
        )
    rows = 1 + math.ceil(len(shown) / 2)
    xs = [point.x for point in points]
    room = 0.05 * (max(xs) - min(xs)) or 0.5
    means = [e.mean for e in estimates if e.replicates >= 2]
    heights = [mean for mean in means if mean > 0]
    labels = None if (heights if log_y else means) else False  # nothing to fit the axis to yet
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=420 + 22 * rows,
        foot=60 + 22 * rows,
        x=charts.log_axis(x_title, charts.around(xs, 1.25))
        if log_x
        else charts.Axis(title=x_title, span=(min(xs) - room, max(xs) + room)),
        y=charts.log_axis(
            y_title, charts.around(heights, 1.3, 1.5) if heights else (0.01, 1.0), labels=labels
        )
        if log_y
        else charts.Axis(title=y_title, labels=labels, span=None if means else (0, 1)),
        kept="run",
    )
    told = simulation.told(
        simulation.scores(points, estimates), number, "from ", "No simulated points yet"
    )
    return charts.Figure(
        figure=figure,
        alt=f"{y_title} against {x_title}. {told}.",
        rows=simulation.rows(points, estimates),
        name=name,
    )


def weights(
    bars: Mapping[str, tuple[Sequence[float], Sequence[float]]], *, caption: str
) -> charts.Figure:
    """Return shares of records by their weight over the reference weight.

    Args:
        bars: By name, middles of bins and shares.
        caption: Below the figure.
    """
    marks = [
        charts.Bars(
            x=list(middles),
            y=list(shares),
            name=name,
            lying=False,
            colour=charts.look(place)[0],
            hatch=charts.Hatch(shape=("", "/", "x")[place % 3]),
            hover="weight %{x:.3g}: %{y:.1%} of records",
        )
        for place, (name, (middles, shares)) in enumerate(bars.items())
    ]
    figure = charts.Chart(
        marks=marks,
        title="The printed weights stay where they start",
        height=460,
        foot=120,
        stacked="group",
        gap=0.1,
        x=charts.Axis(title="Weight over the reference weight", span=(0, 1.02)),
        y=charts.Axis(title="Share of the records", share=True),
        legend=charts.SINGLE,
    )
    parts = [
        f"{name}: most of them near {number(middles[shares.index(max(shares))])}"
        for name, (middles, shares) in bars.items()
    ]
    return charts.Figure(
        figure=figure,
        alt=f"Shares of records by weight. {'; '.join(parts)}.",
        rows=[
            {"series": name, "weight over the reference weight": x, "share of the records": share}
            for name, (middles, shares) in bars.items()
            for x, share in zip(middles, shares, strict=True)
        ],
        name="adaptation_weights",
        caption=caption,
    )


def budget_figure(
    nominal: Sequence[float],
    curves: Mapping[str, Sequence[float]],
    *,
    limit: float,
    chosen: float,
    title: str,
) -> charts.Chart:
    """Draw true budgets against nominal ones, in logarithms, beside the line of equality.

    Args:
        nominal: Nominal budgets.
        curves: By name, true budgets along them.
        limit: Where the printed noise stops being enough.
        chosen: The nominal budget chosen.
        title: The finding.
    """
    grid = list(nominal)
    marks = [charts.line(grid, grid, "as promised", dash="dot", width=1.5)]
    for place, (name, values) in enumerate(curves.items()):
        colour, symbol, dash = charts.look(place)
        sizes = [11 if x == chosen else 1 for x in grid]
        marks.append(
            charts.Curve(
                x=grid,
                y=[y if y > 0 else None for y in values],
                name=name,
                stroke=charts.Stroke(colour, 2.5, dash),
                dots=charts.Dots(symbol=symbol, colour=colour, size=sizes),
                hover="nominal %{x:.3g}: really %{y:.3g}",
            )
        )
    low = min([y for values in curves.values() for y in values if y > 0.02], default=0.02)
    high = max(*(max(values) for values in curves.values()), *nominal) * 1.2
    return charts.Chart(
        marks=marks,
        title=title,
        height=460,
        foot=110,
        x=charts.log_axis("Nominal budget ε", charts.around(nominal, 1.1)),
        y=charts.log_axis("True budget ε", (low / 1.2, high)),
        rules=[charts.upright(limit, colour=charts.GREY, width=1.5)],
        legend=charts.SINGLE,
    )
