"""Sliders and their boxes under quick hands: slider, box, address and answer end together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pages.charts import words
from pages.charts.words import number_text
from pages.core import UrlState
from pages.phases import page as designs
from tests.browser.helpers import reach
from tests.pages.core.links import asked_by

POINT = "/phases?at=10000,100,100000,0.5,2,1,1.2,0.4,1"


@dataclass(frozen=True)
class Place:
    """A slider of a page: where it is, and how its value is read from address and answer."""

    path: str
    label: str
    bound: UrlState[Any]
    value: Callable[[Any], float]
    answer: Callable[[Any], list[str]]


BUDGET = Place(
    path=POINT,
    label="Sources' budget ε",
    bound=designs.POINT,
    value=lambda design: design.epsilon,
    answer=lambda design: [f"ε = {words.number(design.epsilon)}, γ = "],
)
SIGNAL = Place(
    path=POINT,
    label="Signal exponent γ",
    bound=designs.POINT,
    value=lambda design: design.gamma,
    answer=lambda design: [f", γ = {words.number(design.gamma)}."],
)


def slider(visitor, place: Place):
    reach(visitor, place.label)
    return visitor.page.locator(f'input[type=range][aria-label="{place.label}"]')


def box(visitor, place: Place):
    reach(visitor, place.label)
    return visitor.page.get_by_label(f"{place.label}, exact value")


def press(visitor, place: Place, key: str, times: int, pause: int) -> None:
    """Press a key several times, each held for so many milliseconds, not waiting for the page."""
    slider(visitor, place).focus()
    for _ in range(times):
        visitor.page.keyboard.press(key, delay=pause)


def type_at_once(visitor, place: Place, text: str) -> None:
    """Type into the box and press Enter, faster than any redraw of the page."""
    box(visitor, place).evaluate(
        """(box, text) => {
            box.focus();
            Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")
                .set.call(box, text);
            box.dispatchEvent(new Event("input", {bubbles: true}));
            box.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
        }""",
        text,
    )


def found(visitor, place: Place) -> tuple[str | None, str, float | None]:
    """What slider, box and address say."""
    return (
        slider(visitor, place).get_attribute("aria-valuetext"),
        box(visitor, place).input_value(),
        place.value(asked_by(visitor.page.url, place.bound)) if "=" in visitor.page.url else None,
    )


def settled(visitor, place: Place, value: float) -> None:
    """Slider, box, address and answer all say the value, and go on doing so."""
    all_say = (number_text(value), number_text(value), value)
    visitor.settle()
    visitor.becomes(lambda: found(visitor, place), all_say)
    visitor.settle()
    assert found(visitor, place) == all_say
    visitor.expect(*place.answer(asked_by(visitor.page.url, place.bound)))


def check(visitor) -> None:
    """Nothing went wrong, but for downloads looked for when the next run had replaced them."""
    visitor.problems = [
        p for p in visitor.problems if "/media/" not in p and "Download Button source" not in p
    ]
    visitor.check()


def test_a_held_key_is_counted_to_the_end(server, visit):
    visitor, place, start, ten_lower = visit(server), BUDGET, 0.4, 0.04
    visitor.open(place.path)
    slider(visitor, place).wait_for()
    press(visitor, place, "ArrowLeft", 10, 30)
    settled(visitor, place, ten_lower)
    press(visitor, place, "ArrowRight", 10, 60)
    settled(visitor, place, start)
    press(visitor, place, "ArrowLeft", 1, 60)  # there and back: the address must come back too
    press(visitor, place, "ArrowRight", 1, 0)
    settled(visitor, place, start)
    check(visitor)


def test_typing_and_sliding_without_waiting(server, visit):
    visitor = visit(server)
    visitor.open(POINT)
    typed = box(visitor, BUDGET)
    typed.wait_for()
    press(visitor, BUDGET, "ArrowLeft", 1, 0)
    type_at_once(visitor, BUDGET, "0.18")
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
    check(visitor)


def test_a_refused_text_stays_with_its_reason_until_the_slider_moves(server, visit):
    visitor = visit(server)
    visitor.open(POINT)
    typed = box(visitor, BUDGET)
    typed.wait_for()
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
    check(visitor)
