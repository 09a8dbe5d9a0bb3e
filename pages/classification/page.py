"""The page: does a real private classifier follow the rate?"""

from __future__ import annotations

from pages.classification import attacker, classifier, hospitals, paper, rate
from pages.core.live import page

TABS = (
    *(classifier.TAB, rate.RATE_TAB, rate.STUDY_TAB),
    *(paper.FIGURES_TAB, paper.PRICE_TAB, hospitals.TAB, attacker.TAB),
)


def draw() -> None:
    """Draw the page."""
    page.show("Does a real private classifier follow the rate?", *TABS, unnamed="rate")
