"""The vocabulary of figures: marks, axes, words, and the writers that draw them."""

from pages.charts import png, spec, svg, theme, words
from pages.charts.chart import (
    Axis, Bars, COLUMNS, Cells, Chart, Curve, Dots, Fields, Fill, Font, Hatch, LOOSE, Mark, Note,
    Rule, SINGLE, Spread, Stroke, Ticks, Values, Words, around, log_axis, step,
)
from pages.charts.make import (
    Figure, Rows, across, band, caused, dots, entries, heading, intervals, joined,
    key, line, measured, named, plot, ranged, room, series, upright,
)
from pages.charts.theme import EQUATION, GREY, MECHANISM, look
from pages.charts.words import between, label, number, number_text, percent, signed, span
