"""Page: how much detail of the curve survives?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.resolution import page

shell.route()
page.draw()
