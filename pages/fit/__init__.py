"""Widgets and words of the fit page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.fit import (
        constant, guarantee, page, rivals, unknowns, words,
    )
