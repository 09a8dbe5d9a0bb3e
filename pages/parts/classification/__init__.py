"""Widgets and words of the classification page."""

from pages.parts.classification import common, draw, figures, page, privacy, rate, study
