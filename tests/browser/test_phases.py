"""A journey on the phase map: move the cut, read the sequence, open the point, come back."""

from __future__ import annotations

import csv

from pages.phases import own
from pages.phases import page as designs
from rates import governing
from rates.maps import design as points
from tests.browser.helpers import (
    displayed,
    example,
    go,
    linked,
    pick,
)
from tests.pages.core.links import asked_by

MISPRINT = "10000,100,100000,0.5,2,1,1.2,0.4,1"


def point(visitor) -> points.Design:
    """The point in the address."""
    return asked_by(visitor.page.url, designs.POINT)


def test_move_the_cut_open_the_point_and_come_back(server, visit, tmp_path):
    visitor = visit(server)
    visitor.open(f"/phases?at={MISPRINT}")
    visitor.expect("Here the sources decide, privacy binds.")
    slider = visitor.page.locator('input[type=range][aria-label="Sources\' budget ε"]')
    slider.focus()
    for _ in range(3):
        slider.press("ArrowLeft", delay=60)
    visitor.settle()
    visitor.expect("Here the target decides, sampling binds.")
    visitor.settle()
    visitor.becomes(lambda: point(visitor).epsilon, 0.2)
    case = {"gamma": 1.2, "beta": 0.5, "d": 2}
    assert str(governing(1e4, 100, 1e5, 0.2, **case)) == "NPt"
    visitor.details()
    with visitor.page.expect_download() as download:
        visitor.page.get_by_role("button", name="Numbers as CSV").click()
    file = tmp_path / "map.csv"
    download.value.save_as(file)
    rows = list(csv.DictReader(file.read_text("utf-8").splitlines()))
    assert {row["label"] for row in rows} == {"1", "Pt", "NPt", "Ps", "NPs"}
    visitor.page.get_by_role("link", name="Open this point as a study").click()
    visitor.settle()
    visitor.becomes(lambda: [s.n for s in linked(visitor).servers], [100_000, 10_000])
    study = linked(visitor)
    assert study.sources[0].count == 100
    visitor.expect(*displayed(study))
    go(visitor, "Phases")
    visitor.expect("Here the target decides, sampling binds.")
    visitor.becomes(lambda: point(visitor).epsilon, 0.2)
    visitor.check()


def test_the_study_s_own_map_is_chosen_shared_and_left(server, visit):
    visitor = visit(server)
    visitor.open(example("hospitals", "phases"))
    visitor.page.get_by_text("Your study", exact=True).click()
    visitor.settle()
    visitor.expect(
        "Cleveland carries most and sampling binds it by the rate equation",
        "every ε above × 0.512",
    )
    pick("From bottom to top", "Budget ε of Long Beach")(visitor)
    visitor.settle()
    visitor.page.get_by_text("Named mechanism", exact=True).click()
    visitor.settle()
    visitor.expect("located to 1e-6 of the axis")
    asked = own.Asked(x="epsilon_all", y="epsilon_3", answer="mechanism")
    visitor.becomes(lambda: asked_by(visitor.page.url, own.OWN), asked)
    visitor.page.reload()
    visitor.settle()
    visitor.expect("located to 1e-6 of the axis", "Budget ε of Long Beach below 2.37")
    visitor.page.get_by_text("Map", exact=True).click()
    visitor.settle()
    visitor.expect("As the budget grows")
    visitor.becomes(lambda: "own=" in visitor.page.url, False)
    visitor.check()
