r"""Theorems 5.1 and 5.3 of [ACC] along growing servers: the adaptive rules on the cusp.

The printed bracket exceeds 1 over any r that can be simulated, as |H|^2 does. So the excess risk is
compared with the bandwidth h that the bracket bounds: the root of (11) with all budgets divided by
|H| and log(n_*|H|) log(2|H|/delta) on the right. Where the risk is at most h^(beta (1 + alpha)), it
is at most the printed bound as well.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np

from rates.answer import solve_r
from rates.numbers import SAMPLE_SIZE
from rates.study import Server
from sims import engine
from sims.acc import adaptive_price
from sims.acc.adaptive_design import Plan

LONGEST = 18  # bandwidths down to 2^-18


def bandwidth(plan: Plan) -> float:
    """Return the bandwidth h that the bracket of the theorems bounds, at most 1."""
    columns = [(s.n, s.epsilon, s.signal_exponent, s.count) for s in plan.servers]
    n, epsilon, gamma, count = np.array(columns, dtype=float).T
    size, delta = plan.grid.size, min(s.delta or math.nan for s in plan.servers)
    right = math.log(plan.grid.information * size) * math.log(2 * size / delta)
    beta = adaptive_price.CUSP.smoothness
    root = solve_r(n, epsilon / size, gamma, beta=beta, d=1, rhs=right, count=count)
    return min(float(root), 1.0)


def bound(plan: Plan) -> float:
    """Return h^(beta (1 + alpha)) on the cusp."""
    world = adaptive_price.CUSP
    return float(bandwidth(plan) ** (world.smoothness * (1 + world.margin)))


def _server(n: int, epsilon: float, gamma: float, count: int = 1) -> Server:
    return Server(
        name=f"{n} records",
        n=n,
        epsilon=epsilon,
        delta=float(n) ** -2,
        signal_exponent=gamma,
        count=count,
    )


_CUSP = partial(Plan, dimension=1, kernel="triangular")


def _alike(n: int, epsilon: float) -> Plan:
    sources = _server(n, epsilon, 1.5, 2)
    return _CUSP(servers=(_server(n, epsilon, 1.0), sources), algorithm="1")


def _mixed(n: int, epsilon: float) -> Plan:
    others = _server(2 * n, epsilon / 2, 0.75), _server(n // 2, 2 * epsilon, 2.0)
    return _CUSP(servers=(_server(n, epsilon, 1.0), *others))


# What is run for each theorem: in words, how budgets go with n, and the servers.
SERIES: dict[str, dict[str, Callable[[int], Plan]]] = {
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
    plan = SERIES[values.word("theorem")][point.settings.word("budget")](n)
    draws = engine.generators(seed, "adaptive-growth", n, indices=indices)
    return adaptive_price.cusp_risks(plan, draws, longest=LONGEST) / bound(plan)


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
