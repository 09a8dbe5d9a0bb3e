"""Widgets and words of the ledger."""

from __future__ import annotations

from pages.parts.statements import files, item, list, page, run, view
