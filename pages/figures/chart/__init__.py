"""The vocabulary of figures: marks, axes, words, and the writers that draw them."""

from pages.figures.chart import png, spec, svg, theme, words
from pages.figures.chart.axes import (
    Axis, BARE, Chart, LOOSE, Legend, SINGLE, Ticks, around, log_axis, step,
)
from pages.figures.chart.drawn import Drawn, Rows, Table, rows_of
from pages.figures.chart.make import (
    across, band, dots, entries, hatched, heading, intervals, joined, key, line,
    measured, series, upright,
)
from pages.figures.chart.marks import (
    Bars, Cells, Curve, Dots, Fill, Font, Hatch, Mark, Note, Rule, Spread, Stroke,
    Values, Words,
)
from pages.figures.chart.theme import EQUATION, GREY, MECHANISM, look
from pages.figures.chart.words import between, label, number, number_text, percent, signed, span
