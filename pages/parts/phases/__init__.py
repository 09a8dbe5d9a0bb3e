"""Widgets and words of the phases page."""

from pages.parts.phases import designs, page, reading, views
