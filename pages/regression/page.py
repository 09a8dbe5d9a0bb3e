"""The page: do real private estimators of a curve follow the rate?"""

from __future__ import annotations

from pages.core.live import page
from pages.regression import constants, estimate, rate, rules

TABS = (
    *(estimate.TAB, rate.RATE_TAB, rules.WEIGHTS_TAB, rules.LEVELS_TAB),
    *(constants.TAB, rate.POINTWISE_TAB, rules.STUDY_TAB),
)


def draw() -> None:
    """Draw the page."""
    page.show("Do real private estimators follow the rate?", *TABS, unnamed="rate")
