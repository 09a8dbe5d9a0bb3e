"""The noise machine in a browser: text and geometry against the engine, keys, release, buttons."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pages.charts import number
from pages.core.live import from_text
from pages.pictures import machine
from pages.regression import estimate
from tests.browser.helpers import no_violation

# Where the slider goes and how often one releases again: what the picture shows, all at once.
SHOWN = """states => {
    const root = document.querySelector(".picture"), input = root.querySelector("input");
    const again = root.querySelector("button");
    const heights = path => path.getAttribute("d").slice(1).split("L")
        .map(point => -Number(point.split(",")[1]) / 1000);
    return states.map(stop => {
        input.value = stop;
        input.dispatchEvent(new Event("input"));
        again.click();
        return {
            value: input.ariaValueText,
            said: root.querySelector(".said").textContent,
            label: root.querySelector("svg").ariaLabel,
            pipes: [...root.querySelectorAll(".pipe")]
                .map(pipe => Number(pipe.getAttribute("stroke-width"))),
            merged: heights(root.querySelector(".whole path")),
            sites: [...root.querySelectorAll(".out path")].slice(0, 5).map(heights),
        };
    });
}"""


def test_two_hundred_states_equal_the_engine(server, visit):
    visitor = visit(server)
    visitor.open("/regression")
    visitor.page.locator(".picture input").wait_for()
    looks = estimate.TAB.make(estimate.TAB.usual).looks
    states = random.Random(36).choices(range(len(estimate.STOPS)), k=200)
    shown = visitor.page.evaluate(SHOWN, states)
    for step, (stop, seen) in enumerate(zip(states, shown, strict=True)):
        epsilon = estimate.STOPS[stop]
        look, turn = looks[epsilon], (step + 1) % machine.RELEASES
        x = (np.arange(len(seen["merged"])) + 0.5) / len(seen["merged"])
        released = look.curves(look.released[turn], x)
        close = 1e-3 * (1 + np.abs(released).max())
        np.testing.assert_allclose(seen["merged"], look.weight @ released, atol=close)
        np.testing.assert_allclose(seen["sites"], released, atol=close)
        np.testing.assert_allclose(seen["pipes"], 40 * look.weight, rtol=0.01)
        name = "Without privacy" if np.isinf(epsilon) else f"ε = {number(epsilon)}"
        assert seen["value"] == name
        assert f"misses the truth by {number(look.misses[turn])} (root" in seen["said"]
        assert seen["label"] == seen["said"]
    no_violation(visitor.page, without="[data-testid=stSidebar]")
    visitor.check()


def test_keys_move_it_release_is_in_the_address_and_back_undoes(server, visit):
    visitor = visit(server)
    visitor.open("/regression")
    slider = visitor.page.locator(".picture input")
    slider.focus()
    for _ in range(3):  # faster than the server answers
        slider.press("ArrowLeft")
    visitor.becomes(lambda: "&run=epsilon%3A0.5" in visitor.page.url, True)
    visitor.expect("At ε = 0.5, 5 sites", "At ε = 0.5 the merged curve")
    visitor.page.go_back()
    visitor.becomes(lambda: slider.evaluate("one => one.ariaValueText") != "ε = 0.5", True)
    visitor.check()


def test_average_and_release_again(server, visit):
    visitor = visit(server)
    visitor.open("/regression?tab=estimate&run=epsilon:0.5")
    look = estimate.TAB.make(from_text("epsilon:0.5", estimate.TAB.usual)).look
    visitor.expect(f"misses the truth by {number(look.misses[0])} (root mean square) in this")
    visitor.page.get_by_role("button", name="Release again").click()
    visitor.expect(f"{number(look.misses[1])} (root", "A real site would pay ε each time")
    visitor.page.get_by_role("button", name="Average 20").click()
    mean, error = look.mean_miss
    visitor.expect(
        f"{number(mean)} on average over 20 releases (standard error {number(error, 2)})"
    )
    visitor.check()


@pytest.mark.parametrize("width", [1280, 400])
def test_without_motion_it_stands(server, visit, width):
    visitor = visit(server, width=width, motion="reduce")
    visitor.open("/regression")
    again = visitor.page.get_by_role("button", name="Release again")
    again.click()
    opacity = visitor.page.locator(".picture .whole").get_attribute("opacity")
    assert opacity == "1"
    boxes = [
        visitor.page.locator(f".picture {part}").first.bounding_box() for part in ("svg", "input")
    ]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"] + 1
    assert all(box["x"] + box["width"] <= width for box in boxes)
    visitor.check()
