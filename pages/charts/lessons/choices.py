"""Probabilities given to options, as bars; the right one is marked once it may be known."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Iterator, Sequence

from pages import charts
from pages.charts import percent, theme
from pages.charts.lessons import prediction

LETTERS = "ABCDEFGHIJ"
_WIDE = 42  # letters of a line that a phone has room for
_SLOT, _LINE = 44, 20  # pixels of a bar with its room, and of a line of words above it
RIGHT, WRONG = "Your probability of the right answer", "Of the other answers"


def drawn(
    options: Sequence[str],
    given: Sequence[float] | None,
    right: int | None,
    *,
    title: str,
    caption: str,
    name: str,
) -> charts.Figure:
    """Return one bar for each option, its words above it.

    Args:
        options: The options in words.
        given: A probability for each; None where nobody has answered.
        right: Which option is right, from 0; None as long as it is not to be known.
        title: The question, or the finding.
        caption: Below the figure.
        name: Of the files.
    """
    letters = LETTERS[: len(options)]
    lines = [textwrap.wrap(text, _WIDE) or [""] for text in options]
    most = max(map(len, lines))
    slot = _SLOT + _LINE * most
    marks = [*_bars(letters, given, right)]
    if given is not None:
        marks.append(charts.key("Not knowing", stroke=charts.Stroke(charts.GREY, 1.5, "dot")))
    figure = charts.Chart(
        marks=marks,
        title=title,
        height=prediction.HEAD + 100 + slot * len(options),
        head=prediction.HEAD,
        foot=100,
        stacked="overlay",
        gap=1 - 24 / slot,
        legend=charts.LOOSE,
        keys=given is not None,
        x=charts.Axis(title="Probability", share=True, span=(0, 1.12), fixed=True),
        y=charts.Axis(
            kind="category",
            names=list(letters)[::-1],
            span=(-0.5, len(options) - 0.5),
            fixed=True,
            grid=False,
        ),
        rules=[] if given is None else [charts.upright(1 / len(options))],
        notes=[*_words(lines, right)],
    )
    columns: dict[str, Sequence[object]] = {"answer": list(letters), "in words": list(options)}
    columns["probability"] = [""] * len(options) if given is None else list(given)
    if right is not None:
        columns["right"] = ["right" if k == right else "" for k in range(len(options))]
    return charts.Figure(
        figure=figure,
        alt=_told(options, given, right),
        rows=charts.rows_of(columns),
        caption=caption,
        name=name,
    )


def _bars(
    letters: str, given: Sequence[float] | None, right: int | None
) -> Iterator[charts.Curve | charts.Bars]:
    """The bars: of all options alike, or of the right one and of the others."""
    shares = [0.0] * len(letters) if given is None else list(given)
    texts = [""] * len(letters) if given is None else [percent(v) for v in given]
    colour = theme.PREDICTION[0]
    stripes = theme.HATCHES[theme.PRIVACY]
    kinds = [(prediction.YOURS, [*range(len(letters))], colour, stripes)]
    if right is not None:
        others = [k for k in range(len(letters)) if k != right]
        kinds = [
            (RIGHT, [right], theme.TRUTH[0], ""),
            (WRONG, others, charts.GREY, stripes),
        ]
    for name, places, paper, shape in kinds:
        yield charts.Bars(
            x=[shares[k] for k in places],
            y=[letters[k] for k in places],
            texts=[texts[k] for k in places],
            name=name,
            colour=paper,
            hatch=charts.Hatch(
                shape=shape, paper=paper, ink="rgba(255,255,255,0.6)", size=7, solidity=0.2
            ),
            hover="%{y}: %{x:.0%}",
        )


def _words(lines: Sequence[Sequence[str]], right: int | None) -> Iterator[charts.Note]:
    """The words of each option above its bar; where there is room its lines are one."""
    for k, parts in enumerate(lines):
        text = "<br>".join(html.escape(part, quote=False) for part in parts)
        yield charts.Note(
            text=f"<b>✓ {text}</b>" if k == right else text,
            x=0.0,
            y=len(lines) - 1 - k,
            left=True,
            above=True,
            shift=13,
            font=charts.Font(size=13),
        )


def _told(options: Sequence[str], given: Sequence[float] | None, right: int | None) -> str:
    parts = []
    for k, text in enumerate(options):
        words = f"{LETTERS[k]}: {text}"
        if given is not None:
            words += f", given {percent(given[k])}"
        parts.append(words + (", the right answer" if k == right else ""))
    start = "Answers" if given is None else "Probability given to each answer"
    return f"{start}. {'; '.join(parts)}."
