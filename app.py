"""The app: page configuration and the list of pages; nothing else."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.parts.serve import ahead, warm

if __name__ == "__main__":  # for a visitor; a server, which imports this, need not wait for it
    from pages.parts.frame import shell, stage
    from pages.parts.session import address, brought, state

ROOT = Path(__file__).resolve().parent
# Scales, as Streamlit draws emojis: to know one it loads a list of all, which takes long.
ICON = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>"
    "<text y='.9em' font-size='90'>%E2%9A%96%EF%B8%8F</text></svg>"
)

PAGES = {
    "Start": [("overview", "Overview", ":material/home:")],
    "My study": [
        ("study", "Study", ":material/groups:"),
        ("fit", "Fit", ":material/checklist:"),
        ("plan", "Plan", ":material/route:"),
    ],
    "Theory": [
        ("orders", "Orders", ":material/function:"),
        ("phases", "Phases", ":material/map:"),
        ("resolution", "Resolution", ":material/zoom_in:"),
    ],
    "Other models": [
        ("hybrid", "Hybrid", ":material/volunteer_activism:"),
        ("adaptation", "Adaptation", ":material/compare_arrows:"),
        ("logistic", "Logistic", ":material/filter_alt:"),
    ],
    "Simulation": [
        ("classification", "Classification", ":material/scatter_plot:"),
        ("regression", "Regression", ":material/show_chart:"),
    ],
    "Check": [("statements", "Statements", ":material/fact_check:")],
    "Teach": [("lessons", "Lessons", ":material/school:")],
    "About": [("about", "Papers and terms", ":material/menu_book:")],
}
SCREENS = [  # reached by links alone
    ("present", "Present", ":material/slideshow:"),
    ("room", "A class", ":material/smartphone:"),
]


def render() -> None:
    """Lay out the navigation and run the page that the address names."""
    brought.watch()
    st.set_page_config(page_title="Rates of private learning", page_icon=ICON, layout="wide")
    sections = {section: _listed(entries) for section, entries in PAGES.items()}
    start = st.Page(shell.start, title="Start", default=True, visibility="hidden")
    listed = [page for pages in sections.values() for page in pages]
    page = st.navigation([start, *listed, *_listed(SCREENS)], position="hidden")
    shell.mark_routed()
    state.enter(page.url_path)
    if page.url_path != shell.PHONE:
        state.load()
    if page.url_path in ("present", shell.PHONE) or (
        page.url_path == "statements" and shell.bare()
    ):
        page.run()
    elif stage.asked():
        stage.show(page)
    else:
        stage.begin()
        side_bar = shell.SideBar(sections)
        try:
            page.run()
        finally:
            side_bar.refresh()
    brought.say()
    brought.forget()
    address.rest()
    warm.shown()


def _listed(entries: list[tuple[str, str, str]]) -> list[StreamlitPage]:
    return [
        st.Page(ROOT / "pages" / f"{stem}.py", title=title, icon=icon, url_path=stem)
        for stem, title, icon in entries
    ]


if __name__ == "__main__":
    render()
else:  # what `streamlit run` looks for
    app = st.App(__file__, lifespan=warm.serving, middleware=ahead.layers())
