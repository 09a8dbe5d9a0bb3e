"""Minima and maxima of lines: what decides where, exactly."""

from rates.pieces.cells import (
    Interval, Lines, crossings, cut, intervals, joined, leaves_along, settle,
)
from rates.pieces.form import (
    Array, Call, Codes, Form, Leaf, Tree, TIE, choose, decide, log_number, log_of, mapped,
)
from rates.pieces.plane import Axis, Box, Polygon, area, join_rows, regions
