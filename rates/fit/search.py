r"""A search for the ends of what privacy costs, over everything that is not known.

Both ends of both answers are those of u - v, the logs of r with and without privacy, times a
power that beta and the margin alone decide; u - v is never negative and does not depend on the
margin, so that the margin is known at once. What is left is beta, the gammas and a bandwidth.

Where u is a concave function of one row's part its largest values lie at corners, rows at one end
in the order of n_j eps_j^2 and all others at the other; elsewhere they lie inside. So the search
starts from such corners and from the middle, and follows the sign of the exact derivative.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.fit.problem import Points, Problem, bounds, points
from rates.fit.ranges import Box

Array = NDArray[np.float64]
Index = NDArray[np.int64]

# What is searched: cost (or kept), and whether privacy is to cost most (or least).
ENDS = ((False, 1.0), (False, -1.0), (True, 1.0), (True, -1.0))
_BETAS = 9  # smoothnesses at which corners are tried
_FEW = 6  # rows up to which every corner is tried
_PLACES = 25  # corners in order that are tried of more rows
_STARTS = 6  # from which the search goes on, for each end
_SIDES = np.array([-1.0, -0.5, 0.0, 0.5, 1.0])  # smoothnesses that are tried around the best one
_ROUNDS = 6
_FEW_STEPS = 12  # of a round
_STEPS = 60
_PATIENCE = 10  # steps without a gain after which it ends


@dataclass(frozen=True, slots=True)
class End:
    """One end: its natural log, and the coordinates and bandwidth that give it."""

    log: float
    where: Points


class Hunt:
    """What each of the four searches makes large over one box."""

    def __init__(self, problem: Problem, ranges: Box) -> None:
        self.problem, self.ranges = problem, ranges
        self.low, self.high = bounds(ranges, problem.risk)
        # The loss is never negative, so the margin that scales it most, or least, is known.
        self.margins = np.array([(self.high if e == (True, 1.0) else self.low)[1] for e in ENDS])
        self.of_cost, self.want = (np.array(column) for column in zip(*ENDS, strict=True))

    def powers(self, beta: Array, end: Index) -> tuple[Array, Array]:
        """Return the signed power of u - v that each end is, and its derivative in beta."""
        margin, d = self.margins[end], self.problem.dimension
        cut = (self.problem.risk == "classification") & (margin * beta > d)  # to alpha beta <= d
        cost = np.where(cut, beta + d, beta * (1.0 + margin))
        rise = np.where(cut, 1.0, 1.0 + margin)
        kept = ~self.of_cost[end]
        power = np.where(kept, 2.0 * beta + d, cost)
        return self.want[end] * power, self.want[end] * np.where(kept, 2.0, rise)

    def at(self, x: Array, kappa: Index) -> Points:
        """Return coordinates as points."""
        return points(x, self.ranges, self.problem.risk, kappa)


def search(problem: Problem, ranges: Box) -> tuple[End, ...]:
    """Return where kept is lowest and highest, and cost highest and lowest.

    Every end is attained; nothing proves that it is the last.

    Args:
        problem: One risk by one answer.
        ranges: The box.
    """
    hunt = Hunt(problem, ranges)
    x, kappa = _corners(hunt)
    u, v = problem.roots(hunt.at(x, kappa))
    end = np.arange(len(ENDS))
    value = hunt.powers(x[:, 0], end[:, None])[0] * (u - v)
    starts = [_best(row, x) for row in value]
    end = np.repeat(end, [len(one) for one in starts])
    chosen = np.concatenate(starts)
    x, kappa, value = x[chosen], kappa[chosen], value[end, chosen]
    x, value = _ascend(hunt, end, x, kappa, value)
    if not problem.smooth:  # a minimum has ridges
        end, x, kappa, value = _closing(hunt, end, x, kappa, value)
    out = []
    for row, (of_cost, want) in enumerate(ENDS):
        mine = np.flatnonzero(end == row)
        top = mine[[value[mine].argmax()]]
        x[top, 1] = hunt.margins[row]
        log = float(value[top[0]]) * want * (1.0 if of_cost else -1.0)
        out.append(End(log, hunt.at(x[top], kappa[top])))
    return tuple(out)


def _corners(hunt: Hunt) -> tuple[Array, Index]:
    """Return where it starts: corners of the gammas, and their middle, at some smoothnesses."""
    rows = np.flatnonzero(hunt.high[2:] > hunt.low[2:])
    order = rows[np.argsort(hunt.problem.apart[0][rows], kind="stable")]
    many = len(order)
    if many <= _FEW:
        sharp = np.array(list(itertools.product((0.0, 1.0), repeat=many))).reshape(2**many, many)
    else:
        first = np.unique(np.linspace(0, many, _PLACES).astype(int))[:, None] > np.arange(many)
        sharp = np.vstack([first, ~first]).astype(float)
    sharp = np.vstack([sharp, np.full((1, many), 0.5)])
    betas, bands = np.linspace(hunt.low[0], hunt.high[0], _BETAS), len(hunt.problem.kappas)
    grid = np.meshgrid(np.unique(betas), np.arange(len(sharp)), np.arange(bands), indexing="ij")
    beta, row, kappa = (a.reshape(-1) for a in grid)
    x = np.repeat(hunt.low[None], len(beta), axis=0)
    x[:, 0] = beta
    x[:, 2 + order] += sharp[row] * (hunt.high - hunt.low)[2 + order]
    return x, kappa


def _best(value: Array, x: Array) -> Index:
    """Return the best start of each of the best smoothnesses, and the best middle of gammas."""
    order = np.argsort(-value, kind="stable")
    _, first = np.unique(x[order, 0], return_index=True)
    gamma = x[order, 2:]
    inside = order[((gamma > gamma.min(axis=0)) & (gamma < gamma.max(axis=0))).any(axis=1)]
    return np.unique(np.concatenate([order[np.sort(first)[:_STARTS]], inside[:2]]))


def _closing(
    hunt: Hunt, end: Index, x: Array, kappa: Index, value: Array
) -> tuple[Index, Array, Index, Array]:
    """Go on from the best of each end at fixed smoothnesses around its own, ever closer.

    Along a ridge smoothness and gammas have to move together.
    """
    near = 0.25
    for _ in range(_ROUNDS):
        top = np.concatenate([_first(value, end == row) for row in range(len(ENDS))])
        sides = np.tile(_SIDES, len(top))
        end, x, kappa, value = (
            np.repeat(a[top], len(_SIDES), axis=0) for a in (end, x, kappa, value)
        )
        value[sides != 0] = -np.inf
        moved = x[:, 0] + near * sides * (hunt.high[0] - hunt.low[0])
        x[:, 0] = np.clip(moved, hunt.low[0], hunt.high[0])
        x, value = _ascend(hunt, end, x, kappa, value, near, steps=_FEW_STEPS, fixed=True)
        near *= 0.5
    return end, x, kappa, value


def _first(value: Array, mine: NDArray[np.bool_]) -> Index:
    """Return the best track of an end."""
    at = np.flatnonzero(mine)
    return np.asarray(at[[value[at].argmax()]])


def _ascend(
    hunt: Hunt,
    end: Index,
    x: Array,
    kappa: Index,
    value: Array,
    near: float = 0.1,
    *,
    steps: int = _STEPS,
    fixed: bool = False,
) -> tuple[Array, Array]:
    """Follow the sign of the exact derivative in all coordinates; return the best on the way.

    The step of a coordinate is longer while the sign stays and shorter when it turns; that of a
    fixed smoothness is none.
    """
    low, high = hunt.low, hunt.high
    step = np.broadcast_to(near * (high - low), x.shape).copy()
    step[:, 0] *= not fixed
    before, best, where, idle = np.zeros(x.shape), value.copy(), x.copy(), 0
    for _ in range(steps):
        gap, by_beta, by_gamma = hunt.problem.slopes(hunt.at(x, kappa))
        power, rise = hunt.powers(x[:, 0], end)
        better = power * gap > best
        idle = 0 if (power * gap > best + 1e-9).any() else idle + 1
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
