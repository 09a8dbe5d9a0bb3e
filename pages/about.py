"""Page: where does this come from?"""

from __future__ import annotations

from pages.parts.about import page
from pages.parts.frame import shell

shell.route()
page.draw()
