"""Widgets and words of the hybrid page."""

from __future__ import annotations

from pages.parts.hybrid import closeness, learner, needs, page, parity, run
