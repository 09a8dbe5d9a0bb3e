"""The noise machine in a browser: text and geometry against the engine, keys, release, buttons."""

from __future__ import annotations

import random

import numpy as np
import pytest

from pages.charts import number
from pages.core.live import from_text
from pages.pictures import machine
from pages.regression import estimate
from tests.browser.helpers import press

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


def test_two_hundred_states_equal_the_engine(visit):
    visitor = visit("/regression")
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


def test_keys_move_it_release_is_in_the_address_and_back_undoes(visit):
    visitor = visit("/regression")
    slider = visitor.page.locator(".picture input")
    slider.focus()
    for _ in range(3):  # faster than the server answers
        slider.press("ArrowLeft")
    visitor.becomes(lambda: "&run=epsilon%3A0.5" in visitor.path, True)
    visitor.expect("At ε = 0.5, 5 sites", "At ε = 0.5 the merged curve")
    visitor.page.go_back()
    visitor.becomes(lambda: slider.evaluate("one => one.ariaValueText") != "ε = 0.5", True)


@pytest.mark.parametrize("width", [1280, 400])
def test_released_again_and_averaged_without_motion_it_stands(visit, width):
    look = estimate.TAB.make(from_text("epsilon:0.5", estimate.TAB.usual)).look
    said = f"misses the truth by {number(look.misses[0])} (root mean square) in this"
    visitor = visit("/regression?tab=estimate&run=epsilon:0.5", said, width=width)
    press("Release again")(visitor)
    assert visitor.page.locator(".picture .whole").get_attribute("opacity") == "1"
    visitor.expect(f"{number(look.misses[1])} (root", "A real site would pay ε each time")
    press("Average 20")(visitor)
    mean, error = (number(x, k) for x, k in zip(look.mean_miss, (3, 2), strict=True))
    visitor.expect(f"{mean} on average over 20 releases (standard error {error})")
    picture, slider = (
        visitor.page.locator(f".picture {part}").first.bounding_box() for part in ("svg", "input")
    )
    assert picture["y"] + picture["height"] <= slider["y"] + 1
    assert all(box["x"] + box["width"] <= width for box in (picture, slider))
