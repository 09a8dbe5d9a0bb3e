"""While a run goes on its row keeps its height, and nothing of the bar moves."""

from __future__ import annotations

import pytest

from tests.browser.helpers import button

# Every picture that is drawn from now on: heights of the row of the run, places of the bar's
# rows, and how many of the pictures show the run going on.
WATCH = """() => {
    const seen = window.__seen = {heights: [], places: [], running: 0};
    const keep = (list, one) => list.includes(one) || list.push(one);
    const look = () => {
        const row = document.querySelector("[data-testid=stMain] [class*=st-key-live_row]");
        keep(seen.heights, row ? row.getBoundingClientRect().height : 0);
        const rows = document.querySelectorAll(".st-key-bar :is(a, p)");
        keep(seen.places, [...rows].map(one => one.getBoundingClientRect().top).join(" "));
        seen.running += row?.querySelector("[class*=st-key-stop_] button") ? 1 : 0;
        requestAnimationFrame(look);
    };
    look();
}"""
RUNS = {
    "regression": "tab=rate&run=curves:1;n:3000;replicates:50"
    ";epsilon:0.4,0.5,0.6,0.7,0.8,0.9,1,1.2,1.4,1.6",
    "hybrid": "tab=parity&run=bits:64;extra:0,5,50;replicates:200",
}


@pytest.mark.parametrize(
    ("page", "width"), [("regression", 1280), ("hybrid", 1100), ("hybrid", 390)]
)
def test_nothing_moves_while_a_run_goes_on(walk, page, width):
    """From before Run is pressed until it has finished, picture by picture; some words break."""
    visitor = walk(f"/{page}?{RUNS[page]};seed:{width}", width=width)
    run = button(visitor, "Run")
    run.wait_for()
    visitor.still()
    visitor.page.evaluate(WATCH)
    run.click()
    visitor.expect("finished in")
    visitor.still()
    seen = visitor.page.evaluate("window.__seen")
    assert seen["running"] > 1
    assert len(seen["heights"]) == 1, seen["heights"]
    assert seen["places"][0]
    assert len(seen["places"]) == 1, seen["places"]
    visitor.check()
