"""Widgets and words of the resolution page."""

from __future__ import annotations

from pages.parts.resolution import detail, page
