"""The app: page configuration, its doors and what draws their views; nothing else."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

import streamlit as st

from pages import framework
from pages.serve import warm

if __name__ == "__main__":  # for a visitor; a server, which imports this, need not wait for it
    from pages.core import address, inputs, layout, presenter
    from pages.current import bar, state

framework.one_list()
# Scales, as Streamlit draws emojis: to know one it loads a list of all, which takes long.
ICON = (
    "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>"
    "<text y='.9em' font-size='90'>%E2%9A%96%EF%B8%8F</text></svg>"
)

DOORS = {
    "Start": {"overview": "Start"},
    "My study": {"study": "What it costs", "fit": "Does it apply?", "plan": "What would help"},
    "Maps": {
        "phases": "What binds where",
        "resolution": "How much detail",
        "orders": "My own rate",
    },
    "Try it": {
        "classification": "A classifier",
        "regression": "A curve",
        "hybrid": "Volunteers",
        "adaptation": "Public data",
        "logistic": "Which sites to drop",
        "columns": "Split columns",
        "real": "Real records",
    },
    "Teach": {"lessons": "Lessons"},
    "Evidence": {"statements": "Theorems checked", "about": "Papers and terms"},
}
SCREENS = {"present": "Present", "room": "A class"}  # reached by links alone


def render() -> None:
    """Lay out the navigation and run the page that the address names."""
    st.set_page_config(page_title="Rates of private learning", page_icon=ICON, layout="wide")
    doors = {door: _listed(views) for door, views in DOORS.items()}
    start = st.Page(bar.start, title="Start", default=True, visibility="hidden")
    pages = [page for listed in doors.values() for page in listed] + _listed(SCREENS)
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
        with bar.above(doors):
            page.run()
    address.rest()
    warm.shown()


def _listed(views: dict[str, str]) -> list[framework.StreamlitPage]:
    return [st.Page(_function(name), title=title, url_path=name) for name, title in views.items()]


def _function(name: str) -> Callable[[], None]:
    """Return what draws a page; its modules are loaded when it is drawn first."""

    def draw() -> None:
        more = (import_module("pages.plan.report").buttons,) if name == "study" else ()
        warm.view(name).draw(*more)

    return draw


if __name__ == "__main__":
    render()
else:  # what `streamlit run` looks for
    app = st.App(__file__, lifespan=warm.serving)
