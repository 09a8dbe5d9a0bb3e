"""Widgets and words of the study page."""

from typing import TYPE_CHECKING

from pages.study.verdict import FREE, RISKS

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.study import (
        assumptions, balance, page, parameters, questions, sites, verdict,
    )
