"""What is read before a question: the text of its lesson, and its sites as a table."""

from __future__ import annotations

from collections.abc import Iterator

from pages.charts import words
from pages.core import Block, Table, Text
from sims.lessons import SHARES, Lesson


def sites(lesson: Lesson, place: int) -> Iterator[Block]:
    """Return the sites of a question for paper, with room for points where it asks for some.

    Args:
        lesson: The lesson that asks it.
        place: Its number.
    """
    if (facts := lesson.facts) is None:
        return
    more = ("Your points",) * (lesson.question.kind == SHARES)
    rows = ((*row, *("" for _ in more)) for row in facts.rows)
    yield Table.of((*facts.titles, *more), rows, alt=f"Sites of question {place}")
    yield Text(words.md(facts.said))


def text(lesson: Lesson) -> str:
    """Return what is read, for a screen: its table has the letters of the text around it."""
    if (facts := lesson.facts) is None:
        return lesson.read
    lines = [facts.titles, ["---"] * len(facts.titles), *facts.rows]
    cells = [[cell if line is lines[1] else words.md(cell) for cell in line] for line in lines]
    table = "\n".join(f"| {' | '.join(line)} |" for line in cells)
    return f"{lesson.read}\n\n{table}\n\n{words.md(facts.said)}"
