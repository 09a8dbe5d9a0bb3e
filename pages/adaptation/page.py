"""The page: is my public data close enough to help?"""

from __future__ import annotations

from pages.adaptation import looks, runs, table
from pages.core.live import page

TABS = (runs.RATE, runs.MIXTURE, runs.CLOSENESS, looks.WEIGHTS, looks.BUDGET, table.TAB)


def draw() -> None:
    """Draw the page."""
    page.show("Is my public data close enough to help?", *TABS)
