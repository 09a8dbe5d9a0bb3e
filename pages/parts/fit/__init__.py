"""Widgets and words of the fit page."""

from pages.parts.fit import (
    calibration, constant, elicit, envelope, guarantee, page, pictures, rivals, scope, theories,
    words,
)
