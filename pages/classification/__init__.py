"""Widgets and words of the classification page."""
