"""The overview: what this is, and where to begin."""

from __future__ import annotations

from pages.parts.overview import page
