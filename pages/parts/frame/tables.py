"""Wide tables that a keyboard can scroll on a phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st


def wide(columns: Mapping[str, Sequence[str]], *, alt: str, pinned: str | None = None) -> None:
    """Show columns of text as a grid; a plain table would scroll out of the keyboard's reach.

    The pinned column stays in sight while the others scroll.
    """
    config = {pinned: st.column_config.TextColumn(pinned=True)} if pinned else None
    st.dataframe(dict(columns), hide_index=True, alt=alt, column_config=config)
