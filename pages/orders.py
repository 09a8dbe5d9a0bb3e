"""Page: what does my own rate say?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.orders import page

shell.route()
page.draw()
