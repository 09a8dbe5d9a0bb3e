"""Answers to a question: probabilities given to its options, and two votes of a class."""

from __future__ import annotations

import html
import math
import textwrap
from collections.abc import Sequence
from typing import Any

from pages import charts
from pages.charts import between, label, number, percent, predictions, theme

LETTERS = "ABCDEFGHIJ"
_WIDE = 42  # letters of a line that a phone has room for
_SLOT, _LINE = 44, 20  # pixels of a bar with its room, and of a line of words above it
NAMES = ("First vote", "Second vote")
_ROOM, _MOST, _FEW = 96, 18, 4  # letters below all bars, below one; bars that need no letter
_PLACES, _STEM = 48, 0.75  # of dots along a row; part of its height that a stem has
RIGHT, WRONG = "Your probability of the right answer", "Of the other answers"


def choice_figure(
    options: Sequence[str], given: Sequence[float] | None, right: int | None, **words: Any
) -> charts.Figure:
    """Return one bar for each option, its words above it.

    Args:
        options: The options in words.
        given: A probability for each; None where nobody has answered.
        right: Which option is right, from 0; None as long as it is not to be known.
        **words: Title (the question, or the finding), caption, and name of the files.
    """
    count, letters, asked = len(options), LETTERS[: len(options)], given is not None
    lines = [textwrap.wrap(text, _WIDE) or [""] for text in options]
    slot = _SLOT + _LINE * max(map(len, lines))
    stripes = theme.HATCHES[theme.PRIVACY]
    kinds = [(predictions.YOURS, [*range(count)], theme.PREDICTION[0], stripes)]
    if right is not None:
        others = [k for k in range(count) if k != right]
        kinds = [(RIGHT, [right], theme.TRUTH[0], ""), (WRONG, others, charts.GREY, stripes)]
    marks: list[charts.Mark] = [
        charts.Bars(
            x=[given[k] if given else 0.0 for k in places],
            y=[letters[k] for k in places],
            texts=[percent(given[k]) if given else "" for k in places],
            name=name,
            colour=paper,
            hatch=charts.Hatch(shape=shape, paper=paper),
            hover="%{y}: %{x:.0%}",
        )
        for name, places, paper, shape in kinds
    ]
    if asked:
        marks.append(charts.key("Not knowing", stroke=charts.Stroke(charts.GREY, 1.5, "dot")))
    rows, notes, told = [], [], []
    look: charts.Fields = {"shift": 13, "left": True, "above": True, "font": charts.Font(size=13)}
    for k, (letter, option, parts) in enumerate(zip(letters, options, lines, strict=True)):
        true, value = k == right, given[k] if given else ""
        row = {"answer": letter, "in words": option, "probability": value}
        rows.append(row if right is None else row | {"right": "right" if true else ""})
        text = "<br>".join(html.escape(part, quote=False) for part in parts)
        text = f"<b>✓ {text}</b>" if true else text
        notes.append(charts.Note(text=text, x=0.0, y=count - 1 - k, **look))
        said = f"{letter}: {option}{f', given {percent(given[k])}' if given else ''}"
        told.append(f"{said}, the right answer" if true else said)
    span, names = (-0.5, count - 0.5), list(letters)[::-1]
    return charts.plot(
        marks,
        charts.Axis(title="Probability", share=True, span=(0, 1.12), fixed=True),
        charts.Axis(kind="category", names=names, span=span, fixed=True, grid=False),
        rows,
        **charts.room(predictions.HEAD + 100 + slot * count, 100, predictions.HEAD),
        stacked="overlay",
        gap=1 - 24 / slot,
        keys=asked,
        rules=[charts.upright(1 / count)] if asked else [],
        notes=notes,
        alt=f"{'Probability given to each answer' if asked else 'Answers'}. {'; '.join(told)}.",
        **words,
    )


def columns(options: Sequence[str]) -> list[str]:
    """Name what was answered, so that all names stand side by side and differ.

    >>> columns(["North", "South"]), columns(["A rather long name of a site"] * 5)[3]
    (['North', 'South'], 'D: A rather long n…')
    """
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
    pairs = [(option, name, n) for name, v in shown for option, n in zip(marked, v, strict=True)]
    bars = [
        charts.Bars(
            x=marked,
            y=[n / sum(v) for n in v],
            name=f"{name}, {sum(v)} {what}",
            texts=[percent(n / sum(v)) for n in v],
            colour=looks[name],
            lying=False,
            hover="%{x}: %{y:.0%}",
        )
        for name, v in shown
    ]
    top = max((y for bar in bars for y in bar.y), default=1.0)
    told = (
        f"{name}: " + ", ".join(f"{x} {n}" for x, of, n in pairs if of == name) for name, _ in shown
    )
    return charts.plot(
        bars,
        charts.Axis(kind="category", names=marked),
        charts.Axis(share=True, span=(0.0, 1.15 * top), title=f"Part of the {what}"),
        [{"option": option, "vote": name, what: n} for option, name, n in pairs],
        **charts.room(360, 10, 48),
        title=title,
        stacked="group",
        keys=True,
        alt=f"Bars of the {what}. {'; '.join(told)}.",
        name="hands",
    )


def answers_figure(
    axis: charts.Axis,
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
    marks, ticks, told = list[charts.Mark](), dict[float, str](), list[str]()
    for place, (k, turn, given) in enumerate(rows):
        foot, first = float(len(rows) - 1 - place), place < len(shown)
        x = sorted(report[k] for report in given)
        look: charts.Fields = listed | {"listed": first and bool(x), "group": NAMES[turn]}
        name = f"{NAMES[turn]}, {len(x)} answers"
        colour = (theme.GREY, theme.EQUATION)[turn]
        marks.append(charts.dots(x, _heights(x, axis, foot), name, "circle", 7, colour, **look))
        ink, symbol = theme.TRUTH
        ends = [*dict.fromkeys(true[k])] if true else []
        for at, end in enumerate(ends):
            marks.append(charts.line((end, end), (foot, foot + _STEM), None, ink, listed=False))
            look = listed | {"listed": place + at == 0, "group": predictions.TRUE}
            side = "left" if at + 1 < len(ends) else "right"  # a band's two are told apart
            look["words"] = charts.Words(texts=[number(end)], at=f"middle {side}")
            top = [foot + _STEM]
            marks.append(charts.dots([end], top, predictions.TRUE, symbol, 11, ink, **look))
        if mine:
            ink, symbol, _ = theme.PREDICTION
            look = listed | {"listed": not place, "group": predictions.YOURS}
            if not votes:  # else dots stand there
                look["words"] = charts.Words(texts=[number(mine[k])], at="middle right")
            marks.append(charts.dots([mine[k]], [foot], predictions.YOURS, symbol, 14, ink, **look))
        titles = [parts[k]] * (len(parts) > 1) + [NAMES[turn]] * (len(shown) > 1)
        ticks[foot + 0.25] = ", ".join(label(title, _MOST) for title in titles)
        said = [f"{len(x)} answers, the middle one {number(x[len(x) // 2])}"] if x else []
        said += [f"true {between(*true[k])}"] if true else []
        said += [f"yours {number(mine[k])}"] if mine else []
        told.append(", ".join([parts[k], *titles[len(parts) > 1 :], *said]))
    names = charts.Ticks(values=list(ticks), texts=list(ticks.values()))
    return charts.plot(
        marks,
        axis,
        charts.Axis(span=(-0.15, len(rows)), ticks=names, grid=False, zero=False, fixed=True),
        **charts.room(120 + 80 * len(rows), 60, 48),
        keys=bool(votes or true or mine),  # an empty scale needs no legend
        alt=f"{axis.title}. {'; '.join(filter(None, told)) or 'Nothing is drawn yet'}.",
        **words,
    )


def _heights(x: Sequence[float], axis: charts.Axis, foot: float) -> list[float]:
    """Return how high the dots of sorted numbers stand, so that none hides another."""
    assert axis.span is not None
    low, high = axis.span
    along = [math.log10(v) if axis.kind == "log" else v for v in x]
    places = [round(_PLACES * (v - low) / (high - low)) for v in along]
    levels = [places[:k].count(place) for k, place in enumerate(places)]
    step = min(0.1, 0.65 / max(levels, default=1)) if any(levels) else 0.0
    return [foot + step * level for level in levels]
