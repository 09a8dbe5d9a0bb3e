"""Page: do the printed theorems hold?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.statements import page

shell.route()
page.draw()
