"""The page: can volunteers stand in for the population?"""

from __future__ import annotations

from pages.core.live import page
from pages.hybrid import closeness, learner, needs, parity, run

TABS = (needs.TAB, run.TAB, closeness.TAB, parity.TAB, learner.TAB)


def draw() -> None:
    """Draw the page."""
    page.show("Can volunteers stand in for the population?", *TABS)
