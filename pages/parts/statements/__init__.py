"""Widgets and words of the ledger."""

from pages.parts.statements import files, item, list, page, run, view
