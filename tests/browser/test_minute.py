"""A person's minute: from the first page to one's own study and its map, by a hand on the mouse."""

from __future__ import annotations

from typing import Any

from pages.core.controls import number_text
from pages.overview import EPSILON
from pages.phases.own import OWN
from rates.study import TransferStudy
from tests.browser.helpers import decided, linked
from tests.pages.core.links import asked_by

MOST, HEIGHT = 14, 900
ROWS = (
    ("Aarhus", 410, 1.0),
    ("Bergen", 1250, 0.5),
    ("Cork", 90, 2.0),
    ("Dijon", 2600, 0.25),
    ("Essen", 760, 1.0),
    ("Faro", 330, 4.0),
    ("Ghent", 540, 0.8),
)
DELTA = 1e-6
TABLE = "Site\tRecords n\tBudget ε\tδ\tTarget\n" + "\n".join(
    f"{name}\t{n}\t{number_text(epsilon)}\t{DELTA}\t{'' if k else 'yes'}"
    for k, (name, n, epsilon) in enumerate(ROWS)
)


class Hand:
    """Presses where a person sees something to press, and counts; it never scrolls."""

    def __init__(self, visitor: Any) -> None:
        self.visitor, self.presses = visitor, 0

    def seen(self, one: Any, across: float = 0.5, down: float = 0.5) -> tuple[float, float]:
        """A point within something, its middle at first, which is on the screen."""
        one.wait_for()
        self.visitor.settle()
        box = one.bounding_box()
        assert 0 <= box["y"] <= HEIGHT - box["height"], (self.presses, box)
        return box["x"] + across * box["width"], box["y"] + down * box["height"]

    def press(self, one: Any) -> None:
        """Press the middle of something."""
        self.visitor.page.mouse.click(*self.seen(one))
        self.presses += 1
        self.visitor.settle()

    def drag(self, one: Any, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag within something, from a part of its width and height to another."""
        mouse, first, last = self.visitor.page.mouse, self.seen(one, *start), self.seen(one, *end)
        mouse.move(*first)
        mouse.down()
        mouse.move(*last, steps=10)
        mouse.up()
        self.presses += 1
        self.visitor.settle()


def test_a_person_s_minute(visit):
    visitor = visit("/", height=HEIGHT)
    page, hand = visitor.page, Hand(visitor)
    hand.drag(page.locator(".picture input"), (0.5, 0.5), (0.3, 0.5))
    visitor.becomes(lambda: asked_by(page.url, EPSILON) < 0.5, True)
    hand.press(page.get_by_role("link", name="Make a guess"))
    guess = page.locator('input[type=range][aria-label="Right guesses"]')
    hand.drag(guess.locator("xpath=../.."), (0.5, 0.5), (4, 0.5))
    hand.press(page.get_by_role("button", name="Lock my answer"))
    visitor.expect("You expected", "True: ")
    hand.press(page.locator(".st-key-bar").get_by_role("link", name="My study"))
    before = linked(visitor) if "study=" in page.url else None
    hand.press(page.get_by_role("button", name="Paste rows"))
    hand.press(page.get_by_label("Rows to paste"))
    page.keyboard.insert_text(TABLE)
    hand.press(page.get_by_role("button", name="Read these rows"))
    hand.press(page.get_by_role("button", name="Use these rows"))
    visitor.becomes(lambda: linked(visitor) != before, True)
    study = linked(visitor)
    assert isinstance(study, TransferStudy)
    rows = [(s.name, s.n, s.epsilon, s.delta) for s in study.servers]
    assert rows == [(*row, DELTA) for row in ROWS]
    (verdict,) = decided(study, "run")
    visitor.expect(verdict)
    hand.seen(page.locator("p").filter(has_text="Run it?").first)
    hand.press(page.locator(".st-key-bar").get_by_role("link", name="Maps"))
    hand.press(page.get_by_role("radio", name="Your study"))
    hand.drag(page.locator(".map-hand"), (0.5, 0.5), (0.2, 0.3))
    visitor.becomes(lambda: len(asked_by(page.url, OWN).at), 2)
    assert hand.presses <= MOST
