"""The page: which sources should a private transfer logistic regression drop?"""

from __future__ import annotations

from pages.core.live import page
from pages.logistic import accuracy, meaning, records, sources, table

TABS = (sources.TAB, accuracy.TAB, table.TAB, meaning.TAB, records.TAB)


def draw() -> None:
    """Draw the page."""
    page.show("Which sources should I drop?", *TABS)
