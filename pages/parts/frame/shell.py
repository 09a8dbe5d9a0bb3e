"""The frame every page lives in: cold links, the start page, the side bar."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

import rates
from pages.figures.chart import words
from pages.parts.frame import stage
from pages.parts.session import Bound, address, state
from rates.study import Study, TransferStudy

ROOT = Path(__file__).resolve().parents[3]
FIRST_PAGE = "pages/overview.py"
PHONE = "room"  # knows no study
# Takes a link to the page Plan to its sites on offer: ``st.page_link(page("plan"), query_params=``
# what carries the study, with this.
OFFERS_OPEN = {"offers": "open"}
_WIDTH, _FIGURE_WIDTH = 900, 530  # pixels
_ASIDE, ANSWER, _SIDE_BAR = "aside", "answer", "side_bar"
# Columns stand below each other where one would be too narrow to read: Streamlit goes by the width
# of the window, not by that of the page beside a side bar. And it cuts links that do not fit.
# While a live run goes on nothing fades, though a step takes longer than Streamlit's patience,
# and an answer has room for three lines, so that one that grows moves nothing below it;
# where it is narrow so has the row of a run, whose words break into two.
_STYLE = f"""
.st-key-layout {{ display: none; }}
[data-testid=stColumn] {{ min-width: min(100%, 13rem); }}
[data-testid=stColumn]:has([data-testid=stPlotlyChart]) {{ min-width: min(100%, 20rem); }}
[data-testid=stColumn]:has(.katex) {{ min-width: min(100%, 24rem); }}
.st-key-{_ASIDE} > * > [data-testid=stHorizontalBlock] {{ flex-wrap: wrap-reverse; }}
[data-testid=stApp]:has([class*=st-key-stop_]) [data-stale=true] {{
    opacity: 1 !important; transition: none !important;
}}
.st-key-{ANSWER} {{ min-height: 4.8rem; }}
@media (max-width: 1200px) {{
    [class*=st-key-live_row] {{ min-height: 3.4rem; }}
}}
.stMarkdownBadge {{ white-space: normal !important; }}
[data-testid=stMain] [data-testid=stPageLink] :is(a, span, p) {{
    white-space: normal; overflow: visible;
}}
"""
# A page on paper: who comes to it from another page leaves an empty side bar behind.
_PAPER = """
.st-key-paper, [data-testid=stSidebar] { display: none; }
.stMarkdownBadge { white-space: normal !important; }
"""
_FROM_HERE = """export default ({data, parentElement}) => {
    const before = parentElement.dataset.shown;
    parentElement.dataset.shown = data;
    parentElement.style.scrollMarginTop = "5rem";
    if (before && before !== data) parentElement.scrollIntoView();
}"""
KNOWN = (state.PARAMETER, "at", "detail", "embed", "embed_options", stage.VIEW, address.MADE)


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
    if address.page() == PHONE:
        state.settle()
    else:
        state.load()


def start() -> None:
    """Send the bare address to the first page, keeping a study in the address."""
    st.switch_page(str(ROOT / FIRST_PAGE), query_params=address.everything())


def beside() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return places for a figure and its controls: side by side where both have room.

    Where it is narrow the figure comes first.
    """
    place = st.container(horizontal=True, gap="medium", width=_WIDTH)
    return place.container(width=_FIGURE_WIDTH), place.container()


def aside() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return columns for the controls and for the figure, once on a page.

    Where it is narrow the figure comes first.
    """
    controls, figure = st.container(key=_ASIDE).columns([1, 2], gap="large")
    return controls, figure


def from_here(key: str, shown: str) -> None:
    """Bring what follows to the top of the screen once something else is shown than before.

    Streamlit stays where the last button was, which may be far below.

    Args:
        key: Widget key, unique on the page.
        shown: Names what follows.
    """
    st.components.v2.component("from_here", js=_FROM_HERE, isolate_styles=False)(
        key=key, data=shown
    )


def page(stem: str) -> str:
    """Return the file of a page, for a link."""
    return str(ROOT / "pages" / f"{stem}.py")


def bare() -> bool:
    """Whether the address asks for a page to print, without side bar."""
    return address.get("view") in ("print", "letter")


def paper() -> None:
    """Take away what of the side bar is left; for a page to print, whoever comes from where."""
    st.components.v2.component("paper", css=_PAPER, isolate_styles=False)(key="paper")


def address_notes(*read: Bound[Any]) -> None:
    """Say what in the address could not be used; a page names what it reads besides."""
    for problem in state.STUDY.problems:
        st.error(f"The study in the address could not be opened. {words.plain(problem)}")
    known = {*KNOWN, *(name for bound in read for name in bound.names)}
    unknown = [key for key in address.everything() if key not in known]
    if unknown:
        shown = ", ".join(words.md(key[:40]) for key in unknown[:3])
        st.warning(
            f"The address also holds {shown}, which this page does not use. The link may have "
            "been made for another page."
        )
    if (made := address.get(address.MADE)) not in ("", rates.__version__):
        st.caption(
            f"This link was made by version {words.md(made[:40])}; this is "
            f"{words.md(rates.__version__)}. Numbers may differ where the program was mended since."
        )


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
            st.components.v2.component("layout", css=_STYLE, isolate_styles=False)(key="layout")

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
