"""The current study's own map: who carries it, and what binds them, over two of its numbers."""

from rates.landscape.axes import Axis, Moved, around, choices, usual, value
from rates.landscape.regions import (
    Label, Landscape, Standing, Stretch, TRIVIAL, carrier, landscape, standing,
)
