"""What a figure consists of: a dictionary as Plotly has it, whose axes are made here.

Data and layout have Plotly's names, so its own documentation says what may stand there. What every
figure has alike (fonts, the place of the legend, lines of a long title) its writers add; a field
that is None is left to them. An axis keeps its title, and a figure its own, as plain strings.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from numpy.typing import NDArray

from pages.charts.words import number, rounded_up

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Widths of an entry of the legend, as parts of the whole: two columns, one, or as its name needs.
COLUMNS, SINGLE, LOOSE = 0.48, 1.0, 0.0
Values = Sequence[Any] | NDArray[Any]
Fields = dict[str, Any]  # of a figure, a trace, an axis, by Plotly's names


def chart(
    data: Iterable[Fields],
    x: Fields | Sequence[Fields] | None = None,
    y: Fields | Sequence[Fields] | None = None,
    *,
    title: str = "",
    height: float | None = None,
    head: float = 48,
    foot: float = 10,
    legend: float = COLUMNS,
    **layout: Any,
) -> Fields:
    """Return a whole figure.

    Args:
        data: Traces, from the lowest to the highest.
        x: Horizontal axes; the first one is that of traces that name none.
        y: Vertical axes.
        title: The finding.
        height: In pixels.
        head: Room above the plot, for the title.
        foot: Room below it, for the legend.
        legend: Width of an entry of the legend below it: a part of the whole up to 1, pixels
            beyond, as its name needs if 0.
        **layout: Further fields of the layout.
    """
    layout |= {"title": title, "height": height, "margin": {"l": 10, "r": 10, "t": head, "b": foot}}
    layout |= {"legend": {"entrywidth": legend}}
    for letter, given in (("x", x), ("y", y)):
        # Nearly every figure has one axis of each kind; only panels list several.
        several = given if isinstance(given, list | tuple) else [given or {}]
        layout |= {f"{letter}axis{k if k > 1 else ''}": a for k, a in enumerate(several, 1)}
    return {"data": list(data), "layout": {"bargap": 0.35} | layout}


def axes(figure: Fields, letter: str) -> list[Fields]:
    """Return all axes of one direction, "x" or "y"."""
    return [one for name, one in figure["layout"].items() if name.startswith(f"{letter}axis")]


def nth(letter: str, place: int) -> str:
    """Return what Plotly calls one of the axes of a direction, from 1."""
    return letter if place == 1 else f"{letter}{place}"


def axis(
    title: str | None = None,
    span: tuple[float, float] | None = None,
    *,
    ticks: tuple[Sequence[float], Sequence[str]] | None = None,
    names: Sequence[str] | None = None,
    share: bool = False,
    **fields: Any,
) -> Fields:
    """Return one axis.

    Args:
        title: What stands beside it.
        span: Both ends as coordinates: logarithms to base 10 along a log axis.
        ticks: Where its ticks are, and what stands there.
        names: Names in their order from the origin.
        share: Whether its numbers are per cent.
        **fields: Further fields.
    """
    given: Fields = {"title": title, "range": span, "tickformat": ".0%" if share else None}
    if ticks is not None:
        given |= {"tickvals": ticks[0], "ticktext": ticks[1], "tickmode": "array"}
    if names is not None:
        given |= {"categoryarray": names, "categoryorder": "array"}
    return given | fields


def log_axis(
    title: str | None,
    ends: tuple[float, float],
    *,
    fit: bool = False,
    powers: bool = False,
    ticks: tuple[Sequence[float], Sequence[str]] | None = None,
    **more: Any,
) -> Fields:
    """Return a log axis between two values, with ticks at round numbers or at powers of ten.

    Args:
        title: What stands beside it.
        ends: Both ends, not logarithms.
        fit: Whether it ends where the marks do; `ends` then only give the ticks.
        powers: Whether its numbers are powers of ten.
        ticks: Where its ticks are, and what stands there, if neither of these.
        **more: Further fields of the axis.

    >>> log_axis("n", (10, 1000))["range"]
    (1.0, 3.0)
    """
    span = None if fit else (math.log10(ends[0]), math.log10(ends[1]))
    if powers:
        return axis(title, span, type="log", exponentformat="power", dtick=step(ends), **more)
    return axis(title, span, type="log", ticks=ticks or log_ticks(*ends), **more)


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


def log_ticks(a: float, b: float) -> tuple[list[float], list[str]]:
    """Return ticks for a log axis from a to b: decades, 1-3, 1-2-5, or even steps, as they fit.

    >>> log_ticks(0.9, 60)[1], log_ticks(9, 13)[1]
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
    return shown, tick_texts(shown)


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
