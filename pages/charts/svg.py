"""A chart drawn as SVG without a browser: curves, bars, cells, intervals, words and a legend.

It takes the same chart that a page shows, so that a report and the page cannot differ. Letters
and axes have the colour of the text around the drawing, so it fits light and dark paper. Every word
has the room that it takes in the widest common font, so nothing is cut where a font is missing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.charts import svg_marks as pen
from pages.charts import theme
from pages.charts.layout import Fields, Values, axes, even, log_ticks, nth
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
    chart: Fields,
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

    >>> from pages.charts import chart, line
    >>> picture = chart([line([1, 2], [1, 4])])
    >>> draw(picture, ident="a", alt="A line").startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    layout, traces = chart["layout"], chart["data"]
    titles = pen.wrapped(layout["title"], width - 20, TITLE) if layout["title"] else []
    notes, rows = layout.get("annotations") or (), _legend_rows(chart, width)
    heads = any(note.get("yref") == "paper" and note["y"] >= 1 for note in notes)
    top = 12 + ROW * len(titles) + (22 if heads else 0)
    named = any(x.get("title") and x.get("visible") is not False for x in axes(chart, "x"))
    foot = 26 + (22 if named else 0)
    room = 16 + ROW * len(rows) if rows else 6.0  # of the legend
    # As high as Plotly's plot: title and legend are written by other rules here.
    inner = max(max(layout["height"] or 380.0, 170.0) - layout["margin"]["t"] - 60.0, 90.0)
    if height is not None:
        inner = max(height - top - foot - room, 90.0)
    sheet = _Sheet(ident, width, top, top + inner)
    sheet.lay(chart)
    # A surface may reach beyond the axes; its slanted edges must not turn at the border.
    if any("fill" in trace for trace in traces):
        plot = f'y="{top:g}" width="{sheet.right - sheet.left:.1f}" height="{inner:.1f}"'
        plot = f'<rect x="{sheet.left:.1f}" {plot}/>'
        sheet.definitions.append(f'<clipPath id="{ident}-plot">{plot}</clipPath>')
    for k, words in enumerate(titles):
        line = pen.text(10, 16 + ROW * k, words, size=TITLE)
        sheet.shapes.append(line.replace("<text", '<text font-weight="600"'))
    _frames(sheet)
    bars = [id(trace) for trace in traces if trace.get("type") == "bar"]
    for trace in traces:
        if trace.get("type") == "bar":
            group = layout.get("barmode") == "group"
            beside = (bars.index(id(trace)), len(bars)) if group else (0, 1)
            _bars(sheet, trace, beside, layout["bargap"])
        else:
            (_cells if trace.get("type") == "heatmap" else _curve)(sheet, trace)
    for rule in layout.get("shapes") or ():
        _rule(sheet, rule)
    for note in notes:
        _note(sheet, note)
    end = sheet.bottom + foot
    for k, row in enumerate(rows):
        x, y = 12.0, end + 14 + ROW * k
        for mark, wide in row:
            _key(sheet, mark, x, y)
            size, _ = _small(mark["name"], TICK, width - _EDGE - x - 34)
            sheet.write(x + 34, y + 4, mark["name"], size=size)
            x += wide
    end += room
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {end:.0f}" '
        f'width="{width:g}" height="{end:.0f}" role="img"{pen.paint("aria-label", alt)} '
        f'font-family="{pen.FONTS}" fill="currentColor"{pen.paint("color", ink)} '
        f'class="figure"><defs>{"".join(sheet.definitions)}</defs>{"".join(sheet.shapes)}</svg>'
    )


def _curve(sheet: _Sheet, mark: Fields) -> None:
    across, along = sheet.scales(mark)
    surface, band = mark.get("fill") == "toself", mark.get("fill") == "tonexty"
    if surface:
        points = _pairs(across.place(mark["x"]), along.place(mark["y"]))
        sheet.shapes.append(f'<g clip-path="url(#{sheet.ident}-plot)">')
        sheet.shapes.append(pen.area(points, sheet.surface(mark)))
    else:
        # A line that leaves the plot goes on to its border; one that is nowhere near is no line.
        near = across.inside(mark["x"]) | along.inside(mark["y"])
        both = ((across, mark["x"]), (along, mark["y"]))
        points = _pairs(*(np.where(near, scale.within(v), np.nan) for scale, v in both))
    if band and sheet.last:
        sheet.shapes.append(pen.area([*sheet.last, *reversed(points)], mark["fillcolor"]))
    # A band needs the curve before it, as in Plotly.
    sheet.last = points
    stroke, mode = mark.get("line", {}), mark["mode"]
    if "lines" in mode and (width := stroke.get("width") or 2.0 * ("width" not in stroke)) > 0:
        path = pen.stepped(points) if stroke.get("shape") else points
        sheet.shapes.append(pen.line(path, stroke.get("color") or BLUE, width, stroke.get("dash")))
    if surface:
        sheet.shapes.append("</g>")
    _intervals(sheet, mark, points)
    if "markers" in mode:
        marker = mark["marker"]
        # Plotly too keeps every so-many-th mark, from the first on.
        most = marker.get("maxdisplayed") or len(points)
        step = max(1, math.ceil(len(points) / most)) if points else 1
        kinds = _each(marker.get("symbol"), points, "circle")
        sizes = _each(marker.get("size"), points, 8)
        for (a, b), kind, size in list(zip(points, kinds, sizes, strict=True))[::step]:
            sheet.shapes.append(pen.symbol(a, b, str(kind), float(size), _colour_of(mark)))
    if "text" in mode:
        colour = mark.get("textfont", {}).get("color")
        places, texts = (_each(mark.get(v), points, "") for v in ("textposition", "text"))
        for (a, b), at, words in zip(points, places, texts, strict=True):
            if math.isfinite(a) and math.isfinite(b):
                up = 20 if "bottom" in at else 4 if "middle" in at else -9
                side = -1 if "left" in at else 1 if "right" in at or not at else 0
                anchor, x = ("end", "middle", "start")[side + 1], a + 8 * side
                sheet.write(x, b + up, str(words), anchor=anchor, size=TICK, colour=colour)


def _intervals(sheet: _Sheet, mark: Fields, points: Sequence[Point]) -> None:
    for letter, scale in zip("xy", sheet.scales(mark), strict=True):
        spread = mark.get(f"error_{letter}")
        if spread is None or spread.get("visible") is False:
            continue
        given = mark[letter], spread.get("arrayminus", spread["array"]), spread["array"]
        middle, least, most = map(_floats, given)
        ends = _pairs(scale.within(middle - least), scale.within(middle + most))
        for (a, b), (first, last) in zip(points, ends, strict=False):
            pair = [(first, b), (last, b)] if letter == "x" else [(a, first), (a, last)]
            sheet.shapes.append(pen.line(pair, spread.get("color") or _colour_of(mark), 1.6))


def _bars(sheet: _Sheet, mark: Fields, beside: tuple[int, int], gap: float) -> None:
    """Draw bars; `beside` is the place among those that stand at one place, and their number."""
    x, y = sheet.scales(mark)
    lying = mark.get("orientation") == "h"
    along, across = (x, y) if lying else (y, x)
    lengths, names = (mark["x"], mark["y"]) if lying else (mark["y"], mark["x"])
    count = max(len(across.categories) or len(names), 1)
    place, together = beside
    # What is left and right of all bars is a tenth of a slot, as Plotly leaves it.
    thick = (0.97 - gap) * abs(across.end - across.start) / (count + 0.2) / together
    base = mark.get("base")
    bases = [max(0.0, along.low)] * len(names) if base is None else base
    texts = _each(mark.get("text"), names, "")
    for name, length, start_at, words in zip(names, lengths, bases, texts, strict=True):
        paint = sheet.surface(mark)
        middle = across.spot(name) + thick * (place - (together - 1) / 2)
        first = float(_floats(start_at))
        reach = float(_floats(length)) + first * bool(base)
        start, end = along.within([first, reach]).tolist()
        if not (math.isfinite(middle) and math.isfinite(end)):
            continue
        low, size = min(start, end), max(abs(end - start), 0.5)
        if lying:
            sheet.box(low, middle - thick / 2, size, max(thick, 0.5), paint)
            sheet.write(end + 4, middle + 4, str(words), size=TICK)
        else:
            sheet.box(middle - thick / 2, low, max(thick, 0.5), size, paint)
            sheet.write(middle, end - 5, str(words), anchor="middle", size=TICK)


def _cells(sheet: _Sheet, mark: Fields) -> None:
    """Draw a box for every run of equal cells in a row."""
    x, y = sheet.scales(mark)
    across, up = (_edges(a, list(v)) for a, v in ((x, mark["x"]), (y, mark["y"])))
    low, high = mark["zmin"], mark["zmax"]
    colours = [colour for _, colour in mark["colorscale"]][::2]
    share = (np.asarray(mark["z"], dtype=float) - low) / (high - low)
    kinds = np.clip((share * len(colours)).astype(int), 0, len(colours) - 1)
    for row, line in enumerate(kinds):
        # A row of 64 cells is mostly of one colour: a few boxes in place of 64.
        turns = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
        for first, last in itertools.pairwise(turns):
            left, right = across[first], across[last]
            top, bottom = sorted((up[row], up[row + 1]))
            paint = colours[int(line[first])]
            # Neighbours overlap a little: else hairlines of the paper shine through.
            sheet.box(left, top, right - left + 0.3, bottom - top + 0.3, paint)


def _edges(scale_: Scale, values: Sequence[object]) -> list[float]:
    """Where cells begin and end, halfway between their middles."""
    at = scale_.place(values).tolist()
    inner = [(a + b) / 2 for a, b in itertools.pairwise(at)]
    return [at[0] - (inner[0] - at[0]), *inner, at[-1] + (at[-1] - inner[-1])]


def _rule(sheet: _Sheet, rule: Fields) -> None:
    spots = [sheet.spot(rule, rule[f"x{k}"], rule[f"y{k}"]) for k in (0, 1)]
    look = rule["line"]
    sheet.shapes.append(pen.line(spots, look["color"], look["width"], look["dash"]))


def _note(sheet: _Sheet, note: Fields) -> None:
    """Write words whose place is given on the paper or along the axes."""
    a, b = sheet.spot(note, note["x"], note["y"], log=True)
    if not (math.isfinite(a) and math.isfinite(b)):
        return
    if "bgcolor" in note:
        wide = pen.wide(note["text"], 13.0) + 8
        sheet.box(a - wide / 2, b - 10, wide, 20, note["bgcolor"])
    anchor = "start" if note.get("xanchor") == "left" else "middle"
    down = (4 if "bgcolor" in note else -6) - note.get("yshift", 0)
    sheet.write(a, b + down, note["text"], anchor=anchor, colour=note["font"].get("color"))


@dataclass(slots=True)
class _Sheet:
    """A drawing in the making, this wide; `left`, `right`, `top` and `bottom` bound the plot."""

    ident: str
    width: float
    top: float
    bottom: float
    left: float = 20.0
    right: float = 0.0
    xs: Mapping[str, Scale] = field(default_factory=dict)  # by what Plotly calls an axis
    ys: Mapping[str, Scale] = field(default_factory=dict)
    shapes: list[str] = field(default_factory=list)
    definitions: list[str] = field(default_factory=list)
    last: list[Point] = field(default_factory=list)

    def surface(self, mark: Fields) -> object:
        """Return the paint of a surface or of bars; a known hatch is defined and referred to."""
        of_bar = mark.get("marker", {})
        colour = mark.get("fillcolor") or of_bar.get("color")
        hatch = mark.get("fillpattern") or of_bar.get("pattern")
        if hatch is None or hatch["shape"] not in pen.HATCHES:
            return colour
        name = f"{self.ident}-h{len(self.definitions)}"
        self.definitions.append(pen.hatch(name, hatch["shape"], colour))
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

    def lay(self, chart: Fields) -> None:
        """Lay all axes; the room on the left is what the names beside it take."""

        def scales(letter: str, start: float, end: float) -> dict[str, Scale]:
            out = {}
            for place, axis in enumerate(axes(chart, letter), 1):
                name, kind = nth(letter, place), f"{letter}axis"
                mine = (mark for mark in chart["data"] if mark.get(kind, letter) == name)
                values = [v for mark in mine for v in mark[letter]]
                out[name] = scale(axis, values, start=start, end=end)
            return out

        self.ys = scales("y", self.bottom, self.top)
        left = 20.0
        for a in self.ys.values():
            room = max((pen.wide(t, TICK) for _, t in a.ticks), default=0.0)
            beside = 13.0 + LINE * len(_title_lines(a)) if a.axis.get("title") else 0.0
            left = max(left, (room if a.axis.get("visible") is not False else 0.0) + 16 + beside)
        # Longer names are written smaller: the plot is what one came for.
        self.left, self.right = min(left, 0.45 * self.width), self.width - 46.0
        self.xs = scales("x", self.left, self.right)

    def spot(self, what: Fields, x: Any, y: Any, *, log: bool = False) -> Point:
        """Return where something lies, on the paper or along its axes; `log`: x, y are that."""
        places = []
        for value, ref, scales, start, end in (
            (x, what.get("xref", "x"), self.xs, self.left, self.right),
            (y, what.get("yref", "y"), self.ys, self.bottom, self.top),
        ):
            if ref == "paper":
                places.append(start + value * (end - start))
            else:
                places.append(scales[ref].at(value) if log else scales[ref].spot(value))
        return places[0], places[1]

    def scales(self, mark: Fields) -> tuple[Scale, Scale]:
        """Return the axes of a mark."""
        return self.xs[mark.get("xaxis", "x")], self.ys[mark.get("yaxis", "y")]


def _small(words: str, size: float, most: float) -> tuple[float, float]:
    """Return the size in which a label takes at most so many pixels, and those it takes.

    >>> _small("nn", 10, 26), _small("nn", 10, 6.5)
    ((10, 13.0), (5.0, 6.5))
    """
    room = pen.wide(words, size)
    return (size, room) if room <= most else (size * most / room, most)


def _frames(sheet: _Sheet) -> None:
    """Draw grid lines, tick labels and axis titles."""
    bottom, top = max(a.start for a in sheet.ys.values()), min(a.end for a in sheet.ys.values())
    left = min(a.start for a in sheet.xs.values())
    for a in sheet.xs.values():
        if a.axis.get("visible") is False:
            continue
        previous = -math.inf
        for value, words in a.ticks:
            x, half = a.spot(value), 0.5 * pen.wide(words, TICK)
            sheet.shapes.append(f'<path d="M{x:.1f},{bottom:.1f}V{top:.1f}" {_GRID}/>')
            # A label that would touch the one before is left out; its line stays.
            if x - half > previous:
                sheet.write(x, bottom + 16, words, anchor="middle", size=TICK)
                previous = x + half + 4
        if a.axis.get("title"):
            middle, most = (a.start + a.end) / 2, abs(a.end - a.start) + 40.0
            size, _ = _small(a.axis["title"], 13.0, most)
            sheet.write(middle, bottom + 38, a.axis["title"], anchor="middle", size=size)
    for a in sheet.ys.values():
        if a.axis.get("visible") is False:
            continue
        # Lines between names would look like values.
        lines = (
            sheet.xs.values()
            if a.kind != "category" and a.axis.get("showgrid") is not False
            else ()
        )
        for value, words in a.ticks:
            y = a.spot(value)
            for b in lines:
                sheet.shapes.append(f'<path d="M{b.start:.1f},{y:.1f}H{b.end:.1f}" {_GRID}/>')
            size, _ = _small(words, TICK, sheet.left - 16 - (28 if a.axis.get("title") else 0))
            sheet.write(left - 6, y + 4, words, anchor="end", size=size)
        middle = (a.start + a.end) / 2
        for k, words in enumerate(_title_lines(a) if a.axis.get("title") else ()):
            size, _ = _small(words, 13.0, _along(a))
            shown = pen.text(0, LINE * k, words, anchor="middle", size=size)
            sheet.shapes.append(
                f'<g transform="translate(18,{middle:.1f}) rotate(-90)">{shown}</g>'
            )


def _title_lines(a: Scale) -> list[str]:
    """Return the title of an upright axis as lines that it has room for."""
    return pen.wrapped(a.axis.get("title") or "", _along(a), 13.0, bold=False)


def _along(a: Scale) -> float:
    return abs(a.end - a.start) + 12.0


def _legend_rows(chart: Fields, width: float) -> list[list[tuple[Fields, float]]]:
    """The named marks in rows that fit, each with the room it takes."""
    there = (mark for mark in chart["data"] if mark.get("type") != "heatmap")
    named = [mark for mark in there if mark.get("showlegend") is not False]
    keys = chart["layout"].get("showlegend")
    if keys is False or (len(named) < 2 and not keys):
        return []
    rows: list[list[tuple[Fields, float]]] = []
    for mark in named:
        room = 52 + pen.wide(mark["name"], TICK)
        if rows and sum(r for _, r in rows[-1]) + room <= width - 20:
            rows[-1].append((mark, room))
        else:
            rows.append([(mark, room)])
    return rows


def _key(sheet: _Sheet, mark: Fields, x: float, y: float) -> None:
    """Draw the sample of a mark in the legend."""
    mode, stroke = mark.get("mode", ""), mark.get("line", {})
    if not mode or "fill" in mark:
        sheet.box(x + 4, y - 6, 22, 12, sheet.surface(mark))
    elif "lines" in mode:
        ends = [(x, y), (x + 28, y)]
        sheet.shapes.append(pen.line(ends, stroke.get("color") or BLUE, 2.5, stroke.get("dash")))
    if "markers" in mode:
        (kind,) = _each(mark["marker"].get("symbol"), (x,), "circle")
        sheet.shapes.append(pen.symbol(x + 14, y, kind, 10, _colour_of(mark)))


def _each(given: object, points: Values, default: object) -> list[Any]:
    """Return what holds for each point: the one for all, or its own."""
    if given is None or isinstance(given, str | int | float):
        return [default if given is None else given] * len(points)
    own: list[Any] = list(given)[: len(points)]  # type: ignore[call-overload]
    return own + [default] * (len(points) - len(own))


def _colour_of(mark: Fields) -> object:
    """Return the colour of the marks of a curve."""
    looks = (mark.get(part) or {} for part in ("marker", "line"))
    return next((look["color"] for look in looks if look.get("color")), BLUE)


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

    axis: Fields
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

        >>> Scale(axis={}, kind="linear", low=0, high=1, start=0, end=9).inside([1, 2])
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


def scale(axis: Fields, values: Sequence[object], *, start: float, end: float) -> Scale:
    """Lay an axis on the paper.

    Args:
        axis: What the figure says of it.
        values: Every value that is drawn along it.
        start: Where its part 0 lies, in pixels.
        end: Where its part 1 lies, in pixels.
    """
    lower, upper = axis.get("domain", (0.0, 1.0))
    order = axis.get("categoryarray", ())
    named = len(order) or any(issubclass(t, str) for t in set(map(type, values)))
    kind = axis.get("type") or ("category" if named else "linear")
    names = [*order, *map(str, values)] if kind == "category" else []
    categories = tuple(dict.fromkeys(names))
    # The ends of the axis rule; only where it has none do the marks.
    low, high = axis.get("range") or _range(values, kind, len(categories))
    made = Scale(
        axis=axis,
        kind=kind,
        low=low,
        high=high,
        start=start + lower * (end - start),
        end=start + upper * (end - start),
        categories=categories,
    )
    ticks = _ticks(axis, made) if axis.get("showticklabels") is not False else ()
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


def _ticks(axis: Fields, made: Scale) -> Sequence[tuple[object, str]]:
    text = signed_percent if axis.get("tickformat") else number
    values, texts = axis.get("tickvals"), axis.get("ticktext")
    if values is None and made.kind == "category":
        return [(name, name) for name in made.categories]
    if values is None and made.kind == "log":
        values, texts = log_ticks(10**made.low, 10**made.high)
    if values is None:
        low, high = sorted((made.low, made.high))
        values = even(low, high)
    return list(zip(values, texts or [text(float(v)) for v in values], strict=True))
