"""Maps of labelled regions, and a rate along one size of such a map."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pages import charts
from pages.charts import places
from pages.charts.planes import Axis, Look, Plane
from pages.charts.words import number
from rates.pieces import Interval, Polygon

if TYPE_CHECKING:  # its room needs sympy, which other figures do without
    from rates.orders import Along


INK = "#111111"
_HALO = "1px 1px 2px white, -1px -1px 2px white, 1px -1px 2px white, -1px 1px 2px white"
_ENTRIES = 8  # of the legend, in the room that every map has
_NAMED = 0.07  # of a strip, for a name
_BELOW: dict[str, Any] = {"y_axis": 2, "listed": False}  # of the band under a curve


def map_figure(
    plane: Plane,
    *,
    lines: Sequence[tuple[str, float]] = (),
    wrong: str = "",
    **words: Any,
) -> charts.Figure:
    """Return the map, the row of the chosen point, and what is hatched over it.

    Args:
        plane: The map.
        lines: Places on the row to be named.
        wrong: Name of what is hatched.
        **words: Title, alt, name and caption.
    """
    x, y = plane.x, plane.y
    names = places.names(plane)
    told = {name.label for name in names if name.whole}
    edge = None if plane.seams else "white"
    marks = [
        filled(plane.looks[label], polygons, edge=edge, listed=None if label not in told else False)
        for label, polygons in plane.regions.items()
        if polygons
    ]
    if plane.wrong:
        hatch = charts.Hatch(shape="x", paper=None, ink=INK)
        fill = charts.Fill("rgba(255,255,255,0.35)", hatch)
        marks.append(charts.line(*_path(plane.wrong), wrong, INK, "dash", 1.5, fill=fill))
    if plane.here is not None:
        marks += _cross(plane.here, x)
        if lines:
            marks.append(_named(lines, plane.here, x))
    rows = [
        {"label": label, "polygon": k, x.title: float(a), y.title: float(b)}
        for label, polygons in plane.regions.items()
        for k, polygon in enumerate(polygons, start=1)
        for a, b in zip(polygon.x.tolist(), polygon.y.tolist(), strict=True)
    ]
    more = 16 * max(0, charts.entries(marks) - _ENTRIES)  # room for a long legend
    notes = [_note(name.text, name.x, name.y, size=13) for name in names]
    space = charts.room(560, 150, 54, more=more)
    return charts.plot(marks, _axis(x), _axis(y), rows, notes=notes, **space, **words)


def filled(
    look: Look, polygons: Sequence[Polygon], *, edge: str | None = "white", **more: Any
) -> charts.Curve:
    """Return the regions of one label; without an edge, neighbours of one label are one."""
    hatch = charts.Hatch(shape=look.hatch, paper=look.colour) if look.hatch else None
    fill, path = charts.Fill(look.colour, hatch), _path(polygons)
    return charts.line(*path, look.name, edge or look.colour, width=0.8, fill=fill, **more)


def over_strip(
    marks: Sequence[charts.Curve],
    rows: Sequence[tuple[Look, float, float]],
    label: str,
    here: float,
    **words: Any,
) -> charts.Figure:
    """Return rates in logarithms over a band that says what decides where.

    Args:
        marks: The rates; the band is as wide as the first one.
        rows: How each stretch of the band is shown, and where it begins and ends.
        label: What stands below the axis.
        here: The chosen place.
        **words: Title, name and caption.
    """
    low, high = float(marks[0].x[0]), float(marks[0].x[-1])
    rise = charts.around([v for mark in marks for v in mark.y if 0 < v < math.inf] or [1.0], 1.6)
    shown = [(look, max(a, low), min(b, high)) for look, a, b in rows]
    shown = [(look, a, b) for look, a, b in shown if a < b]
    boxes = [
        filled(look, [Polygon(x=np.array([a, a, b, b, a]), y=np.array([0, 1, 1, 0, 0]))], **_BELOW)
        for look, a, b in shown
    ]
    names = [
        _note(look.short, (math.log10(a) + math.log10(b)) / 2, 0.5, size=12, y_axis=2)
        for look, a, b in shown
        if math.log10(b / a) / math.log10(high / low) > _NAMED
    ]
    return charts.plot(
        [*marks, charts.line([here] * 2, rise, "your point", dash="dot"), *boxes],
        _powers(label, (low, high), beside=2),
        [
            _powers("Rate", rise, part=(0.17, 1)),
            charts.Axis(part=(0, 0.11), shown=False, fixed=True, span=(0, 1)),
        ],
        notes=names,
        **charts.room(460, 110, 54),
        **words,
    )


def _note(name: str, x: float, y: float, *, size: float, **more: Any) -> charts.Note:
    """Return the name of a label, at axis coordinates."""
    font, ground = charts.Font(colour=INK, size=size), "rgba(255,255,255,0.85)"
    return charts.Note(text=f"<b>{name}</b>", x=x, y=y, font=font, ground=ground, **more)


def _axis(axis: Axis) -> charts.Axis:
    ends = (axis.low, axis.high)
    if axis.log:
        return _powers(axis.heading, ends)
    return charts.Axis(title=axis.heading, span=ends, fixed=True)


def _path(polygons: Sequence[Polygon]) -> tuple[np.ndarray, np.ndarray]:
    return charts.joined([(p.x, p.y) for p in polygons])


def _cross(here: tuple[float, float], x: Axis) -> list[charts.Curve]:
    at, up = [min(max(here[0], x.low), x.high)], [here[1]]
    look: charts.Fields = {"edge": charts.Stroke(INK, 1.5), "hover": "%{x:.3g}, %{y:.3g}"}
    return [
        charts.line([x.low, x.high], up * 2, None, INK, "dot", 1.5, listed=False),
        charts.dots(at, up, "your point", "star", 15, "#ffd84d", **look),
    ]


def _named(lines: Sequence[tuple[str, float]], here: tuple[float, float], x: Axis) -> charts.Curve:
    shown = sorted((at, name) for name, at in lines if x.low <= at <= x.high)
    words = charts.Words(
        texts=[name for _, name in shown],
        at=(["top center", "bottom center"] * len(shown))[: len(shown)],
        font=charts.Font(colour=INK, size=15, shadow=_HALO),
    )
    told: charts.Fields = {"listed": False, "hover": "%{text} = %{x:.4g}", "extra": ""}
    at, name = [at for at, _ in shown], "endpoints on the cut"
    return charts.dots(
        at, [here[1]] * len(shown), name, "line-ns-open", 12, INK, words=words, **told
    )


def cut_figure(
    found: Along,
    looks: Mapping[str, Look],
    *,
    label: str,
    here: float,
    points: Sequence[tuple[float, float, float]] = (),
    second: Along | None = None,
    **words: Any,
) -> charts.Figure:
    """Return the rate along one size over a strip that names the deciding terms.

    Args:
        found: The rate.
        looks: How each term is shown.
        label: What stands below the axis.
        here: The chosen place.
        points: Own measurements: place, mean, error.
        second: Another rate at the same places, or none.
        **words: Title, caption, and name of the files.
    """
    x, look = found.x, charts.Fields(hover="%{x:.3g}: %{y:.3g}")
    marks = [charts.line(x, found.rate, "Rate as typed", charts.EQUATION, width=2.5, **look)]
    if not np.allclose(found.rate, found.order, rtol=1e-9):
        order = (found.order, "Its order: sums as maxima", charts.EQUATION, "dash", 1.5)
        marks.append(charts.line(x, *order, **look))
    if second is not None:
        other = (second.rate, "Second rate", charts.EQUATION, "dashdot", 1.5)
        marks.append(charts.line(x, *other, **look))
    marks += _measurements(points)
    steps = [(looks[row.label], row.lo, row.hi) for row in found.steps]
    return over_strip(marks, steps, label, here, **words)


def _powers(title: str, ends: tuple[float, float], **more: Any) -> charts.Axis:
    return charts.log_axis(title, ends, powers=True, fixed=True, step=charts.step(ends), **more)


def steps_text(steps: Sequence[Interval], looks: Mapping[str, Look]) -> str:
    """The order of the deciding terms, with their slopes, in words."""
    return "; ".join(
        f"{looks[row.label].short} up to {number(row.hi)}, slope {number(row.slope)}"
        for row in steps
    )


def _measurements(points: Sequence[tuple[float, float, float]]) -> list[charts.Curve]:
    """Return measurements with their errors."""
    if not points:
        return []
    x, mean, error = (list(part) for part in zip(*points, strict=True))
    down = [min(e, 0.999 * m) for e, m in zip(error, mean, strict=True)]  # a log axis has no zero
    look: charts.Fields = {"spread": charts.Spread(up=error, down=down)}
    look["hover"] = "%{x:.3g}: %{y:.3g}"
    return [charts.dots(x, mean, "your measurements", "diamond", 10, charts.MECHANISM, **look)]
