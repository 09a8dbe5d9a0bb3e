"""Speed of the adaptation page: minimiser against the joint problem, discrepancy, default panel."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest

from rates.adaptation import AdaptationDesign
from sims.bcmm.algorithms import profiled
from sims.bcmm.curves import RATE
from sims.bcmm.data import Moments, World, world_pair
from sims.bcmm.exact import discrepancy, minimise, reference, stacked
from sims.engine.experiment import Request
from sims.engine.runs import run

pytestmark = pytest.mark.benchmark


def timed(function):
    start = time.process_time()
    found = function()
    return time.process_time() - start, found


def by_cvxpy(pair, gap, penalty):
    cvxpy = pytest.importorskip("cvxpy")
    x, y = stacked(pair)
    a = reference(pair, 0.5)
    w, v = cvxpy.Variable(x.shape[1]), cvxpy.Variable(len(y))
    lift = np.where(np.arange(len(y)) < pair.public.size, gap, 0.0)
    # Rotated cones, all rows at once: height * v >= rest^2.
    height = cvxpy.Variable(len(y))
    cone = cvxpy.SOC(height + v, cvxpy.vstack([2 * (x @ w - y), height - v]))
    value = a @ height + (a * lift) @ cvxpy.inv_pos(v)
    value += penalty * (a @ v - 1)
    problem = cvxpy.Problem(cvxpy.Minimize(value), [cone, v >= 1, cvxpy.norm(w) <= 2])
    return float(problem.solve())


def by_scipy(pair, gap, penalty):
    """The joint problem over coefficients and inverse weights, by L-BFGS-B; the ball is idle."""
    from scipy.optimize import minimize

    x, y = stacked(pair)
    a, d = reference(pair, 0.5), x.shape[1]
    lift = np.where(np.arange(len(y)) < pair.public.size, gap, 0.0)

    def objective(t):
        rest = x @ t[:d] - y
        z = rest**2 + lift
        value = np.sum(a * z / t[d:]) + penalty * (np.sum(a * t[d:]) - 1)
        return value, np.r_[2 * x.T @ (a * rest / t[d:]), a * (penalty - z / t[d:] ** 2)]

    found = minimize(
        objective,
        np.r_[np.zeros(d), np.ones(len(y))],
        jac=True,
        bounds=[(None, None)] * d + [(1, None)] * len(y),
        method="L-BFGS-B",
        options={"ftol": 1e-15, "gtol": 1e-9, "maxiter": 20_000, "maxfun": 40_000},
    )
    assert np.linalg.norm(found.x[:d]) < 2
    return float(found.fun)


@pytest.mark.parametrize("joint", [by_scipy, by_cvxpy], ids=["scipy", "cvxpy"])
def test_the_minimiser_is_a_hundred_times_faster_than_the_joint_problem(joint):
    pair = world_pair(World(dimension=10, concept=0.5), 2000, 500, 0, 0)
    fast, found = min(
        (
            timed(lambda: minimise(pair, alpha=0.5, gap=0.3, penalty=0.04, norm_bound=2.0))
            for _ in range(20)
        ),
        key=lambda row: row[0],
    )
    slow, value = timed(lambda: joint(pair, 0.3, 0.04))
    print(f"\njoint {slow:.2f} s, minimiser {fast * 1e3:.2f} ms, ratio {slow / fast:.0f}")
    assert found.value == pytest.approx(value, abs=1e-6)
    assert found.value <= value + 1e-9
    assert slow / fast >= 100


def test_the_discrepancy_is_cheap_beside_its_moments():
    pair = world_pair(World(dimension=10), 5000, 500, 0, 0)
    private, public = Moments.of(pair.private), Moments.of(pair.public)
    alone = min(timed(lambda: discrepancy(private, public, 2.0))[0] for _ in range(50))
    dense = min(timed(lambda: np.linalg.svd(pair.public.x))[0] for _ in range(1))
    print(f"\ndiscrepancy {alone * 1e3:.2f} ms; one singular value decomposition {dense:.2f} s")
    assert alone < dense / 100


def one_by_one(pair, designs, gaps, steps):
    """Our descents without noise, each over all records with a weight per record."""
    x, y = stacked(pair)
    a, out = reference(pair, 0.5), []
    for design, gap in zip(designs, gaps, strict=True):
        lift = np.where(np.arange(len(y)) < pair.public.size, gap, 0.0)
        w, mean = np.zeros(x.shape[1]), np.zeros(x.shape[1])
        for t in range(steps):
            rest = x @ w - y
            slope = a * np.sqrt(np.minimum(1.0, design.penalty / np.maximum(rest**2 + lift, 1e-9)))
            w = w - x.T @ (slope * rest)
            if t >= steps // 2:
                mean += w
        out.append(mean / (steps - steps // 2))
    return np.array(out)


def test_five_budgets_of_ours_against_a_descent_for_each():
    """A replicate of "adaptation-rate" at n = 1e5."""
    pair = world_pair(World(dimension=10), 5000, 100_000, 0, 0)
    at = AdaptationDesign(public=5000, private=100_000, dimension=10, epsilon=math.inf)
    gaps, rngs = [0.1, 0.2, 0.3, 0.4, 0.5], [np.random.default_rng(k) for k in range(5)]
    fast, found = min(
        (timed(lambda: profiled(pair, [at] * 5, rngs, steps=20, gaps=gaps)) for _ in range(5)),
        key=lambda row: row[0],
    )
    slow, expected = min(
        (timed(lambda: one_by_one(pair, [at] * 5, gaps, 20)) for _ in range(3)),
        key=lambda row: row[0],
    )
    assert found == pytest.approx(expected, abs=1e-12)
    print(f"\n20 steps at 5 budgets: one by one {slow * 1e3:.0f} ms, together {fast * 1e3:.0f} ms")
    assert slow >= 3 * fast


@pytest.mark.parametrize("method", ["printed", "profiled"])
def test_the_default_panel(method):
    request = Request(experiment=RATE, values={"method": method}, replicates=6)
    start, first = time.perf_counter(), None
    for progress in run(request):
        if first is None and progress.done:
            first = time.perf_counter() - start
    whole = time.perf_counter() - start
    print(f"\n{method}: first points {first:.2f} s, whole panel {whole:.2f} s")
    assert first is not None
    assert first < whole / 3
