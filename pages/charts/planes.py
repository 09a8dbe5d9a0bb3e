"""What a map consists of: axes, regions, and how each label looks, the same on every map."""

from __future__ import annotations

import html
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pages.charts import theme
from rates.pieces import Polygon

PAPER = "#FCFBF8"  # as the app's light theme has it
SLATE, GOLD = "slate", "gold"  # hues without a cause, for whatever a reader has named
_HUES = {**theme.COLOURS, SLATE: "#556771", GOLD: "#8A6B07"}
# A cause has one hue and four depths: which part of it is kept, and what the rest is.
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
    return Look(
        cause,
        int(who == "sources"),
        hatch,
        f"{mark} {label}: {who}, {binds}",
        f"{mark} {label}",
        words=(who.capitalize(), binds),
        said=f"Here the {who} {decide}, {binds}.",
        helps=helps,
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
