"""The page: do real private estimators of a curve follow the rate?"""

from __future__ import annotations

from pages.core.live import page
from pages.regression import constants, estimate, levels, pointwise, rate, study, weights

TABS = (rate.TAB, estimate.TAB, weights.TAB, levels.TAB, constants.TAB, pointwise.TAB, study.TAB)


def draw() -> None:
    """Draw the page."""
    page.show("Do real private estimators follow the rate?", *TABS)
