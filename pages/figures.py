"""Figures of a study in one call, by the name under which they are documented."""

from pages.charts.study import FIGURES, drawn, of

__all__ = ["FIGURES", "drawn", "of"]
