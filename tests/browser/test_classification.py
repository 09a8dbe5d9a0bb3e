"""Live runs in a real browser: watch, stop, change during a run, two visitors, link, files."""

from __future__ import annotations

import csv
import json
import re

import pytest

from sims.engine.runs import run
from sims.files import read_request, to_csv
from tests.browser.helpers import unfold
from tests.browser.test_pages import check_axe

LONG = "replicates:20000;n:10000,30000,100000,300000"
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
    visitor.open(f"/classification?run={LONG}")
    visitor.expect("computed without simulation", "12 points times 20,000 replicates")
    assert replicates(visitor) == 0
    button(visitor, "run_classification_rate").click()
    wait_for(visitor, lambda: replicates(visitor) > 0)
    wait_for(visitor, lambda: markers(visitor) >= 12)
    first = replicates(visitor)
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
    visitor.open(f"/classification?run={LONG}")
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


@pytest.mark.slow  # without a browser two sessions run apart, and places are handed on
def test_two_visitors_run_at_the_same_time(server, visit):
    both = [visit(server), visit(server)]
    for visitor in both:
        visitor.open(f"/classification?run={LONG}")
    for visitor in both:
        button(visitor, "run_classification_rate").click()
    for visitor in both:
        wait_for(visitor, lambda visitor=visitor: replicates(visitor) > 0)
    before = [replicates(visitor) for visitor in both]
    for visitor, count in zip(both, before, strict=True):
        wait_for(visitor, lambda visitor=visitor, count=count: replicates(visitor) > count)
    both[0].page.context.close()
    button(both[1], "stop_classification_rate").click()
    both[1].expect("stopped after")
    both[1].check()


def test_a_link_restores_a_run_and_its_files_repeat_it(server, visit, tmp_path):
    visitor = visit(server)
    visitor.open(f"/classification?run={SHORT}")
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


def test_tabs_open_and_their_link_finds_them_again(server, visit):
    visitor = visit(server)
    visitor.open("/classification")
    visitor.expect("Why noise must be drawn jointly")
    for title, words in (
        ("Rate", "fitted slopes agree"),
        ("Hospitals", "at least two hospitals"),  # below, every tab opens by its link
    ):
        visitor.page.get_by_role("radio", name=title, exact=True).click()
        visitor.expect(words)
    wait_for(visitor, lambda: "tab=hospitals" in visitor.page.url)
    visitor.open(visitor.page.url.removeprefix(server))
    visitor.expect("at least two hospitals")
    visitor.check()


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (420, "dark"),
        *(
            pytest.param(*where, marks=pytest.mark.slow)
            for where in ((1280, "light"), (1280, "dark"), (420, "light"))
        ),
    ],
)
def test_every_tab_is_accessible(walk, width, scheme):
    for tab, words in (
        ("classifier&run=noise:independent", "is not (ε, δ)-private"),
        ("study", "errs more than the best one by"),
        ("paper", "tuned on the test set"),
        ("adaptive", "The oracle knows"),
        ("hospitals", "at least two hospitals"),
    ):
        visitor = walk(f"/classification?tab={tab}", width=width, scheme=scheme)
        visitor.expect(words)
        visitor.settle()
        check_axe(visitor)
        wide = visitor.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0
    unfold(visitor, "Why", "What this does not say")
    check_axe(visitor)
    visitor.check()


@pytest.mark.parametrize(
    ("page", "tabs"),
    [("classification", ("Adaptive", "Classifier")), ("regression", ("Level", "Estimate"))],
)
def test_one_click_in_a_fresh_session_refuses_nothing(cold_server, visit, page, tabs):
    """Its second list of numbers was read as empty: the fold that has it had not been drawn."""
    for later, tab in enumerate(tabs):
        visitor = visit(cold_server)
        visitor.page.goto(f"{cold_server}/{page}?tab=rate")
        button = visitor.page.get_by_test_id("stMain").get_by_role("radio", name=tab, exact=True)
        button.wait_for()
        if later:  # at rest, not while the first run goes on
            visitor.settle()
        button.evaluate("one => one.click()")  # a run may be going on, and the page be moving
        visitor.page.locator(f'[role=radio][aria-checked=true]:has-text("{tab}")').wait_for()
        visitor.settle()
        assert "must list" not in visitor.text()
        visitor.check()
