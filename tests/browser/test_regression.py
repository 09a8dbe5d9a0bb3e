"""The regression page in a real Chromium: a run, a stop, a changed slider, a link, a phone."""

from __future__ import annotations

import re
import urllib.parse

SHORT = "/regression?tab=rate&run=replicates:3;epsilon:0.4,0.7,1,1.6;curves:1;n:3000"
LONG = "/regression?tab=rate&run=replicates:500;curves:1"
# How many of the pictures drawn within two seconds lack a piece of text, or show the figure faint.
LACKING = """piece => new Promise(done => {
    const main = document.querySelector("[data-testid=stMain]"), end = performance.now() + 2000;
    let lacking = 0;
    const look = now => {
        const figure = main.querySelector("[data-testid=stElementContainer]:has(.js-plotly-plot)");
        lacking += !main.innerText.includes(piece) || getComputedStyle(figure).opacity < 1;
        now < end ? requestAnimationFrame(look) : done(lacking);
    };
    requestAnimationFrame(look);
})"""


def button(visitor, name: str):  # type: ignore[no-untyped-def]
    return visitor.page.get_by_test_id("stMain").get_by_role("button", name=name, exact=True)


def start(visitor) -> None:  # type: ignore[no-untyped-def]
    button(visitor, "Run").click()
    visitor.page.get_by_test_id("stMain").get_by_role("button", name="Stop").wait_for()


def asked(visitor) -> str:  # type: ignore[no-untyped-def]
    query = urllib.parse.parse_qs(urllib.parse.urlparse(visitor.page.url).query)
    return query.get("run", [""])[0]


def expect_asked(visitor, part: str) -> None:  # type: ignore[no-untyped-def]
    """Wait until the address asks for this; it follows the page."""
    visitor.becomes(lambda: part in asked(visitor), True)


def test_a_run_is_stopped_by_its_button_and_by_a_slider_and_keeps_what_it_has(server, visit):
    visitor = visit(server)
    visitor.open(LONG)
    visitor.expect("Run simulates the estimator")
    start(visitor)
    visitor.expect("simulated points hold")
    assert visitor.page.evaluate(LACKING, "simulated points hold") == 0
    button(visitor, "Stop").click()
    visitor.expect("stopped after", "simulated points hold the exact risk")
    button(visitor, "Run again").click()
    button(visitor, "Stop").wait_for()
    slider = visitor.page.locator('input[type=range][aria-label="Smoothness α"]')
    slider.focus()
    slider.press("ArrowRight")
    visitor.expect("Earlier parameters", "stopped after")
    expect_asked(visitor, "smoothness:1.1")
    visitor.check()


def test_a_budget_moved_redraws_the_same_draw(server, visit):
    visitor = visit(server)
    visitor.open("/regression")
    visitor.expect("At ε = 1, 5 sites", "in this release")
    before = visitor.text()
    slider = visitor.page.locator(".picture input")
    slider.focus()
    slider.press("ArrowLeft")
    visitor.expect("At ε = 0.79, 5 sites")
    expect_asked(visitor, "epsilon:0.79")
    slider.press("ArrowRight")
    visitor.expect(re.search(r"misses the truth by [\d.]+", before)[0])
    visitor.check()
