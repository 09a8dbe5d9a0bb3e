"""A figure with its caption and its take-away: the picture as SVG, the numbers as CSV."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import plotly.graph_objects as go
import streamlit as st

from pages.figures.chart import theme, words

_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet takes for a formula


def show(
    figure: go.Figure,
    *,
    key: str,
    caption: str,
    alt: str,
    csv_rows: Sequence[Mapping[str, object]],
    file_name: str,
    on_point: Callable[[], None] | None = None,
) -> None:
    """Draw a figure, its caption, and a button for the plotted numbers.

    The camera in the figure's corner saves it as SVG under the same name.

    Args:
        figure: The figure.
        key: Widget key, unique on the page.
        caption: Markdown below the figure; empty for none.
        alt: What the figure shows, in words.
        csv_rows: The plotted numbers, one mapping per row, all with the same columns.
        file_name: Name of both files, without its end.
        on_point: Called when a point is chosen; the choice is in the session under `key`.
    """
    image = {"format": "svg", "filename": file_name}
    st.plotly_chart(
        figure,
        key=key,
        config={**theme.CONFIG, "toImageButtonOptions": image},
        alt=alt,
        on_select=on_point or "ignore",
        selection_mode="points",
    )
    if caption:
        st.caption(caption)
    st.download_button(
        "Numbers as CSV",
        lambda: to_csv(csv_rows),
        f"{file_name}.csv",
        "text/csv",
        key=f"csv_{key}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help="The plotted numbers. The camera in the figure's corner saves it as a picture (SVG).",
    )


def to_csv(rows: Sequence[Mapping[str, object]]) -> str:
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
