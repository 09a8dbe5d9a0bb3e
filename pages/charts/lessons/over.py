"""Predictions over the figures of other pages: the page's marks on axes that say nothing alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pages import charts
from pages.charts import budget, number, percent, theme
from pages.charts.lessons import prediction

Pairs = tuple[Sequence[float], Sequence[float]]
HALF = 0.5  # of the sample
LEAST = 1e-4  # part of a sample that is drawn
SCALES, BUDGETS = (0.01, 100.0), (0.1, 1e4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What stands around a figure.

    Attributes:
        title: The question, or the finding.
        caption: Below the figure.
        name: Of the files.
        told: What the axes are, in words, for a figure without anything else.
    """

    title: str
    caption: str
    name: str
    told: str


def _made(
    base: charts.Figure | None,
    marks: Sequence[charts.Mark],
    words: Words,
    told: str,
    predicted: prediction.Told,
    frame: charts.Chart,
) -> charts.Figure:
    """The page's marks, if they may be shown, and the prediction in one frame."""
    start = base or charts.Figure(figure=frame, alt=words.told, rows=(), name=words.name)
    start = replace(start, figure=replace(frame, marks=start.figure.marks))
    more = {"caption": words.caption, "name": words.name, "table": None}
    return prediction.added(start, marks, title=words.title, told=told, predicted=predicted, **more)


def shares(
    base: charts.Figure, given: Sequence[float] | None, words: Words, *, known: bool
) -> charts.Figure:
    """Return the shares of all sites with those that were predicted, in every panel.

    Args:
        base: The page's figure, of what is true or of nothing.
        given: Points for each bar; None where nobody has answered.
        words: What stands around it.
        known: Whether the bars are those of what is true.
    """
    ticks = list(base.figure.axes("y")[0].names or ())[::-1]
    panels = range(1, len(base.figure.axes("x")) + 1)
    bars = [m for m in base.figure.marks if known]
    marks: list[charts.Mark] = []
    for panel in panels:
        if given is not None:
            marks.append(
                prediction.ticks(
                    [v / 100 for v in given], ticks, x_axis=panel, group="yours", listed=panel == 1
                )
            )
        if not known:  # names stand on an axis only where something is drawn
            marks.append(
                charts.Bars(
                    x=[0.0] * len(ticks),
                    y=ticks,
                    x_axis=panel,
                    name=prediction.YOURS,
                    listed=False,
                    colour=theme.PREDICTION[0],
                )
            )
    told = [f"{name} {number(v)}" for name, v in zip(ticks, given or (), strict=given is not None)]
    height = (base.figure.height or 0) + 60
    start = replace(
        base,
        figure=replace(base.figure, marks=bars, keys=True, head=84, foot=110, height=height),
        alt=base.alt if known else words.told,
        rows=base.rows if known else (),
    )
    return prediction.added(
        start,
        marks,
        title=words.title,
        told=f"Your prediction of 100: {', '.join(told)}." if given is not None else "",
        predicted={"site": ticks, "your prediction": [""] * len(ticks) if given is None else given},
        caption=words.caption,
        name=words.name,
        table=None,
    )


def kept(
    base: charts.Figure | None,
    label: str,
    ends: tuple[float, float],
    given: Pairs | None,
    true: Pairs | None,
    words: Words,
    *,
    at: Sequence[float] = (),
) -> charts.Figure:
    """Return the part of the sample that is kept against the budgets, on a log scale.

    Args:
        base: The page's figure; None as long as it is not to be known.
        label: Name of the horizontal axis.
        ends: Of the horizontal axis.
        given: Places and parts that were predicted; None where nobody has answered.
        true: Those that are true; None as long as they are not to be known.
        words: What stands around it.
        at: Places that are asked about; without any, one half is.
    """
    marks: list[charts.Mark] = []
    told = ""
    if true is not None:
        marks.append(prediction.true(*true))
    if given is not None:
        there, parts = given
        texts = [percent(v) for v in parts] if len(parts) > 1 else [number(there[0])]
        if len(parts) == 1:
            marks.append(prediction.leader([there[0]] * 2, [LEAST, parts[0]]))
            marks.append(prediction.dots(there, parts, texts, at="bottom right"))
        else:
            shown = charts.Words(texts=texts, at="top left", font=charts.Font(size=13))
            marks.append(replace(prediction.path(there, parts), words=shown))
        pairs = (f"{percent(v)} at {number(x)}" for x, v in zip(there, parts, strict=True))
        told = f"Your prediction: {', '.join(pairs)}."
    nothing: tuple[Sequence[object], Sequence[object]] = (at or ("",), [""] * max(len(at), 1))
    x, y = given or nothing
    frame = charts.Chart(
        marks=(),
        title=words.title,
        head=64,
        height=420 if base is None else 530,
        foot=90 if base is None else 180,
        legend=charts.LOOSE,
        keys=True,
        x=charts.log_axis(label, ends, fixed=True),
        y=budget.axis(LEAST),
        rules=[charts.upright(x) for x in at] or [charts.across(HALF, dash="dot", width=1.0)],
    )
    return _made(base, marks, words, told, {label: list(x), "your prediction": list(y)}, frame)


def noise(
    base: charts.Figure | None,
    at: float,
    given: float | None,
    true: float | None,
    words: Words,
) -> charts.Figure:
    """Return epsilon against the scale of the noise, one scale marked.

    Args:
        base: The page's figure; None as long as it is not to be known.
        at: The scale.
        given: The epsilon predicted there; None where nobody has answered.
        true: The epsilon there; None as long as it is not to be known.
        words: What stands around it.
    """
    marks: list[charts.Mark] = []
    if true is not None:
        marks.append(prediction.true([at], [true], [number(true)], at="top right"))
    if given is not None:
        marks.append(prediction.leader([SCALES[0], at], [given, given]))
        marks.append(prediction.dots([at], [given], [number(given)], at="bottom left"))
    label = "Laplace scale, the paper's Δ/ε"
    frame = charts.Chart(
        marks=(),
        title=words.title,
        height=440,
        head=prediction.HEAD,
        foot=110,
        legend=charts.LOOSE,
        keys=True,
        x=charts.log_axis(label, SCALES, fixed=True),
        y=charts.log_axis("ε", BUDGETS, fixed=True),
        rules=[charts.upright(at)] if base is None else None,
    )
    told = "" if given is None else f"Your prediction at scale {number(at)}: ε = {number(given)}."
    row: prediction.Told = {"scale": [at], "your prediction": ["" if given is None else given]}
    return _made(base, marks, words, told, row, frame)
