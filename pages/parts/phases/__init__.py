"""Widgets and words of the phases page."""

from __future__ import annotations

from pages.parts.phases import designs, page, reading
