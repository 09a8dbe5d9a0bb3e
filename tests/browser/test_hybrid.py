"""The hybrid page in a real Chromium: numbers, a private run, a link, a phone."""

from __future__ import annotations

import re

from tests.browser.test_pages import check_axe


def tab(visitor, name: str) -> None:  # type: ignore[no-untyped-def]
    visitor.page.get_by_test_id("stMain").get_by_role("radio", name=name, exact=True).click()


def test_from_numbers_to_a_private_run_and_back_by_its_link(server, visit):
    visitor = visit(server)
    visitor.open("/hybrid")
    visitor.expect("each test of a rule asks", "Learning on the volunteers", "Within reach")
    check_axe(visitor)
    box = visitor.page.get_by_label("Volunteers you have n, exact value")
    box.fill("100")
    box.press("Enter")
    visitor.expect("too few")
    tab(visitor, "Private run")
    visitor.expect("runs pass a test", "Each volunteer spends")
    check_axe(visitor)
    box = visitor.page.get_by_label("Share of volunteers like the population ρ, exact value")
    box.fill("0.6")
    box.press("Enter")
    visitor.expect("5 of 5 runs pass a test, after 1 round")
    visitor.page.wait_for_url(re.compile(r"tab=run.*share(:|%3A)0\.6"))
    link = visitor.page.url
    visitor.check()
    again = visit(server)
    again.open(link[len(server) :])
    again.expect("5 of 5 runs pass a test, after 1 round")
    again.check()
