r"""A search for the ends of what privacy costs, over everything that is not known.

Both ends of both answers are those of u - v, the logs of r with and without privacy, times a
power that beta and the margin alone decide; u - v is never negative and does not depend on the
margin, so that the margin is known at once. What is left is beta, the gammas and a bandwidth.

Where u is a concave function of one row's part its largest values lie at corners, rows at one end
in the order of n_j eps_j^2 and all others at the other; elsewhere they lie inside. So the search
starts from such corners and from the middle, and follows the sign of the exact derivative.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rates.fit.problem import Array, Index, Problem

# What is searched: cost (or kept), and whether privacy is to cost most (or least).
ENDS = ((False, 1.0), (False, -1.0), (True, 1.0), (True, -1.0))
_OF_COST, _WANT = (np.array(column) for column in zip(*ENDS, strict=True))
_BETAS = 9  # smoothnesses at which corners are tried
_FEW = 6  # rows up to which every corner is tried
_PLACES = 25  # corners in order that are tried of more rows, and their opposites
_STARTS = 6  # from which the search goes on, for each end
_SIDES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])  # smoothnesses that are tried around the best one
_ROUNDS = 6
_FEW_STEPS = 12  # of a round
_STEPS = 60
_PATIENCE = 10  # steps without a gain after which it ends


class Tracks:
    """Points that climb, each towards one of the four ends."""

    def __init__(self, problem: Problem, end: Index, x: Array, kappa: Index, value: Array) -> None:
        self.problem = problem
        self.end, self.x, self.kappa, self.value = end, x, kappa, value

    def taken(self, rows: Index) -> Tracks:
        """Some of them, each as often as it is named."""
        same = self.end[rows], self.x[rows], self.kappa[rows], self.value[rows]
        return Tracks(self.problem, *same)

    def best(self) -> Tracks:
        """The best one of each end."""
        every = [np.where(self.end == row, self.value, -np.inf).argmax() for row in range(4)]
        return self.taken(np.array(every))

    def climb(self, near: float = 0.1, *, steps: int = _STEPS, fixed: bool = False) -> None:
        """Follow the sign of the exact derivative in all coordinates; keep the best on the way.

        The step of a coordinate is longer while the sign stays and shorter when it turns; that of
        a fixed smoothness is none.
        """
        low, high = self.problem.low, self.problem.high
        x, idle = self.x.copy(), 0
        step, before = near * np.tile(high - low, (len(x), 1)), np.zeros(x.shape)
        step[:, 0] *= not fixed
        for _ in range(steps):
            gap, by_beta, by_gamma = self.problem.slopes(x, self.kappa)
            power, rise = powers(self.problem, x[:, 0], self.end)
            value = power * gap
            better = value > self.value
            idle = 0 if (value > self.value + 1e-9).any() else idle + 1
            if idle == _PATIENCE:
                break
            self.value[better] = value[better]
            self.x[better] = x[better]
            sign = np.zeros(x.shape)
            sign[:, 0] = np.sign(rise * gap + power * by_beta)
            sign[:, 2:] = np.sign(power[:, None] * by_gamma)
            turned = sign * before
            step *= np.where(turned < 0, 0.5, np.where(turned > 0, 1.2, 1.0))
            before = sign
            x = np.clip(x + sign * step, low, high)


def powers(problem: Problem, beta: Array, end: Index) -> tuple[Array, Array]:
    """Return the signed power of u - v that each end is, and its derivative in beta."""
    # The loss is never negative, so the margin that scales it most, or least, is known.
    most = _OF_COST[end] & (_WANT[end] > 0)
    margin, d = np.where(most, problem.high[1], problem.low[1]), problem.dimension
    cut = (problem.risk == "classification") & (margin * beta > d)  # to alpha beta <= d
    cost = np.where(cut, beta + d, beta * (1.0 + margin))
    rise = np.where(cut, 1.0, 1.0 + margin)
    kept = ~_OF_COST[end]
    power = np.where(kept, 2.0 * beta + d, cost)
    return _WANT[end] * power, _WANT[end] * np.where(kept, 2.0, rise)


def search(problem: Problem) -> tuple[float, float, float, float]:
    """Return the logs of kept at its lowest and highest, and of cost at its highest and lowest.

    Every end is attained; nothing proves that it is the last.
    """
    tracks = _starts(problem)
    tracks.climb()
    near = 0.25
    for _ in range(0 if problem.smooth else _ROUNDS):  # a minimum has ridges, along which
        # smoothness and gammas move together: go on at fixed smoothnesses, ever closer.
        tracks = tracks.best().taken(np.repeat(np.arange(4), len(_SIDES)))
        aside = np.tile(_SIDES, 4)
        tracks.value[aside != 0] = -np.inf
        low, high = problem.low[0], problem.high[0]
        tracks.x[:, 0] = np.clip(tracks.x[:, 0] + near * aside * (high - low), low, high)
        tracks.climb(near, steps=_FEW_STEPS, fixed=True)
        near *= 0.5
    a, b, c, d = tracks.best().value * _WANT * np.where(_OF_COST, 1.0, -1.0)
    return float(a), float(b), float(c), float(d)


def _starts(problem: Problem) -> Tracks:
    """Where it starts: corners of the gammas, and their middle, at some smoothnesses."""
    low, width = problem.low, problem.high - problem.low
    rows = np.flatnonzero(width[2:])
    order = rows[np.argsort(problem.apart[rows], kind="stable")]
    many = len(order)
    first = np.unique(np.linspace(0, many, _PLACES).astype(int))[:, None] > np.arange(many)
    if many <= _FEW:
        first = np.indices((2,) * many).reshape(many, 2**many).T[: 2**many // 2 + 1] > 0
    sharp = np.vstack([first, ~first, np.full((1, many), 0.5)])
    betas, bands = np.linspace(low[0], problem.high[0], _BETAS), len(problem.kappas)
    grid = np.meshgrid(np.unique(betas), np.arange(len(sharp)), np.arange(bands), indexing="ij")
    beta, row, kappa = (a.reshape(-1) for a in grid)
    x = np.tile(low, (len(beta), 1))
    x[:, 0] = beta
    x[:, 2 + order] += sharp[row] * width[2 + order]
    u, v = problem.roots(x, kappa)
    every = np.arange(4)
    value = powers(problem, beta, every[:, None])[0] * (u - v)
    chosen = [_best(one, beta, row == len(sharp) - 1) for one in value]
    end, at = np.repeat(every, [len(one) for one in chosen]), np.concatenate(chosen)
    return Tracks(problem, end, x[at], kappa[at], value[end, at])


def _best(value: Array, beta: Array, inside: NDArray[np.bool_]) -> Index:
    """Return the best start of each of the best smoothnesses, and the best middle of gammas."""
    order = np.argsort(-value, kind="stable")
    _, first = np.unique(beta[order], return_index=True)
    return np.unique(np.concatenate([order[np.sort(first)[:_STARTS]], order[inside[order]][:2]]))
