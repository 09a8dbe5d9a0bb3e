"""A number to predict on its own scale: the prediction, and what is true as a point or a band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pages import charts
from pages.charts import between, number, theme
from pages.charts.lessons import prediction

_SLOT = 86  # pixels of a row
Ends = tuple[float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruler:
    """The scale.

    Attributes:
        parts: What is predicted, in words, a row each.
        ends: Of the scale.
        log: Whether it is logarithmic.
        axis: Its title.
    """

    parts: tuple[str, ...]
    ends: Ends
    log: bool
    axis: str


def drawn(
    ruler: Ruler, given: Sequence[float] | None, true: Sequence[Ends] | None, **words: Any
) -> charts.Figure:
    """Return a row for each number, with the prediction and what is true.

    Args:
        ruler: The scale.
        given: The prediction; None where nobody has answered.
        true: Both ends of what is true for each part; None as long as it is not to be known.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    count = len(ruler.parts)
    places = [float(count - 1 - k) for k in range(count)]
    marks: list[charts.Curve] = [] if true is None else _true(true, places)
    if given is not None:
        texts = [number(v) for v in given]
        marks.append(prediction.dots(list(given), places, texts, "bottom center"))
    rows: dict[str, charts.Values] = {"asked": ruler.parts}
    rows["your prediction"] = [""] * count if given is None else list(given)
    if true is not None:
        rows |= {"true, from": [low for low, _ in true], "true, to": [up for _, up in true]}
    plain = charts.Axis(title=ruler.axis, span=ruler.ends, fixed=True)
    bare: charts.Fields = {"labels": False, "grid": False, "zero": False, "fixed": True}
    part: charts.Fields = {"paper": "x", "left": True, "above": True, "shift": 18}
    part["font"] = charts.Font(size=13)
    named = zip(ruler.parts, places, strict=True) if count > 1 else ()
    nothing = [replace(prediction.dots([None], [None]), listed=False)]
    return charts.plot(
        marks or nothing,
        charts.log_axis(ruler.axis, ruler.ends, fixed=True) if ruler.log else plain,
        charts.Axis(span=(-0.6, count - 0.4), **bare),
        rows,
        **charts.room(prediction.HEAD + 130 + _SLOT * count, 110, prediction.HEAD),
        keys=bool(marks),  # an empty scale needs no legend
        notes=[charts.Note(text=text, x=0.0, y=y, **part) for text, y in named],
        alt=_told(ruler, given, true),
        **words,
    )


def _true(true: Sequence[Ends], places: Sequence[float]) -> list[charts.Curve]:
    """Points, or bands between two triangles."""
    xs: list[float | None] = []
    ys: list[float] = []
    bands: list[charts.Curve] = []
    for (low, high), y in zip(true, places, strict=True):
        ends = [low] if low == high else [low, high, None]
        xs, ys = [*xs, *ends], [*ys, *([y] * len(ends))]
        if low < high:
            look: charts.Fields = {"colour": theme.TRUTH[0], "width": 6, "listed": False}
            bands.append(charts.line((low, high), [y, y], **look))
    return [*bands, prediction.true(xs, ys, ["" if v is None else number(v) for v in xs])]


def _told(ruler: Ruler, given: Sequence[float] | None, true: Sequence[Ends] | None) -> str:
    parts = []
    for k, words in enumerate(ruler.parts):
        text = words if given is None else f"{words}: your prediction {number(given[k])}"
        if true is not None:
            low, high = true[k]
            text += f", true {between(low, high, number) if low < high else number(low)}"
        parts.append(text)
    return (
        f"{ruler.axis} from {number(ruler.ends[0])} to {number(ruler.ends[1])}. {'; '.join(parts)}."
    )
