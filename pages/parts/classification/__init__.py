"""Widgets and words of the classification page."""

from pages.parts.classification import attacker, common, draw, figures, page, privacy, rate, study
