"""Live runs in a real browser: watch, stop, change during a run, two visitors, link, files."""

from __future__ import annotations

import csv
import json
import re

from sims.engine.runs import run
from sims.files import read_request, to_csv
from tests.browser.helpers import download, query, slide, unfold

LONG = "replicates:20000;n:10000,30000,100000,300000"
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
SHORT = "replicates:20;n:10000,30000,100000;seed:4"


def button(visitor, key: str):
    """Run, stop or CSV, of the tab with the rate."""
    return visitor.page.locator(f".st-key-{key}_classification_rate button")


def replicates(visitor) -> int:
    """The largest number of replicates in the answer."""
    found = re.search(r"points? and ([\d,]+)(?: to ([\d,]+))? replicates", visitor.text())
    return int((found[2] or found[1]).replace(",", "")) if found else 0


def begun(visitor) -> int:
    """Press Run; return how many replicates the first answer has."""
    button(visitor, "run").click()
    assert visitor.until(lambda: replicates(visitor) > 0), visitor.text()
    return replicates(visitor)


def markers(visitor) -> int:
    """Points that the figure shows."""
    return visitor.page.locator(".js-plotly-plot .scatterlayer .points path").count()


def test_points_arrive_and_stop_keeps_them(visit):
    link = f"/classification?tab=rate&run={LONG}"
    visitor = visit(link, "computed without simulation", "12 points times 20,000 replicates")
    assert replicates(visitor) == 0
    first = begun(visitor)
    assert visitor.until(lambda: markers(visitor) >= 12)
    assert visitor.page.evaluate(LACKING, "fitted slopes agree") == 0
    assert visitor.until(lambda: replicates(visitor) > first)
    visitor.expect("s left")
    button(visitor, "stop").click()
    visitor.expect("stopped after")
    kept = replicates(visitor)
    assert kept >= first
    visitor.settle()  # a run that goes on would draw several times meanwhile
    assert replicates(visitor) == kept
    assert markers(visitor) >= 12


def test_a_slider_during_a_run_stops_it_and_names_the_old_numbers(visit):
    visitor = visit(f"/classification?tab=rate&run={LONG}")
    first = begun(visitor)
    fold = visitor.page.locator("summary").filter(has_text="World, mechanism, exact lists")
    fold.click()  # which is drawn then, and stops nothing
    visitor.page.get_by_role("textbox", name="epsilon, exact list").wait_for()
    assert visitor.until(lambda: replicates(visitor) > first)
    slide("Seed")(visitor)
    visitor.expect("Earlier parameters", "stopped after", "Run with seed 0")
    kept = replicates(visitor)
    assert kept > 0
    visitor.becomes(lambda: "seed:1" in query(visitor)["run"], True)
    visitor.settle()
    assert replicates(visitor) == kept
    button(visitor, "run").click()
    visitor.becomes(lambda: "Earlier parameters" in visitor.text(), False)
    button(visitor, "stop").click()
    visitor.expect("Run with seed 1 stopped after")


def test_a_link_restores_a_run_and_its_files_repeat_it(visit):
    visitor = visit(f"/classification?tab=rate&run={SHORT}", "9 points times 20 replicates, seed 4")
    button(visitor, "run").click()
    visitor.expect("Run with seed 4 finished in")
    text = download(visitor, button(visitor, "csv")).read_text("utf-8")
    unfold(visitor, "What repeats this run")
    code = visitor.page.get_by_test_id("stCode").filter(has_text="parameters")
    written = code.inner_text()
    *_, last = run(read_request(written))
    rows, again = (
        [line for line in lines.splitlines() if not line.startswith("#")]
        for lines in (text, to_csv(last))
    )
    assert rows == again
    told = json.loads(re.search(r"# parameters (.*)", text)[1])
    assert json.loads(written)["parameters"] == told
    assert {row["series"] for row in csv.DictReader(rows)} == {"no privacy", "ε = 1", "ε = 0.1"}
