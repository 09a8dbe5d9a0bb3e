"""Page: can volunteers stand in for the population?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.hybrid import page

shell.route()
page.draw()
