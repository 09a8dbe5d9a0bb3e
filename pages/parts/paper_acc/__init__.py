"""Tabs for the experiments of [ACC] itself."""

from __future__ import annotations

from pages.parts.paper_acc import adaptive, hospital_tables, hospitals, panels
