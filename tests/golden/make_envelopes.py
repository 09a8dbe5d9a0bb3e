"""Make envelopes.json: the ends of 200 random studies, by a slow search with other means.

From many random points one coordinate after the other is moved to seven places of a window that
shrinks: no derivative, no family of candidates, no grouping. Run it with `python -m
tests.golden.make_envelopes`; it takes some minutes.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rates.fit import box
from rates.fit.problem import Problem
from rates.study import Scope, Server, TransferStudy

Array = NDArray[np.float64]
Index = NDArray[np.int64]

FILE = Path(__file__).with_name("envelopes.json")
STUDIES = 200
STARTS = 3000
KEPT = 4  # starts per end that go on
SWEEPS = 10


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
        target=servers[0],
        sources=tuple(servers[1:]),
        smoothness=0.5,
        dimension=dimension,
        margin=1,
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


def slowly(problem: Problem) -> list[float]:
    """Logs of kept, lowest and highest, and of cost, lowest and highest."""
    low, high = problem.low, problem.high
    bands = len(problem.kappas)
    x = draw(problem, STARTS, np.random.default_rng(7))
    index = np.arange(STARTS) % bands

    def value(x: Array, index: Index, end: Index | None) -> Array:
        found = answers(problem, x, index)
        every = np.stack([-found["kept"], found["kept"], -found["cost"], found["cost"]])
        return np.asarray(every if end is None else every[end, np.arange(len(x))])

    first = value(x, index, None)
    order = np.argsort(-first, axis=1)[:, :KEPT]
    end = np.repeat(np.arange(4), KEPT)
    x, index = x[order.reshape(-1)], index[order.reshape(-1)]
    best = first[end, order.reshape(-1)]
    for turn in range(SWEEPS):
        for k in [-1, *np.flatnonzero(high > low)]:
            tried = np.repeat(x[:, None], 9 if k >= 0 else bands, axis=1)
            band = np.repeat(index[:, None], tried.shape[1], axis=1)
            if k < 0:
                band[:] = np.arange(bands)
            else:
                steps = np.linspace(-1, 1, 7) * 0.6**turn * (high[k] - low[k])
                tried[:, :7, k] = np.clip(x[:, k, None] + steps, low[k], high[k])
                tried[:, 7, k], tried[:, 8, k] = low[k], high[k]
            flat = tried.reshape(-1, x.shape[1])
            found = value(flat, band.reshape(-1), np.repeat(end, tried.shape[1]))
            found = found.reshape(len(x), -1)
            top, row = found.argmax(axis=1), np.arange(len(x))
            better = found[row, top] > best
            best = np.where(better, found[row, top], best)
            x[better], index[better] = tried[row, top][better], band[row, top][better]
    worst = best.reshape(4, KEPT).max(axis=1)
    return [-worst[0], worst[1], -worst[2], worst[3]]


def main() -> None:
    """Write the file."""
    rows = []
    for seed in range(STUDIES):
        study, scope = random_study(seed)
        asked = study, "classification", box(study, scope)
        mechanism = Problem(*asked, mechanism="analytic", kappas=(1.0, 2.0, 3.0))
        ends = [x for problem in (Problem(*asked), mechanism) for x in slowly(problem)]
        rows.append([round(float(x), 6) + 0.0 for x in ends])
    FILE.write_text("[\n" + ",\n".join(json.dumps(row) for row in rows) + "\n]\n")


if __name__ == "__main__":
    main()
