"""Axes of a drawing: from data to places on paper, and the ticks beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pages.figures.chart import theme
from pages.figures.chart.words import number, percent


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """One axis laid on the paper.

    Attributes:
        kind: "linear", "log" or "category".
        low: Lower end of the range; its logarithm to base 10 on a log axis.
        high: Upper end, likewise.
        start: Where the lower end lies, in pixels.
        end: Where the upper end lies, in pixels.
        categories: Names in order, on a category axis.
        ticks: Pairs of value and text.
        title: What stands beside the axis.
        visible: Whether it is drawn.
    """

    kind: str
    low: float
    high: float
    start: float
    end: float
    categories: tuple[str, ...] = ()
    ticks: tuple[tuple[object, str], ...] = ()
    title: str = ""
    visible: bool = True

    def place(self, value: object) -> float:
        """Return where a value lies, in pixels; nan where it has no place."""
        x = self._number(value)
        if self.high == self.low:
            return math.nan
        return self.start + (x - self.low) / (self.high - self.low) * (self.end - self.start)

    def inside(self, value: object) -> bool:
        """Whether a value lies within the range.

        >>> Axis(kind="linear", low=0, high=1, start=0, end=9).inside(2)
        False
        """
        slack = 1e-9 * max(1.0, abs(self.low), abs(self.high))
        return self.low - slack <= self._number(value) <= self.high + slack

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


def axis(
    layout: Mapping[str, object], values: Sequence[object], *, start: float, end: float
) -> Axis:
    """Lay an axis on the paper.

    Args:
        layout: What the figure says of it, as Plotly does.
        values: Every value that is drawn along it.
        start: Where its domain 0 lies, in pixels.
        end: Where its domain 1 lies, in pixels.
    """
    lower, upper = layout.get("domain") or (0.0, 1.0)  # type: ignore[misc]
    first, last = start + lower * (end - start), start + upper * (end - start)
    kind = _kind(layout, values)
    names = _names(layout, values) if kind == "category" else ()
    low, high = _range(layout, values, kind, len(names))
    title = layout.get("title") or {}
    made = Axis(
        kind=kind,
        low=low,
        high=high,
        start=first,
        end=last,
        categories=names,
        title=str(title.get("text") or "") if isinstance(title, Mapping) else str(title),
        visible=layout.get("visible") is not False,
    )
    ticks = _ticks(layout, made) if layout.get("showticklabels") is not False else ()
    return Axis(
        **{field: getattr(made, field) for field in made.__slots__ if field != "ticks"},
        ticks=tuple(pair for pair in ticks if made.inside(pair[0])),
    )


def _kind(layout: Mapping[str, object], values: Sequence[object]) -> str:
    if layout.get("type") == "log":
        return "log"
    words = any(isinstance(v, str) for v in values)
    return "category" if words or layout.get("categoryarray") is not None else "linear"


def _names(layout: Mapping[str, object], values: Sequence[object]) -> tuple[str, ...]:
    given = layout.get("categoryarray")
    first = [str(v) for v in given] if given is not None else []  # type: ignore[attr-defined]
    return tuple(dict.fromkeys([*first, *map(str, values)]))


def _range(
    layout: Mapping[str, object], values: Sequence[object], kind: str, names: int
) -> tuple[float, float]:
    given = layout.get("range")
    if given is not None:
        low, high = (as_float(x) for x in given)  # type: ignore[attr-defined]
        if math.isfinite(low) and math.isfinite(high):
            return low, high
    if kind == "category":
        return -0.6, names - 0.4
    numbers = [as_float(v) for v in values]
    if kind == "log":
        numbers = [math.log10(x) for x in numbers if x > 0]
    shown = [x for x in numbers if math.isfinite(x)] or [0.0, 1.0]
    low, high = min(shown), max(shown)
    pad = 0.05 * (high - low) or 0.5
    low, high = low - pad, high + pad
    turned = layout.get("autorange") == "reversed"
    return (high, low) if turned else (low, high)


def _ticks(layout: Mapping[str, object], made: Axis) -> list[tuple[object, str]]:
    given, texts = layout.get("tickvals"), layout.get("ticktext")
    share = str(layout.get("tickformat") or "").endswith("%")
    text = percent if share else number
    if given is not None:
        names = [str(t) for t in texts] if texts is not None else None  # type: ignore[attr-defined]
        values = list(given)  # type: ignore[call-overload]
        return list(zip(values, names or [text(as_float(v)) for v in values], strict=False))
    if made.kind == "category":
        return [(name, name) for name in made.categories]
    if made.kind == "log":
        found = theme.log_ticks(10**made.low, 10**made.high)
        return list(zip(found["tickvals"], found["ticktext"], strict=True))
    return [(x, text(x)) for x in even(*sorted((made.low, made.high)))]


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
