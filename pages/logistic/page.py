"""The page: which sources should a private transfer logistic regression drop?"""

from __future__ import annotations

from pages.core.live import page
from pages.logistic import accuracy, sources

TABS = (sources.SOURCES, accuracy.POOLING, accuracy.TABLE_1, sources.MEANING, sources.RECORDS)


def draw() -> None:
    """Draw the page."""
    page.show("Which sources should I drop?", *TABS)
