"""What a figure consists of: marks, axes, a legend, and words and rules over them.

A builder says what is seen. A field that Plotly takes as it is has Plotly's name beside its type;
all else is up to the writers. A field that is None is left to the writer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from numpy.typing import NDArray

from pages.charts.words import number, rounded_up

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Widths of an entry of the legend, as parts of the whole: two columns, one, or as its name needs.
COLUMNS, SINGLE, LOOSE = 0.48, 1.0, 0.0
Values = Sequence[Any] | NDArray[Any]
Fields = dict[str, Any]  # of a mark or an axis, by name


@dataclass(frozen=True, slots=True)
class Stroke:
    """How a line is drawn: colour, width in pixels, dash, and "hv" if it goes in steps."""

    colour: Annotated[str | None, "color"] = None
    width: Annotated[float | None, "width"] = None
    dash: Annotated[str | None, "dash"] = None
    steps: Annotated[str | None, "shape"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dots:
    """How the points of a curve are marked.

    Attributes:
        symbol: One for all, or one each; "-open" for a hollow one.
        size: In pixels; one for all, or one each.
        colour: Of the mark; that of the line if None.
        edge: Its outline.
        most: At most so many are drawn, evenly chosen.
        shown: Whether they are drawn; a series keeps its look without them.
    """

    symbol: Annotated[str | Sequence[str], "symbol"] = "circle"
    size: Annotated[float | Sequence[float] | None, "size"] = None
    colour: Annotated[str | None, "color"] = None
    edge: Annotated[Stroke | None, "line"] = None
    most: Annotated[int | None, "maxdisplayed"] = None
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Font:
    """How words are written."""

    size: Annotated[float | None, "size"] = None
    colour: Annotated[str | None, "color"] = None
    shadow: Annotated[str | None, "shadow"] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words of the points, one each.

    Attributes:
        texts: The words.
        at: Where they stand, such as "top center"; one for all, or one each.
        font: How they are written.
        shown: Whether they are written; else a hover alone says them.
    """

    texts: Annotated[Sequence[str], "text"]
    at: Annotated[str | Sequence[str] | None, "textposition"] = None
    font: Annotated[Font | None, "textfont"] = None
    shown: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Hatch:
    """A pattern on a surface; `paper` lies under it and `ink` is drawn."""

    shape: Annotated[str, "shape"]
    paper: Annotated[str | None, "bgcolor"]
    ink: Annotated[str, "fgcolor"] = "rgba(255,255,255,0.7)"
    size: Annotated[float, "size"] = 8
    solidity: Annotated[float, "solidity"] = 0.2


@dataclass(frozen=True, slots=True)
class Fill:
    """What a curve encloses: itself, or all down to the curve before it (`band`)."""

    colour: Annotated[str, "fillcolor"]
    hatch: Annotated[Hatch | None, "fillpattern"] = None
    band: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """An interval at every point, up from it and down from it.

    Attributes:
        up: Length upwards.
        down: Length downwards; the same if None.
        colour: Of the strokes.
        across: Whether it lies along the horizontal axis.
        shown: Whether it is drawn.
    """

    up: Annotated[Sequence[float], "array"]
    down: Annotated[Sequence[float] | None, "arrayminus"] = None
    colour: Annotated[str | None, "color"] = None
    thickness: Annotated[float, "thickness"] = 1.5
    across: bool = False
    shown: Annotated[bool | None, "visible"] = None


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

    x: Annotated[Values, "x"]
    y: Annotated[Values, "y"]
    name: Annotated[str | None, "name"] = None
    hover: str | None = ""
    extra: str | None = None
    data: Annotated[Values | None, "customdata"] = None
    group: Annotated[str | None, "legendgroup"] = None
    listed: Annotated[bool | None, "showlegend"] = None
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
    """

    stroke: Annotated[Stroke | None, "line"] = None
    dots: Annotated[Dots | None, "marker"] = None
    words: Words | None = None
    fill: Fill | None = None
    spread: Spread | None = None
    opacity: Annotated[float | None, "opacity"] = None


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
    base: Annotated[Sequence[float] | None, "base"] = None
    texts: Annotated[Sequence[str] | None, "text"] = None
    lying: bool = True


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cells(Mark):
    """A coloured cell for each pair of x and y; `kinds` are places in `colours`, rows along y.

    Attributes:
        kinds: What each cell is.
        colours: One for each kind.
        ends: Values of the first and the last kind, widened to taste.
    """

    kinds: Annotated[NDArray[Any], "z"]
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
    stroke: Annotated[Stroke, "line"]
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
        shift: Pixels upwards.
        font: How they are written.
        ground: Colour behind them.
    """

    text: Annotated[str, "text"]
    x: Annotated[float, "x"]
    y: Annotated[float, "y"]
    paper: str = ""
    y_axis: int | None = None
    left: bool = False
    above: bool = False
    shift: Annotated[float | None, "yshift"] = None
    font: Annotated[Font, "font"] = Font(size=11)
    ground: Annotated[str | None, "bgcolor"] = None


@dataclass(frozen=True, slots=True)
class Ticks:
    """Where an axis has ticks, and what stands there; its numbers if there are no texts."""

    values: Sequence[float]
    texts: Sequence[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis; a field that is None is left to the writer.

    Attributes:
        title: What stands beside it.
        kind: "log" or "category"; numbers, or names where they are words, if None.
        span: Both ends as coordinates: logarithms to base 10 along a log axis.
        ticks: Where its ticks are.
        step: Between two ticks, as a coordinate.
        powers: Whether its numbers are powers of ten.
        share: Whether its numbers are per cent.
        names: Names in their order from the origin.
        fixed: Whether a pointer cannot stretch it.
        part: Which part of the paper it covers, as fractions.
        beside: Number of the other axis that it crosses, from 1.
        shown: Whether it is drawn.
        labels: Whether its ticks have texts.
        grid: Whether it has grid lines.
        zero: Whether a line is drawn at 0.
        roomy: Whether the margin grows with its texts.
    """

    title: str | None = None
    kind: Annotated[str | None, "type"] = None
    span: Annotated[tuple[float, float] | None, "range"] = None
    ticks: Ticks | None = None
    step: Annotated[float | None, "dtick"] = None
    powers: bool = False
    share: bool = False
    names: Annotated[Sequence[str] | None, "categoryarray"] = None
    fixed: Annotated[bool | None, "fixedrange"] = None
    part: Annotated[tuple[float, float] | None, "domain"] = None
    beside: int | None = None
    shown: Annotated[bool | None, "visible"] = None
    labels: Annotated[bool | None, "showticklabels"] = None
    grid: Annotated[bool | None, "showgrid"] = None
    zero: Annotated[bool | None, "zeroline"] = None
    roomy: Annotated[bool | None, "automargin"] = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Chart:
    """A whole figure.

    Attributes:
        marks: From the lowest to the highest.
        title: The finding.
        x: Horizontal axes; the first one is that of marks that name none.
        y: Vertical axes.
        height: In pixels.
        head: Room above the plot, for the title.
        foot: Room below it, for the legend.
        legend: Width of an entry of the legend below it: a part of the whole up to 1, pixels
            beyond, as its name needs if 0.
        keys: Whether the legend is shown; as the marks need if None.
        rules: Straight lines over it.
        notes: Words over it.
        kept: Names what a visitor did to it (zoomed, hid) that outlives new numbers.
        stacked: How bars at one place share it: "overlay" or "group".
        gap: Between bars, as a fraction.
    """

    marks: Sequence[Mark]
    title: str
    x: Axis | Sequence[Axis] = Axis()
    y: Axis | Sequence[Axis] = Axis()
    height: Annotated[float | None, "height"] = None
    head: float = 48
    foot: float = 10
    legend: float = COLUMNS
    keys: Annotated[bool | None, "showlegend"] = None
    rules: Annotated[Sequence[Rule] | None, "shapes"] = None
    notes: Annotated[Sequence[Note] | None, "annotations"] = None
    kept: Annotated[str | None, "uirevision"] = None
    stacked: Annotated[str | None, "barmode"] = None
    gap: Annotated[float, "bargap"] = 0.35

    def axes(self, letter: str) -> tuple[Axis, ...]:
        """Return all axes of one direction, "x" or "y"."""
        given: Axis | Sequence[Axis] = getattr(self, letter)
        # Nearly every figure has one axis of each kind; only panels list several.
        return (given,) if isinstance(given, Axis) else tuple(given)


def log_axis(
    title: str | None,
    ends: tuple[float, float],
    *,
    fit: bool = False,
    powers: bool = False,
    **more: Any,
) -> Axis:
    """Return a log axis between two values, with ticks at round numbers or at powers of ten.

    Args:
        title: What stands beside it.
        ends: Both ends, not logarithms.
        fit: Whether it ends where the marks do; `ends` then only give the ticks.
        powers: Whether its numbers are powers of ten.
        **more: Further fields of the axis.

    >>> log_axis("n", (10, 1000)).span
    (1.0, 3.0)
    """
    span = None if fit else (math.log10(ends[0]), math.log10(ends[1]))
    ticks = None if powers else log_ticks(*ends)
    return Axis(
        **{"title": title, "kind": "log", "span": span, "ticks": ticks, "powers": powers} | more
    )


def step(ends: tuple[float, float]) -> int:
    """Return decades between two ticks, at most seven of them between both ends.

    >>> step((1, 1e10)), step((1e-300, 1e300))
    (2, 86)
    """
    return max(1, math.ceil((math.log10(ends[1]) - math.log10(ends[0])) / 7))


def around(
    values: Iterable[float], below: float, above: float | None = None
) -> tuple[float, float]:
    """Return the ends of a log axis around positive values, as factors below and above them.

    >>> around([2.0, 8.0], 2)
    (1.0, 16.0)
    """
    seen = list(values)
    return min(seen) / below, max(seen) * (above or below)


def log_ticks(a: float, b: float) -> Ticks:
    """Return ticks for a log axis from a to b: decades, 1-3, 1-2-5, or even steps, as they fit.

    >>> log_ticks(0.9, 60).texts, log_ticks(9, 13).texts
    (['1', '2', '5', '10', '20', '50'], ['9', '10', '11', '12', '13'])
    """
    low, high = sorted((math.log10(a), math.log10(b)))
    span = high - low
    # About seven ticks fit on a phone: the fewer decades, the more of each decade.
    parts = (1, 2, 5) if span <= 2.2 else (1, 3) if span <= 3.5 else (1,)
    every = max(1, math.ceil(span / 8))
    # Only multiples of the step, so that two axes of one figure share their ticks.
    decades = range(math.floor(low), math.ceil(high) + 1)
    values = [float(f"{part}e{k}") for k in decades if k % every == 0 for part in parts]
    if span < 0.9:
        values = even(10**low, 10**high)
    # An end that is itself a round number keeps its tick, in spite of rounding.
    shown = [v for v in values if low - 1e-9 <= math.log10(v) <= high + 1e-9]
    return Ticks(shown, tick_texts(shown))


def even(low: float, high: float, parts: int = 5) -> list[float]:
    """Return about so many round values between two ends.

    >>> even(-0.03, 1.08)
    [0.0, 0.5, 1.0]
    """
    width = (high - low) / parts
    # Both ends alike, or beyond numbers: no step would ever reach the other end.
    if not (math.isfinite(width) and width > 0):
        return []
    step = rounded_up(width)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    # Products such as 3 * 0.1 would show digits that nobody chose.
    return [float(f"{step * k:.12g}") for k in range(first, last + 1)]


def tick_texts(values: Sequence[float]) -> list[str]:
    """Return what stands at the ticks of a log axis: one way of writing for each axis.

    Powers of ten have exponents from 10⁴ on; beside other numbers only where these are long.

    >>> tick_texts([1.0, 100.0, 1e4, 1e8]), tick_texts([1e4, 3e4]), tick_texts([1e6, 3e7])
    (['1', '100', '10⁴', '10⁸'], ['10,000', '30,000'], ['10⁶', '3·10⁷'])
    """
    written = [f"{value:e}".split("e") for value in values]
    parts = [(float(mantissa), int(exponent)) for mantissa, exponent in written]
    whole = all(mantissa == 1.0 for mantissa, _ in parts)
    # Decades alone turn to powers from 10⁴ on; 30,000 is read faster than 3·10⁴.
    least, most = (-3, 4) if whole else (-4, 7)
    if whole or any(not least < exponent < most for _, exponent in parts):
        return [
            number(value)
            if -3 < exponent < 4
            else f"{f'{number(mantissa)}·' * (mantissa != 1.0)}10{str(exponent).translate(_RAISED)}"
            for value, (mantissa, exponent) in zip(values, parts, strict=True)
        ]
    return [number(value) for value in values]
