"""A methodologist's journey from a lever that does nothing to a report read without a network."""

from __future__ import annotations

import urllib.parse
from contextlib import closing
from dataclasses import replace

import rates
from pages.charts import words
from pages.core import layout
from pages.plan.state import PLAN
from rates import plan as planning
from rates.rows import to_csv
from rates.study.presets import preset
from tests.browser.helpers import (
    check_axe,
    choose,
    example,
    go,
    linked,
    no_violation,
    pick,
    press,
    read_rows,
    saved,
    use_rows,
)
from tests.pages.core.links import asked_by

STUDY = preset("hospitals").study
BEST = "Design B is worse: worth"
GENEROUS = STUDY.with_servers([replace(s, epsilon=4.0) for s in STUDY.servers])


def compare_two_designs(visitor) -> None:
    """See what one lever does by both answers, then put more generous budgets against today's."""
    budgets, sizes = planning.scales(planning.in_house(STUDY))
    visitor.expect(
        "To halve what privacy costs (from 152 to 165 effective records",
        f"every ε × {words.between(budgets.low, budgets.high)}",
        f"or the records at every site × {words.between(sizes.low, sizes.high)}",
        "All levers side by side",
    )
    choose("Designs")(visitor)
    press("Keep this study as design B")(visitor)
    visitor.settle()
    go(visitor, "Study")
    read_rows(visitor, to_csv(GENEROUS))
    use_rows(visitor)
    go(visitor, "Plan")
    worth = [
        rates.calibrated(planning.in_house(STUDY), kappa=kappa).effective_n for kappa in (1, 2, 3)
    ]
    visitor.expect(f"{BEST} {words.between(min(worth), max(worth))} effective records")


def test_a_link_opens_the_sites_on_offer(visit):
    """Offers are pasted and read where the link leads; the tab stays in the address."""
    query = urllib.parse.urlencode(layout.OFFERS_OPEN)
    link = f"{example('hospitals', 'plan')}&{query}"
    visitor = visit(link, "Sites on offer", "One line per offer")
    offers = "name,n,epsilon,delta,price\nBasel,400,1,1e-6,3"
    visitor.page.get_by_label("Offers to paste").fill(offers)
    press("Use these offers")(visitor)
    visitor.expect("Next: Basel", "The cheapest mix")
    visitor.becomes(lambda: query in visitor.path and "plan=" in visitor.path, True)
    choose("Levers")(visitor)
    visitor.becomes(lambda: query in visitor.path, False)
    visitor.page.go_back()
    visitor.expect("Next: Basel")


def test_a_methodologist_s_journey(visit, chromium):
    visitor = visit("/study")
    press("Examples")(visitor)
    visitor.page.get_by_role("button", name="Open: Four heart-disease hospitals").click()
    visitor.settle()
    visitor.page.keyboard.press("Escape")
    go(visitor, "Plan")
    compare_two_designs(visitor)
    check_axe(visitor)
    # A constant from a world in which the risk is known; then a risk can be aimed at.
    go(visitor, "Fit")
    choose("Alternatives")(visitor)
    pick("World", "Risk crosses 50% along a line, β = 1, α = 1")(visitor)
    visitor.page.get_by_role("button", name="Use this constant").click()
    visitor.settle()
    go(visitor, "Plan")
    pick("What do you aim at?", "A risk, as calibrated")(visitor)
    visitor.expect("To bring the risk from", "as calibrated", BEST)
    visitor.becomes(lambda: asked_by(visitor.page.url, PLAN).goal, "risk")
    study, view = linked(visitor), asked_by(visitor.page.url, PLAN)
    assert (view.other, study.smoothness) == (STUDY, 1.0)
    visitor.settle()
    choose("Report")(visitor)
    report = saved(visitor, "Report (HTML)")
    with closing(chromium.new_context(offline=True, color_scheme="dark")) as context:
        page = context.new_page()
        read_without_a_network(page, report)
        context.set_offline(False)
        page.get_by_role("link", name="Open this study in the app").click()
        visitor.becomes(lambda: (linked(page), asked_by(page.url, PLAN)), (study, view))
        page.get_by_text("To bring the risk from").first.wait_for()  # the constant came along


def read_without_a_network(page, report) -> None:
    """Open a report; nothing is fetched, nothing is wrong, and all is there."""
    requests, problems = [], []
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: problems.append(message.text))
    page.goto(report.as_uri())
    text = page.locator("main").inner_text()
    for piece in ("To bring the risk from", "After a calibration.", BEST):
        assert piece in text
    assert page.locator("svg.figure").count() == 4
    no_violation(page)
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    assert problems == []
