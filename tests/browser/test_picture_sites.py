"""The shrinking sites and the attacker's game: text and geometry against the engine, and keys."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from pages.pictures import attacker, sites
from pages.pictures.attacker import GAME, Game
from rates.answer import privacy_cost
from rates.study import preset
from tests.browser.helpers import example, no_violation, query
from tests.pages.core.links import linked

# Where the slider goes, and what the picture shows there, all at once: radii and words.
SHOWN = """stops => {
    const input = document.querySelector(".picture input");
    const radii = of => ["ring", "disc", "core"].map(
        name => Number(of.querySelector(`circle.${name}`).getAttribute("r")));
    return stops.map(stop => {
        input.value = stop;
        input.dispatchEvent(new Event("input"));
        return {
            value: input.getAttribute("aria-valuetext"),
            said: document.querySelector(".picture .pool").innerText.replace(/\\s+/g, " ").trim(),
            label: document.querySelector(".picture .row").getAttribute("aria-label"),
            sites: [...document.querySelectorAll(".picture .row > div, .picture .pool")].map(radii),
        };
    });
}"""


def percent(x: float) -> str:
    """A share as the script writes it."""
    if x > 0.9995:
        return "100%"
    return f"{float(f'{100 * x:.2g}'):g}%" if x >= 1e-4 else "<0.01%" if x > 0 else "0%"


def scaled(study, factor):  # type: ignore[no-untyped-def]
    return study.with_servers([replace(s, epsilon=s.epsilon * factor) for s in study.servers])


@pytest.mark.parametrize(
    ("path", "key"), [("/overview", "hospitals"), (example("unequal"), "unequal")]
)
def test_two_hundred_states_equal_the_engine(walk, path, key):
    visitor = walk(path)
    visitor.page.locator(".picture input").wait_for()
    study, draw = preset(key).study, random.Random(36)
    stops = [draw.randrange(len(sites.STOPS)) for _ in range(200)]
    costs = {k: privacy_cost(scaled(study, sites.STOPS[k]))[0] for k in {*stops}}
    largest = max(s.n for s in study.servers)
    for stop, shown in zip(stops, visitor.page.evaluate(SHOWN, stops), strict=True):
        cost = costs[stop]
        middle = cost.mechanism[len(cost.mechanism) // 2]
        assert shown["said"].startswith(f"{percent(cost.equation.kept)} could survive")
        low, high = (percent(x) for x in cost.kept_range)
        assert f"keeps {low}" in shown["said"]
        assert high in shown["said"]
        for row, (ring, *radii) in enumerate(shown["sites"]):
            whole = row == len(study.servers)
            size = 1.0 if whole else study.servers[row].n / largest
            assert (ring / shown["sites"][-1][0]) ** 2 == pytest.approx(size, abs=1e-3)
            for radius, back in zip(radii, (cost.equation, middle), strict=True):
                part = back.kept
                if not whole:
                    part = min(1.0, part * back.answer.shares[row] / back.free.shares[row])
                assert (radius / ring) ** 2 == pytest.approx(part, abs=1e-3)
    visitor.check()


def test_on_a_study_it_is_a_look(visit):
    visitor = visit(example("unequal"))
    before, slider = visitor.path, visitor.page.locator(".picture input")
    slider.press("ArrowLeft")
    visitor.settle()
    assert (visitor.path, slider.get_attribute("aria-valuetext")) == (before, "× 0.891")
    visitor.expect("20,000 records, ε = 0.178")  # of a text whose white space is all alike


# Twenty guesses, by keys, at each stop of the budget; the scores and the places of the lines.
PLAY = """([stops, guesses]) => {
    const root = document.querySelector(".picture"), slider = root.querySelector("input");
    return stops.map((stop, k) => {
        slider.value = stop;
        slider.dispatchEvent(new Event("input"));
        for (const guess of guesses[k])
            root.dispatchEvent(new KeyboardEvent("keydown", {key: "ab"[guess]}));
        return {
            said: root.querySelector(".said").textContent,
            dots: [...root.querySelectorAll(".attacker-scene g circle")].map(
                dot => dot.getAttribute("class") === "right"),
            way: root.querySelector("circle.way").getAttribute("cy"),
            ceiling: root.querySelector("line.ceiling")?.getAttribute("y1"),
            best: root.querySelector("line.best")?.getAttribute("y1"),
        };
    });
}"""
LOW, TALL = 200.0, 192.0  # where a share of 0 stands, and how far above it one of 1


def test_two_hundred_games_say_what_happened(visit):
    visitor = visit(f"/lessons?lesson=attack&play={linked(GAME, Game(1.0, 5))}")
    visitor.page.locator(".picture .said").wait_for()
    draw, rounds = random.Random(36), attacker.rounds(5, attacker.ROUNDS, "you")
    stops = [draw.randrange(len(attacker.STOPS)) for _ in range(200)]
    guesses = [[draw.randrange(2) for _ in rounds.records] for _ in stops]
    for k, shown in enumerate(visitor.page.evaluate(PLAY, [stops, guesses])):
        right = [a == b for a, b in zip(guesses[k], rounds.records, strict=True)]
        assert shown["dots"] == right
        assert f"right {sum(right)} times of {attacker.ROUNDS}" in shown["said"]
        assert float(shown["way"]) == pytest.approx(LOW - TALL * sum(right) / len(right), abs=0.5)
        assert shown["ceiling"] is None  # the lesson asks for it
    no_violation(visitor.page)
    visitor.page.get_by_role("button", name="New game").click()
    visitor.becomes(lambda: "seed:6" in query(visitor)["play"], True)
