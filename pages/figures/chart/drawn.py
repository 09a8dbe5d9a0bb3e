"""A figure with all that goes with it: for a page and for a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from pages.figures.chart.axes import Chart

Rows = Sequence[Mapping[str, object]]


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """Columns of plain text by title, the first one naming the rows; `alt` says what they are."""

    columns: Mapping[str, Sequence[str]]
    alt: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Drawn:
    """A figure, and the words and numbers that go with it.

    Attributes:
        figure: The figure.
        alt: What it shows, in words.
        rows: The plotted numbers, one mapping per row, all with the same columns.
        table: What stands below it in columns; None for nothing.
        caption: Markdown below it; empty for none.
        name: Name of its files, without end; unique in a report.
    """

    figure: Chart
    alt: str
    rows: Rows
    name: str
    caption: str = ""
    table: Table | None = None


def rows_of(columns: Mapping[str, NDArray[Any]]) -> list[dict[str, object]]:
    """Return columns as rows.

    >>> import numpy as np
    >>> rows_of({"x": np.array([1, 2]), "y": np.array([0.5, 0.25])})
    [{'x': 1, 'y': 0.5}, {'x': 2, 'y': 0.25}]
    """
    lists = {name: values.tolist() for name, values in columns.items()}
    return [dict(zip(lists, row, strict=True)) for row in zip(*lists.values(), strict=True)]
