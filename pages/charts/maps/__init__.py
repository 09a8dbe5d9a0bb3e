"""Maps of labelled regions over two axes, the cut through one, and both as files."""

from pages.charts.maps import along, phases, plane
from pages.charts.maps import phases as own, phases as phase_maps, plane as tikz
