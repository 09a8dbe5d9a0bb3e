"""What is read before a question: the text of its lesson, and its sites as a table."""

from __future__ import annotations

from collections.abc import Iterator

from pages.charts import words
from pages.core import Block, Table, Text
from sims.lessons import Lesson


def blocks(lesson: Lesson) -> Iterator[Block]:
    """Return what is read, for paper."""
    yield Text(lesson.read)
    if facts := lesson.facts:
        yield Table.of(facts.titles, facts.rows, alt="The sites")
        yield Text(words.md(facts.said))


def text(lesson: Lesson) -> str:
    """Return what is read, for a screen: its table has the letters of the text around it."""
    if (facts := lesson.facts) is None:
        return lesson.read
    lines = [facts.titles, ["---"] * len(facts.titles), *facts.rows]
    cells = [[cell if line is lines[1] else words.md(cell) for cell in line] for line in lines]
    table = "\n".join(f"| {' | '.join(line)} |" for line in cells)
    return f"{lesson.read}\n\n{table}\n\n{words.md(facts.said)}"
