"""Widgets and words of the regression page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.regression import constants, estimate, page, rate, rules, world
