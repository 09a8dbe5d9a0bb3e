"""A prediction in a figure: one look everywhere, named in the legend, never by colour alone.

It stands alone on axes that say nothing, or beside what is true.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pages import charts
from pages.charts import budget, number, percent, theme

YOURS = "Your prediction"
TRUE = "What is true"
HEAD, FOOT = 56, 104  # room for a title of two lines, and for a legend of two rows
HALF = 0.5  # of the sample
LEAST = 1e-4  # part of a sample that is drawn
SCALES = (0.01, 100.0)  # of Laplace noise
ATTACKED = (0.05, 10.0)  # budgets of an attacker
_HOVER = "%{x:.4g}: %{y:.4g}"
_COLOUR, _SYMBOL, _DASH = theme.PREDICTION
Ends = tuple[float, float]
Pairs = tuple[Sequence[float], Sequence[float]]


def _times(value: float) -> str:
    return f"× {number(value)}"


def _star(
    start: Ends, end: Ends, text: str, at: str, name: str = YOURS, dash: str = _DASH
) -> list[charts.Curve]:
    """Return a star where a reader predicted, with words beside it, and what leads to it."""
    (x, y), words = end, charts.Words(texts=[text], at=at)
    look: charts.Fields = {"words": words, "hover": _HOVER}
    return [
        charts.line((start[0], x), (start[1], y), None, _COLOUR, dash, 1.5, listed=False),
        charts.dots([x], [y], name, _SYMBOL, 15, _COLOUR, **look),
    ]


def _triangles(
    x: charts.Values,
    y: charts.Values,
    texts: Sequence[str] = (),
    at: str | Sequence[str] = "top right",
) -> charts.Curve:
    """Return what is true, as triangles with words beside them."""
    colour, symbol = theme.TRUTH
    words = charts.Words(texts=texts, at=at) if texts else None
    look: charts.Fields = {"edge": charts.Stroke("white", 1), "words": words, "hover": _HOVER}
    return charts.dots(x, y, TRUE, symbol, 13, colour, **look)


def shares_figure(
    base: charts.Figure, given: Sequence[float] | None, *, known: bool, **words: Any
) -> charts.Figure:
    """Return the shares of all sites with those that were predicted, in every panel.

    Args:
        base: The page's figure, of what is true or of nothing.
        given: Points for each bar; None where nobody has answered.
        known: Whether the bars are those of what is true.
        **words: Title (the question, or the finding), and name of the files.
    """
    chart = base.figure
    ticks = list(chart.axes("y")[0].names or ())[::-1]
    marks: list[charts.Mark] = list(chart.marks) if known else []
    for panel in range(1, len(chart.axes("x")) + 1):
        if given is not None:  # upright strokes: a star would hide the words of a bar
            look: charts.Fields = {"hover": "%{y}: %{x:.0%} predicted", "x_axis": panel}
            look |= {"group": "yours", "listed": panel == 1, "edge": charts.Stroke(_COLOUR, 3)}
            at = [v / 100 for v in given]
            marks.append(charts.dots(at, ticks, YOURS, "line-ns-open", 18, _COLOUR, **look))
        if not known:  # names stand on an axis only where something is drawn
            nothing = [0.0] * len(ticks)
            marks.append(
                charts.Bars(x=nothing, y=ticks, x_axis=panel, listed=False, colour=_COLOUR)
            )
    height = (chart.height or 0) + 60
    frame: charts.Fields = {"keys": True, "head": 84, "foot": 110, "height": height}
    figure = replace(chart, marks=marks, title=words.pop("title"), **frame)
    return charts.Figure(figure=figure, **words)


def kept_figure(
    base: charts.Figure | None,
    label: str,
    ends: Ends,
    given: Pairs | None,
    truth: Pairs | None,
    *,
    at: Sequence[float] = (),
    **words: Any,
) -> charts.Figure:
    """Return the part of the sample that is kept against the budgets, on a log scale.

    Args:
        base: The page's figure; None as long as it is not to be known.
        label: Name of the horizontal axis.
        ends: Of the horizontal axis.
        given: Places and parts that were predicted; None where nobody has answered.
        truth: Those that are true; None as long as they are not to be known.
        at: Places that are asked about; without any, one half is.
        **words: Title (the question, or the finding), and name of the files.
    """
    marks = list(base.figure.marks) if base else []
    marks += [] if truth is None else [_triangles(*truth)]
    before = None
    for x, y in zip(*(given or ((), ())), strict=True):
        text = percent(y) if at else number(x)
        marks += _star(before or (x, y if at else LEAST), (x, y), text, "top left")
        marks[-1] = replace(marks[-1], listed=before is None)
        before = (x, y)
    return charts.plot(
        marks,
        charts.log_axis(label, ends, fixed=True),
        budget.axis(LEAST),
        **charts.room(420, 90) if base is None else charts.room(530, 180),
        keys=True,
        rules=[charts.upright(x) for x in at] or [charts.across(HALF, dash="dot", width=1.0)],
        **words,
    )


def point_figure(
    marks: Sequence[charts.Mark],
    at: float,
    given: float | None,
    true: float | None,
    *,
    label: str,
    ends: Ends,
    up: charts.Axis,
    falls: bool = False,
    ruled: bool = True,
    height: float = 420,
    foot: float = FOOT,
    **words: Any,
) -> charts.Figure:
    """Return a curve against a quantity in logarithms, with one place that is asked about.

    Args:
        marks: What is known; the curve itself once it is to be known.
        at: The place.
        given: What is predicted there; None where nobody has answered.
        true: What is true there; None as long as it is not to be known.
        label: Name of the horizontal axis.
        ends: Of it.
        up: The other axis.
        falls: Whether the curve falls, so that words stand on the other side of it.
        ruled: Whether an upright line marks the place.
        height: In pixels, of it all.
        foot: Below the plot, for the legend.
        **words: Title (the question, or the finding), and name of the files.
    """
    shown = list(marks)
    if true is not None:
        beside = "top right" if falls else "bottom right"
        shown.append(_triangles([at], [true], [number(true)], beside))
    if given is not None:
        beside = "bottom left" if falls else "top left"
        shown += _star((ends[0], given), (at, given), number(given), beside)
    return charts.plot(
        shown,
        charts.log_axis(label, ends, fixed=True),
        up,
        **charts.room(height, foot, HEAD),
        keys=True,
        rules=[charts.upright(at)] if ruled else None,
        **words,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is asked: factors from one size to another.

    Attributes:
        parts: What is predicted, in words.
        start: The size that all errors are divided at.
        end: The size that is asked for.
        x: Ends of the axis of sizes, with its
        title: title.
        y: Ends of the axis of factors, with its
        up: title.
        lines: Names of the curves, if they are not those of the parts.
        name: What stands at the first size, if it is not that.
        at: Where the words beside what is true stand; one for all factors, or one each.
        legend: Foot, width of an entry, and pixels for each.
    """

    parts: tuple[str, ...]
    start: float
    end: float
    x: Ends
    title: str
    y: Ends
    up: str = "Factor on the error"
    lines: tuple[str, ...] = ()
    name: str = ""
    at: str | Sequence[str] = "bottom right"
    legend: tuple[float, float, float] = (60, charts.SINGLE, 22)


def step_figure(
    step: Step,
    given: Sequence[float] | None,
    curves: Sequence[tuple[charts.Values, charts.Values]],
    factors: Sequence[float],
    **words: Any,
) -> charts.Figure:
    """Return errors over those at the first size, in logarithms.

    Args:
        step: What is asked.
        given: The factors predicted; None where nobody has answered.
        curves: Sizes, and errors over that at the first size, of each line; none before the lock.
        factors: The true factors; none before the lock.
        **words: Title (the question, or the finding), and name of the files.
    """
    marks, look = [], charts.Fields(width=2.5, hover="%{x:.4g}: × %{y:.3g}")
    stars = [f"{YOURS}: {part}" for part in step.parts] or [YOURS]
    lines = step.lines or [f"{part}, exact" for part in step.parts]
    for place, (name, (x, y)) in enumerate(zip(lines, curves, strict=False)):
        colour, _, dash = charts.look(place)
        marks.append(charts.line(x, y, name, colour, dash, **look))
    if factors:
        texts = [_times(v) for v in factors]
        marks.append(_triangles([step.end] * len(texts), list(factors), texts, step.at))
    foot, entry, each = step.legend
    more = each * (len(marks) + len(stars) + 1)
    one: charts.Fields = {"colour": charts.GREY, "hover": "%{x:.4g}: 1"}
    marks.append(
        charts.dots(
            [step.start], [1.0], step.name or f"At {number(step.start)}", "square", 9, **one
        )
    )
    for name, dash, value in zip(stars, ("dash", "dot"), given or (), strict=False):
        beside = f"{'top' if value > 1 else 'bottom'} left"
        marks += _star((step.start, 1.0), (step.end, value), _times(value), beside, name, dash)
    return charts.plot(
        marks,
        charts.log_axis(step.title, step.x, fixed=True),
        charts.log_axis(step.up, step.y, fixed=True),
        **charts.room(400, foot, HEAD, entry, more=more),
        keys=True,
        **words,
    )
