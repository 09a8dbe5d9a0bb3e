"""The page: can volunteers stand in for the population?"""

from __future__ import annotations

from pages.core.live import page
from pages.hybrid import needs, runs

TABS = (needs.TAB, runs.RUN, runs.ALIKE, runs.PARITY, runs.LEARNER)


def draw() -> None:
    """Draw the page."""
    page.show("Can volunteers stand in for the population?", *TABS)
