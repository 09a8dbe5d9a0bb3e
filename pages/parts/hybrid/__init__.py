"""Widgets and words of the hybrid page."""

from pages.parts.hybrid import closeness, learner, needs, page, parity, run
