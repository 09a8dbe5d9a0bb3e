"""The frame around every page: its side bar, with the way to the others and the current study."""

from __future__ import annotations

import streamlit as st

from pages.charts import words
from pages.core import address, layout
from pages.current import state
from rates.study import Study, TransferStudy

FIRST = "overview"
_SIDE_BAR = "side_bar"


def start() -> None:
    """Send the bare address to the first page, keeping a study in the address."""
    st.switch_page(layout.page(FIRST), query_params=address.everything())


class SideBar:
    """Navigation and three lines about the current study.

    The links carry the study, so that a page opened in a new tab, or found again by Back,
    shows the same one. On a page that is entered they are drawn before it, and again if the page
    changed the study; on one that is there already they stand, and are drawn once, after it.
    """

    def __init__(self, sections: dict[str, list]) -> None:
        self.sections = sections
        self.drawn: object = None
        stands = st.session_state.get(_SIDE_BAR) == address.page()
        # A container keeps what it shows until it is drawn again. Either way the rows lie equally
        # deep: else those of before and those that come would mix while a page is drawn.
        self.place = st.sidebar.container(gap="xsmall") if stands else st.sidebar.empty()
        self.stands = stands
        if not stands:
            self.refresh()
        with st.sidebar:  # where a place that is still empty moves nothing
            st.components.v2.component("layout", css=layout.STYLE, isolate_styles=False)(
                key="layout"
            )

    def refresh(self) -> None:
        """Draw unless that was done for this study, and what is said about it."""
        if (state.current(), state.scope()) != self.drawn:
            self.drawn = state.current(), state.scope()
            self._draw()
        st.session_state[_SIDE_BAR] = address.page()

    def _draw(self) -> None:
        carried = state.carried()
        with self.place if self.stands else self.place.container(gap="xsmall"):
            for section, pages in self.sections.items():
                st.markdown(f"**{section}**")
                for page in pages:
                    st.page_link(page, query_params=carried)
            st.divider()
            st.markdown(_summary(state.current()))


def _summary(study: Study) -> str:
    """Three lines about a study."""
    private = sorted({s.epsilon for s in study.servers if s.private})
    sites = sum(s.count for s in study.servers)
    records = sum(s.n * s.count for s in study.servers)
    kind = "Classifier" if isinstance(study, TransferStudy) else "Curve"
    ends = [words.number(x) for x in (private[:1] + private[-1:])]
    budgets = words.span(*ends) if ends else "none, all unprotected"
    return (
        f"**Current study**  \n{kind}: {sites:,} {'site' if sites == 1 else 'sites'}, "
        f"{records:,} records  \nBudgets ε: {budgets}"
    )
