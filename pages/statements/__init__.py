"""Widgets and words of the ledger."""

from pages.statements import files, item, list, page, run, view
