"""A page made of tabs with live runs: title, answer, tabs, address, and the run's next step."""

from __future__ import annotations

import streamlit as st

from pages.parts.frame import shell
from pages.parts.live import panel
from pages.parts.live.tab import Tab, draw, folds
from pages.parts.live.tabs import Open, Tabs
from pages.parts.session import publish, state


def show(title: str, *tabs: Tab) -> None:
    """Draw a page with the tab that is open.

    Args:
        title: The question that it answers.
        tabs: Its tabs; the first one is open at first.
    """
    by_name = {tab.name: tab for tab in tabs}
    st.title(title)
    place = st.empty()
    held = Tabs.of(tabs[0].page, {name: tab.usual for name, tab in by_name.items()})
    shell.address_notes(held)
    held.load()
    shown = by_name[held.bar({name: tab.title for name, tab in by_name.items()})]
    source = Open(held, shown.name)
    draw(shown, source, place)
    folds(shown, source.plan)
    publish(held, state.STUDY)
    panel.go_on()
