"""Page: does a real private classifier follow the rate?"""

from __future__ import annotations

from pages.parts.classification import page
from pages.parts.frame import shell
from pages.parts.paper_acc import adaptive, hospitals, panels

shell.route()
page.draw(panels.TAB, adaptive.TAB, hospitals.TAB)
