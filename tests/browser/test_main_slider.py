"""On a phone the slider that moves a picture stands directly under it."""

from __future__ import annotations

import pytest

MOST = 200.0  # pixels between a picture and its slider
APART = """label => {
    const slider = document.querySelector(`input[type=range][aria-label="${label}"]`);
    const seen = [...document.querySelectorAll("[data-testid=stPlotlyChart], .picture")];
    const picture = seen.find(one => one.checkVisibility());
    return slider.getBoundingClientRect().top - picture.getBoundingClientRect().bottom }"""


@pytest.mark.parametrize(
    ("address", "label"),
    [
        ("/phases", "Sources' budget ε"),
        ("/resolution", "Budget ε of each site"),
        ("/orders", "ε (eps)"),
        ("/classification", "Budget ε of every server"),
        ("/hybrid", "Share of volunteers like the population ρ"),
        ("/logistic", "Budget ε of every site"),
    ],
)
def test_the_main_slider_stands_under_its_picture(server, visit, address, label):
    visitor = visit(server, width=400)
    visitor.open(address)
    visitor.page.locator(f'input[type=range][aria-label="{label}"]').wait_for(state="attached")
    visitor.page.locator("[data-testid=stPlotlyChart], .picture svg").first.wait_for()
    visitor.still()
    assert 0 < visitor.page.evaluate(APART, label) <= MOST
    visitor.check()
