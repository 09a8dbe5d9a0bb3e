"""The map that one drags through: sentence and geometry are the engine's, keys and release work."""

from __future__ import annotations

import math
from random import Random

import pytest

from pages.charts import maps
from pages.charts.planes import TERMS, Plane
from pages.core.controls import number_text
from pages.phases import own
from pages.phases import page as designs
from rates.maps import Design, Regime, regimes
from tests.browser.helpers import example
from tests.pages.core.links import asked_by, linked

STATES = 200
# Walks by keys within one call, so that nothing is sent before the end; what each state shows.
WALK = """(handle, keys) => {
    const [border, hand, said] = [".map-border", ".map-hand", ".map .said"].map(
        name => document.querySelector(name));
    return keys.map(([key, shiftKey]) => {
        const how = {key, shiftKey, bubbles: true, cancelable: true};
        handle.dispatchEvent(new KeyboardEvent("keydown", how));
        const [x, y] = handle.getAttribute("transform").match(/[-\\d.e]+/g).slice(-2).map(Number);
        const shown = border.getAttribute("visibility") !== "hidden";
        return {
            x, y,
            width: Number(hand.getAttribute("width")), height: Number(hand.getAttribute("height")),
            said: said.textContent, cause: said.className,
            value: handle.getAttribute("aria-valuetext"),
            border: shown ? Number(border.getAttribute("cx")) : null,
        };
    });
}"""


def walk(seed: str) -> list[tuple[str, bool]]:
    random = Random(seed)
    keys = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
    return [(random.choice(keys), random.random() < 0.7) for _ in range(STATES // len(NAMES))]


NAMES = tuple(designs.EXAMPLES)


@pytest.mark.parametrize("name", NAMES)
def test_what_the_map_says_is_the_engine_s(visit, name):
    design = designs.EXAMPLES[name]
    visitor = visit(f"/phases?at={linked(designs.POINT, design)}")
    handle = visitor.page.locator(".map-handle")
    handle.wait_for()
    states = handle.evaluate(WALK, walk(name))
    plane = maps.build(design, "none")
    for state in states:
        x, y = state["x"] / state["width"], 1 - state["y"] / state["height"]
        epsilon = plane.x.low * (plane.x.high / plane.x.low) ** x
        # Where a border runs along the row, either side of it is right.
        rows = [row_at(design, plane, epsilon, y + nudge) for nudge in (0.0, 1e-9, -1e-9)]
        row = next((r for r in rows if TERMS[r.rate].said in state["said"]), rows[0])
        look = TERMS[row.rate]
        assert state["said"].startswith(look.said), (state, row)
        assert look.cause in state["cause"]
        assert state["said"] in state["value"]
        if row.hi < plane.x.high:
            place = math.log(row.hi / plane.x.low) / math.log(plane.x.high / plane.x.low)
            assert state["border"] == pytest.approx(place * state["width"], abs=0.5)
            assert "Next border at ε = " in state["said"]
        else:
            assert state["border"] is None


def row_at(design: Design, plane: Plane, epsilon: float, y: float) -> Regime:
    """The engine's phase at a point, its height as a part of the map's."""
    gamma = plane.y.low + min(max(y, 1e-9), 1 - 1e-9) * (plane.y.high - plane.y.low)
    shape = {**design.shape, "gamma": gamma}
    rows = regimes(*design.sizes, **shape, ratio=design.ratio, upper=plane.x.high)
    return next(row for row in rows if epsilon <= row.hi * (1 + 1e-9))


def test_keys_a_drag_and_a_small_map_write_the_address(visit):
    visitor = visit("/phases")

    def point() -> Design:
        return asked_by(visitor.page.url, designs.POINT)

    handle = visitor.page.locator(".map-handle")
    before = designs.POINT.start
    handle.focus()
    handle.press("Shift+ArrowLeft")
    handle.press("ArrowUp")
    plane = maps.build(before, "none")
    budget = before.epsilon * (plane.x.low / plane.x.high) ** 0.1
    gamma = before.gamma + 0.01 * (plane.y.high - plane.y.low)
    wanted = float(f"{budget:.3g}"), float(f"{gamma:.3g}")
    visitor.becomes(lambda: (point().epsilon, point().gamma), wanted)
    visitor.settle()
    visitor.expect(f"ε = {number_text(wanted[0])}, γ = {number_text(wanted[1])}.")
    hand = visitor.page.locator(".map-hand")
    box = hand.bounding_box()
    visitor.page.mouse.move(box["x"] + 0.3 * box["width"], box["y"] + 0.5 * box["height"])
    visitor.page.mouse.down()
    visitor.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.25 * box["height"], steps=8)
    assert (point().epsilon, point().gamma) == wanted  # nothing is sent meanwhile
    visitor.page.mouse.up()
    middle = float(f"{math.sqrt(plane.x.low * plane.x.high):.3g}")
    visitor.becomes(lambda: point().epsilon, pytest.approx(middle, rel=0.02))
    visitor.settle()
    visitor.page.get_by_role("button", name=f"m = {10 * before.m:,}, n₀ = {before.n0:,}").click()
    visitor.becomes(lambda: point().m, 10 * before.m)
    visitor.settle()
    visitor.page.go_back()
    visitor.becomes(lambda: point().m, before.m)


def test_the_own_study_and_a_typed_rate_are_dragged_alike(visit):
    visitor = visit(f"{example('hospitals', 'phases')}&own=x:epsilon_all;y:n_1")
    handle = visitor.page.locator(".map-handle")
    handle.press("Shift+ArrowLeft")
    visitor.becomes(lambda: len(asked_by(visitor.page.url, own.OWN).at), 2)
    visitor.settle()
    at = asked_by(visitor.page.url, own.OWN).at
    assert at[0] == pytest.approx(1e4**-0.1, rel=0.01)
    visitor.expect("Here Cleveland carries most, privacy binds.")
    visitor.page.get_by_role("button", name="Back to the study's own point").click()
    visitor.becomes(lambda: asked_by(visitor.page.url, own.OWN).at, ())
    visitor.open("/orders")
    visitor.page.locator(".map-handle").press("Shift+ArrowRight")
    visitor.becomes(lambda: "rate=" in visitor.page.url, True)
    visitor.expect("Here Ps decides.", "At the numbers below Ps decides")
