"""Page: which term decides, and where does it change?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.phases import page

shell.route()
page.draw()
