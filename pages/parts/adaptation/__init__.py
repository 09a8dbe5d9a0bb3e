"""Widgets and words of the adaptation page."""

from pages.parts.adaptation import budget, closeness, mixture, page, rate, table, weights
