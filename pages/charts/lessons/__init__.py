"""Figures of the lessons: predictions, alone and beside what is true."""

from pages.charts.lessons import choices, classes, factors, hits, over, prediction, scales, votes
