"""A methodologist's journey from a lever that does nothing to a report read without a network."""

from __future__ import annotations

import re
import urllib.parse
from contextlib import closing
from dataclasses import replace

import rates
from pages.charts import words
from pages.core import layout
from pages.plan.state import PLAN
from rates import plan as planning
from rates.rows import to_csv
from rates.study import codec
from rates.study.presets import preset
from tests.browser.helpers import (
    example,
    go,
    no_violation,
    read_rows,
    saved,
    use_rows,
)
from tests.browser.test_fit import choose, turn
from tests.browser.test_pages import check_axe
from tests.pages.core.links import asked_by

STUDY = preset("hospitals").study
BEST = "Design B is worse: worth"
GENEROUS = STUDY.with_servers([replace(s, epsilon=4.0) for s in STUDY.servers])


def asked(page):
    """Study and plan in the address of a page."""
    query = urllib.parse.parse_qs(urllib.parse.urlparse(page.url).query)
    return codec.from_link(query["study"][0]), asked_by(page.url, PLAN)


def open_tab(visitor, name: str) -> None:
    """Open another tab of the page."""
    visitor.page.get_by_role("radio", name=name, exact=True).click()
    visitor.settle()


def compare_two_designs(visitor) -> None:
    """See what one lever does by both answers, then put more generous budgets against today's."""
    budgets, sizes = planning.scales(planning.in_house(STUDY))
    visitor.expect(
        "To halve what privacy costs (from 152 to 165 effective records",
        f"every ε × {words.between(budgets.low, budgets.high)}",
        f"or the records at every site × {words.between(sizes.low, sizes.high)}",
        "All levers side by side",
    )
    open_tab(visitor, "Designs")
    visitor.page.get_by_role("button", name="Keep this study as design B").click()
    visitor.settle()
    go(visitor, "Study")
    read_rows(visitor, to_csv(GENEROUS))
    use_rows(visitor)
    go(visitor, "Plan")
    worth = [
        rates.calibrated(planning.in_house(STUDY), kappa=kappa).effective_n for kappa in (1, 2, 3)
    ]
    visitor.expect(f"{BEST} {words.between(min(worth), max(worth))} effective records")


def test_a_link_opens_the_sites_on_offer(server, visit):
    """Offers are pasted and read where the link leads; the tab stays in the address."""
    visitor = visit(server)
    query = urllib.parse.urlencode(layout.OFFERS_OPEN)
    visitor.open(f"{example('hospitals', 'plan')}&{query}")
    visitor.expect("Sites on offer", "One line per offer")
    visitor.page.get_by_label("Offers to paste").fill(
        "name,n,epsilon,delta,price\nBasel,400,1,1e-6,3"
    )
    visitor.page.get_by_role("button", name="Use these offers").click()
    visitor.expect("Next: Basel", "The cheapest mix")
    visitor.becomes(lambda: query in visitor.page.url and "plan=" in visitor.page.url, True)
    open_tab(visitor, "Levers")
    visitor.becomes(lambda: query in visitor.page.url, False)
    visitor.page.go_back()
    visitor.expect("Next: Basel")
    visitor.check()


def test_a_methodologist_s_journey(server, visit, chromium, tmp_path):
    visitor = visit(server)
    visitor.open("/study")
    visitor.page.get_by_role("button", name="Examples", exact=True).click()
    visitor.page.get_by_role("button", name="Open: Four heart-disease hospitals").click()
    visitor.settle()
    visitor.page.keyboard.press("Escape")
    go(visitor, "Plan")
    compare_two_designs(visitor)
    check_axe(visitor)
    # A constant from a world in which the risk is known; then a risk can be aimed at.
    go(visitor, "Fit")
    turn(visitor, "Alternatives")
    choose(visitor, "World", "Risk crosses 50% along a line, β = 1, α = 1")
    visitor.expect("Use this constant")
    visitor.page.get_by_role("button", name=re.compile("Use this constant")).click()
    visitor.settle()
    go(visitor, "Plan")
    choose(visitor, "What do you aim at?", "A risk, as calibrated")
    visitor.expect("To bring the risk from", "as calibrated", BEST)
    visitor.check()
    visitor.becomes(lambda: asked(visitor.page)[1].goal, "risk")
    study, view = asked(visitor.page)
    assert (view.other, study.smoothness) == (STUDY, 1.0)
    open_tab(visitor, "Report")
    report = saved(visitor, "Report (HTML)", tmp_path / "report.html")
    with closing(chromium.new_context(offline=True, color_scheme="dark")) as context:
        page = context.new_page()
        read_without_a_network(page, report)
        context.set_offline(False)
        page.get_by_role("link", name="Open this study in the app").click()
        visitor.becomes(lambda: asked(page), (study, view))
        page.get_by_text("To bring the risk from").first.wait_for()  # the constant came along


def read_without_a_network(page, report) -> None:
    """Open a report; nothing is fetched, nothing is wrong, and all is there."""
    requests, problems = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(report.as_uri())
    text = page.locator("main").inner_text()
    for piece in (
        "To bring the risk from",
        "After a calibration.",
        BEST,
    ):
        assert piece in text
    assert page.locator("svg.figure").count() == 4
    no_violation(page)
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert problems == []
