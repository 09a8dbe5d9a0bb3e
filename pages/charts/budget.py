"""What every common change of the budgets would keep: both answers, with both elbows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from pages import charts
from pages.charts.words import percent
from rates.answer import Sweep
from rates.study import Study

_MOST = 1e300  # budgets of which a multiple is a number


def kept_figure(
    sweep: Sweep,
    *,
    unit: float,
    label: str,
    here: float = 1.0,
    mark: str = "This study",
    least: float | None = None,
    **words: Any,
) -> charts.Figure:
    """Return the fraction of the effective sample that is kept against the budgets.

    Args:
        sweep: Both answers on a grid of factors.
        unit: What factor 1 stands for on the horizontal axis: the common budget, or 1.
        label: Name of the horizontal axis.
        here: The factor to mark.
        mark: What is marked there.
        least: Lower end of a logarithmic axis of the fraction; a plain axis if None.
        **words: Title (the finding), name and caption.
    """
    look: charts.Fields = {"size": 11, "edge": charts.Stroke(width=1), "hover": "%{x:.3g}"}
    points = (
        charts.dots([at * unit], [level], name, symbol, colour=colour, **look)
        for at, level, name, symbol, colour in (
            (sweep.elbow, 1.0, "Equation: no cost from here", "circle", charts.EQUATION),
            (sweep.half, 0.5, "Mechanism: half is kept", "diamond", charts.MECHANISM),
        )
    )
    lines, hover = (
        (sweep.factors * unit, sweep.mechanism, sweep.equation),
        "%{x:.3g}: %{y:.1%} kept",
    )
    today = [(here * unit, mark, charts.GREY, "dot")]
    words |= charts.room(430, 120)
    return answers(lines, label, axis(least), hover, today, points=points, **words)


def common(study: Study) -> tuple[str, float]:
    """Return what a factor on all budgets is called, and what 1 stands for."""
    budgets = {s.epsilon for s in study.servers if s.private}
    if len(budgets) == 1 and max(budgets) < _MOST:
        return "Common budget ε", budgets.pop()
    return "Every budget ε multiplied by", 1.0


def of_study(study: Study, sweep: Sweep, **more: Any) -> charts.Figure | None:
    """What the sample keeps if all budgets change together; None without a protected site.

    Args:
        study: The study.
        sweep: Both answers on a grid of factors.
        **more: What `kept_figure` is told besides.
    """
    if not any(s.private for s in study.servers):
        return None
    label, unit = common(study)
    return kept_figure(
        sweep,
        unit=unit,
        label=label,
        title="What the sample is still worth, if all budgets change together",
        name="budgets",
        **more,
    )


def axis(least: float | None = None) -> charts.Axis:
    """Return the axis of the fraction that is kept, logarithmic down to `least` if it is given."""
    title, fixed = "Effective sample kept", True
    if least is None:
        return charts.Axis(title=title, share=True, span=(-0.03, 1.08), fixed=fixed)
    levels = [10.0**k for k in range(round(math.log10(least)), 1)]
    ticks = charts.Ticks(levels, [percent(v) for v in levels])
    return charts.log_axis(title, (least, 3.0), ticks=ticks, share=True, fixed=fixed)


Guide = tuple[float, str, str, str]  # place, name, colour and dash of a straight line


def answers(
    lines: tuple[NDArray, NDArray, NDArray],
    label: str,
    up: charts.Axis,
    hover: str,
    upright: Sequence[Guide],
    level: Sequence[Guide] = (),
    points: Iterable[charts.Curve] = (),
    **words: Any,
) -> charts.Figure:
    """Return both answers along a quantity in logarithms, with what is marked on it.

    Args:
        lines: What `both` takes: places, the mechanism and the rate equation.
        label: Name of the horizontal axis.
        up: The other one, with its ends.
        hover: What a pointer is told.
        upright: Lines over the whole height; left out where they are off the range.
        level: Lines over the whole width.
        points: Marks at one place each; left out likewise.
        **words: Title (the finding), name, caption and room.
    """
    ends, (low, high) = (float(lines[0][0]), float(lines[0][-1])), up.span or (0.0, 1.0)
    heights = (10**low, 10**high) if up.kind == "log" else (low, high)
    marks = both(*lines, hover)
    for at, name, colour, dash in upright:
        if ends[0] <= at <= ends[1]:
            listed = name != marks[-1].name  # both ends of a band are one entry
            marks.append(charts.line([at, at], heights, name, colour, dash, listed=listed))
    marks += [charts.line(ends, [at, at], *look) for at, *look in level]  # type: ignore[arg-type]
    marks += [point for point in points if ends[0] <= point.x[0] <= ends[1]]  # false for nan
    return charts.plot(marks, charts.log_axis(label, ends, fit=True, fixed=True), up, **words)


def both(
    x: NDArray, rows: NDArray, y: NDArray, hover: str, name: str = "Rate equation"
) -> list[charts.Curve]:
    """Return both answers; the mechanism as a band over its free constant, and its middle.

    Args:
        x: Where they are.
        rows: The mechanism by its constant; without rows it is left out.
        y: The rate equation.
        hover: What a pointer is told.
        name: Of the rate equation.
    """
    told: charts.Fields = {"width": 2.5, "hover": hover, "extra": "rate equation"}
    line = charts.line(x, y, name, charts.EQUATION, **told)
    if not len(rows):
        return [line]
    low, middle, high = rows.min(axis=0), rows[len(rows) // 2], rows.max(axis=0)
    told |= {"dash": "dash", "extra": "named mechanism"}
    if len(rows) == 1:
        return [charts.line(x, middle, "Named mechanism", charts.MECHANISM, **told), line]
    told["spread"] = charts.Spread(up=high - middle, down=middle - low, shown=False)
    name = "Named mechanism (band: its free constant)"
    mechanism = charts.line(x, middle, name, charts.MECHANISM, **told)
    return [*charts.band(x, low, high, "rgba(209,104,43,0.25)"), mechanism, line]
