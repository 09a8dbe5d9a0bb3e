"""Minima and maxima of lines: what decides where, exactly."""

from rates.pieces.cells import Interval, intervals
from rates.pieces.form import Form, Leaf, Tree, choose
from rates.pieces.plane import Polygon, regions
