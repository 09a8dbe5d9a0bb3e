"""The map of a study: regions by the site that carries most and by what binds it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from rates.answer import BY_EQUATION, Lens
from rates.maps.moved import Axis, Ground, value
from rates.maps.row_cells import along, codes_at
from rates.numbers import DomainError, Words
from rates.pieces import Array, Polygon, area, join_rows
from rates.study import Study

ROWS = 61  # heights at which the equation is solved first; more are added where the order changes
MOST_LABELS = 12
MOST_SITES = 60


@dataclass(frozen=True, slots=True)
class Label:
    """Who carries most, and what binds them.

    Attributes:
        row: The row of the table, the first of equals. None: one of those that have too little
            of the map for a label of their own, or nobody where the rate is 1.
        limit: "privacy" or "sample"; "none" where the rate is 1 and says nothing.
    """

    row: int | None
    limit: Literal["privacy", "sample", "none"]


TRIVIAL = Label(None, "none")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """How far along one axis the study keeps its label, its other numbers being as they are.

    Attributes:
        low: Where the label begins; None where it holds to the lower end of the axis.
        high: Where it ends; None where it holds to the upper end.
    """

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What holds at one point of a map, and how far.

    Attributes:
        at: The point; an end of an axis where it lies beyond it.
        label: Who carries most there.
        across: How far that label reaches along the horizontal axis.
        upwards: How far it reaches along the vertical axis.
    """

    at: tuple[float, float]
    label: Label
    across: Stretch
    upwards: Stretch


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyMap:
    """The map of one study over two of its numbers.

    Attributes:
        x: The horizontal axis.
        y: The vertical axis.
        regions: By label, the polygons in which it holds, the largest regions first. They cover
            the axes without overlap; along each row of the map their ends are exact by the rate
            equation, and located to 1e-6 of the axis by a named mechanism.
        areas: By label, its part of the map, on the axes' own scales.
        grouped: Of how many labels the regions are put together under "another site".
    """

    x: Axis
    y: Axis
    regions: Mapping[Label, tuple[Polygon, ...]]
    areas: Mapping[Label, float]
    grouped: int


def study_map(study: Study, x: Axis, y: Axis, lens: Lens = BY_EQUATION) -> StudyMap:
    r"""Return who carries most over two numbers of a study, and what binds them.

    At every point the equation of `rates.solve`, or that of the named mechanism, is solved; the
    site with the largest term carries most, and privacy binds it where its private branch is the
    smaller one (by the mechanism: the larger variance). Where the rate is 1 nobody carries.

    Args:
        study: A study of at most 60 rows.
        x: The horizontal axis.
        y: The vertical axis, another number.
        lens: Which risk, by which answer.

    Raises:
        DomainError: An axis is no number of the study, both are the same, the study has too many
            rows, or a private row lacks the delta that the mechanism needs.

    Examples:
        >>> from rates.maps import Moved, around
        >>> from rates.presets import preset
        >>> study = preset("hospitals").study
        >>> x, y = (around(study, Moved.of(text)) for text in ("epsilon_all", "n_1"))
        >>> found = study_map(study, x, y)
        >>> max(found.areas, key=found.areas.get)
        Label(row=1, limit='sample')

    Source: [ACC] eq. (5), [CCV] eq. (6), over two of their numbers.
    """
    if len(study.servers) > MOST_SITES:
        rule = (
            f"A map takes a study of at most {MOST_SITES} rows; alike sites go into one by count."
        )
        raise DomainError(rule, "servers", Words(f"{len(study.servers)} rows"))
    ground = Ground(study=study, lens=lens, x=x.moved, y=y.moved)
    by_label, areas, grouped = _grouped(_joined(ground, x, y), x, y)
    return StudyMap(x=x, y=y, regions=by_label, areas=areas, grouped=grouped)


def standing(
    study: Study,
    x: Axis,
    y: Axis,
    lens: Lens = BY_EQUATION,
    *,
    at: tuple[float, float] | None = None,
) -> Standing:
    """Return what holds at a point of the map, the study's own if None.

    >>> from rates.maps import Moved, around
    >>> from rates.presets import preset
    >>> study = preset("hospitals").study
    >>> x, y = (around(study, Moved.of(text)) for text in ("epsilon_all", "n_1"))
    >>> standing(study, x, y, at=(0.5, 142.0)).label
    Label(row=1, limit='privacy')
    >>> round(standing(study, x, y).across.low, 4)  # below that factor privacy binds
    0.5116

    Raises:
        DomainError: As in `study_map`.
    """
    ground = Ground(study=study, lens=lens, x=x.moved, y=y.moved)
    across, up = at or (value(study, x.moved), value(study, y.moved))
    here = _inside(x, across), _inside(y, up)
    return Standing(
        at=here,
        label=_label(study, int(codes_at(ground, *map(np.asarray, here)))),
        across=_stretch(ground, x, *here),
        upwards=_stretch(replace(ground, x=y.moved, y=x.moved), y, *here[::-1]),
    )


def _inside(axis: Axis, at: float) -> float:
    return min(max(at, axis.low), axis.high)


def _label(study: Study, code: int) -> Label:
    row, free = divmod(code, 2)
    return TRIVIAL if row == len(study.servers) else Label(row, "sample" if free else "privacy")


def _heights(axis: Axis) -> Array:
    spaced = np.geomspace if axis.moved.log else np.linspace
    return np.asarray(spaced(axis.low, axis.high, ROWS))


def _joined(ground: Ground, x: Axis, y: Axis) -> dict[Label, tuple[Polygon, ...]]:
    """Return the polygons of all labels."""
    codes = [str(code) for code in range(2 * len(ground.study.servers) + 1)]
    found = join_rows(
        lambda heights: along(ground, x, heights), _heights(y), codes, x=x.scale, log_y=y.moved.log
    )
    labelled = {int(code): polygons for code, polygons in found.items() if polygons}
    return {_label(ground.study, code): polygons for code, polygons in labelled.items()}


def _grouped(
    regions: dict[Label, tuple[Polygon, ...]], x: Axis, y: Axis
) -> tuple[dict[Label, tuple[Polygon, ...]], dict[Label, float], int]:
    """Put the smallest regions together where there are more labels than can be told apart."""
    areas = {label: sum(_area(p, x, y) for p in polygons) for label, polygons in regions.items()}
    order = sorted(areas, key=lambda label: (label == TRIVIAL, -areas[label]))
    # Three places are left for those put together: by privacy, by sample, and nobody.
    kept = order if len(order) <= MOST_LABELS else order[: MOST_LABELS - 3]
    out: dict[Label, tuple[Polygon, ...]] = {}
    sizes: dict[Label, float] = {}
    for label in order:
        name = label if label in kept or label == TRIVIAL else Label(None, label.limit)
        out[name] = out.get(name, ()) + regions[label]
        sizes[name] = sizes.get(name, 0.0) + areas[label]
    return out, sizes, sum(label not in out for label in order)


def _area(polygon: Polygon, x: Axis, y: Axis) -> float:
    """Return a polygon's part of the map, on the scales of the axes."""
    sides = [
        (np.log(at) if axis.moved.log else at) / np.ptp(axis.scale.span)
        for at, axis in ((polygon.x, x), (polygon.y, y))
    ]
    return abs(area(list(zip(*sides, strict=True))))


def _stretch(ground: Ground, axis: Axis, at: float, height: float) -> Stretch:
    """Return how far the label at a point reaches along an axis."""
    edges, codes = (row[0] for row in along(ground, axis, np.array([height])))
    place = np.log(at) if axis.moved.log else at
    new = codes[1:] != codes[:-1]
    ends = edges[new]
    cell = int(np.searchsorted(ends, place))
    where = [None, *(math.exp(end) if axis.moved.log else end for end in ends.tolist()), None]
    return Stretch(low=where[cell], high=where[cell + 1])
