"""Figures of the lessons: predictions, alone and beside what is true."""

from pages.charts.lessons import choices, classes, factors, hits, prediction, scales, votes
from pages.charts.lessons import prediction as over
