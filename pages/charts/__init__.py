"""The vocabulary of figures: marks, axes, words, and the writers that draw them."""

from pages.charts import png, spec, svg, theme, words
from pages.charts.layout import (
    COLUMNS, Fields, LOOSE, SINGLE, Values, around, axes, axis, chart, log_axis, log_ticks, nth,
    step,
)
from pages.charts.make import (
    Figure, Rows, across, band, bars, caused, dots, entries, hatch, heading, intervals, joined,
    key, line, measured, named, note, plot, ranged, room, rule, series, spread, trace, upright,
)
from pages.charts.theme import EQUATION, GREY, MECHANISM, look
from pages.charts.words import between, label, number, number_text, percent, signed, span
