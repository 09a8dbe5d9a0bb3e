"""The current study: kept for the session, brought in, taken away, and what is said above it."""

from typing import TYPE_CHECKING

from pages.current import bar, fields, state, takeaway

if TYPE_CHECKING:  # loads when it is imported from here
    from pages.current import simulated
