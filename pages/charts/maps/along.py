"""A rate of one's own: along one axis, with its slopes and one's own measurements."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts import number
from pages.charts.maps import plane
from pages.charts.maps.plane import Look
from rates.pieces import Interval

if TYPE_CHECKING:  # its room needs sympy, which other figures do without
    from rates.orders import Along

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A rate along one size, with what is marked on it.

    Attributes:
        label: What stands below the axis.
        found: The rate.
        here: The chosen place.
        points: Own measurements: place, mean, error.
        fitted: Level and slope of a line through them in logs, or none.
    """

    label: str
    found: Along
    here: float
    points: Sequence[tuple[float, float, float]] = ()
    fitted: tuple[float, float] | None = None


def drawn(cut: Cut, looks: Mapping[str, Look], **words: Any) -> charts.Figure:
    """Return the rate along one size over a strip that names the deciding terms.

    Args:
        cut: The rate.
        looks: How each term is shown.
        **words: Title, caption, and name of the files.
    """
    found = cut.found
    low, high = float(found.x[0]), float(found.x[-1])
    hover = "%{x:.3g}: %{y:.3g}"
    lines: list[tuple[str, Array, str | None, float]] = [("Rate as typed", found.rate, None, 2.5)]
    if not np.allclose(found.rate, found.order, rtol=1e-9):
        lines.append(("Its order: sums as maxima", found.order, "dash", 1.5))
    marks = [
        charts.line(found.x, y, text, charts.EQUATION, dash, width, hover=hover)
        for text, y, dash, width in lines
    ]
    marks += _measured(cut)
    seen = [*found.rate.tolist(), *(mean for _, mean, _ in cut.points)]
    ends = charts.around([v for v in seen if v > 0 and math.isfinite(v)] or [1.0], 1.6)
    marks.append(charts.line([cut.here] * 2, ends, "your point", charts.GREY, "dot"))
    return plane.over_strip(
        marks,
        [(looks[row.label], row.lo, row.hi) for row in found.steps],
        (low, high),
        _powers(cut.label, (low, high)),
        _powers("Rate", ends),
        {cut.label: found.x, "rate": found.rate, "order": found.order},
        alt=f"The rate against {cut.label}. Deciding: {told(found.steps, looks)}.",
        **words,
    )


def _powers(title: str, ends: tuple[float, float]) -> charts.Axis:
    return charts.log_axis(title, ends, powers=True, fixed=True, step=charts.step(ends))


def two(label: str, one: Along, other: Along) -> charts.Figure:
    """Return two rates along one size."""
    x, first, second = one.x, one.rate, other.rate
    ratio = first / second
    k = int(np.argmax(np.abs(np.log(ratio))))
    far = float(max(ratio[k], 1.0 / ratio[k]))
    which = "first" if ratio[k] > 1 else "second"
    told = f"At {label} = {number(float(x[k]))} the {which} one is {number(far)} times the other."
    ends = charts.around([*first.tolist(), *second.tolist()], 1.6)
    return charts.plot(
        [
            charts.line(x, first, "first rate", charts.EQUATION, None, 2.5),
            charts.line(x, second, "second rate", charts.MECHANISM, "dash", 2.5),
        ],
        _powers(label, (float(x[0]), float(x[-1]))),
        _powers("Rate", ends),
        {label: x, "first": first, "second": second},
        title=f"Two rates as {label} grows: at most a factor {number(far)} apart here",
        **charts.room(430, 100, 54),
        alt=f"Two rates against {label}. {told}",
        name="two-rates",
        caption=told,
    )


def told(steps: Sequence[Interval], looks: Mapping[str, Look]) -> str:
    """The order of the deciding terms, with their slopes, in words."""
    return "; ".join(
        f"{looks[row.label].short} up to {number(row.hi)}, slope {number(row.slope)}"
        for row in steps
    )


def _measured(cut: Cut) -> list[charts.Curve]:
    if not cut.points:
        return []
    x, mean, error = (list(part) for part in zip(*cut.points, strict=True))
    down = [min(e, 0.999 * m) for e, m in zip(error, mean, strict=True)]
    spread = charts.Spread(up=error, down=down)
    look: charts.Fields = {"spread": spread, "hover": "%{x:.3g}: %{y:.3g}"}
    marks = [charts.dots(x, mean, "your measurements", "diamond", 10, charts.MECHANISM, **look)]
    if cut.fitted is not None:
        level, slope = cut.fitted
        ends = np.array([min(x), max(x)])
        fit = np.exp(level + slope * np.log(ends))
        marks.append(charts.line(ends, fit, "line through them", charts.MECHANISM, "dashdot", 2))
    return marks
