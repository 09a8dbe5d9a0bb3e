"""Widgets and words of the resolution page."""

from pages.parts.resolution import detail, page
