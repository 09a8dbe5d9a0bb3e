r"""Where the ends of what privacy costs can lie: three families of gammas.

At a fixed beta write y_j = exp(2 beta gamma_j v) and theta = u / v. Then sum N_j y_j = 1 gives
v, and sum Q_j y_j^theta = 1 gives u. Each sum adds one number per row, so at given u and v a
single multiplier decides every gamma:

* where y^theta is concave the largest u lies at a corner of the slice: rows sharp in the order
  of the slopes of their chords, all others weak, and at most one in between;
* the smallest u lies where Q_j y_j^(theta - 1) / N_j is the same for all rows,
  gamma_j = (c - log(Q_j / N_j)) / (2 beta (u - v)), cut to its range;
* where y^theta is convex (r above 1) the two change places.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.fit.problem import Problem, bounds, points
from rates.fit.ranges import Box

Array = NDArray[np.float64]
Index = NDArray[np.int64]

FAMILIES = 3  # sharp from the least chord on, sharp from the largest on, all ratios alike

# What is searched: cost (or kept), and whether privacy is to cost most (or least).
ENDS = ((False, 1.0), (False, -1.0), (True, 1.0), (True, -1.0))


@dataclass(slots=True)
class Tracks:
    """Searches that go on side by side; arrays of one entry per track."""

    end: Index
    family: Index
    kappa: Index
    beta: Array
    place: Array  # the family's number, from 0 (all weak) to 1
    tilt: Array  # log of how steeply gamma falls with the ratio, where ratios are alike
    u: Array
    v: Array
    x: Array
    value: Array

    def take(self, keep: Index) -> Tracks:
        """Some of the tracks."""
        return Tracks(*(getattr(self, name)[keep] for name in self.__slots__))


class Hunt:
    """What each of the four searches makes large over one box, and the three families there."""

    def __init__(self, problem: Problem, ranges: Box) -> None:
        self.problem, self.ranges = problem, ranges
        self.low, self.high = bounds(ranges, problem.risk)
        self.moving = self.high[2:] > self.low[2:]
        # The loss is never negative, so the margin that scales it most, or least, is known.
        self.margins = np.array([(self.high if e == (True, 1.0) else self.low)[1] for e in ENDS])
        self.of_cost = np.array([row[0] for row in ENDS])
        self.want = np.array([row[1] for row in ENDS])

    def powers(self, beta: Array, end: Index) -> tuple[Array, Array]:
        """Signed power of u - v that each end is, and its derivative in beta."""
        margin = self.margins[end]
        cost, rise = beta * (1.0 + margin), 1.0 + margin
        if self.problem.risk == "classification":  # cut to alpha beta <= d
            cut = margin * beta > self.problem.dimension
            cost = np.where(cut, beta + self.problem.dimension, cost)
            rise = np.where(cut, 1.0, rise)
        kept = ~self.of_cost[end]
        power = np.where(kept, 2.0 * beta + self.problem.dimension, cost)
        return self.want[end] * power, self.want[end] * np.where(kept, 2.0, rise)

    def roots(self, x: Array, kappa: Index) -> tuple[Array, Array]:
        """Return u and v at coordinates."""
        return self.problem.roots(points(x, self.ranges, self.problem.risk, kappa))

    def laid(self, t: Tracks, beta: Array, place: Array, tilt: Array) -> Array:
        """Coordinates of one grid per track: beta, place and tilt have one row per track."""
        gamma = np.empty((*beta.shape, len(self.moving)))
        keys = self._keys(t)
        for family in range(FAMILIES):
            mine = np.flatnonzero(t.family == family)
            if len(mine) and family < 2:
                gamma[mine] = self._corners(keys[mine], place[mine], family)
            elif len(mine):
                gamma[mine] = self._alike(keys[mine], place[mine], tilt[mine])
        x = np.empty((*beta.shape, len(self.low)))
        x[..., 0], x[..., 1], x[..., 2:] = beta, self.low[1], gamma
        return x

    def _keys(self, t: Tracks) -> Array:
        """Log of Q_j / N_j per track; of the slope of the chord for the corners."""
        ratio = self.problem.ratio(t.u, t.kappa)
        corners = np.flatnonzero(t.family < 2)
        ends = 2.0 * t.beta[corners, None, None] * np.stack([self.low[2:], self.high[2:]])
        with np.errstate(all="ignore"):
            for root, sign in ((t.u, 1.0), (t.v, -1.0)):
                w = root[corners, None, None] * ends
                top = w.max(axis=1)
                fall = -np.abs(w[:, 0] - w[:, 1])
                ratio[corners] += sign * (top + np.log(-np.expm1(fall)))
        return np.nan_to_num(ratio, nan=0.0, neginf=-1e300, posinf=1e300)

    def _corners(self, key: Array, place: Array, family: int) -> Array:
        """Rows sharp in the order of their keys, as far as place says; one in between."""
        key = np.where(self.moving, key if family == 0 else -key, np.inf)
        rank = np.empty(key.shape)
        line = np.arange(key.shape[1], dtype=float)
        np.put_along_axis(rank, np.argsort(key, axis=1, kind="stable"), line[None], axis=1)
        sharp = np.clip(place[..., None] * self.moving.sum() - rank[:, None, :], 0.0, 1.0)
        return np.asarray(self.high[2:] - sharp * (self.high - self.low)[2:])

    def _alike(self, ratio: Array, place: Array, tilt: Array) -> Array:
        """Rows at the same multiplier, as far as their ranges allow."""
        low, high = self.low[2:], self.high[2:]
        usable = self.moving & (np.abs(ratio) < 1e299)
        floor = np.where(usable, ratio, np.inf).min(axis=1, initial=np.inf)
        roof = np.where(usable, ratio, -np.inf).max(axis=1, initial=-np.inf)
        idle = ~np.isfinite(floor)
        floor, roof = (np.where(idle, 0.0, x)[:, None] for x in (floor, roof))
        least, most = low.min(initial=np.inf), high.max(initial=-np.inf)
        slope = np.exp(tilt)
        reach = 0.5 * slope * (most - least)
        # Rows that privacy does not bind share the largest ratio: they take the first half.
        pivot = roof + reach - 4.0 * reach * np.minimum(place, 0.5)
        pivot -= np.maximum(2.0 * place - 1.0, 0.0) * (roof - floor)
        with np.errstate(over="ignore"):
            fall = (pivot[..., None] - ratio[:, None, :]) / slope[..., None]
        return np.asarray(np.clip(0.5 * (least + most) + fall, low, high))
