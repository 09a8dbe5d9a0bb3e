"""Back undoes what a page keeps in the address beside the study, and then leaves the page."""

from __future__ import annotations

import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.helpers import go


def type_in(name: str, text: str) -> Callable[[Any], None]:
    def act(visitor) -> None:  # type: ignore[no-untyped-def]
        box = visitor.page.get_by_role("textbox", name=name)
        box.fill(text)
        box.press("Enter")

    return act


def open_tab(name: str) -> Callable[[Any], None]:
    def act(visitor) -> None:  # type: ignore[no-untyped-def]
        main = visitor.page.get_by_test_id("stMain")
        main.get_by_role("radio", name=name, exact=True).click()

    return act


def asked(visitor) -> dict[str, list[str]]:  # type: ignore[no-untyped-def]
    return urllib.parse.parse_qs(urllib.parse.urlsplit(visitor.page.url).query)


@pytest.mark.parametrize(
    ("page", "act", "part", "before", "after"),
    [
        (
            "Fit",
            type_in("Budget ε of a trusted curator", "0.25"),
            "curator",
            "all records with a trusted curator (ε = 1)",
            "all records with a trusted curator (ε = 0.25)",
        ),
        (
            "Plan",
            type_in("Rate over today's, exact value", "0.3"),
            "plan",
            "to 50 % of today's",
            "to 30 % of today's",
        ),
        (
            "Regression",
            open_tab("Level"),
            "tab",
            "hold the exact risk in their 95 % intervals",
            "the best number of basis functions is K",
        ),
    ],
)
def test_back_undoes_and_then_leaves(server, visit, page, act, part, before, after):
    visitor = visit(server)
    visitor.open("/study")
    visitor.expect("What does privacy cost")
    go(visitor, page)
    visitor.expect(before)
    act(visitor)
    visitor.expect(after)
    visitor.page.wait_for_url(lambda url: f"{part}=" in url)
    visitor.page.go_back()
    visitor.expect(before)
    visitor.becomes(lambda: part in asked(visitor), False)
    visitor.page.go_back()
    visitor.page.wait_for_url(lambda url: "/study" in url)
    visitor.check()
