"""Predictions and votes in a figure: one look everywhere, in the legend, never by colour alone.

They stand alone on axes that say nothing, or beside what is true.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pages import charts
from pages.charts import between, curves, label, number, percent, theme

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
) -> list[charts.Fields]:
    """Return a star where a reader predicted, with words beside it, and what leads to it."""
    (x, y), look = end, charts.Fields(text=[text], textposition=at, hover=_HOVER)
    return [
        charts.line((start[0], x), (start[1], y), None, _COLOUR, dash, 1.5, showlegend=False),
        charts.dots([x], [y], name, _SYMBOL, 15, _COLOUR, **look),
    ]


def _triangles(
    x: charts.Values,
    y: charts.Values,
    texts: Sequence[str] = (),
    at: str | Sequence[str] = "top right",
) -> charts.Fields:
    """Return what is true, as triangles with words beside them."""
    colour, symbol = theme.TRUTH
    look: charts.Fields = {"edge": {"color": "white", "width": 1}, "hover": _HOVER}
    look |= {"text": texts, "textposition": at} if texts else {}
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
    marks, layout = list(base.figure["data"]) if known else [], base.figure["layout"]
    # An axis of names runs from the origin up, a table from the top down.
    ticks = layout["yaxis"]["categoryarray"][::-1]
    for panel in range(1, len(charts.axes(base.figure, "x")) + 1):
        place = {"xaxis": charts.nth("x", panel)}
        if given is not None:  # upright strokes: a star would hide the words of a bar
            look: charts.Fields = {"hover": "%{y}: %{x:.0%} predicted", **place}
            look |= {"edge": {"color": _COLOUR, "width": 3}, "legendgroup": "yours"}
            look["showlegend"] = panel == 1
            at = [v / 100 for v in given]
            marks.append(charts.dots(at, ticks, YOURS, "line-ns-open", 18, _COLOUR, **look))
        if not known:  # names stand on an axis only where something is drawn
            bare = [0.0] * len(ticks), ticks, None, _COLOUR
            marks.append(charts.bars(*bare, orientation="h", **place))
    layout = layout | {"title": words.pop("title"), "showlegend": True}
    layout |= {"height": layout["height"] + 60, "margin": {"l": 10, "r": 10, "t": 84, "b": 110}}
    return charts.Figure({"data": marks, "layout": layout}, **words)


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
    marks = list(base.figure["data"]) if base else []
    marks += [] if truth is None else [_triangles(*truth)]
    # The first star leads up from the axis, each further one on from the star before.
    before = None
    for x, y in zip(*(given or ((), ())), strict=True):
        text = percent(y) if at else number(x)
        marks += _star(before or (x, y if at else LEAST), (x, y), text, "top left")
        marks[-1]["showlegend"] = before is None
        before = (x, y)
    return charts.plot(
        marks,
        charts.log_axis(label, ends),
        curves.kept_axis(LEAST),
        **charts.room(420, 90) if base is None else charts.room(530, 180),
        showlegend=True,
        shapes=[charts.upright(x) for x in at] or [charts.across(HALF, dash="dot", width=1.0)],
        **words,
    )


def point_figure(
    marks: Sequence[charts.Fields],
    at: float,
    given: float | None,
    true: float | None,
    *,
    label: str,
    ends: Ends,
    up: charts.Fields,
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
    shown, (above, below) = list(marks), ("bottom", "top") if falls else ("top", "bottom")
    if true is not None:
        shown.append(_triangles([at], [true], [number(true)], f"{below} right"))
    if given is not None:
        shown += _star((ends[0], given), (at, given), number(given), f"{above} left")
    words |= charts.room(height, foot, HEAD) | {"shapes": [charts.upright(at)] if ruled else []}
    return charts.plot(shown, charts.log_axis(label, ends), up, showlegend=True, **words)


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
    # The axes must not move when the truth appears: a reader compares with the picture before.
    words |= charts.room(400, foot, HEAD, entry, more=each * (len(marks) + len(stars) + 1))
    name, one = step.name or f"At {number(step.start)}", ("square", 9, charts.GREY)
    marks.append(charts.dots([step.start], [1.0], name, *one, hover="%{x:.4g}: 1"))
    for name, dash, value in zip(stars, ("dash", "dot"), given or (), strict=False):
        beside = f"{'top' if value > 1 else 'bottom'} left"
        marks += _star((step.start, 1.0), (step.end, value), _times(value), beside, name, dash)
    across = charts.log_axis(step.title, step.x)
    up = charts.log_axis(step.up, step.y)
    return charts.plot(marks, across, up, showlegend=True, **words)


# Votes ----------------------------------------------------------------------------------------

LETTERS = "ABCDEFGHIJ"
NAMES = ("First vote", "Second vote")
_ROOM, _MOST, _FEW = 96, 18, 4  # letters below all bars, below one; bars that need no letter
_PLACES, _STEM = 48, 0.75  # of dots along a row; part of its height that a stem has


def columns(options: Sequence[str]) -> list[str]:
    """Name what was answered, so that all names stand side by side and differ.

    >>> columns(["North", "South"]), columns(["A rather long name of a site"] * 5)[3]
    (['North', 'South'], 'D: A rather long n…')
    """
    # Few names have room as they are; letters would be one step more to read.
    if len(options) <= _FEW:
        return [label(name, _MOST) for name in options]
    most = min(_MOST, _ROOM // len(options) - 3)
    return [f"{x}: {label(name, most)}" for x, name in zip(LETTERS, options, strict=False)]


def votes_figure(
    options: Sequence[str],
    votes: Sequence[Sequence[int]],
    *,
    title: str,
    what: str = "hands",
    right: int | None = None,
    mine: int | None = None,
) -> charts.Figure:
    """Return the parts of a class for each option, by vote.

    Args:
        options: What could be answered.
        votes: Of each vote the counts, one for each option; an empty vote is left out.
        title: What the class was asked.
        what: What was counted.
        right: Which option is right, from 0; None as long as it is not to be known.
        mine: Which one is the reader's own; None where there is none.
    """
    marked = [f"{'✓ ' * (k == right)}{x}{' (you)' * (k == mine)}" for k, x in enumerate(options)]
    looks = dict(zip(NAMES, (theme.GREY, theme.EQUATION), strict=True))
    shown = [(name, v) for name, v in zip(NAMES, votes, strict=False) if sum(v)]
    bars = [
        charts.bars(
            marked,
            [n / sum(v) for n in v],
            f"{name}, {sum(v)} {what}",
            looks[name],
            text=[percent(n / sum(v)) for n in v],
            hover="%{x}: %{y:.0%}",
        )
        for name, v in shown
    ]
    # Room for the words above the highest bar.
    top = max((y for bar in bars for y in bar["y"]), default=1.0)
    told = (f"{name}: {', '.join(map('{} {}'.format, marked, v))}" for name, v in shown)
    return charts.plot(
        bars,
        charts.axis(type="category", names=marked),
        charts.axis(share=True, span=(0.0, 1.15 * top), title=f"Part of the {what}"),
        **charts.room(360, 10, 48),
        title=title,
        barmode="group",
        showlegend=True,
        alt=f"Bars of the {what}. {'; '.join(told)}.",
        name="hands",
    )


def answers_figure(
    axis: charts.Fields,
    parts: Sequence[str],
    votes: Sequence[Sequence[Sequence[float]]] = (),
    *,
    true: Sequence[tuple[float, float]] = (),
    mine: Sequence[float] = (),
    **words: Any,
) -> charts.Figure:
    """Return numbers in one row for each part and vote: those of a class, a dot each.

    Args:
        axis: The scale.
        parts: What was asked for, in words.
        votes: Of each vote the answers, a number for each part.
        true: Both ends of what is true of each part; none as long as it is not to be known.
        mine: The reader's own numbers; none where there are none.
        **words: Title, and name of the files.
    """
    shown = [(turn, given) for turn, given in enumerate(votes) if given] or [(0, ())]
    rows = [(k, turn, given) for k in range(len(parts)) for turn, given in shown]
    listed: charts.Fields = {"hover": "%{x:.4g}"}
    marks, ticks, told = list[charts.Fields](), dict[float, str](), list[str]()
    for place, (k, turn, given) in enumerate(rows):
        foot, first = float(len(rows) - 1 - place), place < len(shown)
        x = sorted(report[k] for report in given)
        look: charts.Fields = listed | {"showlegend": first and bool(x), "legendgroup": NAMES[turn]}
        name = f"{NAMES[turn]}, {len(x)} answers"
        colour = (theme.GREY, theme.EQUATION)[turn]
        marks.append(charts.dots(x, _heights(x, axis, foot), name, "circle", 7, colour, **look))
        ink, symbol = theme.TRUTH
        # A truth without an interval has both ends alike.
        ends = [*dict.fromkeys(true[k])] if true else []
        for at, end in enumerate(ends):
            marks.append(charts.line((end, end), (foot, foot + _STEM), None, ink, showlegend=False))
            look = listed | {"showlegend": place + at == 0, "legendgroup": TRUE}
            side = "left" if at + 1 < len(ends) else "right"  # a band's two are told apart
            look |= {"text": [number(end)], "textposition": f"middle {side}"}
            top = [foot + _STEM]
            marks.append(charts.dots([end], top, TRUE, symbol, 11, ink, **look))
        if mine:
            ink, symbol, _ = theme.PREDICTION
            look = listed | {"showlegend": not place, "legendgroup": YOURS}
            if not votes:  # else dots stand there
                look |= {"text": [number(mine[k])], "textposition": "middle right"}
            marks.append(charts.dots([mine[k]], [foot], YOURS, symbol, 14, ink, **look))
        titles = [parts[k]] * (len(parts) > 1) + [NAMES[turn]] * (len(shown) > 1)
        ticks[foot + 0.25] = ", ".join(label(title, _MOST) for title in titles)
        said = [f"{len(x)} answers, the middle one {number(x[len(x) // 2])}"] if x else []
        said += [f"true {between(*true[k])}"] if true else []
        said += [f"yours {number(mine[k])}"] if mine else []
        told.append(", ".join([parts[k], *titles[len(parts) > 1 :], *said]))
    names = list(ticks), list(ticks.values())
    return charts.plot(
        marks,
        axis,
        charts.axis(span=(-0.15, len(rows)), ticks=names, showgrid=False, zeroline=False),
        **charts.room(120 + 80 * len(rows), 60, 48),
        showlegend=bool(votes or true or mine),  # an empty scale needs no legend
        alt=f"{axis['title']}. {'; '.join(filter(None, told)) or 'Nothing is drawn yet'}.",
        **words,
    )


def _heights(x: Sequence[float], axis: charts.Fields, foot: float) -> list[float]:
    """Return how high the dots of sorted numbers stand, so that none hides another."""
    low, high = axis["range"]
    along = [math.log10(v) if axis.get("type") == "log" else v for v in x]
    places = [round(_PLACES * (v - low) / (high - low)) for v in along]
    levels = [places[:k].count(place) for k, place in enumerate(places)]
    # Sixty dots at one place still stay in their row.
    step = min(0.1, 0.65 / max(levels, default=1)) if any(levels) else 0.0
    return [foot + step * level for level in levels]
