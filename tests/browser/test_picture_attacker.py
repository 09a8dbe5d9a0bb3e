"""The attacker's game in a browser: what it says and where its lines stand, against the engine."""

from __future__ import annotations

import random

import pytest

from pages.pictures import attacker
from pages.pictures.attacker import GAME, Game
from tests.browser.helpers import no_violation
from tests.pages.core.links import linked

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


def test_two_hundred_games_say_what_happened(server, visit):
    visitor = visit(server, motion="reduce")
    visitor.open(f"/lessons?lesson=attack&play={linked(GAME, Game(1.0, 5))}")
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
    visitor.check()
    visitor.page.get_by_role("button", name="New game").click()
    visitor.page.wait_for_url(lambda url: "seed:6" in url or "seed%3A6" in url)
    visitor.check()
