"""Maps of labelled regions over two axes, the cut through one, and both as files."""

from pages.charts.maps import along, own, phase_maps, phases, plane, tikz
