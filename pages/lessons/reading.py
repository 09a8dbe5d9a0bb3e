"""What is read before a question: the text of its lesson, and its sites as a table or a list."""

from __future__ import annotations

from collections.abc import Iterator

from pages.charts import words
from pages.core import Block, Table, Text
from sims.lessons import SHARES, Facts, Lesson


def sites(lesson: Lesson, alt: str, *, paper: bool = False) -> Iterator[Block]:
    """Return the sites of a lesson, on paper with room for the points that it asks for."""
    if (facts := lesson.facts) is None:
        return
    more = ("Your points",) * (paper and lesson.question.kind == SHARES)
    rows = ((*row, *("" for _ in more)) for row in facts.rows)
    yield Table.of((*facts.titles, *more), rows, alt=alt)
    yield Text(words.md(facts.said))


def text(lesson: Lesson, *, narrow: bool = False) -> str:
    """Return what is read as Markdown: the sites in a table, or in a list where it is narrow."""
    if (facts := lesson.facts) is None:
        return lesson.read
    if narrow:
        shown = "\n".join(f"- {one}" for one in _lines(facts))
    else:
        rows = [[*map(words.md, row)] for row in facts.rows]
        lines = [facts.titles, ["---"] * len(facts.titles), *rows]
        shown = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    return f"{lesson.read}\n\n{shown}\n\n{words.md(facts.said)}"


def line(facts: Facts) -> str:
    """Return the sites of a lesson in one paragraph, Markdown."""
    return "  ·  ".join([*_lines(facts), words.md(facts.said)])


def _lines(facts: Facts) -> list[str]:
    return [f"**{words.md(name)}**: {words.md(held)}" for name, held in facts.lines]
