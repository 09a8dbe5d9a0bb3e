"""Widgets and words of the phases page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.phases import designs, page, reading, views
