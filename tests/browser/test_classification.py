"""Live runs in a real browser: watch, stop, change during a run, two visitors, link, files."""

from __future__ import annotations

import csv
import json
import re

from sims.engine.runs import run
from sims.files import read_request, to_csv

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


def button(visitor, key):  # type: ignore[no-untyped-def]
    return visitor.page.locator(f".st-key-{key} button")


def replicates(visitor) -> int:
    """The largest number of replicates in the answer."""
    found = re.search(r"points? and ([\d,]+)(?: to ([\d,]+))? replicates", visitor.text())
    return int((found[2] or found[1]).replace(",", "")) if found else 0


def wait_for(visitor, what) -> None:  # type: ignore[no-untyped-def]
    assert visitor.until(what), f"Waited in vain: {visitor.text()[:600]}"


def markers(visitor) -> int:
    """Points that the figure shows."""
    return visitor.page.locator(".js-plotly-plot .scatterlayer .points path").count()


def test_points_arrive_and_stop_keeps_them(server, visit):
    visitor = visit(server)
    visitor.open(f"/classification?tab=rate&run={LONG}")
    visitor.expect("computed without simulation", "12 points times 20,000 replicates")
    assert replicates(visitor) == 0
    button(visitor, "run_classification_rate").click()
    wait_for(visitor, lambda: replicates(visitor) > 0)
    wait_for(visitor, lambda: markers(visitor) >= 12)
    first = replicates(visitor)
    assert visitor.page.evaluate(LACKING, "fitted slopes agree") == 0
    wait_for(visitor, lambda: replicates(visitor) > first)
    visitor.expect("s left")
    button(visitor, "stop_classification_rate").click()
    visitor.expect("stopped after")
    kept = replicates(visitor)
    assert kept >= first
    visitor.settle()  # a run that goes on would draw several times meanwhile
    assert replicates(visitor) == kept
    assert markers(visitor) >= 12
    visitor.check()


def test_a_slider_during_a_run_stops_it_and_names_the_old_numbers(server, visit):
    visitor = visit(server)
    visitor.open(f"/classification?tab=rate&run={LONG}")
    button(visitor, "run_classification_rate").click()
    wait_for(visitor, lambda: replicates(visitor) > 0)
    slider = visitor.page.locator('input[type=range][aria-label="Seed"]')
    slider.focus()
    slider.press("ArrowRight")
    visitor.expect("Earlier parameters", "stopped after", "Run with seed 0")
    kept = replicates(visitor)
    assert kept > 0
    wait_for(visitor, lambda: "seed:1" in visitor.page.url.replace("%3A", ":"))
    visitor.settle()
    assert replicates(visitor) == kept
    button(visitor, "run_classification_rate").click()
    wait_for(visitor, lambda: "Earlier parameters" not in visitor.text())
    button(visitor, "stop_classification_rate").click()
    visitor.expect("Run with seed 1 stopped after")
    visitor.check()


def test_a_link_restores_a_run_and_its_files_repeat_it(server, visit, tmp_path):
    visitor = visit(server)
    visitor.open(f"/classification?tab=rate&run={SHORT}")
    visitor.expect("9 points times 20 replicates, seed 4")
    button(visitor, "run_classification_rate").click()
    visitor.expect("Run with seed 4 finished in")
    with visitor.page.expect_download() as download:
        button(visitor, "csv_classification_rate").click()
    download.value.save_as(tmp_path / "csv")
    text = (tmp_path / "csv").read_text("utf-8")
    visitor.page.locator("summary").filter(has_text="What repeats this run").click()
    code = visitor.page.get_by_test_id("stCode").filter(has_text="parameters")
    written = code.inner_text()
    request = read_request(written)
    *_, last = run(request)
    again = [line for line in to_csv(last).splitlines() if not line.startswith("#")]
    rows = [line for line in text.splitlines() if not line.startswith("#")]
    assert rows == again
    assert json.loads(written)["parameters"] == json.loads(
        re.search(r"# parameters (.*)", text)[1]  # type: ignore[index]
    )
    assert {row["series"] for row in csv.DictReader(rows)} == {"no privacy", "ε = 1", "ε = 0.1"}
    visitor.check()
