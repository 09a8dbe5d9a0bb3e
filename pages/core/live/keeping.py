"""An experiment whose points are kept for the next redrawing."""

from __future__ import annotations

import functools
from dataclasses import replace

from pages.core import of_visitor
from sims.engine import Experiment, Point, Values


def _points(experiment: Experiment, values: Values) -> tuple[Point, ...]:
    return experiment.points(values)


_of_all, _of_one = functools.lru_cache(maxsize=64)(_points), of_visitor(16)(_points)


def kept(experiment: Experiment, *, private: bool = False) -> Experiment:
    """Return the experiment with its points, and the exact risks in them, kept for next time.

    Args:
        experiment: Whose points.
        private: Whether they rest on a visitor's file, and are kept for that visitor alone.
    """
    points = _of_one if private else _of_all
    return replace(experiment, points=lambda values: points(experiment, values))
