"""Speed of the hybrid model as ratios within one run, on one thread.

References: for the run, one matrix product of all volunteers with all rules, which a plain
implementation needs each round; for PARITY, one elimination by numpy rows of single bits.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import pytest

from sims.ks import reweighting
from sims.ks.parity import spans
from sims.ks.reweighting import Setup
from sims.ks.two_clusters import halfspaces

pytestmark = pytest.mark.benchmark


def runs(setup: Setup, seed: int, number: int) -> list[reweighting.Run]:
    """Run the method several times; run k depends on the seed and k alone."""
    return [reweighting.one_of(setup, seed, k) for k in range(number)]


def seconds(run: Callable[[], object], repeats: int = 5) -> float:
    best = math.inf
    for _ in range(repeats):
        start = time.process_time()
        run()
        best = min(best, time.process_time() - start)
    return best


def test_five_runs_cost_less_than_the_plain_products():
    setup = Setup()
    found = runs(setup, 0, 5)
    rounds = sum(len(r.rounds) for r in found)
    fast = seconds(lambda: runs(setup, 0, 5), repeats=3)
    points = np.random.default_rng(0).standard_normal((setup.records, 3))
    plain = seconds(lambda: (points @ halfspaces().T > 0).mean(axis=0), repeats=2)
    print(f"5 runs, {rounds} rounds: {fast:.2f} s; plain products {rounds * plain:.1f} s")
    assert fast < 0.2 * rounds * plain


def test_packed_bits_beat_rows_of_bits():
    def by_rows(bits: int, generator: np.random.Generator) -> int:
        rows = generator.integers(0, 2, (bits + 10, bits), dtype=np.uint8)
        rank = 0
        for column in range(bits):
            below = np.flatnonzero(rows[rank:, column])
            if below.size:
                rows[[rank, rank + below[0]]] = rows[[rank + below[0], rank]]
                hit = np.flatnonzero(rows[:, column])
                rows[hit[hit != rank]] ^= rows[rank]
                rank += 1
        return rank

    generator = np.random.default_rng(0)
    packed = seconds(lambda: [spans(128, 138, 0.5, generator) for _ in range(200)])
    plain = seconds(lambda: [by_rows(128, generator) for _ in range(20)])
    print(f"200 ranks at d = 128: {packed:.3f} s; by rows {10 * plain:.3f} s")
    assert packed < 0.7 * 10 * plain
