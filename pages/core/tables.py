"""Tables: a grid that a keyboard can scroll, and rows of sentences that wrap."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

Columns = Mapping[str, Sequence[str]]


def show(columns: Columns, *, alt: str, pinned: str | None = None) -> None:
    """Show columns of text as a grid; a plain table would scroll out of the keyboard's reach.

    The pinned column stays in sight while the others scroll.
    """
    config = {pinned: st.column_config.TextColumn(pinned=True)} if pinned else None
    st.dataframe(_arrow(columns), hide_index=True, alt=alt, column_config=config)


def wrapped(columns: Columns) -> None:
    """Show two or three columns of Markdown, which wrap where a grid would cut them."""
    st.table(dict(columns))


def _arrow(columns: Columns) -> Any:
    """Return columns as they are sent, without the way through pandas, which takes ten times."""
    # Loaded by the first table; where there is no server a small writer of ours stands in, which
    # knows pandas alone.
    made = getattr(importlib.import_module("pyarrow"), "table", dict)
    return made({title: list(texts) for title, texts in columns.items()})
