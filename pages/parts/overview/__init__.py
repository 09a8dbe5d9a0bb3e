"""The overview: what this is, and where to begin."""

from pages.parts.overview import page
