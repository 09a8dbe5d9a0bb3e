"""A chart drawn as SVG without a browser: curves, bars, cells, intervals, words and a legend.

It takes the same chart that a page shows, so that a report and the page cannot differ. Letters
and axes have the colour of the text around the drawing, so it fits light and dark paper. Every word
has the room that it takes in the widest common font, so nothing is cut where a font is missing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.charts import chart as marks
from pages.charts import svg_marks as pen
from pages.charts import theme
from pages.charts.chart import Axis, Bars, Cells, Chart, Curve, Mark, Values, even, log_ticks
from pages.charts.words import number, signed_percent

WIDTH = 720.0
INK = theme.INK["light"]
# The width of a lecture room's screen, in pixels of which letters have 12 at least: where it has
# 1,280, letters, lines and marks are 1.9 times as large, and no letter is below 22 but indices.
SCREEN = 632.0
TITLE, ROW, TICK, LINE = 15.0, 20.0, 12.0, 15.0
BLUE = theme.COLOURS[theme.SAMPLE]  # of a mark that has no colour
_EDGE = 4.0  # pixels that stay free at either side
_GRID = 'stroke="currentColor" stroke-opacity="0.16"'
Point = tuple[float, float]
Numbers = NDArray[np.float64]


def draw(
    chart: Chart,
    *,
    ident: str,
    alt: str,
    width: float = WIDTH,
    height: float | None = None,
    ink: str = INK,
) -> str:
    """Return a chart as the text of one ``svg`` element.

    Args:
        chart: The chart.
        ident: Unique on the sheet of paper that it stands on: letters, digits, "-" and "_".
        alt: What it shows, in words.
        width: In pixels.
        height: In pixels, of the whole drawing; as the chart asks, and as words need, if None.
        ink: Colour of letters and axes.

    >>> from pages.charts.make import line
    >>> picture = Chart(marks=[line([1, 2], [1, 4])], title="")
    >>> draw(picture, ident="a", alt="A line").startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    titles = pen.wrapped(chart.title, width - 20, TITLE) if chart.title else []
    notes, rows = chart.notes or (), _legend_rows(chart, width)
    top = 12 + ROW * len(titles) + (22 if any("y" in n.paper and n.y >= 1 for n in notes) else 0)
    foot = 26 + (22 if any(a.title and a.shown is not False for a in chart.axes("x")) else 0)
    room = 16 + ROW * len(rows) if rows else 6.0  # of the legend
    # As high as Plotly's plot: title and legend are written by other rules here.
    inner = max(max(chart.height or 380.0, 170.0) - chart.head - 60.0, 90.0)
    if height is not None:
        inner = max(height - top - foot - room, 90.0)
    sheet = _Sheet(ident, width, top, top + inner)
    sheet.lay(chart)
    # A surface may reach beyond the axes; its slanted edges must not turn at the border.
    if any(isinstance(mark, Curve) and mark.fill for mark in chart.marks):
        plot = f'y="{top:g}" width="{sheet.right - sheet.left:.1f}" height="{inner:.1f}"'
        plot = f'<rect x="{sheet.left:.1f}" {plot}/>'
        sheet.definitions.append(f'<clipPath id="{ident}-plot">{plot}</clipPath>')
    for k, words in enumerate(titles):
        line = pen.text(10, 16 + ROW * k, words, size=TITLE)
        sheet.shapes.append(line.replace("<text", '<text font-weight="600"'))
    _frames(sheet)
    bars = [mark for mark in chart.marks if isinstance(mark, Bars)]
    for mark in chart.marks:
        if isinstance(mark, Bars):
            beside = (bars.index(mark), len(bars)) if chart.stacked == "group" else (0, 1)
            _bars(sheet, mark, beside, chart.gap)
        else:
            (_curve if isinstance(mark, Curve) else _cells)(sheet, mark)  # type: ignore[arg-type]
    for rule in chart.rules or ():
        _rule(sheet, rule)
    for note in notes:
        _note(sheet, note)
    end = sheet.bottom + foot
    for k, row in enumerate(rows):
        x, y = 12.0, end + 14 + ROW * k
        for mark, wide in row:
            _key(sheet, mark, x, y)
            size, _ = _small(mark.name or "", TICK, width - _EDGE - x - 34)
            sheet.write(x + 34, y + 4, mark.name or "", size=size)
            x += wide
    end += room
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {end:.0f}" '
        f'width="{width:g}" height="{end:.0f}" role="img"{pen.paint("aria-label", alt)} '
        f'font-family="{pen.FONTS}" fill="currentColor"{pen.paint("color", ink)} '
        f'class="figure"><defs>{"".join(sheet.definitions)}</defs>{"".join(sheet.shapes)}</svg>'
    )


def _curve(sheet: _Sheet, mark: Curve) -> None:
    across, along = sheet.scales(mark)
    if mark.fill and not mark.fill.band:
        points = _pairs(across.place(mark.x), along.place(mark.y))
        sheet.shapes.append(f'<g clip-path="url(#{sheet.ident}-plot)">')
        sheet.shapes.append(pen.area(points, sheet.paint(mark.fill.hatch, mark.fill.colour)))
    else:
        # A line that leaves the plot goes on to its border; one that is nowhere near is no line.
        near = across.inside(mark.x) | along.inside(mark.y)
        both = ((across, mark.x), (along, mark.y))
        points = _pairs(*(np.where(near, scale.within(v), np.nan) for scale, v in both))
    if mark.fill and mark.fill.band and sheet.last:
        sheet.shapes.append(pen.area([*sheet.last, *reversed(points)], mark.fill.colour))
    # A band needs the curve before it, as in Plotly.
    sheet.last = points
    stroke, marked = mark.stroke, mark.dots
    width = 2.0 if stroke is None or stroke.width is None else stroke.width
    if stroke is not None and width > 0:
        path = pen.stepped(points) if stroke.steps else points
        sheet.shapes.append(pen.line(path, stroke.colour or BLUE, width, stroke.dash))
    if mark.fill and not mark.fill.band:
        sheet.shapes.append("</g>")
    _intervals(sheet, mark, points)
    if marked is not None and marked.shown:
        # Plotly too keeps every so-many-th mark, from the first on.
        step = max(1, math.ceil(len(points) / (marked.most or len(points)))) if points else 1
        kinds, sizes = (
            _each(v, points, d) for v, d in ((marked.symbol, "circle"), (marked.size, 8))
        )
        for (a, b), kind, size in list(zip(points, kinds, sizes, strict=True))[::step]:
            sheet.shapes.append(pen.symbol(a, b, str(kind), float(size), _colour_of(mark)))
    if mark.words is not None and mark.words.shown:
        colour = mark.words.font.colour if mark.words.font else None
        places, texts = (_each(v, points, "") for v in (mark.words.at, mark.words.texts))
        for (a, b), at, words in zip(points, places, texts, strict=True):
            if math.isfinite(a) and math.isfinite(b):
                up = 20 if "bottom" in at else 4 if "middle" in at else -9
                side = -1 if "left" in at else 1 if "right" in at or not at else 0
                anchor, x = ("end", "middle", "start")[side + 1], a + 8 * side
                sheet.write(x, b + up, str(words), anchor=anchor, size=TICK, colour=colour)


def _intervals(sheet: _Sheet, mark: Curve, points: Sequence[Point]) -> None:
    spread, (x, y) = mark.spread, sheet.scales(mark)
    if spread is None or spread.shown is False:
        return
    along, values = (x, mark.x) if spread.across else (y, mark.y)
    down = spread.up if spread.down is None else spread.down
    middle, least, most = (_floats(v) for v in (values, down, spread.up))
    ends = _pairs(along.within(middle - least), along.within(middle + most))
    for (a, b), (first, last) in zip(points, ends, strict=False):
        pair = [(first, b), (last, b)] if spread.across else [(a, first), (a, last)]
        sheet.shapes.append(pen.line(pair, spread.colour or _colour_of(mark), 1.6))


def _bars(sheet: _Sheet, mark: Bars, beside: tuple[int, int], gap: float) -> None:
    """Draw bars; `beside` is the place among those that stand at one place, and their number."""
    x, y = sheet.scales(mark)
    along, across = (x, y) if mark.lying else (y, x)
    lengths, names = (mark.x, mark.y) if mark.lying else (mark.y, mark.x)
    count = max(len(across.categories) or len(names), 1)
    place, together = beside
    # What is left and right of all bars is a tenth of a slot, as Plotly leaves it.
    thick = (0.97 - gap) * abs(across.end - across.start) / (count + 0.2) / together
    bases = [max(0.0, along.low)] * len(names) if mark.base is None else mark.base
    texts = _each(mark.texts, names, "")
    for name, length, base, words in zip(names, lengths, bases, texts, strict=True):
        paint = sheet.paint(mark.hatch, mark.colour)
        middle = across.spot(name) + thick * (place - (together - 1) / 2)
        first = float(_floats(base))
        reach = float(_floats(length)) + first * bool(mark.base)
        start, end = along.within([first, reach]).tolist()
        if not (math.isfinite(middle) and math.isfinite(end)):
            continue
        low, size = min(start, end), max(abs(end - start), 0.5)
        if mark.lying:
            sheet.box(low, middle - thick / 2, size, max(thick, 0.5), paint)
            sheet.write(end + 4, middle + 4, str(words), size=TICK)
        else:
            sheet.box(middle - thick / 2, low, max(thick, 0.5), size, paint)
            sheet.write(middle, end - 5, str(words), anchor="middle", size=TICK)


def _cells(sheet: _Sheet, mark: Cells) -> None:
    """Draw a box for every run of equal cells in a row."""
    x, y = sheet.scales(mark)
    across, up = (_edges(a, list(v)) for a, v in ((x, mark.x), (y, mark.y)))
    low, high = mark.ends
    share = (np.asarray(mark.kinds, dtype=float) - low) / (high - low)
    kinds = np.clip((share * len(mark.colours)).astype(int), 0, len(mark.colours) - 1)
    for row, line in enumerate(kinds):
        # A row of 64 cells is mostly of one colour: a few boxes in place of 64.
        turns = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
        for first, last in itertools.pairwise(turns):
            left, right = across[first], across[last]
            top, bottom = sorted((up[row], up[row + 1]))
            paint = mark.colours[int(line[first])]
            # Neighbours overlap a little: else hairlines of the paper shine through.
            sheet.box(left, top, right - left + 0.3, bottom - top + 0.3, paint)


def _edges(scale_: Scale, values: Sequence[object]) -> list[float]:
    """Where cells begin and end, halfway between their middles."""
    at = scale_.place(values).tolist()
    inner = [(a + b) / 2 for a, b in itertools.pairwise(at)]
    return [at[0] - (inner[0] - at[0]), *inner, at[-1] + (at[-1] - inner[-1])]


def _rule(sheet: _Sheet, rule: marks.Rule) -> None:
    first, second = rule.axes or (1, 1)
    x, y = sheet.xs[first - 1], sheet.ys[second - 1]
    xs = [sheet.across(a) if "x" in rule.paper else x.spot(a) for a in (rule.start[0], rule.end[0])]
    ys = [sheet.up(b) if "y" in rule.paper else y.spot(b) for b in (rule.start[1], rule.end[1])]
    spots = list(zip(xs, ys, strict=True))
    look = rule.stroke
    sheet.shapes.append(pen.line(spots, look.colour or BLUE, look.width or 2.0, look.dash))


def _note(sheet: _Sheet, note: marks.Note) -> None:
    """Write words whose place is given on the paper or along the axes."""
    y = sheet.ys[(note.y_axis or 1) - 1]
    a = sheet.across(note.x) if "x" in note.paper else sheet.xs[0].at(note.x)
    b = sheet.up(note.y) if "y" in note.paper else y.at(note.y)
    if not (math.isfinite(a) and math.isfinite(b)):
        return
    if note.ground:
        wide = pen.wide(note.text, 13.0) + 8
        sheet.box(a - wide / 2, b - 10, wide, 20, note.ground)
    anchor = "start" if note.left else "middle"
    down = (4 if note.ground else -6) - (note.shift or 0)
    sheet.write(a, b + down, note.text, anchor=anchor, colour=note.font.colour)


@dataclass(slots=True)
class _Sheet:
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

    def paint(self, hatch: marks.Hatch | None, colour: object) -> object:
        """Return the paint of a surface; a known hatch is defined and referred to."""
        if hatch is None or hatch.shape not in pen.HATCHES:
            return colour
        name = f"{self.ident}-h{len(self.definitions)}"
        self.definitions.append(pen.hatch(name, hatch.shape, colour))
        return f"url(#{name})"

    def box(self, x: float, y: float, width: float, height: float, paint: object) -> None:
        """Draw a filled box."""
        self.shapes.append(
            f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"'
            f"{pen.paint('fill', paint)}/>"
        )

    def write(
        self, x: float, y: float, words: str, size: float = 13.0, anchor: str = "start", **look: Any
    ) -> None:
        """Write a label if there is one, moved or smaller where it would leave the paper."""
        if not words:
            return
        size, room = _small(words, size, self.width - 2 * _EDGE)
        before = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor] * room
        x = min(max(x, _EDGE + before), self.width - _EDGE - room + before)
        self.shapes.append(pen.text(x, max(y, size), words, anchor=anchor, size=size, **look))

    def lay(self, chart: Chart) -> None:
        """Lay all axes; the room on the left is what the names beside it take."""

        def scales(letter: str, start: float, end: float) -> tuple[Scale, ...]:
            out = []
            for place, axis in enumerate(chart.axes(letter), 1):
                mine = (m for m in chart.marks if (getattr(m, f"{letter}_axis") or 1) == place)
                values = [v for mark in mine for v in getattr(mark, letter)]
                out.append(scale(axis, values, start=start, end=end))
            return tuple(out)

        self.ys = scales("y", self.bottom, self.top)
        left = 20.0
        for a in self.ys:
            room = max((pen.wide(t, TICK) for _, t in a.ticks), default=0.0)
            beside = 13.0 + LINE * len(_title_lines(a)) if a.axis.title else 0.0
            left = max(left, (room if a.axis.shown is not False else 0.0) + 16 + beside)
        # Longer names are written smaller: the plot is what one came for.
        self.left, self.right = min(left, 0.45 * self.width), self.width - 46.0
        self.xs = scales("x", self.left, self.right)

    def across(self, share: float) -> float:
        """Return where a fraction of the paper lies, from the left."""
        return self.left + share * (self.right - self.left)

    def up(self, share: float) -> float:
        """Return where a fraction of the paper lies, from the bottom."""
        return self.bottom + share * (self.top - self.bottom)

    def scales(self, mark: Mark) -> tuple[Scale, Scale]:
        """Return the axes of a mark."""
        return self.xs[(mark.x_axis or 1) - 1], self.ys[(mark.y_axis or 1) - 1]


def _small(words: str, size: float, most: float) -> tuple[float, float]:
    """Return the size in which a label takes at most so many pixels, and those it takes.

    >>> _small("nn", 10, 26), _small("nn", 10, 6.5)
    ((10, 13.0), (5.0, 6.5))
    """
    room = pen.wide(words, size)
    return (size, room) if room <= most else (size * most / room, most)


def _frames(sheet: _Sheet) -> None:
    """Draw grid lines, tick labels and axis titles."""
    bottom, top = max(a.start for a in sheet.ys), min(a.end for a in sheet.ys)
    left = min(a.start for a in sheet.xs)
    for a in sheet.xs:
        if a.axis.shown is False:
            continue
        previous = -math.inf
        for value, words in a.ticks:
            x, half = a.spot(value), 0.5 * pen.wide(words, TICK)
            sheet.shapes.append(f'<path d="M{x:.1f},{bottom:.1f}V{top:.1f}" {_GRID}/>')
            # A label that would touch the one before is left out; its line stays.
            if x - half > previous:
                sheet.write(x, bottom + 16, words, anchor="middle", size=TICK)
                previous = x + half + 4
        if a.axis.title:
            middle, most = (a.start + a.end) / 2, abs(a.end - a.start) + 40.0
            size, _ = _small(a.axis.title, 13.0, most)
            sheet.write(middle, bottom + 38, a.axis.title, anchor="middle", size=size)
    for a in sheet.ys:
        if a.axis.shown is False:
            continue
        # Lines between names would look like values.
        lines = sheet.xs if a.kind != "category" and a.axis.grid is not False else ()
        for value, words in a.ticks:
            y = a.spot(value)
            for b in lines:
                sheet.shapes.append(f'<path d="M{b.start:.1f},{y:.1f}H{b.end:.1f}" {_GRID}/>')
            size, _ = _small(words, TICK, sheet.left - 16 - (28 if a.axis.title else 0))
            sheet.write(left - 6, y + 4, words, anchor="end", size=size)
        middle = (a.start + a.end) / 2
        for k, words in enumerate(_title_lines(a) if a.axis.title else ()):
            size, _ = _small(words, 13.0, _along(a))
            shown = pen.text(0, LINE * k, words, anchor="middle", size=size)
            sheet.shapes.append(
                f'<g transform="translate(18,{middle:.1f}) rotate(-90)">{shown}</g>'
            )


def _title_lines(a: Scale) -> list[str]:
    """Return the title of an upright axis as lines that it has room for."""
    return pen.wrapped(a.axis.title or "", _along(a), 13.0, bold=False)


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


def _key(sheet: _Sheet, mark: Mark, x: float, y: float) -> None:
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
        (kind,) = _each(mark.dots.symbol, (x,), "circle")
        sheet.shapes.append(pen.symbol(x + 14, y, kind, 10, _colour_of(mark)))


def _each(given: object, points: Values, default: object) -> list[Any]:
    """Return what holds for each point: the one for all, or its own."""
    if given is None or isinstance(given, str | int | float):
        return [default if given is None else given] * len(points)
    own: list[Any] = list(given)[: len(points)]  # type: ignore[call-overload]
    return own + [default] * (len(points) - len(own))


def _colour_of(mark: Curve) -> object:
    """Return the colour of the marks of a curve."""
    own = mark.dots.colour if mark.dots else None
    return own or (mark.stroke.colour if mark.stroke else None) or BLUE


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """One axis laid on the paper.

    Attributes:
        axis: What is laid.
        kind: "linear", "log" or "category".
        low: Lower end of the range; its logarithm to base 10 on a log axis.
        high: Upper end, likewise.
        start: Where the lower end lies, in pixels.
        end: Where the upper end lies, in pixels.
        categories: Names in order, on a category axis.
        ticks: Pairs of value and text.
    """

    axis: Axis
    kind: str
    low: float
    high: float
    start: float
    end: float
    categories: tuple[str, ...] = ()
    ticks: tuple[tuple[object, str], ...] = ()

    def place(self, values: Values) -> Numbers:
        """Return where values lie, in pixels; nan where they have no place."""
        return np.asarray(self.at(self._numbers(values)))

    def spot(self, value: object) -> float:
        """Return where one value lies."""
        return float(self.place([value])[0])

    def at(self, coordinate: Any) -> Any:
        """Return where coordinates lie: logarithms on a log axis."""
        if self.high == self.low:
            return coordinate * math.nan
        return self.start + (coordinate - self.low) / (self.high - self.low) * (
            self.end - self.start
        )

    def within(self, values: Values) -> Numbers:
        """Return the places of values, at the edge of the axis where they lie beyond."""
        places, ends = self.place(values), sorted((self.start, self.end))
        return np.where(np.isfinite(places), np.clip(places, ends[0], ends[1]), np.nan)

    def inside(self, values: Values) -> NDArray[np.bool_]:
        """Whether values lie within the range.

        >>> Scale(axis=Axis(), kind="linear", low=0, high=1, start=0, end=9).inside([1, 2])
        array([ True, False])
        """
        # A mark on the very end of an axis belongs to it, in spite of rounding.
        slack = 1e-9 * max(1.0, abs(self.low), abs(self.high))
        low, high = sorted((self.low, self.high))
        numbers = self._numbers(values)
        return (low - slack <= numbers) & (numbers <= high + slack)

    def _numbers(self, values: Values) -> Numbers:
        if self.kind == "category":
            order = {name: float(k) for k, name in enumerate(self.categories)}
            return np.array([order.get(str(v), math.nan) for v in values])
        numbers = _floats(values)
        if self.kind == "log":
            return np.log10(numbers, out=np.full(numbers.shape, math.nan), where=numbers > 0)
        return numbers


def _pairs(first: Numbers, second: Numbers) -> list[Point]:
    return list(zip(first.tolist(), second.tolist(), strict=True))


def _floats(values: object) -> Numbers:
    """Return numbers, nan for what is missing.

    >>> _floats([0.5, None])
    array([0.5, nan])
    """
    return np.asarray(values, dtype=float)


def scale(axis: Axis, values: Sequence[object], *, start: float, end: float) -> Scale:
    """Lay an axis on the paper.

    Args:
        axis: What the figure says of it.
        values: Every value that is drawn along it.
        start: Where its part 0 lies, in pixels.
        end: Where its part 1 lies, in pixels.
    """
    lower, upper = axis.part or (0.0, 1.0)
    named = axis.names is not None or any(issubclass(t, str) for t in set(map(type, values)))
    kind = axis.kind or ("category" if named else "linear")
    names = [*(axis.names or ()), *map(str, values)] if kind == "category" else []
    categories = tuple(dict.fromkeys(names))
    # The ends of the axis rule; only where it has none do the marks.
    low, high = axis.span or _range(values, kind, len(categories))
    made = Scale(
        axis=axis,
        kind=kind,
        low=low,
        high=high,
        start=start + lower * (end - start),
        end=start + upper * (end - start),
        categories=categories,
    )
    ticks = _ticks(axis, made) if axis.labels is not False else ()
    kept = made.inside([value for value, _ in ticks])
    return replace(
        made, ticks=tuple(pair for pair, shown in zip(ticks, kept, strict=True) if shown)
    )


def _range(values: Sequence[object], kind: str, names: int) -> tuple[float, float]:
    if kind == "category":
        return -0.6, names - 0.4
    numbers = _floats(values)
    shown = np.log10(numbers[numbers > 0]) if kind == "log" else numbers
    shown = shown[np.isfinite(shown)]
    low, high = (float(shown.min()), float(shown.max())) if shown.size else (0.0, 1.0)
    # A single value stands in the middle.
    pad = 0.05 * (high - low) or 0.5
    return low - pad, high + pad


def _ticks(axis: Axis, made: Scale) -> Sequence[tuple[object, str]]:
    text = signed_percent if axis.share else number
    ticks = axis.ticks
    if ticks is None and made.kind == "category":
        return [(name, name) for name in made.categories]
    if ticks is None and made.kind == "log":
        ticks = log_ticks(10**made.low, 10**made.high)
    low, high = sorted((made.low, made.high))
    values = even(low, high) if ticks is None else ticks.values
    texts = None if ticks is None else ticks.texts
    return list(zip(values, texts or [text(float(v)) for v in values], strict=True))
