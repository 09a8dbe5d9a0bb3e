"""Widgets and words of the adaptation page."""

from __future__ import annotations

from pages.parts.adaptation import budget, closeness, mixture, page, rate, table, weights
