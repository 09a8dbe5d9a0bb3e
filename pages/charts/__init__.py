"""The vocabulary of figures: marks, axes, words, and the writers that draw them."""

from importlib import import_module
from typing import Any

from pages.charts import png, spec, svg, theme, words
from pages.charts.chart import (
    Axis, BARE, Bars, Cells, Chart, Curve, Dots, Fields, Fill, Font, Hatch, LOOSE, Legend, Mark,
    Note, Rule, SINGLE, Spread, Stroke, Ticks, Values, Words, around, log_axis, step,
)
from pages.charts.make import (
    Figure, Rows, Table, across, aligned, band, dots, entries, hatched, heading, intervals, joined,
    key, line, measured, named, plot, ranged, room, rows_of, series, thirds, upright,
)
from pages.charts.theme import EQUATION, GREY, MECHANISM, look
from pages.charts.words import between, label, number, number_text, percent, signed, span

def __getattr__(name: str) -> Any:  # figures of a study: they load when they are asked for
    if name in ("FIGURES", "drawn", "of"):
        return getattr(import_module("pages.charts.study"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
