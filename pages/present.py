"""Page: a list of lessons on the projector."""

from __future__ import annotations

from pages.parts.frame import shell
from pages.parts.present import page

shell.route()
page.draw()
