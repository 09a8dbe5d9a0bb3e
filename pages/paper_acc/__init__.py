"""Tabs for the experiments of [ACC] itself."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:  # each loads when it is imported from here
    from pages.paper_acc import adaptive, hospital_tables, hospitals, panels
