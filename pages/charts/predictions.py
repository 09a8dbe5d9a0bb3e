"""A prediction in a figure: one look everywhere, named in the legend, never by colour alone.

It stands alone on axes that say nothing, or beside what is true.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages import charts
from pages.charts import budget, number, percent, theme
from sims.regression import ExactCurve

YOURS = "Your prediction"
TRUE = "What is true"
HEAD, FOOT = 56, 104  # room for a title of two lines, and for a legend of two rows
HALF = 0.5  # of the sample
LEAST = 1e-4  # part of a sample that is drawn
SCALES, BUDGETS = (0.01, 100.0), (0.1, 1e4)  # of Laplace noise
ATTACKED = (0.05, 10.0)  # budgets of an attacker
BLIND = 50.0  # of 100, by guessing
CLASSES, _TIMES = (8.0, 1_500.0), (0.04, 130.0)
COINS, TALLY = "coins", "tally"
NAMES = {COINS: "Coins, one in each hand", TALLY: "Noise once, on the tally"}
_SLOT = 86  # pixels of a row
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
    x: charts.Values, y: charts.Values, texts: Sequence[str] = (), at: str = "top right"
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


def noise_figure(
    base: charts.Figure | None, at: float, given: float | None, truth: float | None, **words: Any
) -> charts.Figure:
    """Return epsilon against the scale of the noise, one scale marked.

    Args:
        base: The page's figure; None as long as it is not to be known.
        at: The scale.
        given: The epsilon predicted there; None where nobody has answered.
        truth: The epsilon there; None as long as it is not to be known.
        **words: Title (the question, or the finding), and name of the files.
    """
    marks = list(base.figure.marks) if base else []
    if truth is not None:
        marks.append(_triangles([at], [truth], [number(truth)]))
    if given is not None:
        marks += _star((SCALES[0], given), (at, given), number(given), "bottom left")
    return charts.plot(
        marks,
        charts.log_axis("Laplace scale, the paper's Δ/ε", SCALES, fixed=True),
        charts.log_axis("ε", BUDGETS, fixed=True),
        **charts.room(440, 110, HEAD),
        keys=True,
        rules=[charts.upright(at)] if base is None else None,
        **words,
    )


def attacker_figure(
    given: float | None, at: float, line: Pairs | None, true: float | None, **words: Any
) -> charts.Figure:
    """Return hits of 100 against epsilon, one budget marked.

    Args:
        given: The hits predicted there; None where nobody has answered.
        at: The budget.
        line: Budgets and the most hits there; None as long as they are not to be known.
        true: The most hits at the budget, likewise.
        **words: Title (the question, or the finding), and name of the files.
    """
    blind = (ATTACKED, (BLIND, BLIND), "Guessing blindly", charts.GREY, "dot", 1.5)
    marks = [charts.line(*blind)]
    if line is not None:
        look: charts.Fields = {"width": 2.5, "hover": "ε = %{x:.3g}: %{y:.1f} of 100"}
        name = "At most, whatever is released"
        marks.append(charts.line(*line, name, charts.EQUATION, **look))
    if true is not None:
        marks.append(_triangles([at], [true], [f"{true:.1f}"], "bottom right"))
    if given is not None:
        marks += _star((ATTACKED[0], given), (at, given), number(given), "top left")
    return charts.plot(
        marks,
        charts.log_axis("Budget ε of the release", ATTACKED, fixed=True),
        charts.Axis(title="Right out of 100", span=(46, 104), fixed=True),
        **charts.room(420, FOOT, HEAD),
        keys=True,
        rules=[charts.upright(at)],
        **words,
    )


def class_figure(
    given: float | None, size: int, laws: Mapping[str, tuple[Pairs, float]], **words: Any
) -> charts.Figure:
    """Return both errors over the tally's in a class of one size, in logarithms.

    Args:
        given: How many times larger the coins' is predicted there; None where nobody answered.
        size: Of that class.
        laws: By `COINS` and `TALLY`, sizes of classes with the standard error of the share of yes
            at each, and that error at ``size``; nothing as long as it is not to be known.
        **words: Title (the question, or the finding), and name of the files.
    """
    marks: list[charts.Curve] = []
    if laws:
        unit = laws[TALLY][1]
        for place, (key, ((sizes, errors), _)) in enumerate(laws.items()):
            colour, _, dash = charts.look(place)
            look: charts.Fields = {"width": 2.5, "hover": "%{x:.4g} people: × %{y:.3g}"}
            over = [error / unit for error in errors]
            marks.append(charts.line(sizes, over, NAMES[key], colour, dash, **look))
        factor = laws[COINS][1] / unit
        marks.append(_triangles([size], [factor], [_times(factor)]))
    return _from_one(
        marks,
        (size, f"The tally of {size}"),
        [(YOURS, size, value) for value in (given,) if value is not None],
        charts.log_axis("People in the class", CLASSES, fixed=True),
        charts.log_axis(f"Times the tally's at {size}", _TIMES, fixed=True),
        **charts.room(400, 66, HEAD, more=12 * (len(marks) + 2)),
        **words,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is asked: from one size to another.

    Attributes:
        parts: What is predicted, in words.
        start: The size that all errors are divided at.
        end: The size that is asked for.
        x: Ends of the axis of sizes, with its
        title: title.
        y: Ends of the axis of factors.
    """

    parts: tuple[str, ...]
    start: float
    end: float
    x: Ends
    title: str
    y: Ends


def step_figure(
    step: Step,
    given: Sequence[float] | None,
    curves: Mapping[str, ExactCurve],
    factors: Sequence[float],
    **words: Any,
) -> charts.Figure:
    """Return errors over those at the first size, in logarithms.

    Args:
        step: What is asked.
        given: The factors predicted; None where nobody has answered.
        curves: The exact errors along the axis, one for each part in their order; none before the
            lock.
        factors: The true factor of each part; none before the lock.
        **words: Title (the question, or the finding), and name of the files.
    """
    marks: list[charts.Curve] = []
    for place, (part, curve) in enumerate(zip(step.parts, curves.values(), strict=False)):
        # The error at the first size, between points by logarithms.
        base = np.exp(np.interp(np.log(step.start), np.log(curve.x), np.log(curve.risk)))
        colour, _, dash = charts.look(place)
        look: charts.Fields = {"width": 2.5, "hover": "%{x:.4g}: × %{y:.3g}"}
        name = f"{part}, exact"
        marks.append(charts.line(curve.x, curve.risk / base, name, colour, dash, **look))
    if factors:
        texts = [_times(v) for v in factors]
        marks.append(_triangles([step.end] * len(texts), list(factors), texts, "bottom right"))
    names = [f"{YOURS}: {part}" for part in step.parts]
    rows = len(marks) + len(names) + 1
    return _from_one(
        marks,
        (step.start, f"At {number(step.start)}"),
        [(name, step.end, value) for name, value in zip(names, given or (), strict=False)],
        charts.log_axis(step.title, step.x, fixed=True),
        charts.log_axis("Factor on the error", step.y, fixed=True),
        **charts.room(400, 60, HEAD, charts.SINGLE, more=22 * rows),
        **words,
    )


def _from_one(
    marks: Sequence[charts.Curve],
    start: tuple[float, str],
    given: Sequence[tuple[str, float, float]],
    x: charts.Axis,
    y: charts.Axis,
    **frame: Any,
) -> charts.Figure:
    """Factors from 1 at one place, which has a name; predictions by name, place and factor."""
    at, name = start
    one = charts.dots([at], [1.0], name, "square", 9, charts.GREY, hover="%{x:.4g}: 1")
    stars = [
        mark
        for (who, end, value), dash in zip(given, ("dash", "dot"), strict=False)
        for mark in _star(
            (at, 1.0),
            (end, value),
            _times(value),
            f"{'top' if value > 1 else 'bottom'} left",
            who,
            dash,
        )
    ]
    return charts.plot([*marks, one, *stars], x, y, keys=True, **frame)


def scale_figure(
    axis: charts.Axis,
    parts: Sequence[str],
    given: Sequence[float] | None,
    true: Sequence[Ends] | None,
    **words: Any,
) -> charts.Figure:
    """Return a row for each number, with the prediction and what is true.

    Args:
        axis: The scale.
        parts: What is predicted, in words, a row each.
        given: The prediction; None where nobody has answered.
        true: Both ends of what is true for each part; None as long as it is not to be known.
        **words: Title (the question, or the finding), and name of the files.
    """
    count, marks = len(parts), list[charts.Curve]()
    if true is not None:
        colour, symbol = theme.TRUTH
        spans = dict(zip(parts, true, strict=True))
        texts = [text for low, up in true for text in (number(low), number(up) * (low < up), "")]
        marks.append(charts.ranged(spans, TRUE, colour, symbol, 13))
        marks[0] = replace(marks[0], words=charts.Words(texts=texts, at="top center"))
    if given is not None:
        beside = charts.Words(texts=[number(v) for v in given], at="bottom center")
        look: charts.Fields = {"words": beside, "hover": "%{y}: %{x:.4g}"}
        marks.append(charts.dots(list(given), parts, YOURS, _SYMBOL, 15, _COLOUR, **look))
    bare: charts.Fields = {"labels": False, "grid": False, "zero": False, "fixed": True}
    note: charts.Fields = {"paper": "x", "left": True, "above": True, "shift": 18}
    note["font"] = charts.Font(size=13)
    return charts.plot(
        marks or [charts.key(YOURS, dots=charts.Dots(symbol=_SYMBOL), listed=False)],
        axis,
        charts.Axis(kind="category", names=parts[::-1], span=(-0.6, count - 0.4), **bare),
        **charts.room(HEAD + 130 + _SLOT * count, 110, HEAD),
        keys=bool(marks),  # an empty scale needs no legend
        notes=[
            charts.Note(text=text, x=0.0, y=count - 1.0 - k, **note)
            for k, text in enumerate(parts if count > 1 else ())
        ],
        **words,
    )
