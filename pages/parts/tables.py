"""Wide tables that a keyboard can scroll on a phone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st


def wide(columns: Mapping[str, Sequence[str]], *, alt: str) -> None:
    """Show columns of text as a grid; a plain table would scroll out of the keyboard's reach."""
    st.dataframe(dict(columns), hide_index=True, alt=alt)
