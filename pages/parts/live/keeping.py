"""An experiment whose points are kept for the next redrawing."""

from __future__ import annotations

import functools
from dataclasses import replace

from sims.engine import Experiment

_points = functools.lru_cache(maxsize=64)(lambda experiment, values: experiment.points(values))


def kept(experiment: Experiment) -> Experiment:
    """Return the experiment with its points, and the exact risks in them, kept for next time."""
    return replace(experiment, points=lambda values: _points(experiment, values))
