"""Widgets and words of the resolution page."""
