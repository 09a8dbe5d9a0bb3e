"""My study, what it costs: the decisions, what they assume, and the sites."""

from typing import TYPE_CHECKING

from pages.study.verdict import FREE, RISKS

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.study import (
        page, questions, sites, verdict,
    )
