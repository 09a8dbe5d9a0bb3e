"""Widgets and words of the logistic page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.logistic import accuracy, figures, meaning, page, records, sources, table
