"""Where things lie on a map: outlines and points as parts of its axes, ticks, room for names."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pages.charts.chart import even, log_ticks
from pages.charts.planes import Axis, Plane
from rates.pieces import Polygon

_LEVELS = 41  # heights at which room for a name is looked for
_LINE = 0.06  # of the height, for a name
_LETTER = 0.02  # of the width, for a letter of a name beyond the third
_LEAST = 0.09  # of the width, for any name
_TOUCHING = 1e-6  # of the width


def outlines(plane: Plane, polygons: Sequence[Polygon], digits: int) -> list[list[float]]:
    """Return the corners of polygons as parts of both axes, x and y in turn."""
    return [
        np.round(np.column_stack([plane.x.parts(p.x), plane.y.parts(p.y)]).ravel(), digits).tolist()
        for p in polygons
    ]


def point(plane: Plane, at: tuple[float, float]) -> list[float]:
    """Return a point as parts of both axes."""
    both = zip((plane.x, plane.y), at, strict=True)
    return [float(axis.parts(np.array([value]))[0]) for axis, value in both]


def ticks(axis: Axis) -> list[tuple[float, float]]:
    """Return ticks: their places as parts of the axis, and their values.

    >>> [value for _, value in ticks(Axis("d", False, 0.1, 2.9))]
    [0.5, 1.0, 1.5, 2.0, 2.5]
    """
    ends = (axis.low, axis.high)
    values = list(log_ticks(*ends).values) if axis.log else even(*ends, 6)
    return list(zip(axis.parts(np.array(values)).tolist(), values, strict=True))


class Name(NamedTuple):
    """A name on the map, at axis coordinates; `whole` where it says all there is to say."""

    label: str
    text: str
    x: float
    y: float
    whole: bool


def names(plane: Plane) -> list[Name]:
    """A name in the widest part of every region that has room for it and for no other's."""
    found: list[tuple[Spot, str, str, float]] = []
    for label, polygons in plane.regions.items():
        look = plane.looks[label]
        words = html.escape(" · ".join(look.words), quote=False)
        for text in filter(None, (words, look.short)):
            room = max(_LEAST, _LETTER * (len(text) - 3))
            if polygons and (spot := spot_of(polygons, plane, room, tall=0)):
                found.append((spot, label, text, room))
                break
    across, up = (
        math.log10(axis.high / axis.low) if axis.log else axis.high - axis.low
        for axis in (plane.x, plane.y)
    )
    out: list[Name] = []
    placed: list[tuple[float, float, float]] = []
    for spot, label, text, room in sorted(found, key=lambda one: -one[0].worth):
        x, y = spot.x / across, spot.y / up
        if all(abs(x - a) > (room + b) / 2 or abs(y - c) > _LINE for a, c, b in placed):
            placed.append((x, y, room))
            out.append(Name(label, text, spot.x, spot.y, text != plane.looks[label].short))
    return out


class Spot(NamedTuple):
    """Room for words in a region: its middle, at axis coordinates, and its part of the width."""

    x: float
    y: float
    width: float
    worth: float  # of regions that claim one place, the one with most keeps it


def spot_of(
    polygons: Sequence[Polygon], plane: Plane, room: float, *, tall: int = 2
) -> Spot | None:
    """Return the middle of the widest box that lies in a label's polygons, if it has the room.

    Args:
        polygons: The label's.
        plane: The map.
        room: The least width, as a part of the map's.
        tall: Height of the box: so many forty-firsts of the map's above its middle, and below.
    """
    _, low, high = plane.x.coordinates(polygons[0].x)
    _, bottom, top = plane.y.coordinates(polygons[0].y)
    levels = bottom + (top - bottom) * (np.arange(_LEVELS) + 0.5) / _LEVELS
    runs: list[list[tuple[float, float]]] = [[] for _ in levels]
    for polygon in polygons:
        across = np.clip(plane.x.coordinates(polygon.x)[0], low, high)
        up = np.clip(plane.y.coordinates(polygon.y)[0], bottom, top)
        below, above = up[:-1, None], up[1:, None]
        crossed = (below <= levels) != (above <= levels)
        with np.errstate(divide="ignore", invalid="ignore"):
            part = (levels - below) / (above - below)
            places = across[:-1, None] + part * (across[1:, None] - across[:-1, None])
        ends = np.sort(np.where(crossed, places, np.inf), axis=0)
        for k in np.flatnonzero(np.isfinite(ends[0])).tolist():
            met = ends[np.isfinite(ends[:, k]), k].tolist()
            runs[k] += zip(met[::2], met[1::2], strict=False)
    widest = np.array([_widest(run, (high - low) * _TOUCHING) for run in runs])
    total = float((widest[:, 1] - widest[:, 0]).sum() / (high - low))
    shut = np.tile([[high, low]], (tall, 1))  # beyond the map there is no room
    boxes = np.lib.stride_tricks.sliding_window_view(
        np.concatenate([shut, widest, shut]), 2 * tall + 1, axis=0
    )
    left, right = boxes[:, 0].max(axis=-1), boxes[:, 1].min(axis=-1)
    width, middle = (right - left) / (high - low), 0.5 * (left + right)
    used = levels[width > room]
    if len(used) < (1 if tall else 2):
        return None
    worth = width - 0.3 * np.abs(levels - used.mean()) / max(used[-1] - used[0], levels[1] - bottom)
    if plane.here is not None:  # the mark of the point is not to be hidden
        both = zip(plane.here, (plane.x, plane.y), strict=True)
        at = [axis.coordinates(np.array(v))[0] for v, axis in both]
        beside = np.abs(middle - at[0]) / (high - low) > room
        worth -= ~(beside | (np.abs(levels - at[1]) / (top - bottom) > _LINE))
    k = int(np.argmax(np.where(width > room, worth, -np.inf)))
    return Spot(float(middle[k]), float(levels[k]), float(width[k]), total)


def _widest(runs: Sequence[tuple[float, float]], touching: float) -> tuple[float, float]:
    """The longest of some intervals, those that touch taken together."""
    start, end = -np.inf, -np.inf
    widest = (0.0, 0.0)
    for low, high in sorted(runs):
        start, end = (start, max(end, high)) if low <= end + touching else (low, high)
        if end - start > widest[1] - widest[0]:
            widest = (start, end)
    return widest
