"""Widgets and words of the classification page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.classification import attacker, classifier, common, hospitals, page, paper, rate
