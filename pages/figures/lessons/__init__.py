"""Figures of the lessons: predictions, alone and beside what is true."""

from pages.figures.lessons import (
    choices, classes, factors, hits, over, prediction, scales, votes,
)
