"""A figure drawn as SVG without a browser: lines, marks, bars, intervals and a legend.

It takes the same figure that a page shows, so that a report and the page cannot differ. Letters
and axes have the colour of the text around the drawing, so it fits light and dark paper.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import plotly.graph_objects as go

from pages.figures.chart import svg_marks as marks
from pages.figures.chart.svg_axes import Axis, as_float, axis

WIDTH = 720.0
_TITLE, _ROW, _TICK = 15.0, 20.0, 12.0
_AXIS = re.compile(r"([xy])axis(\d*)$")
_GRID = 'stroke="currentColor" stroke-opacity="0.16"'


@dataclass(slots=True)
class _Sheet:
    """A drawing in the making."""

    ident: str
    axes: dict[str, Axis] = field(default_factory=dict)
    shapes: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    last: list[tuple[float, float]] = field(default_factory=list)

    def hatch(self, shape: str, colour: object) -> str:
        """Define a hatch and return the paint that refers to it."""
        name = f"{self.ident}-h{len(self.definitions)}"
        self.definitions.append(marks.hatch(name, shape, colour))
        return f"url(#{name})"


def draw(figure: go.Figure, *, ident: str, alt: str, width: float = WIDTH) -> str:
    """Return a figure as the text of one ``svg`` element.

    Args:
        figure: Traces of the kinds "scatter" and "bar"; others are left out.
        ident: Unique on the sheet of paper that it stands on: letters, digits, "-" and "_".
        alt: What it shows, in words.
        width: In pixels.

    >>> picture = go.Figure({"data": [{"x": [1, 2], "y": [1, 4]}]})
    >>> draw(picture, ident="a", alt="A line").startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    layout = figure.layout.to_plotly_json()
    traces = [trace for trace in figure.data if trace.visible is not False]
    sheet = _Sheet(ident)
    title = str((layout.get("title") or {}).get("text") or "")
    titles = marks.wrapped(title, width - 20, 8.2) if title else []
    legend = _legend_rows(traces, layout, width)
    notes = [note for note in layout.get("annotations") or () if note.get("visible") is not False]
    top = 12 + _ROW * len(titles) + (22 if any(as_float(n.get("y")) >= 1 for n in notes) else 0)
    height = max(float(layout.get("height") or 380), 170.0)
    inner = height - float((layout.get("margin") or {}).get("t") or 64) - 60.0
    inner = max(inner, 90.0)
    _axes(sheet, traces, layout, (width, top, inner))
    for number, line in enumerate(titles):
        sheet.shapes.append(
            marks.text(10, 16 + _ROW * number, line, size=_TITLE).replace(
                "<text", '<text font-weight="600"'
            )
        )
    _frames(sheet)
    for trace in traces:
        _trace(sheet, trace, layout)
    for note in notes:
        _note(sheet, note, (width, top, inner))
    floor = top + inner + 26 + (22 if _bottom_title(sheet) else 0)
    bottom = _legend(sheet, legend, floor)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {bottom:.0f}" '
        f'width="{width:g}" height="{bottom:.0f}" role="img"{marks.paint("aria-label", alt)} '
        'font-family="system-ui, sans-serif" fill="currentColor" color="#1f2430" '
        f'class="figure"><defs>{"".join(sheet.definitions)}</defs>{"".join(sheet.shapes)}</svg>'
    )


def _axes(
    sheet: _Sheet,
    traces: Sequence[Any],
    layout: Mapping[str, Any],
    frame: tuple[float, float, float],
) -> None:
    """Lay all axes; the room on the left is what the names beside it take."""
    width, top, inner = frame
    used = {"x": ["x"], "y": ["y"]}
    for letter, names in used.items():
        found = [str(getattr(t, f"{letter}axis", None) or letter) for t in traces]
        names[:] = list(dict.fromkeys(found)) or names
    values = {
        name: [
            v
            for t in traces
            if str(getattr(t, f"{letter}axis", None) or letter) == name
            for v in listed(getattr(t, letter))
        ]
        for letter, names in used.items()
        for name in names
    }
    left = 20.0
    for name in used["y"]:
        made = axis(_said(layout, name), values[name], start=top + inner, end=top)
        longest = max((len(marks.plain(t)) for _, t in made.ticks), default=0)
        room = marks.LETTER * longest if made.visible else 0.0
        left = max(left, room + 16 + (24 if made.title else 0))
        sheet.axes[name] = made
    left = min(left, 0.45 * width)
    for name in used["x"]:
        sheet.axes[name] = axis(_said(layout, name), values[name], start=left, end=width - 46)


def listed(values: object) -> list[Any]:
    """Return what a trace holds along one axis as a list."""
    return [] if values is None else list(values)  # type: ignore[call-overload]


def _said(layout: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return layout.get(f"{name[0]}axis{name[1:]}") or {}


def _bottom_title(sheet: _Sheet) -> bool:
    return any(a.title for name, a in sheet.axes.items() if name[0] == "x")


def _frames(sheet: _Sheet) -> None:
    """Draw grid lines, tick labels and axis titles."""
    ys = [a for name, a in sheet.axes.items() if name[0] == "y"]
    xs = [a for name, a in sheet.axes.items() if name[0] == "x"]
    bottom, top = max(a.start for a in ys), min(a.end for a in ys)
    left = min(a.start for a in xs)
    for a in xs:
        if not a.visible:
            continue
        previous = -math.inf
        for value, words in a.ticks:
            x, half = a.place(value), 0.5 * marks.LETTER * len(marks.plain(words))
            sheet.shapes.append(f'<path d="M{x:.1f},{bottom:.1f}V{top:.1f}" {_GRID}/>')
            if x - half > previous:
                text = marks.text(x, bottom + 16, words, anchor="middle", size=_TICK)
                sheet.shapes.append(text)
                previous = x + half + 4
        if a.title:
            sheet.shapes.append(
                marks.text((a.start + a.end) / 2, bottom + 38, a.title, anchor="middle")
            )
    for a in ys:
        if not a.visible:
            continue
        for value, words in a.ticks:
            y = a.place(value)
            for b in xs if a.kind != "category" else ():
                sheet.shapes.append(f'<path d="M{b.start:.1f},{y:.1f}H{b.end:.1f}" {_GRID}/>')
            sheet.shapes.append(marks.text(left - 6, y + 4, words, anchor="end", size=_TICK))
        if a.title:
            middle = (a.start + a.end) / 2
            shown = marks.text(0, 0, a.title, anchor="middle")
            sheet.shapes.append(
                f'<g transform="translate(14,{middle:.1f}) rotate(-90)">{shown}</g>'
            )


def _trace(sheet: _Sheet, trace: Any, layout: Mapping[str, Any]) -> None:
    x, y = sheet.axes.get(trace.xaxis or "x"), sheet.axes.get(trace.yaxis or "y")
    if x is None or y is None:
        return
    if trace.type == "bar":
        _bars(sheet, trace, x, y)
    elif trace.type in ("scatter", "scattergl"):
        _scatter(sheet, trace, x, y)


def _scatter(sheet: _Sheet, trace: Any, x: Axis, y: Axis) -> None:
    xs, ys = listed(trace.x), listed(trace.y)
    points = [
        (_within(x, a), _within(y, b)) if x.inside(a) or y.inside(b) else (math.nan, math.nan)
        for a, b in zip(xs, ys, strict=False)
    ]
    mode = str(trace.mode or "lines")
    if trace.fill == "tonexty" and sheet.last:
        sheet.shapes.append(marks.area([*sheet.last, *reversed(points)], trace.fillcolor))
    elif trace.fill == "toself":
        sheet.shapes.append(marks.area(points, trace.fillcolor))
    sheet.last = points
    width = trace.line.width if trace.line.width is not None else 2.0
    if "lines" in mode and width > 0:
        sheet.shapes.append(
            marks.line(points, trace.line.color or "#3b82c4", width, trace.line.dash)
        )
    if trace.error_y.array is not None:
        for (a, _), value, spread in zip(points, ys, listed(trace.error_y.array), strict=False):
            ends = [_within(y, as_float(value) + s * as_float(spread)) for s in (-1, 1)]
            sheet.shapes.append(marks.line([(a, e) for e in ends], _colour(trace, 0), 1.6))
    if "markers" in mode:
        most = trace.marker.maxdisplayed or len(points)
        step = max(1, math.ceil(len(points) / most)) if points else 1
        for k, (a, b) in list(enumerate(points))[::step]:
            kind = _each(trace.marker.symbol, k, "circle")
            size = as_float(_each(trace.marker.size, k, 8.0))
            sheet.shapes.append(marks.symbol(a, b, str(kind), size, _colour(trace, k)))
    if "text" in mode and trace.text is not None:
        for k, (a, b) in enumerate(points):
            if math.isfinite(a) and math.isfinite(b):
                words = str(_each(trace.text, k, ""))
                sheet.shapes.append(marks.text(a + 8, b - 6, words, size=_TICK))


def _within(a: Axis, value: object) -> float:
    """The place of a value, at the edge of the axis where it lies beyond."""
    place = a.place(value)
    low, high = sorted((a.start, a.end))
    return min(max(place, low), high) if math.isfinite(place) else math.nan


def _each(given: object, k: int, default: object) -> object:
    if given is None:
        return default
    if isinstance(given, str | int | float):
        return given
    items = listed(given)
    return items[k] if k < len(items) else default


def _colour(trace: Any, k: int) -> object:
    default = trace.line.color if trace.type != "bar" and trace.line.color else "#3b82c4"
    return _each(trace.marker.color, k, default)


def _bars(sheet: _Sheet, trace: Any, x: Axis, y: Axis) -> None:
    flat = trace.orientation == "h"
    along, across = (x, y) if flat else (y, x)
    lengths = listed(trace.x if flat else trace.y)
    names = listed(trace.y if flat else trace.x)
    count = max(len(across.categories), 1)
    thick = 0.62 * abs(across.end - across.start) / (count + 0.2)
    shape = trace.marker.pattern.shape
    for k, (name, length) in enumerate(zip(names, lengths, strict=False)):
        colour, kind = _colour(trace, k), str(_each(shape, k, "") or "")
        fill = sheet.hatch(kind, colour) if marks.hatched(kind) else colour
        middle = across.place(name)
        start, end = _within(along, max(0.0, along.low)), _within(along, length)
        if not (math.isfinite(middle) and math.isfinite(end)):
            continue
        low, size = min(start, end), abs(end - start)
        box = (low, middle - thick / 2, size, thick)
        if not flat:
            box = (middle - thick / 2, low, thick, size)
        left, top, wide, high = box
        sheet.shapes.append(
            f'<rect x="{left:.1f}" y="{top:.1f}" width="{max(wide, 0.5):.1f}" '
            f'height="{max(high, 0.5):.1f}"{marks.paint("fill", fill)}/>'
        )
        if words := str(_each(trace.text, k, "") or ""):
            at = (end + 4, middle + 4) if flat else (middle, end - 5)
            anchor = "start" if flat else "middle"
            sheet.shapes.append(marks.text(*at, words, anchor=anchor, size=_TICK))


def _note(sheet: _Sheet, note: Mapping[str, Any], frame: tuple[float, float, float]) -> None:
    """Write an annotation whose place is given on the paper or along the axes."""
    width, top, inner = frame
    spots = []
    for letter, paper in (("x", (_left(sheet), width - 46)), ("y", (top + inner, top))):
        ref, value = str(note.get(f"{letter}ref") or letter), as_float(note.get(letter))
        along = sheet.axes.get(ref)
        if ref == "paper" or along is None:
            spots.append(paper[0] + value * (paper[1] - paper[0]))
        else:  # along a log axis the place of an annotation is a logarithm
            spots.append(along.place(10**value if along.kind == "log" else value))
    if not all(map(math.isfinite, spots)):
        return
    anchor = {"left": "start", "right": "end"}.get(str(note.get("xanchor")), "middle")
    text = str(note.get("text") or "")
    sheet.shapes.append(marks.text(spots[0], spots[1] - 6, text, anchor=anchor))


def _left(sheet: _Sheet) -> float:
    return min(a.start for name, a in sheet.axes.items() if name[0] == "x")


def _legend_rows(
    traces: Sequence[Any], layout: Mapping[str, Any], width: float
) -> list[list[tuple[Any, float]]]:
    """The named traces in rows that fit, each with the room it takes."""
    named = [t for t in traces if t.name and t.showlegend is not False]
    if layout.get("showlegend") is False or (len(named) < 2 and not layout.get("showlegend")):
        return []
    rows: list[list[tuple[Any, float]]] = []
    for trace in named:
        room = 52 + 7.2 * len(marks.plain(str(trace.name)))
        if rows and sum(r for _, r in rows[-1]) + room <= width - 20:
            rows[-1].append((trace, room))
        else:
            rows.append([(trace, room)])
    return rows


def _legend(sheet: _Sheet, rows: Sequence[Sequence[tuple[Any, float]]], top: float) -> float:
    """Draw the legend and return where the drawing ends."""
    for number, row in enumerate(rows):
        x, y = 12.0, top + 14 + _ROW * number
        for trace, room in row:
            _key(sheet, trace, x, y)
            sheet.shapes.append(marks.text(x + 34, y + 4, str(trace.name), size=_TICK))
            x += room
    return top + (16 + _ROW * len(rows) if rows else 6)


def _key(sheet: _Sheet, trace: Any, x: float, y: float) -> None:
    """Draw the sample of a trace in the legend."""
    if trace.type == "bar":
        shape = str(_each(trace.marker.pattern.shape, 0, "") or "")
        colour = _colour(trace, 0)
        fill = sheet.hatch(shape, colour) if marks.hatched(shape) else colour
        sheet.shapes.append(
            f'<rect x="{x + 4:.1f}" y="{y - 6:.1f}" width="22" height="12"'
            f"{marks.paint('fill', fill)}/>"
        )
        return
    mode = str(trace.mode or "lines")
    if "lines" in mode:
        ends = [(x, y), (x + 28, y)]
        sheet.shapes.append(marks.line(ends, trace.line.color or "#3b82c4", 2.5, trace.line.dash))
    if "markers" in mode:
        kind = str(_each(trace.marker.symbol, 0, "circle"))
        sheet.shapes.append(marks.symbol(x + 14, y, kind, 10, _colour(trace, 0)))
