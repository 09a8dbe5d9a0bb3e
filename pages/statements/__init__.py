"""Widgets and words of the ledger."""

from pages.statements import entry, figures, files, page, run, view
