"""Anybody's rate: typed, typeset, mapped, and what is claimed of it decided."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.orders import asked, found, page, views
