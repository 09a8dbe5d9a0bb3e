"""The page: is my public data close enough to help?"""

from __future__ import annotations

from pages.adaptation import budget, closeness, mixture, rate, table, weights
from pages.core.live import page

TABS = (rate.TAB, mixture.TAB, closeness.TAB, weights.TAB, budget.TAB, table.TAB)


def draw() -> None:
    """Draw the page."""
    page.show("Is my public data close enough to help?", *TABS)
