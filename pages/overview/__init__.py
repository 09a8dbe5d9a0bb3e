"""The overview: what this is, and where to begin."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.overview import page
