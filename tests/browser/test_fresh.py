"""A page that has just been opened: its runs begin, and its fields show what they were drawn with.

In a browser alone: without one every field is drawn at once, and brings back what it holds.
"""

from __future__ import annotations

import re
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Error

from tests.browser.conftest import ROOT
from tests.browser.layout import EVERY, STOPS, tabs

LOOKED_AT = 3_000  # milliseconds between opening a page and the first press
RUN = "[data-testid=stMain] [class*=st-key-run_] button"
STOP = "[data-testid=stMain] [class*=st-key-stop_] button"
ALERT = "[data-testid=stMain] [data-testid=stAlert]"
FIELDS = re.compile(r"/(TextInput|NumberInput|TextArea|Slider|Selectbox|Radio|ButtonGroup)\.")
HELD = """() => [...document.querySelectorAll("[data-testid=stMain] :is(input, textarea)")]
    .filter(one => !one.closest(".picture"))
    .map(one => [one.ariaLabel, one.type,
        ["radio", "checkbox"].includes(one.type) || one.value, one.checked])"""
LIVE = [
    page
    for page in EVERY
    if any("pages.core.live" in one.read_text() for one in (ROOT / "pages" / page).glob("*.py"))
]


def some(pages: list[str], *chosen: str) -> list[Any]:
    """Some pages are for the deep run; all of them take minutes."""
    return [x if x in chosen else pytest.param(x, marks=pytest.mark.slow) for x in pages]


def look(visitor) -> None:
    """Look at the page before acting: what comes late has come."""
    visitor.page.wait_for_timeout(LOOKED_AT)


def begun(visitor) -> bool:
    """Whether a run goes on, or has been told of as over."""
    return bool(visitor.page.locator(STOP).count()) or "Run with seed" in visitor.text()


@pytest.mark.parametrize("page", some(LIVE, "adaptation"))
def test_the_first_press_on_a_fresh_page_runs_what_it_shows(visit, page):
    runs = 0
    for link in (f"/{page}", *(f"/{page}?tab={tab}" for tab in tabs(page))):
        visitor = visit()
        visitor.page.goto(f"{visitor.address}{link}")
        stopping = visitor.page.evaluate(f"({STOPS})()")  # a run that begins by itself
        visitor.settle()
        visitor.page.evaluate("clearInterval", stopping)
        button, alerts = visitor.page.locator(RUN), visitor.page.locator(ALERT)
        look(visitor)
        if not button.count():
            continue
        runs += 1
        before = alerts.all_inner_texts()
        button.first.click()
        assert visitor.until(lambda one=visitor: begun(one)), link
        look(visitor)
        for stop in visitor.page.locator(STOP).all():
            with suppress(Error):  # a run that has just ended took its button away
                stop.click(timeout=LOOKED_AT)
        visitor.settle()
        assert alerts.all_inner_texts() == before, link
    assert runs


@pytest.mark.parametrize("page", some(EVERY, "plan", "fit", "regression"))
def test_a_field_that_is_drawn_late_shows_what_the_page_was_drawn_with(visit, walk, page):
    """The script runs again and again before the browser has what draws the fields."""
    late, waiting, hold = visit(), [], [True]
    visitor = walk(f"/{page}")
    late.page.route(FIELDS, lambda one: waiting.append(one) if hold else one.continue_())
    late.open(f"/{page}")
    for turn in range(2):
        late.turn(f"/{page}?turn={turn}")
    wanted = visitor.page.evaluate(HELD)  # long after it was opened: what comes late has come
    # A page may have no field before something is opened.
    assert (late.page.evaluate(HELD) == wanted) == (not (waiting and wanted))
    hold.clear()
    for one in waiting:
        one.continue_()
    late.becomes(lambda: late.page.evaluate(HELD), wanted)
    late.page.unroute(FIELDS)
