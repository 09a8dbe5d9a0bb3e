"""Draws for the checks of [CCV], and arithmetic that does not use the engine, but for `solved`.

A parameter set names its servers ``n1, epsilon1, n2, epsilon2, ...``; a server with no records
contributes nothing, so sets with fewer servers are among the draws.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rates.answer import federated
from rates.ledger.functions.laws import spread
from rates.statements.checks.base import Array, Draws
from rates.study import FederatedStudy, Server

Flags = NDArray[np.bool_]


def server_draws(
    generator: np.random.Generator,
    number: int,
    *,
    servers: int = 4,
    records: tuple[float, float] = (1, 1e7),
    budget: tuple[float, float] = (1e-4, 50),
    smoothness: tuple[float, float] = (0.51, 5),
) -> dict[str, Array]:
    """Draw sets of servers in whole records; a third of all but the first have none."""
    out: dict[str, Array] = {}
    for j in range(1, servers + 1):
        size = np.round(spread(generator, *records, number))
        out[f"n{j}"] = size if j == 1 else size * (generator.uniform(size=number) > 1 / 3)
        out[f"epsilon{j}"] = spread(generator, *budget, number)
    out["smoothness"] = generator.uniform(*smoothness, number)
    return out


def alike_draws(
    generator: np.random.Generator,
    number: int,
    *,
    smoothness: tuple[float, float] = (0.51, 5),
) -> dict[str, Array]:
    """Draw m equal servers, in whole numbers; half of them near the elbow of the budget."""
    n = np.round(spread(generator, 1, 1e6, number))
    m = np.round(spread(generator, 1, 1e5, number))
    g = generator.uniform(*smoothness, number)
    elbow = np.sqrt((m * n) ** (1 / (2 * g + 1)) / n)
    factor = np.where(generator.uniform(size=number) < 0.5, 3.0, 1e4)
    epsilon = elbow * factor ** generator.uniform(-1, 1, number)
    return {"n": n, "m": m, "epsilon": epsilon, "smoothness": g}


NOBODY = {"n2": 0.0, "n3": 0.0, "n4": 0.0}  # beside the first server


def put(draws: dict[str, Array], where: Flags, **values: Array | float) -> dict[str, Array]:
    """Put values in the place of draws where a condition holds."""
    return draws | {name: np.where(where, value, draws[name]) for name, value in values.items()}


def with_budgets(draws: dict[str, Array], times: Array) -> dict[str, Array]:
    """Multiply the budgets of all four servers."""
    return draws | {f"epsilon{j}": draws[f"epsilon{j}"] * times for j in (1, 2, 3, 4)}


def besov_draws(generator: np.random.Generator, number: int) -> dict[str, Array]:
    """Draw m equal servers and a Besov class with p in [2, 50] and alpha - 1/p > 1/2."""
    out = alike_draws(generator, number)
    p = spread(generator, 2, 50, number)
    return out | {"integrability": p, "smoothness": out["smoothness"] + 1 / p}


def column(draws: Draws, name: str) -> Array:
    """Stack name1, name2, ... so that the last axis runs over servers."""
    count = sum(key.rstrip("0123456789") == name and key != name for key in draws)
    return np.stack([draws[f"{name}{j}"] for j in range(1, count + 1)], axis=-1)


def solved(draws: Draws) -> tuple[Array, Array, Array, Array]:
    """Return sizes, budgets and smoothness of the draws, and the engine's root of (6)."""
    n, epsilon, g = column(draws, "n"), column(draws, "epsilon"), draws["smoothness"]
    return n, epsilon, g, federated.solve_D(n, epsilon, smoothness=g[:, None])


def caps(n: Array, epsilon: Array) -> Array:
    """The most that privacy lets each server contribute, n² ε²; 0 without records."""
    return np.where(n > 0, (n * np.where(n > 0, epsilon, 0.0)) ** 2, 0.0)


def contributions(n: Array, epsilon: Array, D: Array) -> Array:
    """The terms min(n² ε², n D) of (6)."""
    return np.minimum(caps(n, epsilon), n * D[..., None])


def miss(n: Array, epsilon: Array, g: Array, D: Array) -> Array:
    """Bound |log D - log root| by (6) itself.

    The log of the right over the left side falls in log D with slopes between 2g + 1 and 2g + 2.
    """
    right = np.log(contributions(n, epsilon, D).sum(axis=-1))
    return np.asarray(np.abs(right - (2 * g + 2) * np.log(D)) / (2 * g + 1))


def root(n: Array, epsilon: Array, g: Array) -> Array:
    """Solve (6) by halving an interval of log D that holds every root of interest."""
    low, high = np.full(g.shape, -100.0), np.full(g.shape, 100.0)
    for _ in range(64):
        middle = (low + high) / 2
        right = np.log(contributions(n, epsilon, np.exp(middle)).sum(axis=-1))
        above = right < (2 * g + 2) * middle
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.asarray(np.exp((low + high) / 2))


def alike_root(draws: Draws, g: Array) -> Array:
    """Solve (6) for m equal servers through their sum: m min(n² ε², n D)."""
    n, m, epsilon = draws["n"], draws["m"], draws["epsilon"]
    low, high = np.full(g.shape, -100.0), np.full(g.shape, 100.0)
    most = caps(n, epsilon)
    for _ in range(64):
        middle = (low + high) / 2
        above = np.log(m * np.minimum(most, n * np.exp(middle))) < (2 * g + 2) * middle
        low, high = np.where(above, low, middle), np.where(above, middle, high)
    return np.asarray(np.exp((low + high) / 2))


def outside(value: Array, low: Array | float, high: Array | float) -> Array:
    """Return by how much a value lies outside an interval; negative inside."""
    return np.asarray(np.maximum(low - value, value - high))


def up_to(log_ratio: Array, log_bound: Array | float) -> Array:
    """Gap of a statement up to constants, 0 <= log ratio <= log bound.

    Inside it is measured from the upper end, so that the largest gap says how sharp the bound is.
    """
    below = log_ratio < -1e-10
    return np.asarray(np.where(below, -log_ratio, log_ratio - log_bound))


def also(gap: Array, *misses: Array) -> Array:
    """Return the gap, but a miss of the engine where it is more than rounding."""
    worst = np.maximum.reduce(misses)
    return np.where(worst > 1e-9, np.maximum(gap, worst), gap)


def wrong(claimed: Flags, true: Flags) -> Array:
    """Return 1 where a yes-or-no claim is wrong, else 0."""
    return np.where(claimed == true, 0.0, 1.0)


def pointwise(draws: Draws) -> Array:
    """Return nu = alpha - 1/p; alpha itself without a p."""
    return np.asarray(draws["smoothness"] - 1 / draws.get("integrability", np.inf))


def studies(
    draws: Draws, *, deltas: Sequence[str] = (), integrability: Array | None = None
) -> list[FederatedStudy]:
    """Build the study of each parameter set; servers without records are left in."""
    n, epsilon = column(draws, "n"), column(draws, "epsilon")
    delta = np.stack([draws[name] for name in deltas], axis=-1) if deltas else None
    p = np.full(len(n), np.inf) if integrability is None else integrability
    out = []
    for i in range(len(n)):
        rows = [
            Server(
                name=f"Server {j + 1}",
                n=int(n[i, j]),
                epsilon=float(epsilon[i, j]),
                delta=None if delta is None else float(delta[i, j]),
            )
            for j in range(n.shape[1])
        ]
        out.append(
            FederatedStudy(
                servers=tuple(rows),
                smoothness=float(draws["smoothness"][i]),
                integrability=float(p[i]),
            )
        )
    return out
