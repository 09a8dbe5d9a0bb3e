"""Widgets and words of the logistic page."""

from pages.parts.logistic import accuracy, figures, meaning, page, records, sources, table
