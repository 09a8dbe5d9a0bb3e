"""Speed of the engine as ratios within one run, against tuned scipy on the same equations.

Both sides get the same log form, the same bracket and a tolerance of 1e-13. Inside the
bracket no term exceeds 1, so the comparator needs no log-sum-exp shift and gets none; it
sees an index array, so that it drops problems that have converged.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize.elementwise import find_root

from rates.numbers.implicit import make_terms, solve_log

Array = NDArray[np.float64]
Equations = tuple[Array, Array, Array, Array]  # log n, log epsilon, slopes; and the steps

pytestmark = pytest.mark.benchmark
TOLERANCE = 1e-13


def seconds(*runs: Callable[[], object], repeats: int = 7) -> list[float]:
    """Return the best processor time of each run, taken in turns so that load is shared."""
    best = [math.inf] * len(runs)
    for _ in range(repeats):
        for i, run in enumerate(runs):
            start = time.process_time()
            run()
            best[i] = min(best[i], time.process_time() - start)
    return best


def draw(problems: int, servers: int) -> Equations:
    """Draw problems by rows and servers by columns: beta 1/2, d = 2, gamma up to 2."""
    rng = np.random.default_rng(7)
    size = rng.uniform(math.log(50), math.log(1e6), (problems, servers))
    budget = rng.uniform(math.log(0.01), math.log(10), (problems, servers))
    gamma = np.concatenate([[1.0], rng.uniform(0.3, 2, servers - 1)])
    return size, budget, gamma + 2.0, np.array([2.0])


def solved(equations: Equations) -> Array:
    """Solve with the engine."""
    return solve_log(make_terms(*equations))


def by_find_root(equations: Equations) -> Callable[[], Array]:
    """Return scipy's vectorised bracketing solver, servers along the first axis."""
    size, budget, slope, step = equations
    a = np.ascontiguousarray(size.T)
    b = np.ascontiguousarray((2.0 * (size + budget)).T)
    s, d = slope[:, None], step[0]

    def run() -> Array:
        high = -np.minimum(a / s, b / (s + d)).max(axis=0)
        low = high - math.log(len(a)) / float(s.min())
        pad = 1e-9  # rounding at the ends must not hide the change of sign

        def gap(u: Array, index: Array) -> Array:
            pick = index.astype(np.intp).ravel()
            whole = pick.size == a.shape[1]
            a_at, b_at = (a, b) if whole else (a[:, pick], b[:, pick])
            t = d * u.ravel() + b_at
            np.minimum(t, a_at, out=t)
            t += s * u.ravel()
            np.exp(t, out=t)
            return np.log(t.sum(axis=0)).reshape(u.shape)

        found = find_root(
            gap,
            (low - pad, high + pad),
            args=(np.arange(a.shape[1], dtype=float),),
            tolerances={"xatol": TOLERANCE, "xrtol": TOLERANCE, "fatol": 0, "frtol": 0},
        )
        assert np.all(found.success)
        return np.asarray(found.x)

    return run


def report(label: str, engine: float, other: float, least: float) -> None:
    """Print both times and hold the ratio to its floor."""
    ratio = other / engine
    print(
        f"\n{label}: engine {1e3 * engine:.2f} ms, comparator {1e3 * other:.1f} ms, "
        f"{ratio:.1f} times (at least {least:g})"
    )
    assert ratio >= least


@pytest.mark.parametrize(
    ("problems", "servers", "least"), [(250_000, 2, 8.0), (10_000, 11, 4.0), (2_000, 201, 1.7)]
)
def test_against_the_vectorised_root_finder(problems: int, servers: int, least: float) -> None:
    equations = draw(problems, servers)
    other = by_find_root(equations)
    np.testing.assert_allclose(solved(equations), other(), rtol=1e-12, atol=1e-12)
    engine, comparator = seconds(lambda: solved(equations), other)
    report(f"{problems:,} x {servers}, find_root", engine, comparator, least)
