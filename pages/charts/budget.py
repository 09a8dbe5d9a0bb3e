"""What every common change of the budgets would keep: both answers, with both elbows."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

from pages import charts
from pages.charts.words import percent
from rates.answer import Sweep
from rates.study import Study


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
    x, up = sweep.factors * unit, axis(least)
    low, high = up.span or (0.0, 1.0)
    ends = (low, high) if least is None else (10**low, 10**high)
    hover = "%{x:.3g}: %{y:.1%} kept"
    marks = both(x, sweep.mechanism, sweep.equation, hover)
    marks.append(charts.line([here * unit] * 2, ends, mark, dash="dot"))
    for at, level, name, symbol, colour in (
        (sweep.elbow, 1.0, "Equation: no cost from here", "circle", charts.EQUATION),
        (sweep.half, 0.5, "Mechanism: half is kept", "diamond", charts.MECHANISM),
    ):
        if float(x[0]) <= at * unit <= float(x[-1]):  # false for nan
            look: charts.Fields = {"edge": charts.Stroke(width=1), "hover": "%{x:.3g}"}
            marks.append(charts.dots([at * unit], [level], name, symbol, 11, colour, **look))
    return charts.plot(
        marks,
        charts.Axis(kind="log", title=label, fixed=True, step=1),
        up,
        **charts.room(430, 120),
        **words,
    )


def common(study: Study) -> tuple[str, float]:
    """Return what a factor on all budgets is called, and what 1 stands for."""
    budgets = {s.epsilon for s in study.servers if s.private}
    if len(budgets) == 1:
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


def equation(x: NDArray, y: NDArray, hover: str, name: str = "Rate equation") -> charts.Curve:
    """Return the line of the rate equation."""
    told = {"hover": hover, "extra": "rate equation"}
    return charts.line(x, y, name, charts.EQUATION, width=2.5, **told)


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
    line = equation(x, y, hover, name)
    if not len(rows):
        return [line]
    low, middle, high = rows.min(axis=0), rows[len(rows) // 2], rows.max(axis=0)
    told: charts.Fields = {"hover": hover, "extra": "named mechanism"}
    told["spread"] = charts.Spread(up=high - middle, down=middle - low, shown=False)
    name = "Named mechanism (band: its free constant)"
    mechanism = charts.line(x, middle, name, charts.MECHANISM, "dash", 2.5, **told)
    return [*charts.band(x, low, high, "rgba(209,104,43,0.25)"), mechanism, line]
