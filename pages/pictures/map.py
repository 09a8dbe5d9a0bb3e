"""The map that one drags a point through: exact regions, the sentence of the one it is in.

The script gets the polygons that the still is drawn with, as parts of both axes, and finds the
region of the point and the next border on its row from their edges. What is released comes back
as values of the axes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pages.charts import Figure
from pages.charts.chart import log_ticks
from pages.charts.maps import Axis, Look, Plane, spot_of
from pages.pictures.picture import Picture, finite
from rates.pieces import Polygon

_DIGITS, _FEWER = 6, 4  # of a part of an axis, on the map and on a small one
_ROOM = 0.03  # of the width, the least that a script may put a name in


@dataclass(frozen=True, slots=True, kw_only=True)
class Nine:
    """Small maps of other designs on the same axes, rows from the top.

    Attributes:
        across: What the columns are.
        down: What the rows are.
        planes: The maps, row by row.
    """

    across: Sequence[str]
    down: Sequence[str]
    planes: Sequence[Plane]


def map_picture(plane: Plane, still: Figure, nine: Nine | None = None) -> Picture:
    """Return the picture of a map with a chosen point.

    Args:
        plane: The map.
        still: Its figure.
        nine: Small maps beside it.
    """
    assert plane.here is not None
    data: dict[str, Any] = {
        "x": _axis(plane.x),
        "y": _axis(plane.y),
        "here": _point(plane, plane.here),
        "own": _point(plane, plane.own) if plane.own else None,
        "wrong": _paths(plane, plane.wrong, _DIGITS),
        "regions": [
            {
                **_tone(look := plane.looks[label]),
                "paths": _paths(plane, polygons, _DIGITS),
                "said": look.said,
                "helps": look.helps,
                "names": _names(plane, look, polygons),
            }
            for label, polygons in plane.regions.items()
            if polygons
        ],
    }
    if nine is not None:
        data["nine"] = {
            "across": list(nine.across),
            "down": list(nine.down),
            "maps": [
                [
                    {**_tone(one.looks[label]), "paths": _paths(one, polygons, _FEWER)}
                    for label, polygons in one.regions.items()
                    if polygons
                ]
                for one in nine.planes
            ],
        }
    return Picture(script="map", data=data, still=still)


def moved(plane: Plane, sent: Mapping[str, object]) -> tuple[float, float] | None:
    """Return the point that a script sent, to three digits; None where it is none of the map.

    >>> from pages.charts.maps import Axis, Plane
    >>> axis = Axis("n", True, 1, 100)
    >>> plane = Plane(regions={}, looks={}, x=axis, y=axis)
    >>> moved(plane, {"x": 12.3456, "y": 100}), moved(plane, {"x": 12.3456, "y": 101})
    ((12.3, 100.0), None)
    """
    x, y = (
        finite(sent, name, axis.low * (1 - 1e-9), axis.high * (1 + 1e-9))
        for name, axis in (("x", plane.x), ("y", plane.y))
    )
    if x is None or y is None or sent.keys() != {"x", "y"}:
        return None
    return _rounded(x, plane.x), _rounded(y, plane.y)


def _rounded(value: float, axis: Axis) -> float:
    return min(max(float(f"{value:.3g}"), axis.low), axis.high)


def chosen(sent: Mapping[str, object], many: int) -> int | None:
    """Return the place of the small map that was pressed; None where there is none.

    >>> chosen({"nine": 8}, 9), chosen({"nine": 9}, 9), chosen({"nine": 1.5}, 9)
    (8, None, None)
    """
    place = finite(sent, "nine", 0, many - 1)
    return int(place) if place is not None and place == int(place) else None


def _axis(axis: Axis) -> dict[str, Any]:
    ticks = log_ticks(axis.low, axis.high).values if axis.log else _even(axis)
    places = axis.parts(np.array(ticks)).tolist()
    ends = {"low": axis.low, "high": axis.high, "ticks": [*zip(places, ticks, strict=True)]}
    return {"title": axis.heading, "sign": axis.sign, "log": axis.log, **ends}


def _even(axis: Axis) -> list[float]:
    """Return ticks of a linear axis, about six."""
    rough = (axis.high - axis.low) / 6
    size = 10.0 ** np.floor(np.log10(rough))
    step = next(size * part for part in (1, 2, 5, 10) if size * part >= rough)
    first, last = np.ceil(axis.low / step), np.floor(axis.high / step)
    return [float(f"{step * k:.12g}") for k in np.arange(first, last + 1)]


def _point(plane: Plane, at: tuple[float, float]) -> list[float]:
    both = zip((plane.x, plane.y), at, strict=True)
    return [float(axis.parts(np.array([value]))[0]) for axis, value in both]


def _tone(look: Look) -> dict[str, Any]:
    return {"cause": look.cause, "depth": look.depth}


def _paths(plane: Plane, polygons: Sequence[Polygon], digits: int) -> list[list[float]]:
    """Return corners as parts of both axes, x and y in turn."""
    return [
        np.round(np.column_stack([plane.x.parts(p.x), plane.y.parts(p.y)]).ravel(), digits).tolist()
        for p in polygons
    ]


def _names(plane: Plane, look: Look, polygons: Sequence[Polygon]) -> list[dict[str, Any]]:
    """Return what may be written in a region, the longest first, each with its room.

    It stays where it is, wherever the point is put.
    """
    found, plane = [], replace(plane, here=None)
    for lines, tall in ((look.words, 2), (look.words[:1], 1)):
        if lines and (spot := spot_of(polygons, plane, _ROOM, tall=tall)):
            x, y = (10.0**v if a.log else v for a, v in ((plane.x, spot.x), (plane.y, spot.y)))
            at = _point(plane, (x, y))
            found.append({"lines": list(lines), "x": at[0], "y": at[1], "room": spot.width})
    return found
