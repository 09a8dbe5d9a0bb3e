"""Widgets and words of the adaptation page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.adaptation import budget, closeness, mixture, page, rate, table, weights
