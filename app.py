"""The app: page configuration and the list of pages; nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from pages.parts import shell, state

ROOT = Path(__file__).resolve().parent

PAGES = {
    "Start": [("overview", "Overview", ":material/home:")],
    "My study": [("study", "Study", ":material/groups:")],
}


def render() -> None:
    """Lay out the navigation and run the page that the address names."""
    st.set_page_config(page_title="Rates of private learning", page_icon="⚖️", layout="wide")
    sections: dict[str, list] = {
        "": [st.Page(shell.start, title="Start", default=True, visibility="hidden")]
    }
    for section, entries in PAGES.items():
        sections[section] = [
            st.Page(ROOT / "pages" / f"{stem}.py", title=title, icon=icon, url_path=stem)
            for stem, title, icon in entries
        ]
    page = st.navigation(sections)
    shell.mark_routed()
    state.entered(page.url_path)
    state.load()
    page.run()
    shell.summary()


if __name__ == "__main__":
    render()
