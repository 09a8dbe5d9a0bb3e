"""Sliders and their boxes under quick hands: slider, box, address and answer end together."""

from __future__ import annotations

import pytest

from pages.charts.words import number, number_text
from pages.phases import page as designs
from tests.pages.core.links import asked_by

POINT = "/phases?at=10000,100,100000,0.5,2,1,1.2,0.4,1"
BUDGET, SIGNAL = "Sources' budget ε", "Signal exponent γ"
# By slider: what it moves of the point, and what the answer then says.
MOVES = {BUDGET: ("epsilon", "ε = {}, γ = "), SIGNAL: ("gamma", ", γ = {}.")}
# Type into a box and press Enter, faster than any redraw of the page.
AT_ONCE = """(box, text) => {
    box.focus();
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(box, text);
    box.dispatchEvent(new Event("input", {bubbles: true}));
    box.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
}"""


@pytest.fixture
def visitor(walk):
    visitor = walk(POINT)
    slider(visitor, BUDGET).wait_for()
    yield visitor
    # Downloads are looked for when the next run had replaced them.
    passing = ("/media/", "Download Button source")
    visitor.problems = [p for p in visitor.problems if not any(x in p for x in passing)]
    visitor.check()


def slider(visitor, label: str):
    return visitor.page.locator(f'input[type=range][aria-label="{label}"]')


def box(visitor, label: str):
    return visitor.page.get_by_label(f"{label}, exact value")


def press(visitor, label: str, key: str, times: int, pause: int) -> None:
    """Press a key several times, each held for so many milliseconds, not waiting for the page."""
    slider(visitor, label).focus()
    for _ in range(times):
        visitor.page.keyboard.press(key, delay=pause)


def found(visitor, label: str) -> tuple[str | None, str, float | None]:
    """What slider, box and address say."""
    point = asked_by(visitor.page.url, designs.POINT)
    shown = slider(visitor, label).get_attribute("aria-valuetext")
    return shown, box(visitor, label).input_value(), getattr(point, MOVES[label][0])


def settled(visitor, label: str, value: float) -> None:
    """Slider, box, address and answer all say the value, and go on doing so."""
    all_say = (number_text(value), number_text(value), value)
    visitor.settle()
    visitor.becomes(lambda: found(visitor, label), all_say)
    visitor.settle()
    assert found(visitor, label) == all_say
    visitor.expect(MOVES[label][1].format(number(value)))


def test_a_held_key_is_counted_to_the_end(visitor):
    press(visitor, BUDGET, "ArrowLeft", 10, 30)
    settled(visitor, BUDGET, 0.04)
    press(visitor, BUDGET, "ArrowRight", 10, 60)
    settled(visitor, BUDGET, 0.4)
    press(visitor, BUDGET, "ArrowLeft", 1, 60)  # there and back: the address must come back too
    press(visitor, BUDGET, "ArrowRight", 1, 0)
    settled(visitor, BUDGET, 0.4)


def test_typing_and_sliding_without_waiting(visitor):
    typed = box(visitor, BUDGET)
    press(visitor, BUDGET, "ArrowLeft", 1, 0)
    typed.evaluate(AT_ONCE, "0.18")
    settled(visitor, BUDGET, 0.18)
    press(visitor, BUDGET, "ArrowRight", 3, 60)
    settled(visitor, BUDGET, 0.32)
    typed.fill("0.4")  # the very text that the box had shown first
    typed.press("Tab")
    settled(visitor, BUDGET, 0.4)
    typed.fill("0.17")
    typed.press("Enter")
    press(visitor, SIGNAL, "ArrowLeft", 1, 0)  # at once after typing: both stay
    settled(visitor, BUDGET, 0.17)
    settled(visitor, SIGNAL, 1.1)
    press(visitor, BUDGET, "ArrowLeft", 2, 30)
    visitor.page.get_by_text("Sizes, shape, unequal budgets", exact=False).click()
    settled(visitor, BUDGET, 0.13)
    visitor.page.go_back()  # whatever the last entry was: all four agree on it
    visitor.settle()
    before = found(visitor, BUDGET)[2]
    assert before in (0.16, 0.17)
    settled(visitor, BUDGET, before)


def test_a_refused_text_stays_with_its_reason_until_the_slider_moves(visitor):
    typed = box(visitor, BUDGET)
    typed.fill("much")
    typed.press("Enter")
    visitor.expect("epsilon must be a plain number", "ε = 0.4, γ = ")
    assert typed.input_value() == "much"
    press(visitor, SIGNAL, "ArrowLeft", 2, 30)
    visitor.settle()
    visitor.expect("epsilon must be a plain number")
    assert typed.input_value() == "much"
    press(visitor, BUDGET, "ArrowLeft", 3, 60)
    settled(visitor, BUDGET, 0.2)
    visitor.becomes(lambda: "plain number" in visitor.text(), False)
