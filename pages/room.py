"""Page: a phone in a class's room."""

from __future__ import annotations

from pages.parts.classroom import phone
from pages.parts.frame import shell

shell.route()
phone.draw()
