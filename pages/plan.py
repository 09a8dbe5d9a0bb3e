"""Page: what would improve this study most?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.plan import page

shell.route()
page.draw()
