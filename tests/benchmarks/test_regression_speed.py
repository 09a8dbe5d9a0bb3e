"""Speed of the regression simulations as ratios within one run, on one thread.

A replicate has N = 1e5 records on m = 50 servers and K = 64. The reference evaluates all K
functions at a server's points, server by server. A sweep of exact risk runs over 25 budgets and
60 dimensions, the integrals of the curve kept.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import pytest

from rates import Server
from sims.ccv.estimator import Plan, Recipe, World, replicates
from sims.ccv.risk import parts_of, plan, risks, sites_of
from sims.curves.cells import CELLS
from sims.curves.functions import curve, curve_means
from sims.curves.wavelets import evaluate
from sims.engine.seeds import generator

pytestmark = pytest.mark.benchmark
N_RECORDS, SERVERS, K = 100_000, 50, 64


def servers(epsilon: float = 1.0, *, alike: bool = True) -> tuple[Server, ...]:
    each = N_RECORDS // SERVERS
    if alike:
        return (Server(name="A", n=each, epsilon=epsilon, delta=1e-5, count=SERVERS),)
    return tuple(
        Server(name=f"{j}", n=each, epsilon=epsilon * (1 + j / 10), delta=1e-5)
        for j in range(SERVERS)
    )


def seconds(*runs: Callable[[], object], repeats: int = 9) -> list[float]:
    """Return the best processor time of each run, taken in turns so that load is shared."""
    best = [math.inf] * len(runs)
    for _ in range(repeats):
        for i, run in enumerate(runs):
            start = time.process_time()
            run()
            best[i] = min(best[i], time.process_time() - start)
    return best


def dense(made: Plan, seed: int) -> float:
    """Return the loss of the same estimator with the basis evaluated at every point."""
    rng, basis = generator(seed, "dense"), made.world.basis(K)
    f = curve_means(made.world.curves[0])
    each, theta = N_RECORDS // SERVERS, np.zeros(K)
    for _ in range(SERVERS):
        x = rng.random(each)
        y = f[(x * CELLS).astype(np.int64)] + rng.standard_normal(each)
        own = evaluate(basis, x).T @ np.clip(y, -made.clip, made.clip) / each
        theta += (own + made.scale[0, 0] * rng.standard_normal(K)) / SERVERS
    return float(np.sum(theta**2))


@pytest.mark.parametrize("alike", [True, False])
@pytest.mark.parametrize(("family", "moments"), [("periodic", 2), ("boundary", 2)])
def test_a_replicate_and_a_sweep(family, moments, alike):
    world = World(curves=(curve("fourier"),), family=family, moments=moments)
    recipe, dims = Recipe(), tuple(range(4, 64))
    made = plan(world, servers(alike=alike), recipe, dimension=K)
    parts_of(world, recipe, dims)
    budgets = np.geomspace(0.03, 10, 25)

    def sweep() -> None:
        for epsilon in budgets.tolist():
            sites = sites_of(servers(epsilon, alike=alike), recipe, pointwise=False)
            risks(world, sites, recipe, dims)

    def twenty() -> None:
        replicates(made, [generator(0, k) for k in range(20)])

    fast, slow, exact = seconds(twenty, lambda: dense(made, 0), sweep)
    print(
        f"{family}, {'alike' if alike else 'unequal'}: replicate {50 * fast:.2f} ms, "
        f"dense {1e3 * slow:.1f} ms, sweep {1e3 * exact:.1f} ms"
    )
    assert slow >= 12 * fast / 20
    assert exact <= fast


def test_a_million_records_live_below_300_mb():
    code = (
        "from rates import Server\n"
        "from sims.curves.functions import curve\n"
        "from sims.ccv import Recipe, World, plan, replicates\n"
        "from sims.engine.seeds import generator\n"
        "rows = [Server(name=str(j), n=20_000, epsilon=1 + j, delta=1e-5) for j in range(50)]\n"
        "world = World(curves=(curve('fourier'),), family='boundary', moments=4)\n"
        "replicates(plan(world, tuple(rows), Recipe()), [generator(0, k) for k in range(3)])\n"
        "rows = [Server(name=str(j), n=2_000_000, epsilon=1, delta=1e-5) for j in range(50)]\n"
        "replicates(plan(world, tuple(rows), Recipe()), [generator(0, k) for k in range(3)])\n"
        "status = open('/proc/self/status').read()  # getrusage would count the parent's peak\n"
        "print(status.split('VmHWM:')[1].split()[0])\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    peak = int(done.stdout) / 1024
    print(f"peak {peak:.0f} MB")
    assert peak < 300
