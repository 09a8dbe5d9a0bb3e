"""The bar above every page: six doors, the views of the open one, and the current study."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from pages.core import address, layout, presenter
from pages.current import state
from pages.framework import DeltaGenerator, StreamlitPage
from rates.study import Study

FIRST = "overview"
_BAR, _STANDS = "bar", "bar_stands"
_JS, _CSS = (Path(__file__).with_name(f"bar.{end}").read_text("utf-8") for end in ("js", "css"))
_HTML = """<nav aria-label="Views"><div class="doors"></div><div class="study"></div>
<div class="views"></div><details><summary>Menu</summary><div class="menu"></div></details></nav>"""
Doors = Mapping[str, Sequence[StreamlitPage]]


def start() -> None:
    """Send the bare address to the first page, keeping a study in the address."""
    st.switch_page(layout.page(FIRST), query_params=address.everything())


@contextmanager
def above(doors: Doors) -> Iterator[None]:
    """Draw the way to all pages, and to the current study, above what is drawn within.

    The links carry the study, so that a page opened in a new tab, or found again by Back, shows
    the same one. On a page that is entered they are drawn before it; on one that is there already
    they stand, and are drawn after it, as it may change the study. One element shows them all: each
    of Streamlit's own links would be a message of every run.
    """
    place, study = st.container(key=_BAR), state.current()
    stood = st.session_state.get(_STANDS) == address.page()
    st.session_state[_STANDS] = address.page()
    if not stood:
        _draw(place, doors)
    try:
        yield
    finally:
        if stood:
            _draw(place, doors)
    # The links carry the study as it was before the page took something over.
    if not stood and state.current() != study:
        st.rerun()


def _draw(place: DeltaGenerator, doors: Doors) -> None:
    css = f"{_CSS}\n{presenter.sheet_text('layout')}"  # one message of every run less
    bar = st.components.v2.component(_BAR, html=_HTML, css=css, js=_JS, isolate_styles=False)
    with place:
        bar(key="links", data=_links(doors))


def _links(doors: Doors) -> dict[str, list[dict[str, object]]]:
    """Return what each part of the bar shows: words, where they lead, whether one is there."""
    query = urllib.parse.urlencode(state.carried() or {})
    here = address.page() or FIRST

    def link(text: str, page: str, there: bool = False) -> dict[str, object]:
        return {"text": text, "href": f"{page}?{query}" if query else page, "here": there}

    listed = {
        door: [link(page.title, page.url_path, page.url_path == here) for page in pages]
        for door, pages in doors.items()
    }
    views = next((x for x in listed.values() if any(one["here"] for one in x)), [])
    first = [link(door, x[0].url_path, listed[door] is views) for door, x in doors.items()]
    menu: list[dict[str, object]] = []
    for door, x in listed.items():
        menu += [{"text": door, "href": ""}, *x]
    return {
        "doors": [link("Private·Rates", FIRST), *first],
        "study": [link("no sites yet" if state.fresh() else summary(state.current()), "study")],
        "menu": menu,
        # A door with one view says that already.
        "views": views if len(views) > 1 else [],
    }


def summary(study: Study) -> str:
    """Say how large a study is.

    >>> from rates.study import preset
    >>> summary(preset("hospitals").study)
    '4 sites · 702 records'
    """
    sites = sum(s.count for s in study.servers)
    records = sum(s.n * s.count for s in study.servers)
    return f"{sites:,} {'site' if sites == 1 else 'sites'} · {records:,} records"
