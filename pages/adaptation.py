"""Page: is my public data close enough to help?"""

from __future__ import annotations

from pages.parts.adaptation import page
from pages.parts.frame import shell

shell.route()
page.draw()
