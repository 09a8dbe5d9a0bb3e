"""Speed of the maps of the deciding term, one thread."""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import pytest

import rates
from rates.maps import gamma_regions, governing, regimes

pytestmark = pytest.mark.benchmark


def best(run: Callable[[], object], repeats: int = 7) -> float:
    """Return the least processor time of a run, in milliseconds."""
    least = math.inf
    for _ in range(repeats):
        start = time.process_time()
        run()
        least = min(least, time.process_time() - start)
    return 1e3 * least


EPSILON = np.geomspace(1e-6, 1, 512)
GAMMA = np.linspace(0.1, 4, 512)[:, None]


def test_a_map_of_labels() -> None:
    took = best(lambda: governing(1e4, 100, 8e4, EPSILON, gamma=GAMMA, beta=0.5, d=2))
    print(f"\ngoverning, 512 x 512: {took:.1f} ms")
    assert took < 60


def test_a_map_of_rates() -> None:
    n, count = np.array([8e4, 1e4]), np.array([1, 100])
    gamma = np.stack(np.broadcast_arrays(np.ones_like(GAMMA), GAMMA), axis=-1)
    took = best(
        lambda: rates.solve_r(n, EPSILON[:, None], gamma, beta=0.5, d=2, count=count), repeats=3
    )
    print(f"\nsolve_r, 512 x 512 x 2: {took:.0f} ms")
    assert took < 300


def test_polygons() -> None:
    rows = np.linspace(0.1, 4, 241)
    took = best(lambda: gamma_regions(1e4, 100, 8e4, gamma=rows, beta=0.5, d=2, low=1e-6))
    print(f"\ngamma_regions, 241 rows: {took:.1f} ms")
    assert took < 30


def test_one_row() -> None:
    took = best(lambda: regimes(1e4, 100, 8e4, gamma=1.2, beta=0.5, d=2))
    print(f"\nregimes: {took:.2f} ms")
    assert took < 5
