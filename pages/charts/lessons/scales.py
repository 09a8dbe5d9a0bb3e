"""A number to predict on its own scale: the prediction, and what is true as a point or a band."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

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
    ruler: Ruler,
    given: Sequence[float] | None,
    true: Sequence[Ends] | None,
    *,
    title: str,
    caption: str,
    name: str,
) -> charts.Figure:
    """Return a row for each number, with the prediction and what is true.

    Args:
        ruler: The scale.
        given: The prediction; None where nobody has answered.
        true: Both ends of what is true for each part; None as long as it is not to be known.
        title: The question, or the finding.
        caption: Below the figure.
        name: Of the files.
    """
    rows = range(len(ruler.parts))
    places = [float(len(ruler.parts) - 1 - k) for k in rows]
    marks: list[charts.Curve] = []
    if true is not None:
        marks += _true(true, places)
    if given is not None:
        words = [number(v) for v in given]
        marks.append(prediction.dots(list(given), places, words, at="bottom center"))
    known = bool(marks)  # an empty scale needs no legend
    marks = marks or [prediction.dots([None], [None], listed=False)]
    several = len(places) > 1
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=prediction.HEAD + 130 + _SLOT * len(places),
        head=prediction.HEAD,
        foot=110,
        keys=known,
        legend=charts.LOOSE,
        x=charts.log_axis(ruler.axis, ruler.ends, fixed=True)
        if ruler.log
        else charts.Axis(title=ruler.axis, span=ruler.ends, fixed=True),
        y=charts.Axis(
            span=(-0.6, len(places) - 0.4), labels=False, grid=False, zero=False, fixed=True
        ),
        notes=[
            charts.Note(
                text=text,
                x=0.0,
                y=y,
                paper="x",
                left=True,
                above=True,
                shift=18,
                font=charts.Font(size=13),
            )
            for text, y in zip(ruler.parts, places, strict=True)
            if several
        ],
    )
    columns: dict[str, Sequence[object]] = {"asked": ruler.parts}
    columns["your prediction"] = [""] * len(places) if given is None else list(given)
    if true is not None:
        columns |= {"true, from": [low for low, _ in true], "true, to": [up for _, up in true]}
    return charts.Figure(
        figure=figure,
        alt=_told(ruler, given, true),
        rows=charts.rows_of(columns),
        caption=caption,
        name=name,
    )


def _true(true: Sequence[Ends], places: Sequence[float]) -> list[charts.Curve]:
    """Points, or bands between two triangles."""
    xs: list[float | None] = []
    ys: list[float | None] = []
    words: list[str] = []
    for (low, high), y in zip(true, places, strict=True):
        ends = [low] if low == high else [low, high, None]
        xs, ys = [*xs, *ends], [*ys, *([y] * len(ends))]
        words += [number(v) if v is not None else "" for v in ends]
    points = prediction.true(xs, ys, words)
    bands = [(ends, y) for ends, y in zip(true, places, strict=True) if ends[0] < ends[1]]
    colour = theme.TRUTH[0]
    return [charts.line(ends, [y, y], None, colour, width=6, listed=False) for ends, y in bands] + [
        points
    ]


def _told(ruler: Ruler, given: Sequence[float] | None, true: Sequence[Ends] | None) -> str:
    parts = []
    for k, text in enumerate(ruler.parts):
        words = text
        if given is not None:
            words += f": your prediction {number(given[k])}"
        if true is not None:
            low, high = true[k]
            words += f", true {between(low, high, number) if low < high else number(low)}"
        parts.append(words)
    return (
        f"{ruler.axis} from {number(ruler.ends[0])} to {number(ruler.ends[1])}. {'; '.join(parts)}."
    )
