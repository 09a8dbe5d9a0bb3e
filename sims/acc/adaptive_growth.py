r"""Theorems 5.1 and 5.3 of [ACC] along growing servers: the adaptive rules on the cusp.

The printed bracket exceeds 1 over any r that can be simulated, as |H|^2 does. So the excess risk is
compared with the bandwidth h that the bracket bounds: the root of (11) with all budgets divided by
|H| and log(n_*|H|) log(2|H|/delta) on the right. Where the risk is at most h^(beta (1 + alpha)), it
is at most the printed bound as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rates.answer import transfer
from rates.numbers import SAMPLE_SIZE
from rates.study import Server
from sims import engine
from sims.acc import adaptive, adaptive_design, adaptive_price
from sims.acc.kernel import Group

LONGEST = 18  # bandwidths down to 2^-18


@dataclass(frozen=True, slots=True, kw_only=True)
class Sites:
    """An adaptive rule on servers that may differ, target first, on the one-dimensional cusp.

    Attributes:
        servers: The servers, each with a finite budget and a delta.
        algorithm: "2" frees all weights; "1" pools the sources, which have to be alike.
    """

    servers: tuple[Server, ...]
    algorithm: adaptive_design.Algorithm = "2"

    @property
    def grid(self) -> adaptive.Grid:
        """The bandwidths and n*."""
        return adaptive.grid(self.servers, 1)

    @property
    def groups(self) -> tuple[Group, ...]:
        """Servers that keep a weight of their own: all of them, or the target and one pool."""
        out = []
        for s in self.servers:
            ratio = float(adaptive.multiplier(s.epsilon, s.delta or 0.5, self.grid.size, "printed"))
            pool = self.algorithm == "1"
            one = Group(n=s.n, m=s.count if pool else 1, gamma=s.signal_exponent, multiplier=ratio)
            out += [one] * (1 if pool else s.count)
        return tuple(out)

    @property
    def variances(self) -> engine.Array:
        """Variances b_j(h) of (18) and (21) at a point, shape (groups, |H|)."""
        h = np.array(self.grid.bandwidths)
        rows = [
            (1 / (3 * one.n * h) + (one.multiplier / (one.n * h)) ** 2) / one.m
            for one in self.groups
        ]
        return np.array(rows)

    def decide(self, values: engine.Array) -> engine.Array:
        """Return the sign of the label at each point from the releases."""
        rule: adaptive.Rule = "all" if self.algorithm == "2" else "homogeneous"
        sources = sum(s.count for s in self.servers) - 1
        level = adaptive.threshold(self.grid.information, self.grid.size, sources, rule)
        return adaptive_design.decided(values, self.variances, level)

    @property
    def bandwidth(self) -> float:
        """The bandwidth h that the bracket of the theorems bounds, at most 1."""
        columns = [(s.n, s.epsilon, s.signal_exponent, s.count) for s in self.servers]
        n, epsilon, gamma, count = np.array(columns, dtype=float).T
        size, delta = self.grid.size, min(s.delta or 0.5 for s in self.servers)
        right = math.log(self.grid.information * size) * math.log(2 * size / delta)
        beta = adaptive_price.CUSP.smoothness
        root = transfer.solve_r(n, epsilon / size, gamma, beta=beta, d=1, rhs=right, count=count)
        return min(float(root), 1.0)

    @property
    def bound(self) -> float:
        """h^(beta (1 + alpha)) on the cusp."""
        world = adaptive_price.CUSP
        return float(self.bandwidth ** (world.smoothness * (1 + world.margin)))


def _server(n: int, epsilon: float, gamma: float, count: int = 1) -> Server:
    return Server(
        name=f"{n} records",
        n=n,
        epsilon=epsilon,
        delta=float(n) ** -2,
        signal_exponent=gamma,
        count=count,
    )


def _alike(n: int, epsilon: float) -> Sites:
    sources = _server(n, epsilon, 1.5, 2)
    return Sites(servers=(_server(n, epsilon, 1.0), sources), algorithm="1")


def _mixed(n: int, epsilon: float) -> Sites:
    return Sites(
        servers=(
            _server(n, epsilon, 1.0),
            _server(2 * n, epsilon / 2, 0.75),
            _server(n // 2, 2 * epsilon, 2.0),
        )
    )


# What is run for each theorem: in words, how budgets go with n, and the servers.
SERIES: dict[str, dict[str, Callable[[int], Sites]]] = {
    "5.1": {
        "ε = 4": lambda n: _alike(n, 4.0),
        "ε = 8 n^(-1/3)": lambda n: _alike(n, 8.0 * n ** (-1 / 3)),
    },
    "5.3": {
        "ε = 2": lambda n: _mixed(n, 2.0),
        "ε = 8 n^(-1/3)": lambda n: _mixed(n, 8.0 * n ** (-1 / 3)),
    },
}


N = SAMPLE_SIZE.within(
    "10, ..., 65536",
    help="Records of the target; the sources have as many, or twice and half as many.",
)


def growth_points(values: engine.Values) -> tuple[engine.Point, ...]:
    """Return the points of "adaptive-growth": sizes of the target, one series for each budget."""
    return tuple(
        engine.Point(series=name, x=n, settings=engine.Values(budget=name, n=n))
        for name in SERIES[values.word("theorem")]
        for n in values.numbers("n")
    )


def growth_sample(
    values: engine.Values, point: engine.Point, seed: int, indices: range
) -> engine.Array:
    """Return exact excess risks over h^(beta (1 + alpha)); all budgets share random numbers."""
    n = int(point.x)
    sites = SERIES[values.word("theorem")][point.settings.word("budget")](n)
    draws = engine.generators(seed, "adaptive-growth", n, indices=indices)
    return adaptive_price.cusp_risks(sites, draws, longest=LONGEST) / sites.bound


GROWTH = engine.Experiment(
    name="adaptive-growth",
    question="Does the risk of the adaptive rules keep to its bound as the servers grow?",
    help=(
        "Algorithms 1 and 2 of the paper on the one-dimensional cusp, exact excess risks over "
        "h^(beta (1 + alpha)), where h is the bandwidth that the bracket of Theorems 5.1 and 5.3 "
        "bounds; split and noise as printed."
    ),
    x_label="records of the target",
    y_label="excess risk over its bound",
    privacy=adaptive_price.ADAPTIVE_PRIVACY,
    parameters=(
        engine.Choice(
            name="theorem",
            options=tuple(SERIES),
            default="5.1",
            help="5.1: two sources alike, Algorithm 1. 5.3: two that differ, Algorithm 2.",
        ),
        engine.Numbers(N, tuple(float(2**k) for k in range(8, 15))),
    ),
    points=growth_points,
    sample=growth_sample,
    replicates=40,
    block=4,
)
