"""Page: a list of lessons, or a class's room, on the projector."""

from __future__ import annotations

from pages.parts.classroom import board, desk
from pages.parts.frame import shell
from pages.parts.present import page

shell.route()
board.draw() if desk.asked() else page.draw()
