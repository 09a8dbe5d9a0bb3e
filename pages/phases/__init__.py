"""Widgets and words of the phases page."""
