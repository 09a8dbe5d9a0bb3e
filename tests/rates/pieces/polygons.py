"""Areas of polygons and what lies in them, on the scales of their axes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.pieces import Polygon


def area(polygon: Polygon, log_x: bool = True, log_y: bool = True) -> float:
    """The area, with the first corner as origin."""
    x = np.log(polygon.x / polygon.x[0]) if log_x else polygon.x - polygon.x[0]
    y = np.log(polygon.y / polygon.y[0]) if log_y else polygon.y - polygon.y[0]
    return abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2


def inside(
    polygon: Polygon, x: ArrayLike, y: ArrayLike, log_x: bool = True, log_y: bool = True
) -> NDArray[np.bool_]:
    """Whether points lie in it, by the even-odd rule."""
    px, x = (np.log(v) if log_x else np.asarray(v) for v in (polygon.x, x))
    py, y = (np.log(v) if log_y else np.asarray(v) for v in (polygon.y, y))
    out = np.zeros(np.broadcast_shapes(x.shape, y.shape), dtype=bool)
    for x1, y1, x2, y2 in zip(px[:-1], py[:-1], px[1:], py[1:], strict=True):
        if y1 != y2:
            spans = (y1 > y) != (y2 > y)
            out ^= spans & (x < x1 + (y - y1) / (y2 - y1) * (x2 - x1))
    return out
