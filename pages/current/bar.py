"""The bar above every page: six doors, the views of the open one, and the current study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.core import address, controls, layout, presenter
from pages.current import state
from rates.study import Study

FIRST = "overview"
_BAR = "bar"
Doors = Mapping[str, Sequence[StreamlitPage]]


def start() -> None:
    """Send the bare address to the first page, keeping a study in the address."""
    st.switch_page(layout.page(FIRST), query_params=address.everything())


class Bar:
    """The way to all pages, and to the current study.

    The links carry the study, so that a page opened in a new tab, or found again by Back,
    shows the same one. On a page that is entered they are drawn before it, and again if the page
    changed the study; on one that is there already they stand, and are drawn once, after it.
    """

    def __init__(self, doors: Doors) -> None:
        self.doors = doors
        self.drawn: object = None
        stands = st.session_state.get(_BAR) == address.page()
        # A container keeps what it shows until it is drawn again. Either way the rows lie equally
        # deep: else those of before and those that come would mix while a page is drawn.
        outer = st.container(key=_BAR)
        self.place = outer.container(gap=None) if stands else outer.empty()
        self.stands = stands
        if not stands:
            self.refresh()
        presenter.style()

    def refresh(self) -> None:
        """Draw unless that was done for this study."""
        if state.current() != self.drawn:
            self.drawn = state.current()
            with self.place if self.stands else self.place.container(gap=None):
                self._draw()
        st.session_state[_BAR] = address.page()

    def _draw(self) -> None:
        carried, here = state.carried(), layout.page(address.page() or FIRST)
        views = next((pages for pages in self.doors.values() if here in pages), ())
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="doors"):
            _link(layout.page(FIRST), "**Private·Rates**", carried, "")
            for door, pages in self.doors.items():
                _link(pages[0], door, carried, "door_here" if pages is views else "")
            st.space("stretch")
            study = layout.page("study")
            icon = ":material/groups:"
            _link(study, summary(state.current()), carried, "chip_of_study", icon)
            menu = controls.chip("bar_menu", ":material/menu: Menu")
        if menu is not None:
            with menu:
                for door, pages in self.doors.items():
                    st.markdown(f"**{door}**")
                    for page in pages:
                        st.page_link(page, query_params=carried)
        if len(views) > 1:
            with st.container(horizontal=True, gap="xsmall", key="views"):
                for page in views:
                    _link(page, page.title, carried, "view_here" if page is here else "")


def _link(
    page: StreamlitPage, label: str, carried: dict[str, str] | None, key: str, icon: str = ""
) -> None:
    """Draw one link of the bar; the style knows the open one by its key."""
    place = st.container(width="content", key=key) if key else st
    place.page_link(page, label=label, icon=icon or None, width="content", query_params=carried)


def summary(study: Study) -> str:
    """Say how large a study is.

    >>> from rates.study import preset
    >>> summary(preset("hospitals").study)
    '4 sites · 702 records'
    """
    sites = sum(s.count for s in study.servers)
    records = sum(s.n * s.count for s in study.servers)
    return f"{sites:,} {'site' if sites == 1 else 'sites'} · {records:,} records"
