r"""A search for the ends of what privacy costs, over everything that is not known.

Both ends of both answers are those of u - v, the logs of r with and without privacy, times a
power that beta and the margin alone decide; u - v is never negative and does not depend on the
margin, so that the margin is known at once. What is left is beta, the gammas and a bandwidth.

Three families of one number each, times beta, hold all candidates (`families`). The number and
beta are searched on grids that close in; u and v follow from the best point so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.fit.families import ENDS, FAMILIES, Hunt, Tracks
from rates.fit.groups import grouped
from rates.fit.problem import Points, Problem, points
from rates.fit.ranges import Box

Array = NDArray[np.float64]
Index = NDArray[np.int64]

_BETAS, _PLACES = 5, 25  # first grid: smoothnesses, numbers per family
_TURNS = 2
_TRACKS = 4  # searches per end that go on from it
_WIDE = 5  # rounds with all of them; then one per end
_ROUNDS = {False: 18, True: 10}  # all rounds: a smooth answer has no ridges to follow
_LARGE = 9  # of these for a large study
_CLOSER = 0.55  # what is left of a window in a round
_FEW = 6  # rows up to which every corner is tried
_ALONE = 50  # rows up to which each is then moved alone
_PATIENCE = 4  # steps without a gain after which it ends
_STEPS = 20  # of a last ascent in all coordinates


@dataclass(frozen=True, slots=True)
class End:
    """One end: its natural log, and the coordinates and bandwidth that give it."""

    log: float
    where: Points


def search(problem: Problem, ranges: Box) -> tuple[End, ...]:
    """Return where kept is lowest and highest, and cost highest and lowest.

    Rows that are nearly alike are first taken together where there are many; each is then
    given its own gamma. Every end is attained; nothing proves that it is the last.

    Args:
        problem: One risk by one answer.
        ranges: The box.
    """
    hunt = Hunt(problem, ranges)
    rounds = _ROUNDS[problem.smooth]
    small = grouped(problem, ranges)
    tracks = _first(hunt if small is None else Hunt(*small))
    tracks = _closing(hunt if small is None else Hunt(*small), tracks, 0, _WIDE)
    tracks = tracks.take(_best(tracks, 1))
    if small is not None:
        tracks = _again(hunt, tracks)
    tracks = _closing(hunt, tracks, _WIDE, rounds if small is None else _WIDE + _LARGE)
    _corners(hunt, tracks)
    x, best = _ascend(hunt, tracks)
    out = []
    for row, (of_cost, want) in enumerate(ENDS):
        at = x[row : row + 1].copy()
        at[:, 1] = hunt.margins[row]
        where = points(at, ranges, problem.risk, tracks.kappa[row : row + 1])
        out.append(End(float(best[row] * want * (1.0 if of_cost else -1.0)), where))
    return tuple(out)


def _first(hunt: Hunt) -> Tracks:
    """Lay the first grid, twice: around middle gammas, then around the best and the worst."""
    bands = len(hunt.problem.kappas)
    some = np.unique(np.linspace(hunt.low[0], hunt.high[0], _BETAS))
    beta, kappa, family = (
        a.reshape(-1)
        for a in np.meshgrid(some, np.arange(bands), np.arange(FAMILIES), indexing="ij")
    )
    x = np.repeat(0.5 * (hunt.low + hunt.high)[None], len(beta), axis=0)
    x[:, 0] = beta
    u, v = hunt.roots(x, kappa)
    zero = np.zeros(len(beta))
    t = Tracks(zero.astype(np.int64), family, kappa, beta, zero, _tilt(beta, u, v), u, v, x, zero)
    many = min(_PLACES, int(hunt.moving.sum()) + 1)
    place = np.linspace(0.0, 1.0, max(many, 7) if many > 1 else 1)
    found = []
    for turn in range(_TURNS):
        shape = (len(t.beta), len(place))
        grid = np.broadcast_to(t.beta[:, None], shape), np.broadcast_to(place, shape)
        laid = hunt.laid(t, *grid, np.broadcast_to(t.tilt[:, None], shape))
        flat = laid.reshape(-1, laid.shape[-1])
        u, v = (a.reshape(shape) for a in hunt.roots(flat, np.repeat(t.kappa, len(place))))
        for end in range(4) if turn == _TURNS - 1 else (0, 1):
            # Within a track beta is fixed, so that two of the four ends tell all four.
            mine = np.full(len(t.beta), end)
            top = (hunt.want[end] * (u - v)).argmax(axis=1)
            row = np.arange(len(top))
            gap = u[row, top] - v[row, top]
            value = hunt.powers(t.beta, mine)[0] * gap
            fresh = (mine, t.family, t.kappa, t.beta, place[top], t.tilt, u[row, top], v[row, top])
            found.append(Tracks(*fresh, laid[row, top], value))
        if turn < _TURNS - 1:
            t = _joined(found)
            t.tilt, found = _tilt(t.beta, t.u, t.v), []
    every = _joined(found)
    return every.take(_best(every, _TRACKS))


def _tilt(beta: Array, u: Array, v: Array) -> Array:
    """The log of 2 beta (u - v), by which all ratios are alike."""
    return np.asarray(np.log(np.maximum(2.0 * beta * (u - v), 1e-6)))


def _joined(parts: list[Tracks]) -> Tracks:
    return Tracks(*(np.concatenate([getattr(p, name) for p in parts]) for name in Tracks.__slots__))


def _best(t: Tracks, many: int) -> Index:
    """The best tracks of every end, end by end."""
    out = []
    for end in range(4):
        mine = np.flatnonzero(t.end == end)
        out.append(mine[np.argsort(-t.value[mine], kind="stable")[:many]])
    return np.concatenate(out)


def _again(hunt: Hunt, t: Tracks) -> Tracks:
    """Carry tracks from a small problem to the whole one: their places are sought anew."""
    t = replace(t, value=np.full(len(t.value), -np.inf), x=np.zeros((len(t.value), len(hunt.low))))
    place = np.linspace(0.0, 1.0, 2 * _PLACES)
    nothing = 0.0 * place
    grid = (t.beta[:, None] + nothing, 0.0 * t.beta[:, None] + place, t.tilt[:, None] + nothing)
    _tried(hunt, t, *grid)
    return t


def _closing(hunt: Hunt, t: Tracks, start: int, stop: int) -> Tracks:
    """Try grids of beta and place around every track's best point, each closer than the last."""
    fixed = hunt.low[0] == hunt.high[0]
    sides = np.array([0.0]) if fixed else np.array([-1.0, -0.45, 0.0, 0.45, 1.0])
    steps = np.linspace(-1.0, 1.0, 5) if hunt.moving.any() else np.array([0.0])
    by_beta, by_place = (a.reshape(-1) for a in np.meshgrid(sides, steps))
    if len(by_beta) == 1:
        return t
    for turn in range(start, stop):
        near = _CLOSER**turn
        beta = t.beta[:, None] + 0.25 * near * by_beta * (hunt.high[0] - hunt.low[0])
        place = t.place[:, None] + max(near / 6.0, 0.0) * by_place
        tilt = t.tilt[:, None] + 0.0 * beta
        if turn % 2:
            alike = t.family == 2
            beta[alike] = t.beta[alike, None]
            tilt[alike] += 1.5 * near * by_beta
        beta = np.clip(beta, hunt.low[0], hunt.high[0])
        _tried(hunt, t, beta, np.clip(place, 0.0, 1.0), tilt)
    return t


def _tried(hunt: Hunt, t: Tracks, beta: Array, place: Array, tilt: Array) -> None:
    """Evaluate one grid per track, and move every track that it betters."""
    laid = hunt.laid(t, beta, place, tilt)
    many, row = beta.shape[1], np.arange(len(t.beta))
    flat = laid.reshape(-1, laid.shape[-1])
    u, v = (a.reshape(beta.shape) for a in hunt.roots(flat, np.repeat(t.kappa, many)))
    value = hunt.powers(beta, t.end[:, None])[0] * (u - v)
    top = value.argmax(axis=1)
    better = value[row, top] > t.value
    for mine, new in (
        (t.beta, beta[row, top]),
        (t.place, place[row, top]),
        (t.tilt, tilt[row, top]),
        (t.u, u[row, top]),
        (t.v, v[row, top]),
        (t.value, value[row, top]),
    ):
        mine[better] = new[better]
    t.x[better] = laid[row, top][better]


def _corners(hunt: Hunt, t: Tracks) -> None:
    """Try every corner of the gammas where rows are few, else every row at its ends alone."""
    rows = 2 + np.flatnonzero(hunt.moving)
    if not 0 < len(rows) <= _ALONE:
        return
    if len(rows) <= _FEW:
        sharp = (np.arange(2 ** len(rows))[:, None] >> np.arange(len(rows))) & 1
        some, bands = np.linspace(hunt.low[0], hunt.high[0], _BETAS), len(hunt.problem.kappas)
        x = np.tile(hunt.high, (bands, len(some), len(sharp), 1))
        x[..., rows] -= sharp * (hunt.high - hunt.low)[rows]
        x[..., 0] = some[:, None]
        kappa = np.repeat(np.arange(bands), len(some) * len(sharp))
        x = np.broadcast_to(
            x.reshape(1, -1, len(hunt.low)), (len(t.end), len(kappa), len(hunt.low))
        )
        u, v = hunt.roots(x[0], kappa)
        kappa = np.tile(kappa, (len(t.end), 1))
    else:
        x = np.repeat(t.x[:, None], 2 * len(rows), axis=1)
        where = np.arange(len(rows))
        x[:, where, rows], x[:, where + len(rows), rows] = hunt.low[rows], hunt.high[rows]
        kappa = np.repeat(t.kappa[:, None], 2 * len(rows), axis=1)
        u, v = hunt.roots(x.reshape(-1, x.shape[2]), kappa.reshape(-1))
        u, v = u.reshape(kappa.shape), v.reshape(kappa.shape)
    value = hunt.powers(x[..., 0], t.end[:, None])[0] * (u - v)
    top, row = value.argmax(axis=1), np.arange(len(t.end))
    better = value[row, top] > t.value
    t.x[better], t.value[better] = x[row, top][better], value[row, top][better]
    t.kappa[better] = kappa[row, top][better]


def _ascend(hunt: Hunt, t: Tracks) -> tuple[Array, Array]:
    """Follow the sign of the exact derivative in all coordinates; return the best on the way.

    The step of a coordinate is longer while the sign stays and shorter when it turns.
    """
    x, low, high = t.x.copy(), hunt.low, hunt.high
    step = np.broadcast_to(0.02 * (high - low), x.shape).copy()
    before, best, where, idle = np.zeros(x.shape), t.value.copy(), t.x.copy(), 0
    for _ in range(_STEPS):
        at = points(x, hunt.ranges, hunt.problem.risk, t.kappa)
        gap, by_beta, by_gamma = hunt.problem.slopes(at)
        power, rise = hunt.powers(x[:, 0], t.end)
        better = power * gap > best
        idle = 0 if better.any() else idle + 1
        if idle == _PATIENCE:
            break
        best = np.where(better, power * gap, best)
        where[better] = x[better]
        sign = np.zeros(x.shape)
        sign[:, 0] = np.sign(rise * gap + power * by_beta)
        sign[:, 2:] = np.sign(power[:, None] * by_gamma)
        turned = sign * before
        step *= np.where(turned < 0, 0.5, np.where(turned > 0, 1.2, 1.0))
        before = sign
        x = np.clip(x + sign * step, low, high)
    return where, best
