"""Speed of the wavelet simulations as ratios within one run, on one thread.

A replicate draws N = 1e5 records on m = 50 servers and returns every server's K = 64
coefficients of clipped responses. The reference draws the same and evaluates the basis
densely, server by server.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

from sims.curves.cells import CELLS, binned
from sims.curves.functions import curve, curve_means
from sims.curves.wavelets import Basis, evaluate
from tests.sims.curves.records import cell_coefficients

pytestmark = pytest.mark.benchmark
N_RECORDS, SERVERS, K, CLIP = 100_000, 50, 64, 3.0


def seconds(*runs: Callable[[], object], repeats: int = 15) -> list[float]:
    """Return the best processor time of each run, taken in turns so that load is shared."""
    best = [math.inf] * len(runs)
    for _ in range(repeats):
        for i, run in enumerate(runs):
            start = time.process_time()
            run()
            best[i] = min(best[i], time.process_time() - start)
    return best


def binned_replicate(basis: Basis) -> Callable[[], np.ndarray]:
    grid, f = binned(basis), curve_means(curve("fourier"))
    server = np.repeat(np.arange(SERVERS), N_RECORDS // SERVERS)
    n = np.full(SERVERS, N_RECORDS // SERVERS)
    rng = np.random.default_rng(0)

    def run() -> np.ndarray:
        cell = rng.integers(0, CELLS, N_RECORDS, dtype=np.int32)
        y = f[cell]
        y += rng.standard_normal(N_RECORDS)
        np.clip(y, -CLIP, CLIP, out=y)
        return cell_coefficients(grid, cell, y, server, n)

    return run


def dense_replicate(basis: Basis) -> Callable[[], np.ndarray]:
    """Return the reference: the matrix of all K functions at a server's points, then a product."""
    f, each = curve_means(curve("fourier")), N_RECORDS // SERVERS
    rng = np.random.default_rng(0)

    def run() -> np.ndarray:
        out = np.empty((SERVERS, K))
        for j in range(SERVERS):
            x = rng.random(each)
            y = f[(x * CELLS).astype(np.int64)]
            y += rng.standard_normal(each)
            np.clip(y, -CLIP, CLIP, out=y)
            out[j] = evaluate(basis, x).T @ y / each
        return out

    return run


@pytest.mark.parametrize(("family", "moments"), [("periodic", 2), ("boundary", 2), ("boundary", 4)])
def test_a_replicate_is_twelve_times_faster_than_dense_evaluation(family, moments):
    basis = Basis(family=family, moments=moments, dimension=K)
    fast, slow = binned_replicate(basis), dense_replicate(basis)
    assert np.abs(fast().mean(axis=0) - slow().mean(axis=0)).max() < 0.05
    quick, dense = seconds(fast, slow)
    print(f"{family} N={moments}: {1e3 * quick:.2f} ms, dense {1e3 * dense:.1f} ms")
    assert dense >= 12 * quick


def test_a_million_records_live_below_300_mb():
    code = (
        "import numpy as np\n"
        "from sims.curves.cells import *\n"
        "from sims.curves.wavelets import Basis\n"
        "from tests.sims.curves.records import *\n"
        "n, m, rng = 1_000_000, 50, np.random.default_rng(0)\n"
        "for N in range(1, 7):\n"
        "    basis = Basis(family='boundary', moments=N, dimension=64)\n"
        "    sensitivity(basis, clip=3.0, n=n), point_sensitivity(basis, 0.3, clip=3.0, n=n)\n"
        "    grid = binned(basis)\n"
        "    cell = rng.integers(0, grid.cells, n, dtype=np.int32)\n"
        "    y = np.clip(rng.standard_normal(n), -3, 3)\n"
        "    server = np.repeat(np.arange(m, dtype=np.int32), n // m)\n"
        "    cell_coefficients(grid, cell, y, server, np.full(m, n // m))\n"
        "status = open('/proc/self/status').read()  # getrusage would count the parent's peak\n"
        "print(status.split('VmHWM:')[1].split()[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    peak = int(done.stdout) / 1024
    print(f"peak {peak:.0f} MB")
    assert peak < 300
