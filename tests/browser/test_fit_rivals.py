"""The rivals of a study on the fit page, in a real browser on a phone."""

from __future__ import annotations

from rates.study import codec
from rates.study.presets import preset
from tests.browser.test_pages import check_axe


def test_the_curator_s_budget_on_a_phone(server, visit):
    visitor = visit(server, width=420)
    visitor.open(f"/fit?tab=alternatives&study={codec.to_link(preset('unequal').study)}")
    visitor.expect("University clinic alone at 0.498", "(ε = 0.2) at 1.01")
    box = visitor.page.get_by_role("textbox", name="Budget ε of a trusted curator, exact value")
    for text, expected in (
        ("0", "A curator's budget must be positive and finite"),
        ("50", "ε = 50 at a curator promises next to nothing"),
        ("one", "must be a plain number"),
        ("1", "(ε = 1) at 5.11"),
    ):
        box.fill(text)
        box.press("Enter")
        visitor.settle()
        visitor.expect(expected)
    visitor.page.locator("summary").filter(has_text="What each design is").click()
    visitor.settle()
    visitor.expect("each curve keeps the bias of its own")
    check_axe(visitor)
    overflow = visitor.page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    assert overflow <= 0
    visitor.check()
