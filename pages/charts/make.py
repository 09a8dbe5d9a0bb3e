"""Short ways to the marks, axes and figures that most pictures are made of."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pages.charts import svg, theme
from pages.charts.layout import LOOSE, Fields, Values, axes, axis, chart
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
        figure: Its data and layout.
        alt: What it shows, in words; see `words_of` if empty.
        table: The plotted numbers, one mapping per row, all with the same columns; see
            `numbers_of` if empty.
        caption: Markdown below it; empty for none.
        name: Name of its files, without end; unique in a report.
        lines: Makes the lines of Python that draw it, if there are any.
    """

    figure: Fields
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
    marks: Iterable[Fields],
    x: Fields | Sequence[Fields],
    y: Fields | Sequence[Fields],
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
        **more: What `chart` takes besides, with its title.
    """
    if isinstance(rows, Mapping):
        # Numbers of NumPy would stand as np.float64(...) in a CSV.
        lists = [v.tolist() if isinstance(v, np.ndarray) else v for v in rows.values()]
        rows = [dict(zip(rows, row, strict=True)) for row in zip(*lists, strict=True)]
    return Figure(chart(marks, x, y, **more), name, alt, rows, caption)


def numbers_of(figure: Fields) -> list[dict[str, object]]:
    """Return a row for each point of the marks that answer a pointer; the others guide the eye.

    >>> marks = [dots([1, 2], [0.5, 0.25], "a", hover="%{y}")]
    >>> numbers_of(chart(marks, axis("n"), axis("Risk")))[1]
    {'series': 'a', 'n': 2, 'Risk': 0.25}
    """
    rows: list[dict[str, object]] = []
    for mark in figure["data"]:
        of_mark, hidden = _axes(figure, mark), mark.get("hovertext")
        x_title, y_title = (
            plain(one.get("title") or "") or ("name" if "categoryarray" in one else letter)
            for one, letter in zip(of_mark, "xy", strict=True)
        )
        for k, *at in _points(mark) if mark.get("hoverinfo") != "skip" else ():
            x, y = (_tick(v, one) or v for v, one in zip(at, of_mark, strict=True))
            rows.append({"series": plain(mark.get("name") or ""), x_title: x, y_title: y})
            if hidden:
                rows[-1]["point"] = plain(hidden[k])
            for place, letter in enumerate("xy"):
                if spread := mark.get(f"error_{letter}"):
                    low = at[place] - spread.get("arrayminus", spread["array"])[k]
                    rows[-1] |= {"low": float(low), "high": float(at[place] + spread["array"][k])}
    empty = dict.fromkeys((title for row in rows for title in row), "")
    return [{**empty, **row} for row in rows]


def words_of(figure: Fields) -> str:
    """Return title, axes, and the ends of each series with a name; along names all its values.

    >>> marks = [line([1, 2, 4], [0.5, 0.4, 0.25], "a"), line([2, 2], [0, 1], "Today")]
    >>> words_of(chart(marks, axis("n"), axis("Risk"), title="Falls"))
    'Falls. Risk against n. a: 0.5 at 1 to 0.25 at 4; Today: at 2.'
    """
    panels: dict[str, dict[tuple[str, bool], list[tuple[str, str]]]] = {}
    for mark in figure["data"]:
        x_axis, y_axis = _axes(figure, mark)
        points, hidden, silent = _points(mark), mark.get("hovertext"), mark.get("hoverinfo")
        lying, named = (str in set(map(type, mark[letter])) for letter in "yx")
        if points and mark.get("fill") == "toself":  # an area is told by how far it reaches
            told = [(_text(end(x for _, x, _ in points), x_axis), "") for end in (min, max)]
        else:
            shown = points
            if len(points) > 2 and not (lying or named or hidden) and points[0][1] != points[-1][1]:
                # Ears cannot follow a hundred numbers.
                shown = [points[0], points[-1]]
            told = [(plain(hidden[k]) if hidden else _text(x, x_axis), y) for k, x, y in shown]
            told = [(x, _text(y, y_axis)) for x, y in told]
        # Bars that lie are told name first, as they are read.
        if lying:
            told, x_axis, y_axis = [(y, x) for x, y in told], y_axis, x_axis
        if silent and len({place for place, _ in told}) == 1:  # an upright guide
            told = [(told[0][0], "")]
        if told and (mark.get("name") or not silent):
            key = plain(mark.get("name") or ""), lying or named
            # One series may have several marks, and panels of one axis are told together.
            of_panel = panels.setdefault(_against(x_axis, y_axis), {})
            of_panel.setdefault(key, []).extend(told)
    if not panels:
        panels[_against(axes(figure, "x")[0], axes(figure, "y")[0])] = {}
    parts = [plain(figure["layout"]["title"]).rstrip(".")]
    for titles, series in panels.items():
        said = (f"{name}: {_course(told, named)}" for (name, named), told in series.items())
        parts += [titles, "; ".join(said).removeprefix(": ")]
    return f"{'. '.join(filter(None, [*parts, '' if any(panels.values()) else _NOTHING]))}."


def _against(x: Fields, y: Fields) -> str:
    return " against ".join(plain(one["title"]) for one in (y, x) if one.get("title"))


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


def _text(value: Any, along: Fields) -> str:
    show = str if isinstance(value, str) else signed_percent if along.get("tickformat") else number
    return _tick(value, along) or show(value)


def _tick(value: Any, along: Fields) -> str:
    """Return what stands at a tick, where ticks have words of their own."""
    if along.get("type") == "log" or along.get("tickformat"):
        return ""
    found = zip(along.get("tickvals", ()), along.get("ticktext", ()), strict=False)
    return str(dict(found).get(value, ""))


def _axes(figure: Fields, mark: Fields) -> tuple[Fields, Fields]:
    x, y = (mark.get(f"{letter}axis", letter)[1:] for letter in "xy")
    return figure["layout"][f"xaxis{x}"], figure["layout"][f"yaxis{y}"]


def _points(mark: Fields) -> list[tuple[int, Any, Any]]:
    """Return place, x and y of a mark's points, both ends of a bar with a base; no gaps."""
    xs, ys = (np.asarray(mark[letter], object).tolist() for letter in "xy")
    both = [(k, x, y) for k, (x, y) in enumerate(zip(xs, ys, strict=True))]
    if base := mark.get("base"):
        # Plotly gives such a bar its length; what one reads are its two ends.
        both = [(k, at, y) for k, x, y in both for at in (base[k], base[k] + (x or 0))]
    return [(k, x, y) for k, x, y in both if _there(x) and _there(y)]


def _there(value: Any) -> bool:
    return isinstance(value, str) or (value is not None and math.isfinite(value))


def room(
    height: float, foot: float, head: float = 64, legend: float = LOOSE, *, more: float = 0
) -> Fields:
    """Return the fields of a chart that make room around its plot.

    Args:
        height: In pixels, of it all.
        foot: Below the plot, for the legend.
        head: Above the plot, for the title.
        legend: The legend.
        more: Pixels by which a long legend makes the height and the foot larger.
    """
    return {"height": height + more, "foot": foot + more, "head": head, "legend": legend}


def named(names: Sequence[str], **more: Any) -> Fields:
    """Return an upright axis of names, the first one on top, whose margin grows with them."""
    return axis(names=list(names)[::-1], automargin=True, **more)


def trace(
    x: Values,
    y: Values,
    name: str | None = None,
    *,
    hover: str | None = "",
    extra: str | None = None,
    **fields: Any,
) -> Fields:
    """Return a trace; of points it draws what is said of them: a line, markers, words.

    Args:
        x: Values along the horizontal axis.
        y: Values along the vertical axis.
        name: In the legend.
        hover: What a pointer is told, with "%{x}" for a number; silent if empty, None for all.
        extra: Beside what a pointer is told; the name if None.
        **fields: Further fields.
    """
    made: Fields = {"x": x, "y": y, "name": name}
    if "type" not in fields:
        kinds = {"lines": "line", "markers": "marker", "text": "text"}
        made["mode"] = "+".join(kind for kind, field in kinds.items() if fields.get(field))
    if hover:
        beside = (name or "") if extra is None else extra
        made["hovertemplate"] = f"{hover}<extra>{beside}</extra>"
    elif hover is not None:
        made["hoverinfo"] = "skip"
    made |= fields
    return made if name else made | {"showlegend": False}  # Plotly would list it as "trace 0"


def line(
    x: Values,
    y: Values,
    name: str | None = None,
    colour: str | None = GREY,
    dash: str | None = None,
    width: float = 2.0,
    **more: Any,
) -> Fields:
    """Return a line; it tells a pointer nothing unless `hover` says what."""
    return trace(x, y, name, line={"color": colour, "width": width, "dash": dash}, **more)


def series(x: Values, y: Values, name: str, place: int, *, size: float = 8, **more: Any) -> Fields:
    """Return a line with marks in the look of its place among the series."""
    colour, symbol, dash = look(place)
    return line(x, y, name, colour, dash, marker={"symbol": symbol, "size": size}, **more)


def dots(
    x: Values,
    y: Values,
    name: str | None = None,
    symbol: str | Sequence[str] = "circle",
    size: float | Sequence[float] = 9,
    colour: str | None = None,
    edge: Fields | None = None,
    **more: Any,
) -> Fields:
    """Return marks without a line; `edge` is their outline."""
    marker = {"symbol": symbol, "size": size, "color": colour, "line": edge}
    return trace(x, y, name, marker=marker, **more)


def ranged(
    spans: Mapping[str, tuple[float, float]],
    name: str | None,
    colour: str,
    symbol: str,
    size: float,
    show: Callable[[float], str] = number,
    **more: Any,
) -> Fields:
    """Return rows by name that reach from one value to another, marked at both."""
    # The gap after each row keeps one line from joining the next row.
    x = [v for span in spans.values() for v in (*span, None)]
    y = [row for row in spans for _ in range(3)]
    told = [between(*span, show) for span in spans.values() for _ in range(3)]
    marker = {"symbol": symbol, "size": size, "color": colour}
    how: Fields = {"customdata": told, "hover": "%{y}: %{customdata}", "marker": marker}
    return line(x, y, name, colour, None, 4, **how, **more)


def bars(
    x: Values, y: Values, name: str | None, colour: str, shape: str = "", **more: Any
) -> Fields:
    """Return bars with a hatch of some shape; ``orientation="h"`` lays them, names along y."""
    marker: Fields = {"color": colour, "pattern": hatch(shape, colour) if shape else None}
    if "text" in more:
        more |= {"textposition": "outside", "cliponaxis": False}
    return trace(x, y, name, type="bar", marker=marker, **more)


def caused(cause: str, name: str, x: Values, y: Values, **more: Any) -> Fields:
    """Return lying bars that stand for a cause or a limit: its colour and its hatch."""
    look_of = theme.COLOURS[cause], theme.HATCHES[cause]
    return bars(x, y, name, *look_of, orientation="h", **more)


def hatch(shape: str, paper: str | None, ink: str = "rgba(255,255,255,0.7)") -> Fields:
    """Return a pattern on a surface; `paper` lies under it and `ink` is drawn."""
    return {"shape": shape, "bgcolor": paper, "fgcolor": ink, "size": 8, "solidity": 0.2}


def key(name: str, **look_of_it: Any) -> Fields:
    """Return an entry of the legend that stands for a kind of mark."""
    return trace([None], [None], name, **look_of_it)


def band(x: Values, low: Values, high: Values, colour: str) -> list[Fields]:
    """Return the surface between two curves, which are not drawn themselves."""
    # Plotly fills down to the trace before: the order of the two matters.
    fill = {"fill": "tonexty", "fillcolor": colour}
    return [trace(x, y, line={"width": 0}, **more) for y, more in ((low, {}), (high, fill))]


def joined(parts: Sequence[tuple[NDArray[Any], NDArray[Any]]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return several paths as one with gaps."""
    gap = np.array([np.nan])
    xs, ys = (np.concatenate([p for part in parts for p in (part[k], gap)])[:-1] for k in (0, 1))
    return xs, ys


def spread(up: Values, down: Values | None = None, colour: str | None = None) -> Fields:
    """Return an interval at every point, as long upwards and downwards as said."""
    made: Fields = {"type": "data", "array": up, "color": colour, "thickness": 1.5}
    return made if down is None else made | {"arrayminus": down, "symmetric": False}


def intervals(found: Sequence[Estimate], colour: str, *, log: bool = False) -> Fields:
    """Return 95% intervals; on a log axis the lower end stays where it can be drawn."""
    up, down = [e.high - e.mean for e in found], [e.mean - e.low for e in found]
    if log:
        # The logarithm of what lies below zero has no place.
        down = [min(below, 0.9 * e.mean) for below, e in zip(down, found, strict=True)]
    return spread(up, down, colour)


def measured(
    xs: Sequence[float],
    found: Sequence[Estimate],
    name: str,
    look: tuple[str, str],
    *,
    log: bool = False,
    at: Sequence[float] | None = None,
    size: float = 9,
    hollow: Sequence[bool] = (),
    **more: Any,
) -> Fields:
    """Return means with their intervals and replicates, where there are two of these at least.

    Args:
        xs: Where they stand.
        found: The estimates there.
        name: In the legend, which lists it once there is a point.
        look: Colour, and marker.
        log: Whether they stand on a log axis; what is not positive is left out.
        at: Where they are drawn, if beside where they stand: neighbours then hide no interval.
        size: Of the markers.
        hollow: Which of them are hollow; none if empty.
        **more: Further fields of the trace.
    """
    seen = [k for k, e in enumerate(found) if e.replicates >= 2 and (e.mean > 0 or not log)]
    (colour, symbol), shown, places = look, [found[k] for k in seen], xs if at is None else at
    symbols = [f"{symbol}-open" if hollow[k] else symbol for k in seen] if any(hollow) else symbol
    more |= {
        "customdata": [e.replicates for e in shown],
        "hovertext": [number(xs[k]) for k in seen],
    }
    more["hover"] = "%{hovertext}: %{y:.3g}, %{customdata} replicates"
    more["error_y"] = intervals(shown, colour, log=log)
    more["marker"] = {"symbol": symbols, "size": size, "color": colour}
    if not seen:
        more["showlegend"] = False
    # Plotly drops a trace without points from the legend, and with it its look.
    x, y = [places[k] for k in seen], [e.mean for e in shown]
    return trace(x or [None], y or [None], name, **more)


def rule(start: tuple[float, float], end: tuple[float, float], line: Fields, **refs: Any) -> Fields:
    """Return a straight line from one point to the other."""
    (x0, y0), (x1, y1) = start, end
    return {"type": "line", "x0": x0, "x1": x1, "y0": y0, "y1": y1, "line": line, **refs}


def upright(x: float, *, colour: str = RULE, width: float = 1.0) -> Fields:
    """Return a line over the whole height."""
    look_of = {"color": colour, "width": width, "dash": "dot"}
    return rule((x, 0), (x, 1), look_of, yref="paper")


def across(y: float, *, colour: str = RULE, dash: str = "dash", width: float = 1.5) -> Fields:
    """Return a line over the whole width."""
    return rule((0, y), (1, y), {"color": colour, "width": width, "dash": dash}, xref="paper")


def note(text: str, x: float, y: float, *, size: float = 11, **more: Any) -> Fields:
    """Return words in a figure. Places are coordinates of the axes: logarithms along a log axis."""
    return {"text": text, "x": x, "y": y, "showarrow": False, "font": {"size": size}, **more}


def heading(text: str, x: float, y: float = 1.0) -> Fields:
    """Return a title of a panel, above its edge."""
    place = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return note(text, x, y, size=13, **place)


def entries(marks: Iterable[Fields]) -> int:
    """Return how many entries the legend has."""
    return sum(mark.get("showlegend") is not False for mark in marks)
