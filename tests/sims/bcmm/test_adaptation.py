"""Adaptation: algorithms as printed, the exact minimiser, the discrepancy and its noise."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize

from rates.adaptation import AdaptationDesign, printed_noise
from sims.bcmm import algorithms
from sims.bcmm.algorithms import SQUARED_ONLY, fit
from sims.bcmm.curves import PLAIN_ROWS, PRIVATE_ROWS
from sims.bcmm.data import Moments, Pair, Sample, World, world_pair
from sims.bcmm.exact import discrepancy, minimise, reference, smallest_on_ball, stacked
from sims.engine.experiment import generator


def small() -> Pair:
    return world_pair(World(dimension=3, concept=0.8), 120, 40, 0, 0)


# The discrepancy -----------------------------------------------------------------------------


@given(st.integers(0, 10**6), st.integers(1, 6), st.floats(0.05, 5))
def test_a_trust_region_problem_beats_every_random_point(seed, d, radius):
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(d, d))
    A, b = (A + A.T) / 2, rng.normal(size=d) * rng.integers(0, 2)
    w, mu = smallest_on_ball(A, b, radius)
    assert np.linalg.norm(w) <= radius * (1 + 1e-9)
    assert np.linalg.norm((A + mu * np.eye(d)) @ w - b) < 1e-8 * (1 + np.linalg.norm(b) + mu)
    assert np.linalg.eigvalsh(A)[0] + mu > -1e-9
    assert mu >= 0
    assert mu * (radius - np.linalg.norm(w)) < 1e-7 * (1 + mu)
    points = rng.normal(size=(200, d))
    points *= (radius * rng.random(200) ** (1 / d) / np.linalg.norm(points, axis=1))[:, None]
    values = np.einsum("ki,ij,kj->k", points, A, points) - 2 * points @ b
    assert w @ A @ w - 2 * b @ w <= values.min() + 1e-9


@given(st.integers(0, 10**6))
def test_the_discrepancy_is_the_largest_difference_of_mean_losses(seed):
    """On a fine grid of a line, where nothing can hide."""
    rng = np.random.default_rng(seed)
    samples = [Sample(x=rng.uniform(-1, 1, (n, 1)), y=rng.uniform(-1, 1, n)) for n in (12, 30)]
    grid = np.linspace(-2.0, 2.0, 4001)
    private, public = (((s.x * grid - s.y[:, None]) ** 2).mean(axis=0) for s in samples)
    found = discrepancy(*map(Moments.of, samples), 2.0)
    assert found == pytest.approx(np.abs(private - public).max(), abs=1e-5)


# The exact minimiser -------------------------------------------------------------------------


def jointly(pair: Pair, *, alpha: float, gap: float, penalty: float) -> tuple[float, np.ndarray]:
    """The same problem over coefficients and inverse weights together, by L-BFGS-B."""
    x, y = stacked(pair)
    a, d = reference(pair, alpha), x.shape[1]
    lift = np.where(np.arange(len(y)) < pair.public.size, gap, 0.0)

    def objective(v):
        w, u = v[:d], v[d:]  # u times a
        rest = x @ w - y
        z = rest**2 + lift
        value = np.sum(a * z / u) + penalty * (np.sum(a * u) - 1)
        return value, np.r_[2 * x.T @ (a * rest / u), a * (penalty - z / u**2)]

    start = np.r_[np.zeros(d), np.ones(len(y))]
    limits = [(None, None)] * d + [(1, None)] * len(y)
    far = {"ftol": 1e-15, "gtol": 1e-10, "maxiter": 20_000, "maxfun": 40_000}
    found = minimize(objective, start, jac=True, bounds=limits, method="L-BFGS-B", options=far)
    return float(found.fun), found.x


@pytest.mark.parametrize(("alpha", "gap", "penalty"), [(0.5, 0.3, 0.04), (0.9, 0.0, 0.01)])
def test_profiled_is_the_joint_minimum(alpha, gap, penalty):
    pair, design = small(), AdaptationDesign(alpha=alpha, penalty=penalty)
    w, ratio = minimise(pair, design, gap)
    value, at = jointly(pair, alpha=alpha, gap=gap, penalty=penalty)
    x, y = stacked(pair)
    z = (x @ w - y) ** 2 + gap * (np.arange(len(y)) < pair.public.size)
    profiled = np.where(z <= penalty, z, 2.0 * np.sqrt(penalty * z) - penalty)  # of (6)
    assert np.sum(reference(pair, alpha) * profiled) == pytest.approx(value, abs=1e-7)
    assert w == pytest.approx(at[:3], abs=1e-3)
    assert 1 / ratio == pytest.approx(at[3:], abs=5e-3)


# Algorithms ----------------------------------------------------------------------------------


def test_one_step_of_algorithm_1_by_hand():
    x = np.array([[0.6, 0.0], [0.0, 0.8]])
    pair = Pair(
        public=Sample(x=x[:1], y=np.array([0.5])), private=Sample(x=x[1:], y=np.array([-1.0]))
    )
    design = AdaptationDesign(
        public=1, private=1, dimension=2, alpha=0.25, norm_bound=1, epsilon=math.inf,
        penalty=0.1,
    )  # fmt: skip
    plan = printed_noise(design, 1)
    path = algorithms.algorithm_1(pair, design, generator(0), steps=1, gap=0.2)
    u = np.array([4.0, 4 / 3])
    grad = 2 * (x[0] * -0.5 / u[0] + x[1] * 1.0 / u[1])
    w = -plan.step_w * grad
    assert path.w == pytest.approx(w / max(1, np.linalg.norm(w)))
    a = np.array([0.25, 0.75])
    down = np.array([0.25 + 0.2, 1.0]) / u**2
    slope = 0.1 * a**2 - down
    eta = np.array([plan.step_public, plan.step_private])
    assert path.inverse == pytest.approx(np.maximum(u - eta * slope, 1 / a))


def test_without_noise_our_descent_finds_the_minimum():
    pair = small()
    design = AdaptationDesign(
        public=120, private=40, dimension=3, epsilon=math.inf, penalty=0.01, norm_bound=2
    )
    found = algorithms.profiled(pair, design, generator(0), steps=3000, gap=0.3)
    best = minimise(pair, design, 0.3)[0]
    assert found == pytest.approx(best, abs=1e-4)
    plain = minimise(pair, replace(design, penalty=100.0), 0.3)[0]
    assert np.linalg.norm(plain - best) > 0.01


def test_logistic_algorithms():
    world = World(dimension=4, concept=0.0, loss="logistic")
    pair = world_pair(world, 400, 400, 0, 0)
    design = AdaptationDesign(
        public=400, private=400, dimension=4, norm_bound=8, epsilon=math.inf, loss="logistic"
    )
    path = algorithms.algorithm_2(pair, design, generator(4), steps=300)
    assert path.moved < 1e-4
    plain = algorithms.logistic_descent(pair, design, None, share=0.5, steps=600)
    x, y = stacked(pair)
    a = reference(pair, 0.5)
    best = minimize(lambda w: np.sum(a * np.logaddexp(0, -y * (x @ w))), np.zeros(4), tol=1e-10)
    assert np.linalg.norm(best.x) < 8
    assert plain == pytest.approx(best.x, abs=0.01)
    ends = [algorithms.algorithm_2(pair, design, generator(k), steps=2000).w for k in range(6)]
    assert min(np.linalg.norm(w - best.x) for w in ends) < 0.05


@pytest.mark.parametrize("method", [*PRIVATE_ROWS, *PLAIN_ROWS])
@pytest.mark.parametrize("loss", ["squared", "logistic"])
def test_every_method_answers_and_repeats(method, loss):
    if loss == "logistic" and method in SQUARED_ONLY:
        pytest.skip("for the squared loss alone")
    world = World(dimension=3, loss=loss)
    pairs = [world_pair(world, 60, 40, 0, k) for k in range(2)]
    design = AdaptationDesign(public=60, private=40, dimension=3, loss=loss)

    def run():
        return fit(method, pairs, design, [generator(0, k) for k in range(2)], steps=20)

    first = run()
    assert first.shape == (2, 3)
    assert (first == run()).all()
    assert (np.linalg.norm(first, axis=1) <= design.norm_bound + 1e-9).all()
    alone = fit(method, pairs[1:], design, [generator(0, 1)], steps=20)
    assert alone[0] == pytest.approx(first[1], rel=1e-12)
