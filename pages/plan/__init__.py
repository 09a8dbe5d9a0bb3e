"""My study, what would help: levers, offers, splits, other designs, and the report."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.plan import levers, offers, page, report, state, worth
