"""The page: does it hold on real records of real sites?"""

from __future__ import annotations

from pages.core.live import page
from pages.real import sites, slopes

TABS = (sites.TAB, slopes.TAB, slopes.DIFFER)


def draw() -> None:
    """Draw the page."""
    page.show("Does it hold on real records?", *TABS, gone=("published",))
