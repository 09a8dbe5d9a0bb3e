"""What a map consists of: axes, regions, how each label looks; where things lie; and its LaTeX."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pages.charts import theme
from pages.charts.layout import even, log_ticks
from rates.pieces import Polygon

PAPER = "#FCFBF8"  # as the app's light theme has it
SLATE, GOLD = "slate", "gold"  # hues without a cause, for whatever a reader has named
_HUES = {**theme.COLOURS, SLATE: "#556771", GOLD: "#8A6B07"}
# A cause has one hue and four depths: which part of it is kept, and what the rest is.
# Far enough apart in lightness to be told apart without hue, and on print.
_DEPTHS = ((0.92, theme.INK["light"]), (0.42, PAPER), (0.62, theme.INK["light"]), (0.22, PAPER))
_HATCHES = ("", "/", "\\", ".", "x", "-", "|", "+")


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of the map.

    Attributes:
        title: What stands beside it.
        log: Whether it is logarithmic.
        low: Lower end.
        high: Upper end.
        way: What changes along it, such as "strict → loose"; empty where that is plain.
        sign: What stands before one of its values in a sentence.
    """

    title: str
    log: bool
    low: float
    high: float
    way: str = ""
    sign: str = ""

    @property
    def heading(self) -> str:
        """What stands beside it, with its direction."""
        return f"{self.title}: {self.way}" if self.way else self.title

    def coordinates(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], float, float]:
        """Return values, and both ends, as coordinates: logarithms along a logarithmic axis."""
        if not self.log:
            return np.asarray(values, dtype=float), self.low, self.high
        return np.log10(values), math.log10(self.low), math.log10(self.high)

    def value(self, coordinate: float) -> float:
        """Return what lies at a coordinate."""
        return 10.0**coordinate if self.log else coordinate

    def parts(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return where values lie, as parts of the axis.

        >>> Axis("n", True, 1.0, 100.0).parts(np.array([1.0, 10.0])).tolist()
        [0.0, 0.5]
        """
        at, low, high = self.coordinates(values)
        return np.clip((at - low) / (high - low), 0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Look:
    """How a label is shown; never by colour alone.

    Attributes:
        cause: Its hue: "privacy", "sample", "none"; or one that means no cause.
        depth: From 0: strong, faint, deep, pale.
        hatch: Over the colour, on paper; empty for none.
        name: In the legend; markup is escaped.
        short: On the map; markup is escaped.
        words: On the map where there is room, one or two lines; plain text.
        said: What holds where it decides, a sentence; plain text.
        helps: What would help there; plain text, empty where nobody can say.
    """

    cause: str
    depth: int
    hatch: str
    name: str
    short: str
    words: tuple[str, ...] = ()
    said: str = ""
    helps: str = ""

    @property
    def colour(self) -> str:
        """Of its regions on light paper."""
        return toned(self.cause, self.depth)


def toned(cause: str, depth: int) -> str:
    """Return the colour of a cause at a depth, on light paper.

    >>> toned("gold", 3)
    '#e3dbc3'
    """
    part, rest = _DEPTHS[depth]
    pairs = zip(*(_rgb(text) for text in (_HUES[cause], rest)), strict=True)
    return "#" + "".join(f"{round(part * a + (1 - part) * b):02x}" for a, b in pairs)


def _rgb(text: str) -> tuple[int, ...]:
    return tuple(int(text[k : k + 2], 16) for k in (1, 3, 5))


def _term(label: str, mark: str, who: str, cause: str, hatch: str, helps: str) -> Look:
    """Return the look of a term of [ACC] (4); the target is strong, the sources are faint."""
    binds, decide = theme.LIMITS[cause], "decide" + "s" * (who == "target")
    tone = cause, int(who == "sources"), hatch
    names = f"{mark} {label}: {who}, {binds}", f"{mark} {label}"
    return Look(
        *tone, *names, (who.capitalize(), binds), f"Here the {who} {decide}, {binds}.", helps
    )


_OF_TARGET, _OF_SOURCES = (theme.TARGET_MARK, "target"), (theme.SOURCE_MARK, "sources")
TERMS = {  # alike on every map that has them
    "1": Look(
        *(theme.NONE, 3, ".", "trivial: rate 1", "1"),
        words=("nothing",),
        said="Nothing can be learned here.",
        helps="No release says anything yet: the rate stays at 1.",
    ),
    "Pt": _term(
        *("Pt", *_OF_TARGET, theme.PRIVACY, "/"),
        "More budget or records at the target help. More records at the sources do not.",
    ),
    "NPt": _term(
        *("NPt", *_OF_TARGET, theme.SAMPLE, ""),
        "More records at the target help. More budget does not.",
    ),
    "Ps": _term(
        *("Ps", *_OF_SOURCES, theme.PRIVACY, "\\"),
        "More budget, records or sites among the sources help. The target's do not.",
    ),
    "NPs": _term(
        *("NPs", *_OF_SOURCES, theme.SAMPLE, ""),
        "More records or sites among the sources help. More budget does not.",
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Plane:
    """One map, ready to draw.

    Attributes:
        regions: By label, the polygons that it covers.
        looks: How each label is shown.
        x: The horizontal axis.
        y: The vertical axis.
        here: The chosen point; none if None.
        own: Where whatever is mapped stands itself, where the chosen point may be another.
        wrong: Polygons over the map that are hatched.
        seams: Whether neighbours of one label are drawn as one.
    """

    regions: Mapping[str, Sequence[Polygon]]
    looks: Mapping[str, Look]
    x: Axis
    y: Axis
    here: tuple[float, float] | None = None
    own: tuple[float, float] | None = None
    wrong: Sequence[Polygon] = ()
    seams: bool = False


def looks(names: Mapping[str, tuple[str, str]]) -> dict[str, Look]:
    """Give every label a look of its own, the terms of (4) theirs; by label, name and short name.

    >>> [look.hatch for look in looks({"a": ("A", "A"), "b": ("B", "B")}).values()]
    ['', '/']
    """
    out = {}
    # Terms of (4) look as on the phase map; what a reader has named gets hues that mean no cause.
    free = 0
    for label, (name, short) in names.items():
        plain = html.unescape(short)
        said = f"Here {plain} decides."
        known = TERMS.get("1" if short == "1" else label if label != "1" else "")
        if known is not None:
            out[label] = replace(known, name=name, short=short, words=(plain,), said=said, helps="")
            continue
        hatch = _HATCHES[free % len(_HATCHES)]
        tone = (SLATE, GOLD)[free % 2], free // 2 % len(_DEPTHS)
        out[label] = Look(*tone, hatch, name, short, words=(plain,), said=said)
        free += 1
    return out


# Where things lie -----------------------------------------------------------------------------

_LEVELS = 41  # heights at which room for a name is looked for
_LINE = 0.06  # of the height, for a name
_LETTER = 0.02  # of the width, for a letter of a name beyond the third
_LEAST = 0.09  # of the width, for any name
_TOUCHING = 1e-6  # of the width


def outlines(plane: Plane, polygons: Sequence[Polygon], digits: int) -> list[list[float]]:
    """Return the corners of polygons as parts of both axes, x and y in turn."""
    return [
        np.round(np.column_stack([plane.x.parts(p.x), plane.y.parts(p.y)]).ravel(), digits).tolist()
        for p in polygons
    ]


def point(plane: Plane, at: tuple[float, float]) -> list[float]:
    """Return a point as parts of both axes."""
    both = zip((plane.x, plane.y), at, strict=True)
    return [float(axis.parts(np.array([value]))[0]) for axis, value in both]


def ticks(axis: Axis) -> list[tuple[float, float]]:
    """Return ticks: their places as parts of the axis, and their values.

    >>> [value for _, value in ticks(Axis("d", False, 0.1, 2.9))]
    [0.5, 1.0, 1.5, 2.0, 2.5]
    """
    ends = (axis.low, axis.high)
    values = log_ticks(*ends)[0] if axis.log else even(*ends, 6)
    return list(zip(axis.parts(np.array(values)).tolist(), values, strict=True))


class Name(NamedTuple):
    """A name on the map, at axis coordinates; `whole` where it says all there is to say."""

    label: str
    text: str
    x: float
    y: float
    whole: bool


def names(plane: Plane) -> list[Name]:
    """A name in the widest part of every region that has room for it and for no other's."""
    found: list[tuple[Spot, str, str, float]] = []
    for label, polygons in plane.regions.items():
        look = plane.looks[label]
        words = html.escape(" · ".join(look.words), quote=False)
        for text in filter(None, (words, look.short)):
            # A short name needs room for its ground too.
            room = max(_LEAST, _LETTER * (len(text) - 3))
            if polygons and (spot := spot_of(polygons, plane, room, tall=0)):
                found.append((spot, label, text, room))
                break
    across, up = (
        math.log10(axis.high / axis.low) if axis.log else axis.high - axis.low
        for axis in (plane.x, plane.y)
    )
    out: list[Name] = []
    placed: list[tuple[float, float, float]] = []
    # Where two want one place the region with more of the map keeps it.
    for spot, label, text, room in sorted(found, key=lambda one: -one[0].worth):
        x, y = spot.x / across, spot.y / up
        if all(abs(x - a) > (room + b) / 2 or abs(y - c) > _LINE for a, c, b in placed):
            placed.append((x, y, room))
            out.append(Name(label, text, spot.x, spot.y, text != plane.looks[label].short))
    return out


class Spot(NamedTuple):
    """Room for words in a region: its middle, at axis coordinates, and its part of the width."""

    x: float
    y: float
    width: float
    worth: float  # of regions that claim one place, the one with most keeps it


def spot_of(
    polygons: Sequence[Polygon], plane: Plane, room: float, *, tall: int = 2
) -> Spot | None:
    """Return the middle of the widest box that lies in a label's polygons, if it has the room.

    Args:
        polygons: The label's.
        plane: The map.
        room: The least width, as a part of the map's.
        tall: Height of the box: so many forty-firsts of the map's above its middle, and below.
    """
    _, low, high = plane.x.coordinates(polygons[0].x)
    _, bottom, top = plane.y.coordinates(polygons[0].y)
    levels = bottom + (top - bottom) * (np.arange(_LEVELS) + 0.5) / _LEVELS
    runs: list[list[tuple[float, float]]] = [[] for _ in levels]
    for polygon in polygons:
        across = np.clip(plane.x.coordinates(polygon.x)[0], low, high)
        up = np.clip(plane.y.coordinates(polygon.y)[0], bottom, top)
        below, above = up[:-1, None], up[1:, None]
        # Half-open: a corner on the row is crossed once, not twice.
        crossed = (below <= levels) != (above <= levels)
        with np.errstate(divide="ignore", invalid="ignore"):
            part = (levels - below) / (above - below)
            places = across[:-1, None] + part * (across[1:, None] - across[:-1, None])
        ends = np.sort(np.where(crossed, places, np.inf), axis=0)
        for k in np.flatnonzero(np.isfinite(ends[0])).tolist():
            met = ends[np.isfinite(ends[:, k]), k].tolist()
            runs[k] += zip(met[::2], met[1::2], strict=False)
    # Rows of polygons of one label touch: their runs are one.
    widest = np.array([_widest(run, (high - low) * _TOUCHING) for run in runs])
    total = float((widest[:, 1] - widest[:, 0]).sum() / (high - low))
    shut = np.tile([[high, low]], (tall, 1))  # beyond the map there is no room
    boxes = np.lib.stride_tricks.sliding_window_view(
        np.concatenate([shut, widest, shut]), 2 * tall + 1, axis=0
    )
    left, right = boxes[:, 0].max(axis=-1), boxes[:, 1].min(axis=-1)
    width, middle = (right - left) / (high - low), 0.5 * (left + right)
    used = levels[width > room]
    # One height is thinner than a line of words; a tall box has its height already.
    if len(used) < (1 if tall else 2):
        return None
    # Width first, then the middle of the region: a name at its edge would seem the neighbour's.
    worth = width - 0.3 * np.abs(levels - used.mean()) / max(used[-1] - used[0], levels[1] - bottom)
    if plane.here is not None:  # the mark of the point is not to be hidden
        both = zip(plane.here, (plane.x, plane.y), strict=True)
        at = [axis.coordinates(np.array(v))[0] for v, axis in both]
        beside = np.abs(middle - at[0]) / (high - low) > room
        worth -= ~(beside | (np.abs(levels - at[1]) / (top - bottom) > _LINE))
    k = int(np.argmax(np.where(width > room, worth, -np.inf)))
    return Spot(float(middle[k]), float(levels[k]), float(width[k]), total)


def _widest(runs: Sequence[tuple[float, float]], touching: float) -> tuple[float, float]:
    """The longest of some intervals, those that touch taken together."""
    start, end = -np.inf, -np.inf
    widest = (0.0, 0.0)
    for low, high in sorted(runs):
        start, end = (start, max(end, high)) if low <= end + touching else (low, high)
        if end - start > widest[1] - widest[0]:
            widest = (start, end)
    return widest


# LaTeX ----------------------------------------------------------------------------------------

_PATTERNS = {
    "/": "north east lines",
    "\\": "north west lines",
    ".": "dots",
    "x": "crosshatch",
    "-": "horizontal lines",
    "|": "vertical lines",
    "+": "grid",
}
_HEAD = r"""\documentclass{standalone}
\usepackage{pgfplots}
\usetikzlibrary{patterns}
\pgfplotsset{compat=1.16}
\begin{document}
\begin{tikzpicture}
"""


def map_tikz(plane: Plane, titles: tuple[str, str], shorts: Mapping[str, str]) -> str:
    """Return a LaTeX file with a map.

    Args:
        plane: The map.
        titles: What stands beside both axes, in LaTeX.
        shorts: What stands on the regions by label, in LaTeX.
    """
    lines = [
        rf"\begin{{axis}}[{_scale('x', plane.x, titles[0])}, {_scale('y', plane.y, titles[1])},",
        "  axis on top, width=12cm, height=8cm]",
        *(line for label, parts in plane.regions.items() for line in _filled(plane, label, parts)),
        *(
            rf"\node[fill=white, inner sep=2pt] at (axis cs:{_at(name.x, plane.x)},"
            rf"{_at(name.y, plane.y)}) {{{shorts[name.label]}}};"
            for name in names(plane)
        ),
    ]
    if plane.here is not None:
        x, y = plane.here
        lines.append(rf"\addplot[only marks, mark=*] coordinates {{({x:.6g},{y:.6g})}};")
    ends = (rf"\end{{{part}}}" for part in ("axis", "tikzpicture", "document"))
    return _HEAD + "\n".join([*lines, *ends]) + "\n"


def _scale(letter: str, axis: Axis, title: str) -> str:
    mode = "log" if axis.log else "normal"
    ends = f"{letter}min={axis.low:.6g}, {letter}max={axis.high:.6g}"
    return f"{letter}mode={mode}, {ends}, {letter}label={{{title}}}"


def _at(coordinate: float, axis: Axis) -> str:
    return f"{axis.value(coordinate):.6g}"


def _filled(plane: Plane, label: str, polygons: Sequence[Polygon]) -> Iterator[str]:
    look: Look = plane.looks[label]
    # xcolor knows a colour by a name, so each is defined under its own digits.
    colour = look.colour.lstrip("#").upper()
    if polygons:
        yield rf"\definecolor{{c{colour}}}{{HTML}}{{{colour}}}"
    hatch = _PATTERNS.get(look.hatch)
    over = f", postaction={{pattern={hatch}, pattern color=black!40}}" if hatch else ""
    for polygon in polygons:
        corners = zip(polygon.x.tolist(), polygon.y.tolist(), strict=True)
        path = " ".join(f"({x:.6g},{y:.6g})" for x, y in corners)
        yield rf"\addplot[draw=none, fill=c{colour}{over}] coordinates {{{path}}} -- cycle;"
