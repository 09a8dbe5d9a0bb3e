"""What stands in a figure: curves, bars and cells, and words and rules over them.

A builder says what is seen; what a writer's library calls it stands with the writer alone. A
field that is None is left to the writer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

Values = Sequence[Any] | NDArray[Any]


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a line is drawn: colour, width in pixels, dash, and steps ("hv", "hvh") if it has any."""

    colour: str | None = None
    width: float | None = None
    dash: str | None = None
    steps: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """How the points of a curve are marked.

    Attributes:
        symbol: One for all, or one each; "-open" for a hollow one.
        size: In pixels; one for all, or one each.
        colour: Of the mark; that of the line if None.
        edge: Its outline.
        opacity: One for all, or one each.
        most: At most so many are drawn, evenly chosen.
        shown: Whether they are drawn; a series keeps its look without them.
    """

    symbol: str | Sequence[str] = "circle"
    size: float | Sequence[float] | None = None
    colour: str | None = None
    edge: Stroke | None = None
    opacity: float | Sequence[float] | None = None
    most: int | None = None
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """How words are written."""

    size: float | None = None
    colour: str | None = None
    weight: int | None = None
    shadow: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words of the points, one each.

    Attributes:
        texts: The words.
        at: Where they stand, such as "top center"; one for all, or one each.
        font: How they are written.
        shown: Whether they are written; else a hover alone says them.
    """

    texts: Sequence[str]
    at: str | Sequence[str] | None = None
    font: Font | None = None
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Hatch:
    """A pattern on a surface; `paper` lies under it and `ink` is drawn."""

    shape: str
    paper: str | None = None
    ink: str | None = None
    size: float | None = None
    solidity: float | None = None


@dataclass(frozen=True, slots=True)
class Fill:
    """What a curve encloses: itself, or all down to the curve before it (`band`)."""

    colour: str
    hatch: Hatch | None = None
    band: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """An interval at every point, up from it and down from it.

    Attributes:
        up: Length upwards.
        down: Length downwards; the same if None.
        colour: Of the strokes.
        thickness: Of the strokes.
        ends: Width of the strokes at the ends.
        across: Whether it lies along the horizontal axis.
        shown: Whether it is drawn.
    """

    up: Sequence[float]
    down: Sequence[float] | None = None
    colour: str | None = None
    thickness: float | None = None
    ends: float | None = None
    across: bool = False
    shown: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Mark:
    """What every mark has.

    Attributes:
        x: Values along the horizontal axis.
        y: Values along the vertical axis.
        name: In the legend.
        hover: What a pointer is told, with "%{x}" for a number; silent if empty, None for all.
        extra: Beside what a pointer is told; the name if None.
        data: Further values of the points, "%{customdata}" in a hover.
        group: Marks of one group are one in the legend.
        listed: Whether the legend lists it.
        x_axis: Which of the horizontal axes, from 1.
        y_axis: Which of the vertical axes, from 1.
    """

    x: Values
    y: Values
    name: str | None = None
    hover: str | None = ""
    extra: str | None = None
    data: Values | None = None
    group: str | None = None
    listed: bool | None = None
    x_axis: int | None = None
    y_axis: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve(Mark):
    """Points, and what joins, marks, names and fills them.

    Attributes:
        stroke: The line through them.
        dots: The marks at them.
        words: The words at them.
        fill: The surface.
        spread: Their intervals.
        opacity: Of it all.
        chosen_alike: Whether a chosen point looks like the others.
    """

    stroke: Stroke | None = None
    dots: Dots | None = None
    words: Words | None = None
    fill: Fill | None = None
    spread: Spread | None = None
    opacity: float | None = None
    chosen_alike: bool = False


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Bars(Mark):
    """Bars; lying ones have their names along y.

    Attributes:
        colour: Of the surface.
        hatch: On it.
        base: Where each begins; 0 if None.
        texts: Words at the ends.
        lying: Whether they lie.
    """

    colour: str
    hatch: Hatch | None = None
    base: Sequence[float] | None = None
    texts: Sequence[str] | None = None
    lying: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells(Mark):
    """A coloured cell for each pair of x and y; `kinds` are places in `colours`, rows along y.

    Attributes:
        kinds: What each cell is.
        colours: One for each kind.
        ends: Values of the first and the last kind, widened to taste.
    """

    kinds: NDArray[Any]
    colours: Sequence[str]
    ends: tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A straight line from one point to the other; on `paper` it goes from edge to edge.

    Attributes:
        start: x and y of one end.
        end: x and y of the other.
        stroke: How it is drawn.
        paper: "x" or "y" if that coordinate is a fraction of the paper, empty otherwise.
        axes: Numbers of its axes, from 1; the first ones if None.
    """

    start: tuple[float, float]
    end: tuple[float, float]
    stroke: Stroke
    paper: str = ""
    axes: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Words in a figure. Places are coordinates of the axes: logarithms along a log axis.

    Attributes:
        text: The words.
        x: Where they stand.
        y: Where they stand.
        paper: Which of x and y are fractions of the paper: "x", "y" or "xy".
        y_axis: Which of the vertical axes, from 1.
        left: Whether the words begin there, in place of being centred.
        above: Whether they stand above the place.
        centred: Whether centring is said, not left to the writer.
        shift: Pixels upwards.
        font: How they are written.
        ground: Colour behind them.
        pad: Room around them, in pixels.
    """

    text: str
    x: float
    y: float
    paper: str = ""
    y_axis: int | None = None
    left: bool = False
    above: bool = False
    centred: bool = False
    shift: float | None = None
    font: Font = Font(size=11)
    ground: str | None = None
    pad: float | None = None
