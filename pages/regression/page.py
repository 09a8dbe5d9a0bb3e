"""The page: do real private estimators of a curve follow the rate?"""

from __future__ import annotations

from pages.core.live import page
from pages.regression import constants, estimate, rate, rules

TABS = (
    *(rate.RATE_TAB, estimate.TAB, rules.WEIGHTS_TAB, rules.LEVELS_TAB),
    *(constants.TAB, rate.POINTWISE_TAB, rules.STUDY_TAB),
)


def draw() -> None:
    """Draw the page."""
    page.show("Do real private estimators follow the rate?", *TABS)
