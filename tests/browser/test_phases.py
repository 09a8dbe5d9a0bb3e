"""A journey on the phase map: move the cut, read the sequence, open the point, come back."""

from __future__ import annotations

import csv

from pages.phases import page as designs
from rates import governing
from tests.browser.helpers import displayed, download, go, linked
from tests.pages.core.links import asked_by

MISPRINT = "10000,100,100000,0.5,2,1,1.2,0.4,1"
MOVED = "Here the target decides, sampling binds."


def test_move_the_cut_open_the_point_and_come_back(visit):
    visitor = visit(f"/phases?at={MISPRINT}", "Here the sources decide, privacy binds.")
    slider = visitor.page.locator('input[type=range][aria-label="Sources\' budget ε"]')
    slider.focus()
    for _ in range(3):
        slider.press("ArrowLeft", delay=60)
    visitor.expect(MOVED)
    visitor.settle()
    visitor.becomes(lambda: asked_by(visitor.page.url, designs.POINT).epsilon, 0.2)
    assert str(governing(1e4, 100, 1e5, 0.2, gamma=1.2, beta=0.5, d=2)) == "NPt"
    visitor.page.get_by_role("button", name="Details").first.click()
    file = download(visitor, visitor.page.get_by_role("button", name="Numbers as CSV"))
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert {row["label"] for row in rows} == {"1", "Pt", "NPt", "Ps", "NPs"}
    visitor.page.get_by_role("link", name="Open this point as a study").click()
    visitor.settle()
    visitor.becomes(lambda: [s.n for s in linked(visitor).servers], [100_000, 10_000])
    study = linked(visitor)
    assert study.sources[0].count == 100
    visitor.expect(*displayed(study))
    go(visitor, "Phases")
    visitor.expect(MOVED)
    visitor.becomes(lambda: asked_by(visitor.page.url, designs.POINT).epsilon, 0.2)
