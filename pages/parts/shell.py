"""The frame every page lives in: cold links, the start page, the side bar."""

from __future__ import annotations

import runpy
from pathlib import Path

import streamlit as st

ROOT = Path(__file__).resolve().parents[2]
FIRST_PAGE = "pages/study.py"


def mark_routed() -> None:
    """Remember that this session has the navigation."""
    st.session_state["_routed"] = True


def route() -> None:
    """Run the whole app where a cold server was asked for a page file directly.

    Until some session has called ``st.navigation`` the server takes a page's address for
    a lone script, without navigation and title. So every page calls this first.
    """
    if not st.session_state.get("_routed"):
        runpy.run_path(str(ROOT / "app.py"), run_name="__main__")
        st.stop()


def start() -> None:
    """Send the bare address to the first page, keeping a study in the address."""
    st.switch_page(str(ROOT / FIRST_PAGE), query_params=dict(st.query_params))
