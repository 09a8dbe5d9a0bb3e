"""Page: does this theory cover my study, and what do I not know?"""

from __future__ import annotations

from pages.parts.fit import page
from pages.parts.frame import shell

shell.route()
page.draw()
