"""The vocabulary of figures: marks, axes, words and their SVG."""

from __future__ import annotations

from pages.figures.chart import svg, theme, words
from pages.figures.chart.words import label, number, number_text, percent, signed, span
