"""A figure with all that goes with it: for a page and for a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pages.charts import svg
from pages.charts.axes import Chart
from pages.charts.marks import Values
from rates.numbers import frame

Rows = Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of plain text by title, the first one naming the rows; `alt` says what they are."""

    columns: Mapping[str, Sequence[str]]
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Figure:
    """A figure, and the words and numbers that go with it.

    Attributes:
        figure: The figure.
        alt: What it shows, in words.
        rows: The plotted numbers, one mapping per row, all with the same columns.
        table: What stands below it in columns; None for nothing.
        caption: Markdown below it; empty for none.
        name: Name of its files, without end; unique in a report.
        lines: Lines of Python that draw it; empty where there are none.
    """

    figure: Chart
    alt: str
    rows: Rows
    name: str
    caption: str = ""
    table: Table | None = None
    lines: str = ""

    def __repr__(self) -> str:
        return f"Figure(name={self.name!r}, alt={self.alt!r}, ...)"

    def to_frame(self) -> Any:
        """Return the plotted numbers as a pandas table."""
        return frame({title: [row[title] for row in self.rows] for title in self.rows[0]})

    def _repr_svg_(self) -> str:  # what a notebook asks for
        return svg.draw(self.figure, ident=self.name, alt=self.alt)


def rows_of(columns: Mapping[str, Values]) -> list[dict[str, object]]:
    """Return columns as rows.

    >>> rows_of({"x": ["a", "b"], "y": [0.5, 0.25]})
    [{'x': 'a', 'y': 0.5}, {'x': 'b', 'y': 0.25}]
    """
    lists = [v.tolist() if isinstance(v, np.ndarray) else v for v in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*lists, strict=True)]
