"""Widgets and words of the classification page."""

from __future__ import annotations

from pages.parts.classification import common, draw, figures, page, privacy, rate, study
