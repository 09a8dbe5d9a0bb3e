"""Widgets and words of the hybrid page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.hybrid import closeness, learner, needs, page, parity, run
