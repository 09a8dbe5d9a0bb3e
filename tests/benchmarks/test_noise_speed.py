"""Speed of the joint noise path, against one dense Cholesky factor over all points."""

from __future__ import annotations

import time

import numpy as np
import pytest

from sims.acc.paths import axis_factor, grid_paths

pytestmark = pytest.mark.benchmark
SIZE, STEPS = 64, 16.0


def triangular(u):
    return np.maximum(1.0 - np.abs(u), 0.0)


def timed(function):
    start = time.process_time()
    function()
    return time.process_time() - start


def by_axes():
    factor = axis_factor(triangular, SIZE, STEPS)
    return grid_paths(np.random.default_rng(0), [factor, factor])


def dense():
    at = np.arange(SIZE)
    gram = triangular((at[:, None] - at) / STEPS)
    factor = np.linalg.cholesky(np.kron(gram, gram) + 1e-10 * np.eye(SIZE**2))
    return factor @ np.random.default_rng(0).standard_normal(SIZE**2)


def test_a_joint_path_is_a_thousand_times_faster_than_dense():
    fast = min(timed(by_axes) for _ in range(30))
    slow = timed(dense)
    print(f"\ndense {slow:.2f} s, by axes {fast * 1e3:.2f} ms, ratio {slow / fast:.0f}")
    assert slow / fast >= 1000
