"""Maps of labelled regions as a figure and for LaTeX, and a rate along one size of such a map."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from pages import charts
from pages.charts.words import number
from rates.pieces import Interval, Polygon

if TYPE_CHECKING:  # its room needs sympy, which other figures do without
    from rates.orders import Along


INK = "#111111"
_HALO = "1px 1px 2px white, -1px -1px 2px white, 1px -1px 2px white, -1px 1px 2px white"
_LEVELS = 41  # heights at which room for a name is looked for
_ENTRIES = 8  # of the legend, in the room that every map has
_LINE = 0.06  # of the height, for a name
_LETTER = 0.02  # of the width, for a letter of a name beyond the third
_NAMED = 0.07  # of a strip, for a name
_TOUCHING = 1e-6  # of the width
_BELOW: dict[str, Any] = {"y_axis": 2, "listed": False}  # of the band under a curve
_HATCHES = ("", "/", "\\", ".", "x", "-", "|", "+")


_PATTERNS = {
    "/": "north east lines",
    "\\": "north west lines",
    ".": "dots",
    "x": "crosshatch",
    "-": "horizontal lines",
    "|": "vertical lines",
    "+": "grid",
}
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{c: f"\\{c}" for c in "&%$#_{}"},
}
_HEAD = r"""\documentclass{article}
\usepackage{amsmath,pgfplots}
\usetikzlibrary{patterns}
\pgfplotsset{compat=1.16}
"""


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of the map.

    Attributes:
        title: What stands beside it.
        log: Whether it is logarithmic.
        low: Lower end.
        high: Upper end.
    """

    title: str
    log: bool
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Look:
    """How a label is shown; never by colour alone.

    Attributes:
        colour: Of its regions.
        hatch: Over the colour; empty for none.
        name: In the legend.
        short: On the map.
    """

    colour: str
    hatch: str
    name: str
    short: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """One map, ready to draw.

    Attributes:
        regions: By label, the polygons that it covers.
        looks: How each label is shown.
        x: The horizontal axis.
        y: The vertical axis.
        here: The chosen point; none if None.
        wrong: Polygons over the map that are hatched.
        seams: Whether neighbours of one label are drawn as one.
    """

    regions: Mapping[str, Sequence[Polygon]]
    looks: Mapping[str, Look]
    x: Axis
    y: Axis
    here: tuple[float, float] | None = None
    wrong: Sequence[Polygon] = ()
    seams: bool = False


def looks(names: Mapping[str, tuple[str, str]]) -> dict[str, Look]:
    """Give every label a colour and a hatch of its own; by label, its name and short name.

    >>> [look.hatch for look in looks({"a": ("A", "A"), "b": ("B", "B")}).values()]
    ['', '/']
    """
    return {
        label: Look(charts.look(place)[0], _HATCHES[place % len(_HATCHES)], name, short)
        for place, (label, (name, short)) in enumerate(names.items())
    }


def map_figure(
    plane: Plane,
    *,
    lines: Sequence[tuple[str, float]] = (),
    wrong: str = "",
    mark: str = "your point",
    **words: Any,
) -> charts.Figure:
    """Return the map, the row of the chosen point, and what is hatched over it.

    Args:
        plane: The map.
        lines: Places on the row to be named.
        wrong: Name of what is hatched.
        mark: What the chosen point is.
        **words: Title, alt, name and caption.
    """
    x, y = plane.x, plane.y
    marks = [
        filled(plane.looks[label], polygons, edge=None if plane.seams else "white")
        for label, polygons in plane.regions.items()
        if polygons
    ]
    if plane.wrong:
        hatch = charts.Hatch(shape="x", ink=INK, size=9, solidity=0.25)
        fill = charts.Fill("rgba(255,255,255,0.35)", hatch)
        marks.append(charts.line(*_path(plane.wrong), wrong, INK, "dash", 1.5, fill=fill))
    if plane.here is not None:
        marks += _cross(plane.here, x, mark)
        if lines:
            marks.append(_named(lines, plane.here, x))
    rows = [
        {"label": label, "polygon": k, x.title: float(a), y.title: float(b)}
        for label, polygons in plane.regions.items()
        for k, polygon in enumerate(polygons, start=1)
        for a, b in zip(polygon.x.tolist(), polygon.y.tolist(), strict=True)
    ]
    more = 16 * max(0, charts.entries(marks) - _ENTRIES)  # room for a long legend
    notes, space = [*_labels(plane)], charts.room(560, 150, 54, more=more)
    return charts.plot(marks, _axis(x), _axis(y), rows, notes=notes, **space, **words)


def filled(
    look: Look, polygons: Sequence[Polygon], *, edge: str | None = "white", **more: Any
) -> charts.Curve:
    """Return the regions of one label; without an edge, neighbours of one label are one."""
    ink: charts.Fields = {"ink": "rgba(255,255,255,0.55)", "size": 9, "solidity": 0.14}
    hatch = charts.Hatch(shape=look.hatch, paper=look.colour, **ink) if look.hatch else None
    fill, path = charts.Fill(look.colour, hatch), _path(polygons)
    return charts.line(*path, look.name, edge or look.colour, width=0.8, fill=fill, **more)


def over_strip(
    marks: Sequence[charts.Curve],
    rows: Sequence[tuple[Look, float, float]],
    ends: tuple[float, float],
    x: charts.Axis,
    y: charts.Axis,
    numbers: Mapping[str, charts.Values],
    **words: Any,
) -> charts.Figure:
    """Return curves over a band that says what decides where.

    Args:
        marks: The curves.
        rows: How each stretch of the band is shown, and where it begins and ends.
        ends: Of the logarithmic axis; what lies beyond them is cut.
        x: The horizontal axis.
        y: The axis of the curves.
        numbers: The plotted numbers, by column.
        **words: Title, alt, name and caption.
    """
    low, high = ends
    shown = [(look, max(a, low), min(b, high)) for look, a, b in rows]
    shown = [(look, a, b) for look, a, b in shown if a < b]
    boxes = [
        filled(look, [Polygon(x=np.array([a, a, b, b, a]), y=np.array([0, 1, 1, 0, 0]))], **_BELOW)
        for look, a, b in shown
    ]
    names = [
        _note(look, (math.log10(a) + math.log10(b)) / 2, 0.5, size=12, y_axis=2)
        for look, a, b in shown
        if math.log10(b / a) / math.log10(high / low) > _NAMED
    ]
    band = charts.Axis(part=(0, 0.11), shown=False, fixed=True, span=(0, 1))
    both = [replace(y, part=(0.17, 1)), band]
    space = charts.room(460, 110, 54)
    below = replace(x, beside=2)
    return charts.plot([*marks, *boxes], below, both, numbers, notes=names, **space, **words)


def _note(look: Look, x: float, y: float, *, size: float, **more: Any) -> charts.Note:
    """Return the short name of a label, at axis coordinates."""
    font, ground = charts.Font(colour=INK, size=size), "rgba(255,255,255,0.85)"
    text = f"<b>{look.short}</b>"
    return charts.Note(text=text, x=x, y=y, font=font, ground=ground, **more)


def _axis(axis: Axis) -> charts.Axis:
    ends = (axis.low, axis.high)
    if axis.log:
        return charts.log_axis(axis.title, ends, powers=True, step=1, fixed=True)
    return charts.Axis(title=axis.title, span=ends, fixed=True)


def _path(polygons: Sequence[Polygon]) -> tuple[np.ndarray, np.ndarray]:
    return charts.joined([(p.x, p.y) for p in polygons])


def _cross(here: tuple[float, float], x: Axis, mark: str) -> list[charts.Curve]:
    at, up = [min(max(here[0], x.low), x.high)], [here[1]]
    edge, hover = charts.Stroke(INK, 1.5), "%{x:.3g}, %{y:.3g}"
    return [
        charts.line([x.low, x.high], up * 2, None, INK, "dot", 1.5, listed=False),
        charts.dots(at, up, mark, "star", 15, "#ffd84d", edge, hover=hover),
    ]


def _named(lines: Sequence[tuple[str, float]], here: tuple[float, float], x: Axis) -> charts.Curve:
    shown = sorted((at, name) for name, at in lines if x.low <= at <= x.high)
    words = charts.Words(
        texts=[name for _, name in shown],
        at=(["top center", "bottom center"] * len(shown))[: len(shown)],
        font=charts.Font(colour=INK, size=15, shadow=_HALO),
    )
    told: charts.Fields = {
        "words": words,
        "listed": False,
        "hover": "%{text} = %{x:.4g}",
        "extra": "",
    }
    at, name = [at for at, _ in shown], "endpoints on the cut"
    return charts.dots(at, [here[1]] * len(shown), name, "line-ns-open", 12, INK, **told)


def _labels(plane: Plane) -> Iterator[charts.Note]:
    """A name in the widest part of every region that has room for it and for no other's."""
    found: list[tuple[float, float, float, Look]] = []
    for label, polygons in plane.regions.items():
        look = plane.looks[label]
        spot = _spot(polygons, plane, _room(look)) if polygons else None
        found += [(*spot, look)] if spot else []
    across, up = (
        math.log10(axis.high / axis.low) if axis.log else axis.high - axis.low
        for axis in (plane.x, plane.y)
    )
    placed: list[tuple[float, float, float]] = []
    for _, at_x, at_y, look in sorted(found, key=lambda spot: -spot[0]):
        x, y, room = at_x / across, at_y / up, _room(look)
        if all(abs(x - a) > (room + b) / 2 or abs(y - c) > _LINE for a, c, b in placed):
            placed.append((x, y, room))
            yield _note(look, at_x, at_y, size=13, pad=2)


def _room(look: Look) -> float:
    """The part of the map's width that a short name needs."""
    return max(0.09, _LETTER * (len(look.short) - 3))


def _spot(
    polygons: Sequence[Polygon], plane: Plane, room: float
) -> tuple[float, float, float] | None:
    """The room, and the axis coordinates, of the middle of the widest run of a label's polygons."""
    _, low, high = _coordinates(polygons[0].x, plane.x)
    _, bottom, top = _coordinates(polygons[0].y, plane.y)
    levels = bottom + (top - bottom) * (np.arange(_LEVELS) + 0.5) / _LEVELS
    runs: list[list[tuple[float, float]]] = [[] for _ in levels]
    for polygon in polygons:
        across = np.clip(_coordinates(polygon.x, plane.x)[0], low, high)
        up = np.clip(_coordinates(polygon.y, plane.y)[0], bottom, top)
        below, above = up[:-1, None], up[1:, None]
        crossed = (below <= levels) != (above <= levels)
        with np.errstate(divide="ignore", invalid="ignore"):
            part = (levels - below) / (above - below)
            places = across[:-1, None] + part * (across[1:, None] - across[:-1, None])
        ends = np.sort(np.where(crossed, places, np.inf), axis=0)
        for k in np.flatnonzero(np.isfinite(ends[0])).tolist():
            met = ends[np.isfinite(ends[:, k]), k].tolist()
            runs[k] += zip(met[::2], met[1::2], strict=False)
    widest = np.array([_widest(run, (high - low) * _TOUCHING) for run in runs])
    width, middle = (widest[:, 1] - widest[:, 0]) / (high - low), widest.mean(axis=1)
    used = levels[width > room]
    if len(used) < 2:
        return None
    worth = width - 0.3 * np.abs(levels - used.mean()) / (used[-1] - used[0])
    if plane.here is not None:  # the mark of the point is not to be hidden
        both = zip(plane.here, (plane.x, plane.y), strict=True)
        point = [_coordinates(np.array(v), axis)[0] for v, axis in both]
        beside = np.abs(middle - point[0]) / (high - low) > room
        worth -= ~(beside | (np.abs(levels - point[1]) / (top - bottom) > _LINE))
    k = int(np.argmax(np.where(width > room, worth, -np.inf)))
    return float(width.sum()), float(middle[k]), float(levels[k])


def _widest(runs: Sequence[tuple[float, float]], touching: float) -> tuple[float, float]:
    """The longest of some intervals, those that touch taken together."""
    joined: list[tuple[float, float]] = []
    for low, high in sorted(runs):
        if joined and low <= joined[-1][1] + touching:
            joined[-1] = (joined[-1][0], max(joined[-1][1], high))
        else:
            joined.append((low, high))
    return max(joined, key=lambda run: run[1] - run[0], default=(0.0, 0.0))


def _coordinates(values: np.ndarray, axis: Axis) -> tuple[np.ndarray, float, float]:
    if not axis.log:
        return np.asarray(values, dtype=float), axis.low, axis.high
    return np.log10(values), math.log10(axis.low), math.log10(axis.high)


def escaped(text: str) -> str:
    r"""Return plain text as LaTeX; what is not ASCII becomes a question mark.

    >>> escaped("n_0 & 50 %")
    'n\\_0 \\& 50 \\%'
    """
    plain = text.encode("ascii", "replace").decode()
    return "".join(_SPECIAL.get(c, c) for c in plain)


def document(plane: Plane, *, title: str, axes: tuple[str, str], legend: Mapping[str, str]) -> str:
    """Return the source of a map.

    Args:
        plane: The map.
        title: Above it, as plain text.
        axes: What stands at the axes, as LaTeX.
        legend: By label, its entry, as LaTeX.
    """
    colours: list[str] = []
    plots: list[str] = []
    shown = (pair for pair in plane.regions.items() if pair[1])
    for k, (label, polygons) in enumerate(shown):
        look = plane.looks[label]
        colours.append(f"\\definecolor{{region{k}}}{{HTML}}{{{look.colour[1:].upper()}}}")
        plots += _filled(k, polygons, look, legend.get(label, escaped(label)))
    if plane.here is not None:
        point = "({:.8g},{:.8g})".format(*plane.here)
        star = r"\addplot[only marks, mark=star, mark size=4pt] coordinates"
        plots += [f"{star} {{{point}}};", r"\addlegendentry{chosen point}"]
    x, y = (_ends(name, axis) for name, axis in (("x", plane.x), ("y", plane.y)))
    lines = [
        _HEAD + "\n".join(colours),
        r"\begin{document}",
        r"\pagestyle{empty}",
        r"\begin{tikzpicture}",
        r"\begin{axis}[width=12cm, height=9cm, axis on top,",
        f"  title={{{escaped(title)}}},",
        f"  xlabel={{{axes[0]}}}, ylabel={{{axes[1]}}},",
        f"  {x},\n  {y},",
        r"  legend style={at={(0.5,-0.2)}, anchor=north, draw=none, cells={anchor=west}}]",
        *plots,
        *(rf"\end{{{part}}}" for part in ("axis", "tikzpicture", "document")),
        "",
    ]
    return "\n".join(lines)


def _ends(name: str, axis: Axis) -> str:
    mode = "log" if axis.log else "linear"
    return f"{name}mode={mode}, {name}min={axis.low:.8g}, {name}max={axis.high:.8g}"


def _filled(k: int, polygons: Sequence[Polygon], look: Look, entry: str) -> list[str]:
    """All polygons of a label; the first one brings the entry of the legend."""
    lines = []
    pattern = _PATTERNS.get(look.hatch)
    for j, polygon in enumerate(polygons):
        pairs = zip(np.asarray(polygon.x), np.asarray(polygon.y), strict=True)
        path = " ".join(f"({x:.8g},{y:.8g})" for x, y in pairs)
        how = f"fill=region{k}, draw=region{k}, area legend{', forget plot' if j else ''}"
        lines.append(f"\\addplot[{how}] coordinates {{{path}}};")
        lines += [] if j else [f"\\addlegendentry{{{entry}}}"]
        if pattern:
            how = f"pattern={pattern}, pattern color=white, draw=none, forget plot"
            lines.append(f"\\addplot[{how}] coordinates {{{path}}};")
    return lines


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


def cut_figure(cut: Cut, looks: Mapping[str, Look], **words: Any) -> charts.Figure:
    """Return the rate along one size over a strip that names the deciding terms.

    Args:
        cut: The rate.
        looks: How each term is shown.
        **words: Title, caption, and name of the files.
    """
    found = cut.found
    low, high = float(found.x[0]), float(found.x[-1])
    hover = "%{x:.3g}: %{y:.3g}"
    lines: list[tuple[str, NDArray[np.float64], str | None, float]] = [
        ("Rate as typed", found.rate, None, 2.5)
    ]
    if not np.allclose(found.rate, found.order, rtol=1e-9):
        lines.append(("Its order: sums as maxima", found.order, "dash", 1.5))
    marks = [
        charts.line(found.x, y, text, charts.EQUATION, dash, width, hover=hover)
        for text, y, dash, width in lines
    ]
    marks += _measurements(cut)
    seen = [*found.rate.tolist(), *(mean for _, mean, _ in cut.points)]
    ends = charts.around([v for v in seen if v > 0 and math.isfinite(v)] or [1.0], 1.6)
    marks.append(charts.line([cut.here] * 2, ends, "your point", charts.GREY, "dot"))
    return over_strip(
        marks,
        [(looks[row.label], row.lo, row.hi) for row in found.steps],
        (low, high),
        _powers(cut.label, (low, high)),
        _powers("Rate", ends),
        {cut.label: found.x, "rate": found.rate, "order": found.order},
        alt=f"The rate against {cut.label}. Deciding: {steps_text(found.steps, looks)}.",
        **words,
    )


def _powers(title: str, ends: tuple[float, float]) -> charts.Axis:
    return charts.log_axis(title, ends, powers=True, fixed=True, step=charts.step(ends))


def two_rates_figure(label: str, one: Along, other: Along) -> charts.Figure:
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


def steps_text(steps: Sequence[Interval], looks: Mapping[str, Look]) -> str:
    """The order of the deciding terms, with their slopes, in words."""
    return "; ".join(
        f"{looks[row.label].short} up to {number(row.hi)}, slope {number(row.slope)}"
        for row in steps
    )


def _measurements(cut: Cut) -> list[charts.Curve]:
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
