"""The page: does a real private classifier follow the rate?"""

from __future__ import annotations

from pages.classification import attacker, rate, study
from pages.classification import draw as classifier
from pages.core.live import Tab, page

TABS = (rate.TAB, classifier.TAB, study.TAB)


def draw(*paper: Tab) -> None:
    """Draw the page.

    Args:
        paper: The tabs of the paper's own figures, which come after the others.
    """
    page.show("Does a real private classifier follow the rate?", *TABS, *paper, attacker.TAB)
