"""Tabs for the experiments of [ACC] itself."""

from pages.parts.paper_acc import adaptive, hospital_tables, hospitals, panels
