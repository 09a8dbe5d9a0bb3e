"""The ends of 200 random studies, found by a slow search with other means: envelopes.json.

From many random points one coordinate after the other was moved to seven places of a window that
shrank: no derivative, no family of candidates, no grouping (make_envelopes.py at 6c5e43b6).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rates.fit.extremes import Problem
from rates.study import Scope, Server, TransferStudy

Array = NDArray[np.float64]
Index = NDArray[np.int64]

FILE = Path(__file__).with_name("envelopes.json")


def random_study(seed: int) -> tuple[TransferStudy, Scope]:
    """A study of 1 to 30 sites and some ranges, by its number."""
    rng = np.random.default_rng(seed)
    sites = int(rng.choice([1, 2, 3, 4, 5, 7, 10, 15, 30]))
    dimension = int(rng.integers(1, 5))
    servers = [
        Server(
            name=f"S{k}",
            n=0 if k and rng.random() < 0.05 else int(10 ** rng.uniform(1, 5)),
            epsilon=float("inf") if rng.random() < 0.15 else float(10 ** rng.uniform(-1.5, 1.2)),
            delta=1e-6,
            count=int(rng.choice([1, 1, 1, 5])) if k else 1,
        )
        for k in range(sites)
    ]
    study = TransferStudy(
        target=servers[0], sources=tuple(servers[1:]), smoothness=0.5, dimension=dimension, margin=1
    )
    smoothness, margin = None, None
    if rng.random() < 0.5:
        low = rng.uniform(0.2, 0.8)
        smoothness = (low, rng.uniform(low, 1))
    if rng.random() < 0.5:
        low = rng.uniform(0.1, 1)
        margin = (low, rng.uniform(low, 3))
    signal = []
    for row in servers[1:]:
        low = rng.uniform(0.4, 1.5)
        if rng.random() < 0.3:
            signal.append((row.name, (low, low * rng.uniform(1, 2))))
    return study, Scope(smoothness=smoothness, margin=margin, signal=tuple(signal))


def draw(problem: Problem, draws: int, rng: np.random.Generator) -> Array:
    """Draw points of a problem: half anywhere, half with every coordinate at one of its ends."""
    low, high = problem.low, problem.high
    where = rng.random((draws, len(low)))
    where[draws // 2 :] = np.round(where[draws // 2 :])
    return np.asarray(low + (high - low) * where)


def answers(problem: Problem, x: Array, index: Index) -> dict[str, Array]:
    """Logs of r, the rate, the sample kept and the error against no privacy at points."""
    u, v = problem.roots(x, index)
    power = x[:, 0] * (1.0 + problem.margin(x))
    kept = -(2.0 * x[:, 0] + problem.dimension) * (u - v)
    return {"r": u, "rate": np.minimum(power * u, 0.0), "kept": kept, "cost": power * (u - v)}
