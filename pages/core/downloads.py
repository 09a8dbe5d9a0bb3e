"""Files to take away; the end of a file's name says of what kind it is."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

_KINDS = {
    "csv": "text/csv",
    "json": "application/json",
    "svg": "image/svg+xml",
    "html": "text/html",
    "tex": "text/x-tex",
    "zip": "application/zip",
    "bib": "text/plain",
}


def offer(
    label: str, data: str | Callable[[], str | bytes], file: str, key: str | None = None, **how: Any
) -> None:
    """Draw a button that downloads a file.

    Args:
        label: What it says.
        data: What the file holds, or what makes it once it is asked for.
        file: Its name.
        key: Widget key.
        **how: More of the button.
    """
    kind = _KINDS[file.rpartition(".")[2]]
    look = {"icon": ":material/download:"} | how
    st.download_button(label, data, file, kind, key=key, on_click="ignore", **look)
