"""Answers to a question: probabilities given to its options, and two votes of a class."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence
from typing import Any

from pages import charts
from pages.charts import label, percent, predictions, theme

LETTERS = "ABCDEFGHIJ"
_WIDE = 42  # letters of a line that a phone has room for
_SLOT, _LINE = 44, 20  # pixels of a bar with its room, and of a line of words above it
NAMES = ("First vote", "Second vote")
_ROOM, _MOST, _FEW = 96, 18, 4  # letters below all bars, below one; bars that need no letter
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
    letters = LETTERS[: len(options)]
    lines = [textwrap.wrap(text, _WIDE) or [""] for text in options]
    slot = _SLOT + _LINE * max(map(len, lines))
    marks: list[charts.Mark] = _bars(letters, given, right)
    if given is not None:
        marks.append(charts.key("Not knowing", stroke=charts.Stroke(charts.GREY, 1.5, "dot")))
    rows: dict[str, charts.Values] = {"answer": list(letters), "in words": list(options)}
    rows["probability"] = [""] * len(options) if given is None else list(given)
    if right is not None:
        rows["right"] = ["right" if k == right else "" for k in range(len(options))]
    span, names = (-0.5, len(options) - 0.5), list(letters)[::-1]
    return charts.plot(
        marks,
        charts.Axis(title="Probability", share=True, span=(0, 1.12), fixed=True),
        charts.Axis(kind="category", names=names, span=span, fixed=True, grid=False),
        rows,
        **charts.room(predictions.HEAD + 100 + slot * len(options), 100, predictions.HEAD),
        stacked="overlay",
        gap=1 - 24 / slot,
        keys=given is not None,
        rules=[] if given is None else [charts.upright(1 / len(options))],
        notes=[_option(k, parts, len(lines), k == right) for k, parts in enumerate(lines)],
        alt=_told(options, given, right),
        **words,
    )


def _bars(letters: str, given: Sequence[float] | None, right: int | None) -> list[charts.Mark]:
    """The bars: of all options alike, or of the right one and of the others."""
    texts = [""] * len(letters) if given is None else [percent(v) for v in given]
    stripes = theme.HATCHES[theme.PRIVACY]
    kinds = [(predictions.YOURS, [*range(len(letters))], theme.PREDICTION[0], stripes)]
    if right is not None:
        others = [k for k in range(len(letters)) if k != right]
        kinds = [(RIGHT, [right], theme.TRUTH[0], ""), (WRONG, others, charts.GREY, stripes)]
    return [
        charts.Bars(
            x=[given[k] if given else 0.0 for k in places],
            y=[letters[k] for k in places],
            texts=[texts[k] for k in places],
            name=name,
            colour=paper,
            hatch=charts.Hatch(shape=shape, paper=paper),
            hover="%{y}: %{x:.0%}",
        )
        for name, places, paper, shape in kinds
    ]


def _option(k: int, parts: Sequence[str], count: int, right: bool) -> charts.Note:
    """The words of an option above its bar; where there is room its lines are one."""
    text = "<br>".join(html.escape(part, quote=False) for part in parts)
    text = f"<b>✓ {text}</b>" if right else text
    place: charts.Fields = {"x": 0.0, "y": count - 1 - k, "shift": 13}
    return charts.Note(text=text, left=True, above=True, font=charts.Font(size=13), **place)


def _told(options: Sequence[str], given: Sequence[float] | None, right: int | None) -> str:
    parts = []
    for k, text in enumerate(options):
        words = f"{LETTERS[k]}: {text}"
        if given is not None:
            words += f", given {percent(given[k])}"
        parts.append(words + (", the right answer" if k == right else ""))
    start = "Answers" if given is None else "Probability given to each answer"
    return f"{start}. {'; '.join(parts)}."


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
    options: Sequence[str], votes: Sequence[Sequence[int]], *, title: str, what: str = "hands"
) -> charts.Figure:
    """Return the parts of a class for each option, by vote.

    Args:
        options: What could be answered.
        votes: Of each vote the counts, one for each option; an empty vote is left out.
        title: What the class was asked.
        what: What was counted.
    """
    looks = dict(zip(NAMES, (theme.GREY, theme.EQUATION), strict=True))
    shown = [(name, v) for name, v in zip(NAMES, votes, strict=True) if sum(v)]
    rows = [
        {"option": option, "vote": name, what: n}
        for name, v in shown
        for option, n in zip(options, v, strict=True)
    ]
    bars = [
        charts.Bars(
            x=list(options),
            y=[n / sum(v) for n in v],
            name=f"{name}, {sum(v)} {what}",
            texts=[percent(n / sum(v)) for n in v],
            colour=looks[name],
            lying=False,
            hover="%{x}: %{y:.0%}",
        )
        for name, v in shown
    ]
    top = max((n / sum(v) for _, v in shown for n in v), default=1.0)
    told = "; ".join(
        f"{name}: " + ", ".join(f"{option} {n}" for option, n in zip(options, v, strict=True))
        for name, v in shown
    )
    return charts.plot(
        bars,
        charts.Axis(kind="category", names=list(options)),
        charts.Axis(share=True, span=(0.0, 1.15 * top), title=f"Part of the {what}"),
        rows,
        **charts.room(360, 10, 48),
        title=title,
        stacked="group",
        keys=True,
        alt=f"Bars of the {what}. {told}.",
        name="hands",
    )
