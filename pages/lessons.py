"""Page: what do you expect?"""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.lessons import page

shell.route()
page.draw()
