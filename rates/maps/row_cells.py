"""The rows of the map by either answer: where labels change along them, and which they are."""

from __future__ import annotations

import functools
import math

import numpy as np
from numpy.typing import NDArray

from rates.maps.moved import Axis, Ground
from rates.maps.row_curves import Places, Rows, branches, carriers, pieces
from rates.numbers import Terms, at_root, solve_log
from rates.pieces import Codes
from rates.study import Study

Array = NDArray[np.float64]
LOCATED = 1e-6  # part of the axis to which a change by the mechanism is located
POINTS = 33  # points on a row at which the mechanism is asked first


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


@functools.lru_cache(maxsize=16)
def _rises(ground: Ground) -> tuple[Array, Array, float] | None:
    """Read off the forward map how the sites' branches rise along the horizontal axis.

    Both branches rise in the log of what moves, site by site; or, the third, those of one site in
    u times the number itself. None where they rise unevenly: such rows are known at points alone.
    """
    steps = np.arange(3.0)
    terms = ground.terms(np.exp(steps) if ground.x.log else steps, np.ones(1))
    with np.errstate(invalid="ignore"):
        rises = np.diff(np.stack(branches(terms)), axis=1)
    rises[1] = np.where(np.isnan(rises[1]), rises[0], rises[1])  # an unprotected site has none
    (first, second, slope), again = rises[:, 0].round(9), rises[:, 1]
    if not np.allclose(rises[:, 0], again, rtol=0.0, atol=1e-9):
        return None
    if not slope.any():
        return first, second, 0.0
    on = slope > 0
    alone = on.sum() == 1 and not first.any() and not second.any()
    return (1.0 * on, 1.0 * on, float(rises[2, 0].max())) if alone else None


def exact(ground: Ground, axis: Axis, heights: Array) -> tuple[Array, Codes] | None:
    """Return per row the inner edges and the code of each cell, by the rate equation.

    Edges are logs along a logarithmic axis; those not needed stand at the upper end. None where
    the sites' terms rise unevenly along the axis.
    """
    rises = _rises(ground)
    if rises is None:
        return None
    *p, steep = rises
    neutral = ground.terms(np.full(len(heights), 0.0 if steep else 1.0), heights)
    ends = np.array([axis.low, axis.high])
    u = solve_log(ground.terms(ends, heights[:, None]))
    t = steep * u * ends if steep else np.broadcast_to(np.log(ends), u.shape)
    back = t[:, 0] > t[:, 1]
    t, u = (np.where(back[:, None], v[:, ::-1], v) for v in (t, u))
    found = pieces(Rows.of(neutral, (p[0], p[1])), t, u)
    code = (2 * ground.live[found.carrier] + ~found.private).astype(np.int16)
    known = found.root.mean(axis=1) < 0.0
    code = np.where(known, code, 2 * len(ground.study.servers)).astype(np.int16)
    at = np.sort(found.ends / (steep * found.root), axis=1) if steep else found.ends
    return _lined_up(found.row, at, code, len(heights), axis.scale.span)


def located(ground: Ground, axis: Axis, heights: Array) -> tuple[Array, Codes]:
    """Return the same by any answer: changes are located to 1e-6 of the axis.

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
    by_equation = exact(ground, axis, heights) if ground.lens.mechanism is None else None
    return by_equation or located(ground, axis, heights)


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
