"""A figure with its caption and its take-away: picture, numbers, Python."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.charts import Figure, Rows, spec, svg, words
from pages.core import stage, tables
from pages.core.exchange import offer
from rates.rows import csv_text


def show(
    drawn: Figure, *, key: str, on_point: Callable[[], None] | None = None, files: bool = True
) -> None:
    """Draw a figure, its caption, what is saved of it, and its table if it has one.

    Args:
        drawn: The figure and what goes with it.
        key: Widget key, unique on the page.
        on_point: Called when a point is chosen; the choice is in the session under `key`.
        files: Whether anything of it is offered to take away.
    """
    if not stage.take(drawn):
        title, bare = spec.headed(drawn.figure)
        with st.container(gap="xxsmall"):
            if title:
                st.markdown(f"**{words.md(title)}**")
            st.plotly_chart(
                spec.Sent(bare),
                key=key,
                config=spec.CONFIG,
                alt=drawn.alt,
                on_select=on_point or "ignore",
                selection_mode="points",
            )
    if drawn.caption:
        st.caption(drawn.caption)
    if files:
        _offers(drawn, key)
    if drawn.table is not None:
        tables.show(drawn.table.columns, alt=drawn.table.alt)


def _offers(drawn: Figure, key: str) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        for label, kind, make, says in (
            ("Numbers as CSV", "csv", lambda: to_csv(drawn.rows), "The plotted numbers."),
            ("Picture as SVG", "svg", lambda: to_svg(drawn), _SVG),
        ):
            file = f"{drawn.name}.{kind}"
            offer(label, make, file, f"{kind}_{key}", type="tertiary", help=says)
        if drawn.lines:
            with st.popover("Lines of Python", icon=":material/code:", type="tertiary"):
                # Without colours: those of keywords have too little contrast.
                st.code(drawn.lines, language=None, wrap_lines=True)
                st.caption(_LINES)
        stage.offer()


_SVG = "Its words have room in every common font, so none is cut where the page's font is missing."
_LINES = "They draw this figure again, where the app's packages are installed."


def to_svg(drawn: Figure, width: float = svg.WIDTH) -> str:
    """Return a figure as the text of an SVG file, so many pixels wide."""
    return svg.draw(drawn.figure, ident=drawn.name, alt=drawn.alt, width=width)


def to_csv(rows: Rows) -> str:
    """Return rows as CSV with a header; text that looks like a formula gets a quote.

    >>> print(to_csv([{"site": "=A", "share": 0.5}]), end="")
    site,share
    '=A,0.5
    """
    titles = list(dict.fromkeys(title for row in rows for title in row))
    return csv_text([titles, *([row.get(title) for title in titles] for row in rows)])
