"""Page: what is this, and where do I begin?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.overview import page

shell.route()
page.draw()
