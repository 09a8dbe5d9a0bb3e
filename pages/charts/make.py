"""Short ways to the marks, axes and figures that most pictures are made of."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.charts import chart, svg, theme
from pages.charts.chart import LOOSE, Axis, Chart, Curve, Mark, Note, Rule, Stroke, Values
from pages.charts.svg_marks import plain
from pages.charts.theme import GREY, RULE, look
from pages.charts.words import between, number, signed_percent
from rates.numbers import frame
from sims.engine import Estimate

_NOTHING = "Nothing is drawn yet"
Rows = Sequence[Mapping[str, object]]


@dataclass(frozen=True, eq=False, repr=False)
class Figure:
    """A figure, and the words and numbers that go with it.

    Its marks say both: leave `alt` and `rows` out unless yours say more.

    Attributes:
        figure: The figure.
        alt: What it shows, in words; see `words_of` if empty.
        table: The plotted numbers, one mapping per row, all with the same columns; see
            `numbers_of` if empty.
        caption: Markdown below it; empty for none.
        name: Name of its files, without end; unique in a report.
        lines: Makes the lines of Python that draw it, if there are any.
    """

    figure: Chart
    name: str
    alt: str = ""
    table: Rows = ()
    caption: str = ""
    lines: Callable[[], str] | None = None

    def __post_init__(self) -> None:
        # Frozen, but the words follow from the chart unless they are given.
        object.__setattr__(self, "alt", self.alt or words_of(self.figure))

    @functools.cached_property
    def rows(self) -> Rows:
        """The plotted numbers, made once they are looked at."""
        return self.table or numbers_of(self.figure)

    def to_frame(self) -> Any:
        """Return the plotted numbers as a pandas table."""
        return frame({title: [row[title] for row in self.rows] for title in self.rows[0]})

    def _repr_svg_(self) -> str:  # what a notebook asks for
        return svg.draw(self.figure, ident=self.name, alt=self.alt)


def plot(
    marks: Iterable[Mark],
    x: Axis | Sequence[Axis],
    y: Axis | Sequence[Axis],
    rows: Rows | Mapping[str, Values] = (),
    *,
    name: str,
    alt: str = "",
    caption: str = "",
    **more: Any,
) -> Figure:
    """Return a chart with its numbers and words.

    Args:
        marks: From the lowest to the highest.
        x: Horizontal axes.
        y: Vertical axes.
        rows: The plotted numbers, by row or by column; those of the marks if empty.
        name: Of its files.
        alt: What it shows, in words; what the marks show if empty.
        caption: Below it.
        **more: Further fields of the chart, with its title.
    """
    if isinstance(rows, Mapping):
        # Numbers of NumPy would stand as np.float64(...) in a CSV.
        lists = [v.tolist() if isinstance(v, np.ndarray) else v for v in rows.values()]
        rows = [dict(zip(rows, row, strict=True)) for row in zip(*lists, strict=True)]
    return Figure(Chart(marks=list(marks), x=x, y=y, **more), name, alt, rows, caption)


def numbers_of(chart: Chart) -> list[dict[str, object]]:
    """Return a row for each point of the marks that answer a pointer; the others guide the eye.

    >>> marks = [dots([1, 2], [0.5, 0.25], "a", hover="%{y}")]
    >>> numbers_of(Chart(marks=marks, title="", x=Axis(title="n"), y=Axis(title="Risk")))[1]
    {'series': 'a', 'n': 2, 'Risk': 0.25}
    """
    rows: list[dict[str, object]] = []
    for mark in chart.marks:
        axes, spread = _axes(chart, mark), mark.spread if isinstance(mark, Curve) else None
        x_title, y_title = (
            plain(axis.title or "") or ("name" if axis.names else letter)
            for axis, letter in zip(axes, "xy", strict=True)
        )
        for k, *at in _points(mark) if mark.hover != "" else ():
            x, y = (_tick(v, axis) or v for v, axis in zip(at, axes, strict=True))
            rows.append({"series": plain(mark.name or ""), x_title: x, y_title: y})
            if hidden := _hidden(mark):
                rows[-1]["point"] = plain(hidden[k])
            if spread is not None:
                down = spread.up if spread.down is None else spread.down
                middle = at[not spread.across]
                rows[-1] |= {"low": float(middle - down[k]), "high": float(middle + spread.up[k])}
    empty = dict.fromkeys((title for row in rows for title in row), "")
    return [{**empty, **row} for row in rows]


def words_of(chart: Chart) -> str:
    """Return title, axes, and the ends of each series with a name; along names all its values.

    >>> marks = [line([1, 2, 4], [0.5, 0.4, 0.25], "a"), line([2, 2], [0, 1], "Today")]
    >>> words_of(Chart(marks=marks, title="Falls", x=Axis(title="n"), y=Axis(title="Risk")))
    'Falls. Risk against n. a: 0.5 at 1 to 0.25 at 4; Today: at 2.'
    """
    panels: dict[str, dict[tuple[str, bool], list[tuple[str, str]]]] = {}
    for mark in chart.marks:
        axes, points, hidden = _axes(chart, mark), _points(mark), _hidden(mark)
        lying, named = (str in set(map(type, values)) for values in (mark.y, mark.x))
        shown = points
        if len(points) > 2 and not (lying or named or hidden) and points[0][1] != points[-1][1]:
            # Ears cannot follow a hundred numbers.
            shown = [points[0], points[-1]]
        filled = points and isinstance(mark, Curve) and mark.fill and not mark.fill.band
        if filled:
            shown = []
        told = [(plain(hidden[k]) if hidden else _text(x, axes[0]), y) for k, x, y in shown]
        told = [(x, _text(y, axes[1])) for x, y in told]
        # Bars that lie are told name first, as they are read.
        if lying:
            told, axes = [(y, x) for x, y in told], axes[::-1]
        if filled:
            told = [(_text(end([x for _, x, _ in points]), axes[0]), "") for end in (min, max)]
        if mark.hover == "" and len({place for place, _ in told}) == 1:  # an upright guide
            told = [(told[0][0], "")]
        if told and (mark.name or mark.hover != ""):
            titles = " against ".join(plain(axis.title) for axis in axes[::-1] if axis.title)
            key = plain(mark.name or ""), lying or named
            # One series may have several marks, and panels of one axis are told together.
            panels.setdefault(titles, {}).setdefault(key, []).extend(told)
    if not panels:
        axes = chart.axes("y")[0], chart.axes("x")[0]
        panels[" against ".join(plain(axis.title) for axis in axes if axis.title)] = {}
    parts = [plain(chart.title).rstrip(".")]
    for titles, series in panels.items():
        said = (f"{name}: {_course(told, named)}" for (name, named), told in series.items())
        parts += [titles, "; ".join(said).removeprefix(": ")]
    return f"{'. '.join(filter(None, [*parts, '' if any(panels.values()) else _NOTHING]))}."


def _course(told: Sequence[tuple[str, str]], named: bool) -> str:
    """Return where a series begins and ends, or all its values by name; an upright line's place."""
    if named:
        found: dict[str, list[str]] = {}
        for name, value in told:
            found.setdefault(plain(name), []).append(value)
        return ", ".join(f"{name} {' to '.join(dict.fromkeys(v))}" for name, v in found.items())
    (first, start), (last, end) = told[0], told[-1]
    if first == last:
        return f"{', '.join(dict.fromkeys(value for _, value in told))} at {first}".strip()
    if start == end:
        return start or f"{first} to {last}"
    return f"{start} at {first} to {end} at {last}"


def _text(value: Any, axis: Axis) -> str:
    show = str if isinstance(value, str) else signed_percent if axis.share else number
    return _tick(value, axis) or show(value)


def _tick(value: Any, axis: Axis) -> str:
    """Return what stands at a tick, where ticks have words of their own."""
    ticks = axis.ticks
    texts = zip(ticks.values, ticks.texts, strict=True) if ticks and ticks.texts else ()
    return "" if axis.kind == "log" or axis.share else dict(texts).get(value, "")


def _hidden(mark: Mark) -> Sequence[str]:
    """Return the words of the points that only a pointer is told: they say what each one is."""
    words = mark.words if isinstance(mark, Curve) else None
    return words.texts if words and not words.shown else ()


def _axes(chart: Chart, mark: Mark) -> tuple[Axis, Axis]:
    return chart.axes("x")[(mark.x_axis or 1) - 1], chart.axes("y")[(mark.y_axis or 1) - 1]


def _points(mark: Mark) -> list[tuple[int, Any, Any]]:
    """Return place, x and y of a mark's points, both ends of a bar with a base; no gaps."""
    xs, ys = (np.asarray(values, object).tolist() for values in (mark.x, mark.y))
    both = [(k, x, y) for k, (x, y) in enumerate(zip(xs, ys, strict=True))]
    if isinstance(mark, chart.Bars) and mark.base:
        # Plotly gives such a bar its length; what one reads are its two ends.
        both = [(k, at, y) for k, x, y in both for at in (mark.base[k], mark.base[k] + (x or 0))]
    return [(k, x, y) for k, x, y in both if _there(x) and _there(y)]


def _there(value: Any) -> bool:
    return isinstance(value, str) or (value is not None and math.isfinite(value))


def room(
    height: float, foot: float, head: float = 64, legend: float = LOOSE, *, more: float = 0
) -> dict[str, Any]:
    """Return the fields of a chart that make room around its plot.

    Args:
        height: In pixels, of it all.
        foot: Below the plot, for the legend.
        head: Above the plot, for the title.
        legend: The legend.
        more: Pixels by which a long legend makes the height and the foot larger.
    """
    return {"height": height + more, "foot": foot + more, "head": head, "legend": legend}


def named(names: Sequence[str], **more: Any) -> Axis:
    """Return an upright axis of names, the first one on top, whose margin grows with them."""
    return Axis(names=list(names)[::-1], fixed=True, roomy=True, **more)


def line(
    x: Values,
    y: Values,
    name: str | None = None,
    colour: str | None = GREY,
    dash: str | None = None,
    width: float = 2.0,
    **more: Any,
) -> Curve:
    """Return a line; it tells a pointer nothing unless `hover` says what."""
    return Curve(x=x, y=y, name=name, stroke=Stroke(colour, width, dash), **more)


def series(x: Values, y: Values, name: str, place: int, *, size: float = 8, **more: Any) -> Curve:
    """Return a line with marks in the look of its place among the series."""
    colour, symbol, dash = look(place)
    marked = chart.Dots(symbol=symbol, size=size)
    return line(x, y, name, colour, dash, 2, dots=marked, **more)


def dots(
    x: Values,
    y: Values,
    name: str | None = None,
    symbol: str | Sequence[str] = "circle",
    size: float | Sequence[float] = 9,
    colour: str | None = None,
    edge: Stroke | None = None,
    **more: Any,
) -> Curve:
    """Return marks without a line."""
    marked = chart.Dots(symbol=symbol, size=size, colour=colour, edge=edge)
    return Curve(x=x, y=y, name=name, dots=marked, **more)


def ranged(
    spans: Mapping[str, tuple[float, float]],
    name: str | None,
    colour: str,
    symbol: str,
    size: float,
    text: Callable[[float], str] = number,
    **more: Any,
) -> Curve:
    """Return rows by name that reach from one value to another, marked at both."""
    # The gap after each row keeps one line from joining the next row.
    x = [v for span in spans.values() for v in (*span, None)]
    y = [row for row in spans for _ in range(3)]
    told = [between(*span, text) for span in spans.values() for _ in range(3)]
    marked = chart.Dots(symbol=symbol, size=size, colour=colour)
    look: dict[str, Any] = {"data": told, "hover": "%{y}: %{customdata}", "dots": marked}
    return line(x, y, name, colour, None, 4, **look, **more)


def caused(cause: str, name: str, x: Values, y: Values, **more: Any) -> chart.Bars:
    """Return bars that stand for a cause or a limit: its colour and its hatch."""
    colour = theme.COLOURS[cause]
    hatch = chart.Hatch(shape=theme.HATCHES[cause], paper=colour)
    return chart.Bars(x=x, y=y, name=name, colour=colour, hatch=hatch, **more)


def key(name: str, **look_of_it: Any) -> Curve:
    """Return an entry of the legend that stands for a kind of mark."""
    return Curve(x=[None], y=[None], name=name, **look_of_it)


def band(x: Values, low: Values, high: Values, colour: str) -> list[Curve]:
    """Return the surface between two curves, which are not drawn themselves."""
    edge: dict[str, Any] = {"stroke": Stroke(width=0), "listed": False}
    fill = chart.Fill(colour, band=True)
    # Plotly fills down to the trace before: the order of the two matters.
    return [Curve(x=x, y=low, **edge), Curve(x=x, y=high, fill=fill, **edge)]


def joined(parts: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return several paths as one with gaps."""
    gap = np.array([np.nan])
    xs, ys = (np.concatenate([p for part in parts for p in (part[k], gap)])[:-1] for k in (0, 1))
    return xs, ys


def intervals(
    found: Sequence[Estimate], colour: str, *, log: bool = False, **more: Any
) -> chart.Spread:
    """Return 95% intervals; on a log axis the lower end stays where it can be drawn.

    Args:
        found: The estimates.
        colour: Of the strokes.
        log: Whether they stand on a log axis.
        **more: Further fields.
    """
    up, down = [e.high - e.mean for e in found], [e.mean - e.low for e in found]
    if log:
        # The logarithm of what lies below zero has no place.
        down = [min(below, 0.9 * e.mean) for below, e in zip(down, found, strict=True)]
    return chart.Spread(up=up, down=down, colour=colour, **more)


def measured(
    xs: Sequence[float],
    found: Sequence[Estimate],
    name: str,
    colour: str,
    *,
    log: bool = False,
    at: Sequence[float] | None = None,
    **more: Any,
) -> Curve:
    """Return means with their intervals and replicates, where there are two of these at least.

    Args:
        xs: Where they stand.
        found: The estimates there.
        name: In the legend, which lists it once there is a point.
        colour: Of the intervals.
        log: Whether they stand on a log axis; what is not positive is left out.
        at: Where they are drawn, if beside where they stand: neighbours then hide no interval.
        **more: Further fields of the curve.
    """
    triples = zip(xs, xs if at is None else at, found, strict=True)
    seen = [one for one in triples if one[2].replicates >= 2 and (one[2].mean > 0 or not log)]
    shown = [e for _, _, e in seen]
    more |= {"data": [e.replicates for e in shown]}
    more["hover"] = "%{text}: %{y:.3g}, %{customdata} replicates"
    more["words"] = chart.Words(texts=[number(x) for x, _, _ in seen], shown=False)
    more["spread"] = intervals(shown, colour, log=log)
    if not seen:
        more["listed"] = False
    # Plotly drops a trace without points from the legend, and with it its look.
    x, y = [there for _, there, _ in seen], [e.mean for e in shown]
    return Curve(x=x or [None], y=y or [None], name=name, **more)


def upright(x: float, *, colour: str = RULE, width: float = 1.0) -> Rule:
    """Return a line over the whole height."""
    return Rule(start=(x, 0), end=(x, 1), paper="y", stroke=Stroke(colour, width, "dot"))


def across(y: float, *, colour: str = RULE, dash: str = "dash", width: float = 1.5) -> Rule:
    """Return a line over the whole width."""
    return Rule(start=(0, y), end=(1, y), paper="x", stroke=Stroke(colour, width, dash))


def heading(text: str, x: float, y: float = 1.0) -> Note:
    """Return a title of a panel, above its edge."""
    return Note(text=text, x=x, y=y, paper="xy", left=True, above=True, font=chart.Font(size=13))


def entries(marks: Sequence[Mark]) -> int:
    """Return how many entries the legend has."""
    return sum(mark.listed is not False for mark in marks)
