"""Journeys in the ledger: from a search to the hatched map, a run, files, sheets of two pages."""

from __future__ import annotations

import pytest

from pages.charts import words
from pages.phases import page as designs
from pages.statements.view import ordered
from rates.ledger import CONTRADICTED, entry, papers
from rates.maps import design as points
from rates.maps import printed_eps21
from tests.browser.helpers import check_axe, go, query, sheets, type_in
from tests.browser.layout import check_layout
from tests.pages.core.links import asked_by

MISPRINT = "ACC:Cor3.2:eps21"
PAPER = 680  # pixels of A4 between its margins
# Leaves one formula in eight: all are set alike, and the rules ask after the colour of each letter.
THINNED = """() => document.querySelectorAll(".katex").forEach((one, k) => k % 8 && one.remove())"""


def held(visitor) -> dict[str, str]:
    """What the address holds of the ledger."""
    return {key: value for key, value in query(visitor).items() if key != "study"}


def test_from_a_search_to_the_hatched_map_and_back(visit):
    visitor = visit("/overview")
    visitor.page.get_by_role("link", name="Open the ledger").click()
    visitor.settle()
    visitor.expect(f"List all {len(ordered())} statements")
    type_in("Search", "eps21")(visitor)
    visitor.becomes(lambda: held(visitor), {"q": "eps21"})
    visitor.settle()
    visitor.page.get_by_role("button", name="Cor3.2:eps21", exact=True).click()
    visitor.settle()
    visitor.becomes(lambda: held(visitor), {"q": "eps21", "id": MISPRINT})
    visitor.expect(CONTRADICTED, "certainly false", "Our reading", "Argument")
    visitor.page.get_by_role("link", name="On the map").click()
    visitor.settle()
    design = points.from_text(entry(MISPRINT).map)
    visitor.becomes(lambda: asked_by(visitor.page.url, designs.POINT), design)
    visitor.becomes(lambda: held(visitor)["table"], "A")
    visitor.expect("while Ps decides", "printed table differs")
    visitor.page.get_by_text("Why: the four terms").click()
    visitor.settle()
    wrong = float(printed_eps21(*design.sizes, **design.shape))
    visitor.expect(f"the printed formula {words.number(wrong)}")
    visitor.page.get_by_role("link", name="The misprinted threshold: test and proof").click()
    visitor.settle()
    visitor.becomes(lambda: held(visitor), {"id": MISPRINT})


def test_back_and_reload_keep_the_place(visit):
    chosen = {"paper": "ACC", "verdict": "refuted"}
    visitor = visit("/statements?paper=ACC&verdict=refuted", "Theorems 3.1 and 3.4 stand")
    heading = visitor.page.locator("h2").first.inner_text()
    visitor.page.locator("[class*=st-key-open_] button").first.click()
    visitor.settle()
    visitor.becomes(lambda: held(visitor)["id"].startswith("ACC:"), True)
    opened = held(visitor)
    for move, wanted in (("reload", opened), ("go_back", chosen), ("go_forward", opened)):
        getattr(visitor.page, move)()
        visitor.settle()
        visitor.becomes(lambda: held(visitor), wanted)
        if wanted is chosen:
            visitor.becomes(visitor.page.locator("h2").first.inner_text, heading)
    go(visitor, "Phases")
    visitor.expect("Which term decides")
    go(visitor, "Statements")
    visitor.expect(f"List all {len(ordered())} statements")


@pytest.mark.parametrize("about", papers(), ids=lambda one: one.key)
def test_a_sheet_has_at_most_two_pages_before_its_annex(visit, about):
    link = f"/statements?paper={about.key}&view=sheet&embed=true&embed_options=light_theme"
    visitor = visit(link, "The ledger, edition", scheme="dark")
    assert visitor.page.locator(".st-key-bar").count() == 0
    assert visitor.page.locator("[data-testid=stMain] button").count() == 0
    check_layout(visitor, PAPER)
    visitor.page.add_style_tag(content="@media print { .st-key-annex { display: none; } }")
    assert 1 <= sheets(visitor.page) <= 2
    visitor.check()
    visitor.page.evaluate(THINNED)
    check_axe(visitor)
