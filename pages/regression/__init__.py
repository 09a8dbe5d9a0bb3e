"""Widgets and words of the regression page."""
