"""Widgets and words of the logistic page."""

from __future__ import annotations

from pages.parts.logistic import accuracy, meaning, page, records, sources, table
