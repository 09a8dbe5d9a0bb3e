"""The map that one drags a point through: exact regions, the sentence of the one it is in.

The script gets the polygons that the still is drawn with, as parts of both axes, and finds the
region of the point and the next border on its row from their edges. What is released comes back
as values of the axes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pages.charts import Figure, planes
from pages.pictures import picture
from pages.pictures.picture import Picture, finite
from rates.pieces import Polygon

_DIGITS, _FEWER = 6, 3  # of a part of an axis, on the map and on a small one
Ground = Mapping[str, Any]
_ROOM = 0.03  # of the width, the least that a script may put a name in


def show_map(
    plane: planes.Plane,
    still: Figure,
    *,
    key: str,
    take: Callable[[float, float], object],
    under: Callable[[], object] = lambda: None,
    ground: Ground | None = None,
) -> None:
    """Draw a map with a chosen point.

    Args:
        plane: The map.
        still: Its figure.
        key: Widget key, unique on the page.
        take: Gets the values of another point; of what is none of the map, nothing.
        under: Draws what stands directly under the map, such as a slider that moves the point.
        ground: What `ground_of` returned for the map, where that is kept.
    """

    def taken(sent: Mapping[str, object]) -> None:
        if (point := moved(plane, sent)) is not None:
            take(*point)

    picture.show(map_picture(plane, still, ground), key=key, take=taken, under=under)


def show_nine(nine: Ground, *, key: str, take: Callable[[int], object]) -> None:
    """Draw small maps, as of `nine_data`; `take` gets the place of one that was pressed."""

    def taken(sent: Mapping[str, object]) -> None:
        if (place := chosen(sent, len(nine["maps"]))) is not None:
            take(place)

    picture.touched("nine", nine, key, taken)


def nine_data(
    across: Sequence[str], down: Sequence[str], maps: Sequence[planes.Plane]
) -> dict[str, Any]:
    """Return what the script of small maps shows: titles of columns and rows, maps row by row."""
    return {
        "across": across,
        "down": down,
        "maps": [
            [
                {**_tone(one.looks[label]), "paths": planes.outlines(one, polygons, _FEWER)}
                for label, polygons in one.regions.items()
                if polygons
            ]
            for one in maps
        ],
    }


def map_picture(plane: planes.Plane, still: Figure, ground: Ground | None = None) -> Picture:
    """Return the picture of a map with a chosen point, and its figure as the still."""
    assert plane.here is not None
    data: dict[str, Any] = {
        **(ground or ground_of(plane)),
        "here": planes.point(plane, plane.here),
        "own": planes.point(plane, plane.own) if plane.own else None,
    }
    return Picture(script="map", data=data, still=still)


def ground_of(plane: planes.Plane) -> Ground:
    """Return what the script shows of a map wherever its point lies."""
    return {
        "x": _axis(plane.x),
        "y": _axis(plane.y),
        "wrong": planes.outlines(plane, plane.wrong, _DIGITS),
        "regions": [
            {
                **_tone(look := plane.looks[label]),
                "paths": planes.outlines(plane, polygons, _DIGITS),
                "said": look.said,
                "helps": look.helps,
                "names": _names(plane, look, polygons),
            }
            for label, polygons in plane.regions.items()
            if polygons
        ],
    }


def moved(plane: planes.Plane, sent: Mapping[str, object]) -> tuple[float, float] | None:
    """Return the point that a script sent, to three digits; None where it is none of the map.

    >>> from pages.charts import planes
    >>> axis = planes.Axis("n", True, 1, 100)
    >>> plane = planes.Plane(regions={}, looks={}, x=axis, y=axis)
    >>> moved(plane, {"x": 12.3456, "y": 100}), moved(plane, {"x": 12.3456, "y": 101})
    ((12.3, 100.0), None)
    """
    x, y = (
        finite(sent, name, axis.low * (1 - 1e-9), axis.high * (1 + 1e-9))
        for name, axis in (("x", plane.x), ("y", plane.y))
    )
    # Whatever a script sends may be made by hand.
    if x is None or y is None or sent.keys() != {"x", "y"}:
        return None
    return _rounded(x, plane.x), _rounded(y, plane.y)


def _rounded(value: float, axis: planes.Axis) -> float:
    # Rounding may leave the axis by a digit.
    return min(max(float(f"{value:.3g}"), axis.low), axis.high)


def chosen(sent: Mapping[str, object], many: int) -> int | None:
    """Return the place of the small map that was pressed; None where there is none.

    >>> chosen({"nine": 8}, 9), chosen({"nine": 9}, 9), chosen({"nine": 1.5}, 9)
    (8, None, None)
    """
    place = finite(sent, "nine", 0, many - 1)
    return int(place) if place is not None and place == int(place) else None


def _axis(axis: planes.Axis) -> dict[str, Any]:
    ends = {"low": axis.low, "high": axis.high, "ticks": planes.ticks(axis)}
    return {"title": axis.heading, "sign": axis.sign, "log": axis.log, **ends}


def _tone(look: planes.Look) -> dict[str, Any]:
    return {"cause": look.cause, "depth": look.depth}


def _names(
    plane: planes.Plane, look: planes.Look, polygons: Sequence[Polygon]
) -> list[dict[str, Any]]:
    """Return what may be written in a region, the longest first, each with its room.

    It stays where it is, wherever the point is put.
    """
    found, plane = [], replace(plane, here=None)
    for lines, tall in ((look.words, 3), (look.words[:1], 1)):
        if lines and (spot := planes.spot_of(polygons, plane, _ROOM, tall=tall)):
            at = planes.point(plane, (plane.x.value(spot.x), plane.y.value(spot.y)))
            found.append({"lines": list(lines), "x": at[0], "y": at[1], "room": spot.width})
    return found
