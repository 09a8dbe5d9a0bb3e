"""A figure with its caption and its take-away: the picture as SVG, the numbers as CSV."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.figures.chart import Drawn, Rows, spec, words
from pages.parts.frame import tables
from pages.parts.frame.files import offer

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for a formula


def show(drawn: Drawn, *, key: str, on_point: Callable[[], None] | None = None) -> None:
    """Draw a figure, its caption, a button for the plotted numbers, and its table if it has one.

    The camera in the figure's corner saves it as SVG under the same name.

    Args:
        drawn: The figure and what goes with it.
        key: Widget key, unique on the page.
        on_point: Called when a point is chosen; the choice is in the session under `key`.
    """
    st.plotly_chart(
        spec.figure(drawn.figure),
        key=key,
        config={**spec.CONFIG, "toImageButtonOptions": {"format": "svg", "filename": drawn.name}},
        alt=drawn.alt,
        on_select=on_point or "ignore",
        selection_mode="points",
    )
    if drawn.caption:
        st.caption(drawn.caption)
    offer(
        "Numbers as CSV",
        lambda: to_csv(drawn.rows),
        f"{drawn.name}.csv",
        f"csv_{key}",
        type="tertiary",
        help="The plotted numbers. The camera in the figure's corner saves it as a picture (SVG).",
    )
    if drawn.table is not None:
        tables.show(drawn.table.columns, alt=drawn.table.alt)


def to_csv(rows: Rows) -> str:
    """Return rows as CSV with a header; text that looks like a formula gets a quote.

    >>> print(to_csv([{"site": "=A", "share": 0.5}]), end="")
    site,share
    '=A,0.5
    """
    return words.csv_text(
        [{str(_safe(name)): _safe(value) for name, value in row.items()} for row in rows]
    )


def _safe(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return value
