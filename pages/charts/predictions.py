"""A prediction in a figure: one look everywhere, named in the legend, never by colour alone.

It stands alone on axes that say nothing, or over the figure of another page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pages import charts
from pages.charts import between, budget, number, percent, theme

YOURS = "Your prediction"
TRUE = "What is true"
HEAD, FOOT = 56, 104  # room for a title of two lines, and for a legend of two rows
HALF = 0.5  # of the sample
LEAST = 1e-4  # part of a sample that is drawn
SCALES, BUDGETS = (0.01, 100.0), (0.1, 1e4)  # of Laplace noise
ATTACKED = (0.05, 10.0)  # budgets of an attacker
BLIND = 50.0  # of 100, by guessing
_SLOT = 86  # pixels of a row
_HOVER = "%{x:.4g}: %{y:.4g}"
_COLOUR, _SYMBOL, _DASH = theme.PREDICTION
Ends = tuple[float, float]
Pairs = tuple[Sequence[float], Sequence[float]]
Told = Mapping[str, Sequence[object]]


def stars(
    x: charts.Values, y: charts.Values, texts: Sequence[str] = (), at: str = "top center"
) -> charts.Curve:
    """Return stars where a reader predicted, with words beside them."""
    words = charts.Words(texts=list(texts), at=at) if texts else None
    return charts.dots(x, y, YOURS, _SYMBOL, 15, _COLOUR, words=words, hover=_HOVER)


def path(x: charts.Values, y: charts.Values, texts: Sequence[str], **more: Any) -> charts.Curve:
    """Return stars joined by a dashed line, with words beside them."""
    marked = charts.Dots(symbol=_SYMBOL, size=15, colour=_COLOUR)
    words = charts.Words(texts=texts, at="top left", font=charts.Font(size=13))
    look: charts.Fields = {"name": YOURS, "colour": _COLOUR, "dash": _DASH, "hover": _HOVER} | more
    return charts.line(x, y, dots=marked, words=words, **look)


def leader(x: charts.Values, y: charts.Values, dash: str = "dash") -> charts.Curve:
    """Return a dashed line that leads to a star; the legend names the star alone."""
    return charts.line(x, y, None, _COLOUR, dash, 1.5, listed=False)


def triangles(
    x: charts.Values,
    y: charts.Values,
    texts: Sequence[str] = (),
    at: str | Sequence[str] = "top center",
) -> charts.Curve:
    """Return what is true, as triangles with words beside them."""
    colour, symbol = theme.TRUTH
    words = charts.Words(texts=list(texts), at=at) if texts else None
    edge = charts.Stroke("white", 1)
    return charts.dots(x, y, TRUE, symbol, 13, colour, edge, words=words, hover=_HOVER)


def _added(
    base: charts.Figure, marks: Sequence[charts.Mark], told: str, predicted: Told, **words: Any
) -> charts.Figure:
    """Return a figure with a prediction over it, its numbers as further rows.

    Columns of the prediction that the figure has too are one column.
    """
    figure = replace(base.figure, marks=[*base.figure.marks, *marks], title=words.pop("title"))
    both = charts.aligned([*base.rows, *charts.rows_of(predicted)])
    alt = f"{base.alt} {told}".strip()
    return replace(base, figure=figure, alt=alt, rows=both, table=None, **words)


def _framed(
    base: charts.Figure | None,
    marks: Sequence[charts.Mark],
    words: Mapping[str, str],
    axes: str,
    told: str,
    predicted: Told,
    **frame: Any,
) -> charts.Figure:
    """The page's marks, if they may be shown, and the prediction in one frame."""
    frame["title"] = words["title"]
    start = base or charts.plot((), **frame, rows=(), alt=axes, name=words["name"])
    shown = charts.Chart(**frame, marks=start.figure.marks)
    return _added(replace(start, figure=shown), marks, told, predicted, **words)


def shares_figure(
    base: charts.Figure, given: Sequence[float] | None, axes: str, *, known: bool, **words: str
) -> charts.Figure:
    """Return the shares of all sites with those that were predicted, in every panel.

    Args:
        base: The page's figure, of what is true or of nothing.
        given: Points for each bar; None where nobody has answered.
        axes: What they are in words, for a figure without anything else.
        known: Whether the bars are those of what is true.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    chart = base.figure
    ticks = list(chart.axes("y")[0].names or ())[::-1]
    marks: list[charts.Mark] = []
    for panel in range(1, len(chart.axes("x")) + 1):
        if given is not None:  # upright strokes: a star would hide the words of a bar
            look: charts.Fields = {"hover": "%{y}: %{x:.0%} predicted", "x_axis": panel}
            look |= {"group": "yours", "listed": panel == 1, "edge": charts.Stroke(_COLOUR, 3)}
            at = [v / 100 for v in given]
            marks.append(charts.dots(at, ticks, YOURS, "line-ns-open", 18, _COLOUR, **look))
        if not known:  # names stand on an axis only where something is drawn
            look = {"x_axis": panel, "name": YOURS, "listed": False, "colour": _COLOUR}
            marks.append(charts.Bars(x=[0.0] * len(ticks), y=ticks, **look))
    told = [f"{name} {number(v)}" for name, v in zip(ticks, given or (), strict=given is not None)]
    bars, height = chart.marks if known else [], (chart.height or 0) + 60
    start = replace(
        base,
        figure=replace(chart, marks=bars, keys=True, head=84, foot=110, height=height),
        alt=base.alt if known else axes,
        rows=base.rows if known else (),
    )
    text = f"Your prediction of 100: {', '.join(told)}." if given is not None else ""
    column = [""] * len(ticks) if given is None else given
    return _added(start, marks, text, {"site": ticks, "your prediction": column}, **words)


def kept_figure(
    base: charts.Figure | None,
    label: str,
    ends: tuple[float, float],
    given: Pairs | None,
    truth: Pairs | None,
    axes: str,
    *,
    at: Sequence[float] = (),
    **words: str,
) -> charts.Figure:
    """Return the part of the sample that is kept against the budgets, on a log scale.

    Args:
        base: The page's figure; None as long as it is not to be known.
        label: Name of the horizontal axis.
        ends: Of the horizontal axis.
        given: Places and parts that were predicted; None where nobody has answered.
        truth: Those that are true; None as long as they are not to be known.
        axes: What they are in words, for a figure without anything else.
        at: Places that are asked about; without any, one half is.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    marks: list[charts.Mark] = [] if truth is None else [triangles(*truth)]
    told = ""
    if given is not None:
        there, parts = given
        if len(parts) == 1:
            marks.append(leader([there[0]] * 2, [LEAST, parts[0]]))
            marks.append(stars(there, parts, [number(there[0])], "bottom right"))
        else:
            marks.append(path(there, parts, [percent(v) for v in parts]))
        pairs = (f"{percent(v)} at {number(x)}" for x, v in zip(there, parts, strict=True))
        told = f"Your prediction: {', '.join(pairs)}."
    nothing: tuple[Sequence[object], Sequence[object]] = (at or ("",), [""] * max(len(at), 1))
    x, y = given or nothing
    return _framed(
        base,
        marks,
        words,
        axes,
        told,
        {label: list(x), "your prediction": list(y)},
        **charts.room(420, 90) if base is None else charts.room(530, 180),
        keys=True,
        x=charts.log_axis(label, ends, fixed=True),
        y=budget.axis(LEAST),
        rules=[charts.upright(x) for x in at] or [charts.across(HALF, dash="dot", width=1.0)],
    )


def noise_figure(
    base: charts.Figure | None,
    at: float,
    given: float | None,
    truth: float | None,
    axes: str,
    **words: str,
) -> charts.Figure:
    """Return epsilon against the scale of the noise, one scale marked.

    Args:
        base: The page's figure; None as long as it is not to be known.
        at: The scale.
        given: The epsilon predicted there; None where nobody has answered.
        truth: The epsilon there; None as long as it is not to be known.
        axes: What they are in words, for a figure without anything else.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    marks: list[charts.Mark] = []
    if truth is not None:
        marks.append(triangles([at], [truth], [number(truth)], "top right"))
    if given is not None:
        marks.append(leader([SCALES[0], at], [given, given]))
        marks.append(stars([at], [given], [number(given)], "bottom left"))
    return _framed(
        base,
        marks,
        words,
        axes,
        "" if given is None else f"Your prediction at scale {number(at)}: ε = {number(given)}.",
        {"scale": [at], "your prediction": ["" if given is None else given]},
        **charts.room(440, 110, HEAD),
        keys=True,
        x=charts.log_axis("Laplace scale, the paper's Δ/ε", SCALES, fixed=True),
        y=charts.log_axis("ε", BUDGETS, fixed=True),
        rules=[charts.upright(at)] if base is None else None,
    )


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


def scale_figure(
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
    marks: list[charts.Curve] = [] if true is None else _truth(true, places)
    if given is not None:
        texts = [number(v) for v in given]
        marks.append(stars(list(given), places, texts, "bottom center"))
    rows: dict[str, charts.Values] = {"asked": ruler.parts}
    rows["your prediction"] = [""] * count if given is None else list(given)
    if true is not None:
        rows |= {"true, from": [low for low, _ in true], "true, to": [up for _, up in true]}
    plain = charts.Axis(title=ruler.axis, span=ruler.ends, fixed=True)
    bare: charts.Fields = {"labels": False, "grid": False, "zero": False, "fixed": True}
    part: charts.Fields = {"paper": "x", "left": True, "above": True, "shift": 18}
    part["font"] = charts.Font(size=13)
    named = zip(ruler.parts, places, strict=True) if count > 1 else ()
    nothing = [replace(stars([None], [None]), listed=False)]
    return charts.plot(
        marks or nothing,
        charts.log_axis(ruler.axis, ruler.ends, fixed=True) if ruler.log else plain,
        charts.Axis(span=(-0.6, count - 0.4), **bare),
        rows,
        **charts.room(HEAD + 130 + _SLOT * count, 110, HEAD),
        keys=bool(marks),  # an empty scale needs no legend
        notes=[charts.Note(text=text, x=0.0, y=y, **part) for text, y in named],
        alt=_scale_text(ruler, given, true),
        **words,
    )


def _truth(true: Sequence[Ends], places: Sequence[float]) -> list[charts.Curve]:
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
    return [*bands, triangles(xs, ys, ["" if v is None else number(v) for v in xs])]


def _scale_text(ruler: Ruler, given: Sequence[float] | None, true: Sequence[Ends] | None) -> str:
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


def attacker_figure(
    given: float | None, at: float, line: Pairs | None, true: float | None, **words: Any
) -> charts.Figure:
    """Return hits of 100 against epsilon, one budget marked.

    Args:
        given: The hits predicted there; None where nobody has answered.
        at: The budget.
        line: Budgets and the most hits there; None as long as they are not to be known.
        true: The most hits at the budget, likewise.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    marks = [charts.line(ATTACKED, (BLIND, BLIND), "Guessing blindly", dash="dot", width=1.5)]
    rows = charts.rows_of({"epsilon": [at], "your prediction": ["" if given is None else given]})
    alt = f"Right out of 100 against ε, from {number(ATTACKED[0])} to {number(ATTACKED[1])}."
    if given is not None:
        alt += f" Your prediction at ε = {number(at)}: {number(given)}."
    if line is not None:
        look: charts.Fields = {"width": 2.5, "hover": "ε = %{x:.3g}: %{y:.1f} of 100"}
        name = "At most, whatever is released"
        marks.append(charts.line(*line, name, charts.EQUATION, **look))
        rows[0]["at most"] = "" if true is None else true
        rows += charts.rows_of({"epsilon": line[0], "at most": line[1]})
    if line is not None and true is not None:
        alt += (
            f" At most {line[1][0]:.1f} at the left end, {true:.1f} at ε = {number(at)}, "
            f"{line[1][-1]:.1f} at the right end; 50 by guessing."
        )
    if true is not None:
        marks.append(triangles([at], [true], [f"{true:.1f}"], "bottom right"))
    if given is not None:
        marks.append(leader([ATTACKED[0], at], [given, given]))
        marks.append(stars([at], [given], [number(given)], "top left"))
    return charts.plot(
        marks,
        charts.log_axis("Budget ε of the release", ATTACKED, fixed=True),
        charts.Axis(title="Right out of 100", span=(46, 104), fixed=True),
        charts.aligned(rows),
        **charts.room(420, FOOT, HEAD),
        keys=True,
        rules=[charts.upright(at)],
        alt=alt,
        **words,
    )
