"""Widgets and words of the resolution page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # loads when it is imported from here
    from pages.resolution import page
