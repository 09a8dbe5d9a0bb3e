"""The rows of the map by either answer: where labels change along them, and which they are."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from rates.maps.moved import Axis, Ground, moves
from rates.maps.row_curves import Places, Rows, carriers, pieces
from rates.numbers import Terms, at_root, solve_log
from rates.pieces import Codes
from rates.study import Study

Array = NDArray[np.float64]
LOCATED = 1e-6  # part of the axis to which a change by the mechanism is located
POINTS = 33  # points on a row at which the mechanism is asked first
_SLOPES = {"n": (1.0, 2.0), "epsilon": (0.0, 2.0), "count": (1.0, 1.0)}


def code_of(study: Study, terms: Terms) -> Codes:
    """Return the label's code for equations of a study with all its rows.

    A code is twice the row of the table, and one more where sampling binds; twice the number of
    rows stands for a rate of 1.
    """
    return _codes(terms, np.arange(len(study.servers)), len(study.servers))


def codes_at(ground: Ground, x: Array, y: Array) -> Codes:
    """Return the label's code at points, which broadcast."""
    return _codes(ground.terms(x, y), ground.live, len(ground.study.servers))


def _codes(terms: Terms, rows: Places, count: int) -> Codes:
    u = solve_log(terms)
    level, gap = at_root(terms, u)
    who = carriers(level)
    free = np.take_along_axis(gap, who[..., None], -1)[..., 0] > 0.0
    return np.where(u < 0.0, 2 * rows[who] + free, 2 * count).astype(np.int16)


def exact(ground: Ground, axis: Axis, heights: Array) -> tuple[Array, Codes]:
    """Return per row the inner edges and the code of each cell, by the rate equation.

    Edges are logs along a logarithmic axis; those not needed stand at the upper end.
    """
    steep = axis.moved.quantity == "signal_exponent"
    neutral = ground.terms(np.full(len(heights), 0.0 if steep else 1.0), heights)
    ends = np.array([axis.low, axis.high])
    u = solve_log(ground.terms(ends, heights[:, None]))
    t = np.broadcast_to(np.log(ends), u.shape)
    if steep:
        t = 2.0 * ground.study.smoothness * u * ends
    back = t[:, 0] > t[:, 1]
    t, u = (np.where(back[:, None], v[:, ::-1], v) for v in (t, u))
    on = moves(ground.study, axis.moved, ground.y)[ground.live]
    slopes = _SLOPES.get(axis.moved.quantity, (1.0, 1.0))
    found = pieces(Rows.of(neutral, on, slopes), t, u)
    code = (2 * ground.live[found.carrier] + ~found.private).astype(np.int16)
    known = found.root.mean(axis=1) < 0.0
    code = np.where(known, code, 2 * len(ground.study.servers)).astype(np.int16)
    at = found.ends
    if steep:
        at = np.sort(found.ends / (2.0 * ground.study.smoothness * found.root), axis=1)
    return _lined_up(found.row, at, code, len(heights), axis.scale.span)


def located(ground: Ground, axis: Axis, heights: Array) -> tuple[Array, Codes]:
    """Return the same by the named mechanism: changes are located to 1e-6 of the axis.

    A change is seen where two neighbours among points on the row, or a point that is asked on the
    way to one, have different codes; two changes between neighbours of one code are missed.
    """
    span = axis.scale.span
    points = np.linspace(*span, POINTS)

    def ask(at: Array, y: Array) -> Codes:
        return codes_at(ground, axis.scale.numbers(at), y)

    seen = ask(points, heights[:, None])
    row, place = np.nonzero(seen[:, 1:] != seen[:, :-1])
    at = np.stack([points[place], points[place + 1]], axis=1)
    code = np.stack([seen[row, place], seen[row, place + 1]], axis=1)
    for _ in range(math.ceil(math.log2(1.0 / (LOCATED * (POINTS - 1))))):
        middle = at.mean(axis=1)
        new = ask(middle, heights[row])
        halves = (
            (row, np.stack([at[:, 0], middle], axis=1), np.stack([code[:, 0], new], axis=1)),
            (row, np.stack([middle, at[:, 1]], axis=1), np.stack([new, code[:, 1]], axis=1)),
        )
        row, at, code = (np.concatenate(parts) for parts in zip(*halves, strict=True))
        differ = code[:, 0] != code[:, 1]
        row, at, code = row[differ], at[differ], code[differ]
    count = len(heights)
    row = np.concatenate([np.arange(count), row])
    left = np.concatenate([np.full(count, span[0]), at.mean(axis=1)])
    codes = np.concatenate([seen[:, 0], code[:, 1]])
    order = np.lexsort((left, row))
    row, left, codes = row[order], left[order], codes[order]
    ends = np.append(left[1:], span[1])
    ends = np.where(np.append(row[1:] != row[:-1], True), span[1], ends)
    return _lined_up(row, np.stack([left, ends], axis=1), codes, count, span)


def along(ground: Ground, axis: Axis, heights: Array) -> tuple[Array, Codes]:
    """Return the inner edges and the codes of the cells per row, by the answer asked for."""
    return (exact if ground.lens.mechanism is None else located)(ground, axis, heights)


def _lined_up(
    row: Places, at: Array, code: Codes, count: int, span: tuple[float, float]
) -> tuple[Array, Codes]:
    """Put the pieces of rows into two arrays, neighbours of one code joined."""
    keep = at[:, 1] - at[:, 0] > 1e-12 * (span[1] - span[0])
    row, at, code = row[keep], at[keep], code[keep]
    order = np.lexsort((at[:, 0], row))
    row, at, code = row[order], at[order], code[order]
    new = np.concatenate([[True], (row[1:] != row[:-1]) | (code[1:] != code[:-1])])
    row, left, code = row[new], at[new, 0], code[new]
    place = np.arange(len(row)) - np.searchsorted(row, row)
    most = int(place.max(initial=0))
    edges = np.full((count, most), span[1])
    codes = np.zeros((count, most + 1), dtype=np.int16)
    inner = place > 0
    edges[row[inner], place[inner] - 1] = left[inner]
    codes[row, place] = code
    last = np.searchsorted(row, np.arange(count), side="right") - 1
    unused = np.arange(most + 1) > place[last][:, None]
    return edges, np.where(unused, code[last][:, None], codes)
