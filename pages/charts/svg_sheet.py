"""The sheet of a drawing: its axes, its frame and its legend."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from pages.charts import svg_marks as pen
from pages.charts.chart import Bars, Cells, Chart, Curve, Hatch, Mark
from pages.charts.svg_axes import Scale, scale

TITLE, ROW, TICK, LINE = 15.0, 20.0, 12.0, 15.0
BLUE = "#3b82c4"  # of a mark that has no colour
_EDGE = 4.0  # pixels that stay free at either side
_GRID = 'stroke="currentColor" stroke-opacity="0.16"'
Point = tuple[float, float]


@dataclass(slots=True)
class Sheet:
    """A drawing in the making, this wide; `left`, `right`, `top` and `bottom` bound the plot."""

    ident: str
    width: float
    top: float
    bottom: float
    left: float = 20.0
    right: float = 0.0
    xs: tuple[Scale, ...] = ()
    ys: tuple[Scale, ...] = ()
    shapes: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    last: list[Point] = field(default_factory=list)

    def paint(self, hatch: Hatch | None, colour: object) -> object:
        """Return the paint of a surface; a known hatch is defined and referred to."""
        if hatch is None or not pen.hatched(hatch.shape):
            return colour
        name = f"{self.ident}-h{len(self.definitions)}"
        self.definitions.append(pen.hatch(name, hatch.shape, colour))
        return f"url(#{name})"

    def window(self, x: Scale, y: Scale) -> str:
        """Return the name of what cuts off all beyond two axes."""
        left, right = sorted((x.start, x.end))
        top, bottom = sorted((y.start, y.end))
        name = f"{self.ident}-w{left:.0f}-{top:.0f}-{right:.0f}-{bottom:.0f}"
        cut = (
            f'<clipPath id="{name}"><rect x="{left:.1f}" y="{top:.1f}" '
            f'width="{right - left:.1f}" height="{bottom - top:.1f}"/></clipPath>'
        )
        if cut not in self.definitions:
            self.definitions.append(cut)
        return name

    def box(self, x: float, y: float, width: float, height: float, paint: object) -> None:
        """Draw a filled box."""
        self.shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
            f"{pen.paint('fill', paint)}/>"
        )

    def write(
        self,
        x: float,
        y: float,
        words: str,
        *,
        anchor: str = "start",
        size: float = 13.0,
        colour: str | None = None,
    ) -> None:
        """Write a label, moved or made smaller where it would leave the paper."""
        size, room = small(words, size, self.width - 2 * _EDGE)
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * room
        x = min(max(x, _EDGE + before), self.width - _EDGE - room + before)
        self.shapes.append(
            pen.text(x, max(y, size), words, anchor=anchor, size=size, colour=colour)
        )

    def across(self, share: float) -> float:
        """Return where a fraction of the paper lies, from the left."""
        return self.left + share * (self.right - self.left)

    def up(self, share: float) -> float:
        """Return where a fraction of the paper lies, from the bottom."""
        return self.bottom + share * (self.top - self.bottom)

    def scales(self, mark: Mark) -> tuple[Scale, Scale]:
        """Return the axes of a mark."""
        return self.xs[(mark.x_axis or 1) - 1], self.ys[(mark.y_axis or 1) - 1]


def small(words: str, size: float, most: float) -> tuple[float, float]:
    """Return the size in which a label takes at most so many pixels, and those it takes.

    >>> small("nn", 10, 26), small("nn", 10, 6.5)
    ((10, 13.0), (5.0, 6.5))
    """
    room = pen.wide(words, size)
    return (size, room) if room <= most else (size * most / room, most)


def lay(sheet: Sheet, chart: Chart, width: float) -> None:
    """Lay all axes; the room on the left is what the names beside it take."""

    def values(letter: str, number: int) -> list[object]:
        mine = (m for m in chart.marks if (getattr(m, f"{letter}_axis") or 1) == number)
        return [v for mark in mine for v in getattr(mark, letter)]

    sheet.ys = tuple(
        scale(axis, values("y", k), start=sheet.bottom, end=sheet.top)
        for k, axis in enumerate(chart.axes("y"), 1)
    )
    left, right = 20.0, 46.0
    for a in sheet.ys:
        room = max((pen.wide(t, TICK) for _, t in a.ticks), default=0.0)
        beside = 13.0 + LINE * len(title_lines(a)) if a.title else 0.0
        taken = (room if a.axis.shown is not False else 0.0) + 16 + beside
        left, right = (left, max(right, taken)) if a.axis.over else (max(left, taken), right)
    sheet.left, sheet.right = min(left, 0.45 * width), width - right
    sheet.xs = tuple(
        scale(axis, values("x", k), start=sheet.left, end=sheet.right)
        for k, axis in enumerate(chart.axes("x"), 1)
    )


def frames(sheet: Sheet) -> None:
    """Draw grid lines, tick labels and axis titles."""
    bottom, top = max(a.start for a in sheet.ys), min(a.end for a in sheet.ys)
    left = min(a.start for a in sheet.xs)
    for a in sheet.xs:
        if a.axis.shown is False:
            continue
        previous = -math.inf
        for value, words in a.ticks:
            x, half = a.place(value), 0.5 * pen.wide(words, TICK)
            sheet.shapes.append(f'<path d="M{x:.1f},{bottom:.1f}V{top:.1f}" {_GRID}/>')
            if x - half > previous:
                sheet.write(x, bottom + 16, words, anchor="middle", size=TICK)
                previous = x + half + 4
        if a.title:
            middle, most = (a.start + a.end) / 2, abs(a.end - a.start) + 40.0
            size, _ = small(a.title, 13.0, most)
            sheet.write(middle, bottom + 38, a.title, anchor="middle", size=size)
    for a in sheet.ys:
        if a.axis.shown is False:
            continue
        far = a.axis.over  # its numbers stand on the right, and it has no grid
        for value, words in a.ticks:
            y = a.place(value)
            for b in sheet.xs if a.kind != "category" and not far else ():
                sheet.shapes.append(f'<path d="M{b.start:.1f},{y:.1f}H{b.end:.1f}" {_GRID}/>')
            x, anchor = (sheet.right + 6, "start") if far else (left - 6, "end")
            size, _ = small(words, TICK, sheet.left - 16 - (28 if a.title else 0))
            sheet.write(x, y + 4, words, anchor=anchor, size=TICK if far else size)
        if not a.title:
            continue
        middle, x = (a.start + a.end) / 2, sheet.right + 42 if far else 18.0
        for number, words in enumerate(title_lines(a)):
            size, _ = small(words, 13.0, _along(a))
            shown = pen.text(0, LINE * number, words, anchor="middle", size=size)
            sheet.shapes.append(
                f'<g transform="translate({x:g},{middle:.1f}) rotate(-90)">{shown}</g>'
            )


def title_lines(a: Scale) -> list[str]:
    """Return the title of an upright axis as lines that it has room for."""
    return pen.wrapped(a.title, _along(a), 13.0, bold=False)


def _along(a: Scale) -> float:
    return abs(a.end - a.start) + 12.0


def _legend_rows(chart: Chart, width: float) -> list[list[tuple[Mark, float]]]:
    """The named marks in rows that fit, each with the room it takes."""
    there = (mark for mark in chart.marks if not isinstance(mark, Cells))
    named = [mark for mark in there if mark.name and mark.listed is not False]
    if chart.keys is False or (len(named) < 2 and not chart.keys):
        return []
    rows: list[list[tuple[Mark, float]]] = []
    for mark in named:
        room = 52 + pen.wide(mark.name or "", TICK)
        if rows and sum(r for _, r in rows[-1]) + room <= width - 20:
            rows[-1].append((mark, room))
        else:
            rows.append([(mark, room)])
    return rows


def legend(sheet: Sheet, chart: Chart, width: float, top: float) -> float:
    """Draw the legend and return where the drawing ends."""
    rows = _legend_rows(chart, width)
    for number, row in enumerate(rows):
        x, y = 12.0, top + 14 + ROW * number
        for mark, room in row:
            _key(sheet, mark, x, y)
            size, _ = small(mark.name or "", TICK, width - _EDGE - x - 34)
            sheet.write(x + 34, y + 4, mark.name or "", size=size)
            x += room
    return top + legend_room(chart, width)


def legend_room(chart: Chart, width: float) -> float:
    """Return the height that the legend takes."""
    rows = _legend_rows(chart, width)
    return 16 + ROW * len(rows) if rows else 6.0


def _key(sheet: Sheet, mark: Mark, x: float, y: float) -> None:
    """Draw the sample of a mark in the legend."""
    if isinstance(mark, Bars):
        fill = pen.paint("fill", sheet.paint(mark.hatch, mark.colour))
        sheet.shapes.append(f'<rect x="{x + 4:.1f}" y="{y - 6:.1f}" width="22" height="12"{fill}/>')
    if not isinstance(mark, Curve):
        return
    if mark.fill is not None:
        sheet.box(x + 4, y - 6, 22, 12, sheet.paint(mark.fill.hatch, mark.fill.colour))
    elif mark.stroke is not None:
        ends = [(x, y), (x + 28, y)]
        sheet.shapes.append(pen.line(ends, mark.stroke.colour or BLUE, 2.5, mark.stroke.dash))
    if mark.dots is not None and mark.dots.shown:
        kind = str(each(mark.dots.symbol, 0, "circle"))
        sheet.shapes.append(pen.symbol(x + 14, y, kind, 10, colour_of(mark)))


def each(given: object, k: int, default: object) -> object:
    """Return what holds for one point: the one for all, or its own."""
    if given is None:
        return default
    if isinstance(given, str | int | float):
        return given
    items = list(given)  # type: ignore[call-overload]
    return items[k] if k < len(items) else default


def colour_of(mark: Curve) -> object:
    """Return the colour of the marks of a curve."""
    own = mark.dots.colour if mark.dots else None
    return own or (mark.stroke.colour if mark.stroke else None) or BLUE
