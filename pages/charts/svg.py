"""A chart drawn as SVG without a browser: curves, bars, cells, intervals, words and a legend.

It takes the same chart that a page shows, so that a report and the page cannot differ. Letters
and axes have the colour of the text around the drawing, so it fits light and dark paper. Every word
has the room that it takes in the widest common font, so nothing is cut where a font is missing.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import numpy as np

from pages.charts import svg_marks as pen
from pages.charts.chart import Bars, Cells, Chart, Curve, Note, Rule, Spread
from pages.charts.svg_axes import Scale, as_float
from pages.charts.svg_sheet import (
    BLUE,
    ROW,
    TICK,
    TITLE,
    Point,
    Sheet,
    colour_of,
    each,
    frames,
    lay,
    legend,
    legend_room,
)

WIDTH = 720.0
INK = "#1f2430"
SCREEN = 632.0  # the width of a screen, in pixels of which letters have 12 at least


def enlarged(chart: Chart, *, ident: str, alt: str, ink: str = INK, height: float = 300.0) -> str:
    """Return a chart for the screen of a lecture room: letters, lines and marks 1.9 times as large.

    Figure as wide as a screen of 1,280 pixels, no letter is below 22 but indices; on a wider one
    all grows alike.

    Args:
        chart: The chart.
        ident: As for `draw`.
        alt: What it shows, in words.
        ink: Colour of letters and axes.
        height: Of the whole drawing, where the width is `SCREEN`.

    >>> from pages.charts.make import line
    >>> picture = Chart(marks=[line([1, 2], [1, 4])], title="")
    >>> 'viewBox="0 0 632 300"' in enlarged(picture, ident="a", alt="A line")
    True
    """
    return draw(chart, ident=ident, alt=alt, width=SCREEN, height=height, ink=ink)


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
    notes = chart.notes or ()
    top = 12 + ROW * len(titles) + (22 if any("y" in n.paper and n.y >= 1 for n in notes) else 0)
    foot = 26 + (22 if any(a.title and a.shown is not False for a in chart.axes("x")) else 0)
    if height is None:
        inner = max(max(chart.height or 380.0, 170.0) - chart.head - 60.0, 90.0)
    else:
        inner = max(height - top - foot - legend_room(chart, width), 90.0)
    sheet = Sheet(ident, width, top, top + inner)
    lay(sheet, chart, width)
    for number, words in enumerate(titles):
        sheet.shapes.append(
            pen.text(10, 16 + ROW * number, words, size=TITLE).replace(
                "<text", '<text font-weight="600"'
            )
        )
    frames(sheet)
    bars = [mark for mark in chart.marks if isinstance(mark, Bars)]
    for mark in chart.marks:
        if isinstance(mark, Curve):
            _curve(sheet, mark)
        elif isinstance(mark, Cells):
            _cells(sheet, mark)
        elif isinstance(mark, Bars):
            beside = (bars.index(mark), len(bars)) if chart.stacked == "group" else (0, 1)
            _bars(sheet, mark, beside, chart.gap)
    for rule in chart.rules or ():
        _rule(sheet, rule)
    for note in notes:
        _note(sheet, note)
    end = legend(sheet, chart, width, sheet.bottom + foot)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {end:.0f}" '
        f'width="{width:g}" height="{end:.0f}" role="img"{pen.paint("aria-label", alt)} '
        f'font-family="{pen.FONTS}" fill="currentColor"{pen.paint("color", ink)} '
        f'class="figure"><defs>{"".join(sheet.definitions)}</defs>{"".join(sheet.shapes)}</svg>'
    )


def _curve(sheet: Sheet, mark: Curve) -> None:
    x, y = sheet.scales(mark)
    xs, ys = list(mark.x), list(mark.y)
    if mark.fill and not mark.fill.band:
        points = [(x.place(a), y.place(b)) for a, b in zip(xs, ys, strict=True)]
        sheet.shapes.append(f'<g clip-path="url(#{sheet.window(x, y)})">')
        sheet.shapes.append(pen.area(points, sheet.paint(mark.fill.hatch, mark.fill.colour)))
    else:
        points = [
            (x.within(a), y.within(b)) if x.inside(a) or y.inside(b) else (math.nan, math.nan)
            for a, b in zip(xs, ys, strict=True)
        ]
    if mark.fill and mark.fill.band and sheet.last:
        sheet.shapes.append(pen.area([*sheet.last, *reversed(points)], mark.fill.colour))
    sheet.last = points
    stroke, marked = mark.stroke, mark.dots
    width = 2.0 if stroke is None or stroke.width is None else stroke.width
    if stroke is not None and width > 0:
        path = pen.stepped(points, stroke.steps)
        sheet.shapes.append(pen.line(path, stroke.colour or BLUE, width, stroke.dash))
    if mark.fill and not mark.fill.band:
        sheet.shapes.append("</g>")
    if mark.spread is not None and mark.spread.shown is not False:
        _intervals(sheet, mark, mark.spread, points)
    if marked is not None and marked.shown:
        step = max(1, math.ceil(len(points) / (marked.most or len(points)))) if points else 1
        for k, (a, b) in list(enumerate(points))[::step]:
            kind, size = each(marked.symbol, k, "circle"), as_float(each(marked.size, k, 8.0))
            sheet.shapes.append(pen.symbol(a, b, str(kind), size, colour_of(mark)))
    if mark.words is not None and mark.words.shown:
        colour = mark.words.font.colour if mark.words.font else None
        for k, (a, b) in enumerate(points):
            if math.isfinite(a) and math.isfinite(b):
                at = str(each(mark.words.at, k, ""))
                up = 20 if "bottom" in at else 4 if "middle" in at else -9
                side = -1 if "left" in at else 1 if "right" in at else 0
                spot = (a + (8 if up != 4 else 12) * side, b + up) if at else (a + 8, b - 6)
                anchor = ("end", "middle", "start")[side + 1] if at else "start"
                words = str(each(mark.words.texts, k, ""))
                sheet.write(*spot, words, anchor=anchor, size=TICK, colour=colour)


def _intervals(sheet: Sheet, mark: Curve, spread: Spread, points: Sequence[Point]) -> None:
    x, y = sheet.scales(mark)
    along, values = (x, mark.x) if spread.across else (y, mark.y)
    down = spread.up if spread.down is None else spread.down
    for (a, b), value, low, high in zip(points, values, down, spread.up, strict=False):
        first, last = (along.within(as_float(value) + as_float(e)) for e in (-low, high))
        pair = [(first, b), (last, b)] if spread.across else [(a, first), (a, last)]
        sheet.shapes.append(pen.line(pair, spread.colour or colour_of(mark), 1.6))


def _bars(sheet: Sheet, mark: Bars, beside: tuple[int, int], gap: float) -> None:
    """Draw bars; `beside` is the place among those that stand at one place, and their number."""
    x, y = sheet.scales(mark)
    along, across = (x, y) if mark.lying else (y, x)
    lengths, names = (mark.x, mark.y) if mark.lying else (mark.y, mark.x)
    count = max(len(across.categories) or len(names), 1)
    place, together = beside
    thick = (0.97 - gap) * abs(across.end - across.start) / (count + 0.2) / together
    bases = [max(0.0, along.low)] * len(names) if mark.base is None else mark.base
    for k, (name, length, base) in enumerate(zip(names, lengths, bases, strict=True)):
        paint = sheet.paint(mark.hatch, mark.colour)
        middle = across.place(name) + thick * (place - (together - 1) / 2)
        first = as_float(base)
        start, end = along.within(first), along.within(as_float(length) + first * bool(mark.base))
        if not (math.isfinite(middle) and math.isfinite(end)):
            continue
        low, size = min(start, end), max(abs(end - start), 0.5)
        if mark.lying:
            sheet.box(low, middle - thick / 2, size, max(thick, 0.5), paint)
        else:
            sheet.box(middle - thick / 2, low, max(thick, 0.5), size, paint)
        if words := str(each(mark.texts, k, "") or ""):
            at = (end + 4, middle + 4) if mark.lying else (middle, end - 5)
            anchor = "start" if mark.lying else "middle"
            sheet.write(*at, words, anchor=anchor, size=TICK)


def _cells(sheet: Sheet, mark: Cells) -> None:
    """Draw a box for every run of equal cells in a row."""
    x, y = sheet.scales(mark)
    across, up = (_edges(a, list(v)) for a, v in ((x, mark.x), (y, mark.y)))
    low, high = mark.ends
    share = (np.asarray(mark.kinds, dtype=float) - low) / (high - low)
    kinds = np.clip((share * len(mark.colours)).astype(int), 0, len(mark.colours) - 1)
    for row, line in enumerate(kinds):
        turns = [0, *(np.flatnonzero(np.diff(line)) + 1).tolist(), len(line)]
        for first, last in itertools.pairwise(turns):
            left, right = across[first], across[last]
            top, bottom = sorted((up[row], up[row + 1]))
            paint = mark.colours[int(line[first])]
            sheet.box(left, top, right - left + 0.3, bottom - top + 0.3, paint)


def _edges(scale_: Scale, values: Sequence[object]) -> list[float]:
    """Where cells begin and end, halfway between their middles."""
    at = [scale_.place(v) for v in values]
    inner = [(a + b) / 2 for a, b in itertools.pairwise(at)]
    return [at[0] - (inner[0] - at[0]), *inner, at[-1] + (at[-1] - inner[-1])]


def _rule(sheet: Sheet, rule: Rule) -> None:
    first, second = rule.axes or (1, 1)
    x, y = sheet.xs[first - 1], sheet.ys[second - 1]
    spots = [
        (
            sheet.across(a) if "x" in rule.paper else x.place(a),
            sheet.up(b) if "y" in rule.paper else y.place(b),
        )
        for a, b in (rule.start, rule.end)
    ]
    stroke = rule.stroke
    sheet.shapes.append(pen.line(spots, stroke.colour or BLUE, stroke.width or 2.0, stroke.dash))


def _note(sheet: Sheet, note: Note) -> None:
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
