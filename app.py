"""The app: page configuration, the list of pages and their functions; nothing else."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import streamlit as st
from streamlit.navigation.page import StreamlitPage
from streamlit.runtime.pages_manager import PagesManager

from pages.serve import warm

if __name__ == "__main__":  # for a visitor; a server, which imports this, need not wait for it
    from pages.core import address, inputs, layout, presenter
    from pages.current import side_bar, state

# The list of pages is here: without this a server that has not run it yet takes the folder `pages`
# for one of scripts, and an address for one of them.
PagesManager.uses_pages_directory = False
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
    st.set_page_config(page_title="Rates of private learning", page_icon=ICON, layout="wide")
    sections = {section: _listed(entries) for section, entries in PAGES.items()}
    start = st.Page(side_bar.start, title="Start", default=True, visibility="hidden")
    pages = [page for listed in sections.values() for page in listed] + _listed(SCREENS)
    page = st.navigation([start, *pages], position="hidden")
    layout.enter({page.url_path: page for page in pages})
    state.enter(page.url_path)
    if page.url_path == layout.PHONE:
        inputs.apply_inputs()
    else:
        state.load()
    if page.url_path in ("present", layout.PHONE) or (
        page.url_path == "statements" and layout.bare()
    ):
        page.run()
    elif presenter.asked():
        presenter.show(page)
    else:
        presenter.begin()
        beside = side_bar.SideBar(sections)
        try:
            page.run()
        finally:
            beside.refresh()
    address.rest()
    warm.shown()


def _listed(entries: list[tuple[str, str, str]]) -> list[StreamlitPage]:
    return [
        st.Page(_function(name), title=title, icon=icon, url_path=name)
        for name, title, icon in entries
    ]


def _function(name: str) -> Callable[[], None]:
    """Return what draws a page; its modules are loaded when it is drawn first."""

    def draw() -> None:
        if name == "room":
            import_module("pages.classroom.phone").draw()
        elif name == "study":
            import_module("pages.study.page").draw(import_module("pages.plan.report").buttons)
        else:  # a package with a module `page`, or one module
            view = import_module(f"pages.{name}")
            (view if hasattr(view, "draw") else import_module(f"pages.{name}.page")).draw()

    return draw


if __name__ == "__main__":
    render()
else:  # what `streamlit run` looks for
    app = st.App(__file__, lifespan=warm.serving, middleware=warm.layers())
