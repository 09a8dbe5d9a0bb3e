"""Widgets and words of the regression page."""

from pages.parts.regression import (
    constants, estimate, levels, page, pointwise, rate, study, weights,
)
