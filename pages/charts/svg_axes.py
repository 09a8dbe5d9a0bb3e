"""Axes of a drawing: from data to places on paper, and the ticks beside it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pages.charts.chart import Axis, log_ticks
from pages.charts.words import number, percent


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

    axis: Axis
    kind: str
    low: float
    high: float
    start: float
    end: float
    categories: tuple[str, ...] = ()
    ticks: tuple[tuple[object, str], ...] = ()

    @property
    def title(self) -> str:
        """What stands beside the axis."""
        return self.axis.title or ""

    def place(self, value: object) -> float:
        """Return where a value lies, in pixels; nan where it has no place."""
        return self.at(self._number(value))

    def at(self, coordinate: float) -> float:
        """Return where a coordinate lies: a logarithm on a log axis."""
        if self.high == self.low:
            return math.nan
        return self.start + (coordinate - self.low) / (self.high - self.low) * (
            self.end - self.start
        )

    def within(self, value: object) -> float:
        """Return the place of a value, at the edge of the axis where it lies beyond."""
        place = self.place(value)
        low, high = sorted((self.start, self.end))
        return min(max(place, low), high) if math.isfinite(place) else math.nan

    def inside(self, value: object) -> bool:
        """Whether a value lies within the range.

        >>> Scale(axis=Axis(), kind="linear", low=0, high=1, start=0, end=9).inside(2)
        False
        """
        slack = 1e-9 * max(1.0, abs(self.low), abs(self.high))
        low, high = sorted((self.low, self.high))
        return low - slack <= self._number(value) <= high + slack

    def _number(self, value: object) -> float:
        if self.kind == "category":
            text = str(value)
            return float(self.categories.index(text)) if text in self.categories else math.nan
        x = as_float(value)
        if self.kind == "log":
            return math.log10(x) if x > 0 else math.nan
        return x


def as_float(value: object) -> float:
    """Return a number, nan for anything else.

    >>> as_float("0.5"), as_float(None)
    (0.5, nan)
    """
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return math.nan


def scale(axis: Axis, values: Sequence[object], *, start: float, end: float) -> Scale:
    """Lay an axis on the paper.

    Args:
        axis: What the figure says of it.
        values: Every value that is drawn along it.
        start: Where its part 0 lies, in pixels.
        end: Where its part 1 lies, in pixels.
    """
    lower, upper = axis.part or (0.0, 1.0)
    named = axis.names is not None or any(isinstance(v, str) for v in values)
    kind = axis.kind or ("category" if named else "linear")
    names = [*(axis.names or ()), *map(str, values)] if kind == "category" else []
    categories = tuple(dict.fromkeys(names))
    low, high = axis.span or _range(values, kind, len(categories))
    made = Scale(
        axis=axis,
        kind=kind,
        low=high if axis.downwards else low,
        high=low if axis.downwards else high,
        start=start + lower * (end - start),
        end=start + upper * (end - start),
        categories=categories,
    )
    ticks = _ticks(axis, made) if axis.labels is not False else ()
    return replace(made, ticks=tuple(pair for pair in ticks if made.inside(pair[0])))


def _range(values: Sequence[object], kind: str, names: int) -> tuple[float, float]:
    if kind == "category":
        return -0.6, names - 0.4
    numbers = [as_float(v) for v in values]
    if kind == "log":
        numbers = [math.log10(x) for x in numbers if x > 0]
    shown = [x for x in numbers if math.isfinite(x)] or [0.0, 1.0]
    low, high = min(shown), max(shown)
    pad = 0.05 * (high - low) or 0.5
    return low - pad, high + pad


def _ticks(axis: Axis, made: Scale) -> Sequence[tuple[object, str]]:
    text = _share if axis.share else number
    ticks = axis.ticks
    if ticks is None and made.kind == "category":
        return [(name, name) for name in made.categories]
    if ticks is None and made.kind == "log":
        ticks = log_ticks(10**made.low, 10**made.high)
    values = even(*sorted((made.low, made.high))) if ticks is None else ticks.values
    texts = None if ticks is None else ticks.texts
    return list(zip(values, texts or [text(as_float(v)) for v in values], strict=True))


def _share(value: float) -> str:
    return f"−{percent(-value)}" if value < 0 else percent(value)


def even(low: float, high: float) -> list[float]:
    """Return about five round values between two ends.

    >>> even(-0.03, 1.08)
    [0.0, 0.5, 1.0]
    """
    width = (high - low) / 5.0
    if not (math.isfinite(width) and width > 0):
        return []
    size = 10.0 ** math.floor(math.log10(width))
    step = next(size * part for part in (1, 2, 5, 10) if size * part >= width)
    first = math.ceil(low / step - 1e-9)
    return [round(step * k, 12) for k in range(first, first + 8) if step * k <= high + 1e-9 * step]
