"""What every page is laid out with: links to pages, columns, notes on its address, style."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

import rates
from pages.charts import words
from pages.core import address, presenter, url_state
from pages.core.url_state import UrlState
from pages.framework import DeltaGenerator, StreamlitPage
from rates.ledger import entries, entry

PHONE = "room"  # knows no study
# Takes a link to the page Plan to its sites on offer: `link` with what carries the study and this.
OFFERS_OPEN = {"tab": "offers"}
_WIDTH, _FIGURE_WIDTH = 990, 640  # pixels
_ASIDE, ANSWER, ANSWERS = "aside", "answer", "answers"
FIRST, AFTER = "first", "after"  # what a phone shows after the rest of the first container
_FROM_HERE = """export default ({data, parentElement}) => {
    const before = parentElement.dataset.shown;
    parentElement.dataset.shown = data;
    parentElement.style.scrollMarginTop = "5rem";
    const top = parentElement.getBoundingClientRect().top / innerHeight;
    if (before && before !== data && (top < 0 || top > 0.75)) parentElement.scrollIntoView();
}"""
KNOWN = ("at", "detail", "embed", "embed_options", presenter.VIEW, address.MADE)


def beside() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return places for a figure and its controls: side by side where both have room.

    Where it is narrow the figure comes first.
    """
    place = st.container(horizontal=True, gap="medium", width=_WIDTH)
    return place.container(width=_FIGURE_WIDTH), place.container()


def aside(widths: Sequence[int] = (1, 2)) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return columns for the controls and for the figure, once on a page.

    Where it is narrow the figure comes first.
    """
    # Once on a page, as its style goes by a key, of which there is one.
    controls, figure = st.container(key=_ASIDE).columns(list(widths), gap="large")
    return controls, figure


def from_here(key: str, shown: str) -> None:
    """Bring what follows to the top of the screen once something else is shown than before.

    Streamlit stays where the last button was, which may be far below. What begins on the screen
    already, not at its foot, stays where it is.

    Args:
        key: Widget key, unique on the page.
        shown: Names what follows.
    """
    st.components.v2.component("from_here", js=_FROM_HERE, isolate_styles=False)(
        key=key, data=shown
    )


def enter(pages: Mapping[str, StreamlitPage]) -> None:
    """Note the pages of the app, by their names in an address; for the start of a run."""
    st.session_state[address.PAGES] = pages


def page(name: str) -> StreamlitPage:
    """Return a page, for a link."""
    found: StreamlitPage = st.session_state[address.PAGES][name]
    return found


def bare() -> bool:
    """Whether the address asks for a page to print, without the bar."""
    return address.get("view") in ("sheet", "letter")


def address_notes(*read: UrlState[Any]) -> None:
    """Say what in the address could not be used; a page names what it reads besides the study."""
    study = url_state.carried()
    for problem in study.problems if study else ():
        st.error(f"The study in the address could not be opened. {words.plain(problem)}")
    states = (*read, study) if study else read
    known = {*KNOWN, *(name for state in states for name in state.names)}
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


def link(name: str, label: str, icon: str = "", query: Mapping[str, str] | None = None) -> None:
    """Draw a link to a page, with an icon of Material Symbols."""
    shown = f":material/{icon}:" if icon else None
    st.page_link(page(name), label=label, icon=shown, query_params=query or None)


MOST = 6


def statement_link(name: str, label: str = "") -> None:
    """Lead to one statement of the ledger."""
    link("statements", label or words.md(entry(name).title), "fact_check", {"id": name})


def statements_used(stem: str, paper: str = "") -> None:
    """List the corrected statements that a page uses, each with its reason and example."""
    of_page = [item for item in entries() if stem in item.pages and paper in ("", item.paper)]
    found = [item for item in of_page if len(item.forms) > 1]
    if not found:
        return
    st.markdown("**Corrected statements used here**, each with its reason and its test:")
    with st.container(gap="xsmall"):
        for item in found[:MOST]:
            statement_link(item.id)
        if len(found) > MOST:
            query = {"page": stem, **({"paper": paper} if paper else {})}
            link("statements", f"The other {len(found) - MOST}, in the ledger", "list", query)
