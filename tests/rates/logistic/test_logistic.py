"""Sensitivities, budgets and closed forms of the surrogate: by hand, by search, by simulation."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates import logistic as lg
from rates.numbers.parameters import DomainError
from tests.depth import examples

SIGNAL = lg.signal_variance(np.ones(10))


def coefficients(x: np.ndarray, y: float) -> np.ndarray:
    """All coefficients of one record's polynomial, cross terms once."""
    p = len(x)
    cross = [x[i] * x[j] / (8.0 if i == j else 4.0) for i in range(p) for j in range(i, p)]
    return np.array([*(x * (0.5 - y)), *cross])


def moved(x, z, s, t):
    """How far the squares and the slopes of two records are apart."""
    squares, slopes = np.outer(x, x) - np.outer(z, z), x * (0.5 - s) - z * (0.5 - t)
    return math.hypot(np.linalg.norm(squares), np.linalg.norm(slopes))


def test_sensitivities_by_hand():
    assert lg.refined_sensitivity(1) == 1.25  # |x|/2 + x²/8 at x = 1, twice
    x = np.full(7, 2.0 / math.sqrt(7))
    assert 2 * np.abs(coefficients(x, 1.0)).sum() == pytest.approx(lg.refined_sensitivity(7, 2.0))
    assert lg.record_sum(float(np.abs(x).sum())) == pytest.approx(
        lg.refined_sensitivity(7, 2.0) / 2
    )
    assert lg.euclidean_sensitivity(2.0) == pytest.approx(math.sqrt(2) * 4.125)


@examples(60)
@given(p=st.integers(1, 8), seed=st.integers(0, 10**6), radius=st.floats(0.36, 5))
def test_no_pair_of_records_exceeds_the_bounds(p, seed, radius):
    rng = np.random.default_rng(seed)
    x, z = rng.standard_normal((2, p))
    x, z = (radius * rng.uniform() ** 0.1 * v / np.linalg.norm(v) for v in (x, z))
    assert lg.joint_sensitivity(p, radius) < lg.refined_sensitivity(p, radius)
    for s in (0.0, 1.0):
        for t in (0.0, 1.0):
            apart = np.abs(coefficients(x, s) - coefficients(z, t)).sum()
            assert apart <= lg.joint_sensitivity(p, radius) * (1 + 1e-12)
            assert moved(x, z, s, t) <= lg.euclidean_sensitivity(radius) * (1 + 1e-12)


@pytest.mark.parametrize("radius", [0.5, 1.0, 3.0])
def test_the_euclidean_bound_is_attained(radius):
    c = 1 / (8 * radius**2)
    x, z = radius * np.array([1.0, 0.0]), radius * np.array([c, math.sqrt(1 - c * c)])
    assert moved(x, z, 0.0, 1.0) == pytest.approx(lg.euclidean_sensitivity(radius), rel=1e-12)


def test_the_gaussian_budget_agrees_with_dp_accounting():
    """Of n Laplace variables a normal one of their variance is left."""
    from dp_accounting import gaussian_mechanism

    for scale in (0.3, 1.0, 40.0):
        found = lg.meaning(scale, dimension=5, radius=1.0, n=8, delta=1e-5)
        multiplier = scale * 4 / lg.euclidean_sensitivity(1.0)
        for times, epsilon in ((1, found.central), (2, found.central_twice)):
            sigma = multiplier / math.sqrt(times)
            expected = gaussian_mechanism.get_epsilon_gaussian(sigma, 1e-5)
            assert epsilon == pytest.approx(expected, rel=1e-6)
    assert lg.meaning(1e8, dimension=5, radius=1.0, n=8, delta=1e-5).central == 0.0


def test_the_laplace_budget_agrees_with_dp_accounting():
    from dp_accounting.pld import privacy_loss_distribution as pld

    found = lg.meaning(0.1, dimension=4, radius=0.2, n=10, delta=1e-5)
    width = lg.refined_sensitivity(4, 0.2)
    loss = pld.from_laplace_mechanism(0.1, sensitivity=width, value_discretization_interval=1e-3)
    assert found.once == pytest.approx(loss.get_epsilon_for_delta(1e-9), abs=5e-3)
    both = loss.compose(loss)
    assert found.once_twice == pytest.approx(both.get_epsilon_for_delta(1e-9), abs=1e-2)


def test_what_the_printed_scale_means():
    found = lg.meaning(0.1, dimension=50, radius=math.sqrt(50), n=300, delta=1e-5)
    assert found.once == pytest.approx(10 * (50 + 625))
    assert found.once_twice == 2 * found.once
    assert found.central < found.central_twice < math.inf
    # More records hide a record better, if only their sums are seen.
    more = lg.meaning(0.1, dimension=50, radius=math.sqrt(50), n=7500, delta=1e-5)
    assert more.central < found.central / 5
    assert more.once == found.once
    bare = lg.meaning(0.1, dimension=50, radius=math.inf, n=300, delta=1e-5)
    assert {bare.once, bare.central, bare.once_twice, bare.central_twice} == {math.inf}
    # A typical record of the design has sum norm about 50 sqrt(2/pi) = 39.9.
    assert 2 * lg.record_sum(39.6) / 0.1 == pytest.approx(4317, abs=1)


@pytest.mark.parametrize(
    ("call", "field"),
    [
        (lambda: lg.refined_sensitivity(3, 0.0), "radius"),
        (lambda: lg.euclidean_sensitivity(0.3), "radius"),
        (lambda: lg.record_sum(-1.0), "sum_norm"),
        (lambda: lg.meaning(0.0, dimension=5, radius=1.0, n=10, delta=0.1), "scale"),
        (lambda: lg.mixture("cauchy"), "law"),
        (lambda: lg.shrinkage(-1.0), "variance"),
        (lambda: lg.best_accuracy(0.0), "variance"),
    ],
)
def test_what_is_refused(call, field):
    with pytest.raises(DomainError) as caught:
        call()
    assert caught.value.field == field


def test_closed_forms_by_hand():
    assert lg.signal_variance(np.ones(2)) == 3.0
    assert lg.shrinkage(0.0) == pytest.approx(4 / math.sqrt(2 * math.pi))
    assert lg.shrinkage(0.0, "logistic") == 1.0  # the model (11) at β = 0: the surrogate is exact
    assert lg.shrinkage(SIGNAL) == pytest.approx(
        4 / math.sqrt(2 * math.pi * (1 + SIGNAL)), rel=1e-12
    )
    t_at_0 = 2 / (math.pi * math.sqrt(3))  # the density of t3 at 0
    assert lg.shrinkage(0.0, "t3") == pytest.approx(4 * t_at_0, rel=1e-9)
    weights, variances = lg.mixture("t3")
    assert float(np.sum(weights)) == pytest.approx(1.0)
    assert float(weights @ (1 / variances)) == pytest.approx(1.0, rel=1e-10)
    assert float(lg.accuracy(np.zeros(3), np.ones(3), np.eye(3))) == 0.5
    one = float(lg.accuracy([1.0, 1.0], [1.0, 0.0], np.eye(2)))
    assert one == pytest.approx(1 - math.acos(0.5) / math.pi)  # 1/(√2 √2)
    assert lg.covariance(3)[0, 2] == 0.25


def test_the_t_law_and_logistic_shrinkage_by_quadrature():
    from scipy.integrate import quad
    from scipy.special import stdtr

    def right(s: float) -> float:
        return math.exp(-s * s / 2) / math.sqrt(2 * math.pi) * stdtr(3, math.sqrt(SIGNAL) * s)

    def steep(u: float) -> float:
        density = math.exp(-u * u / (2 * SIGNAL)) / math.sqrt(2 * math.pi * SIGNAL)
        return density * math.exp(-abs(u)) / (1 + math.exp(-abs(u))) ** 2

    best, shrunk = (quad(f, 0, end, epsabs=1e-13)[0] for f, end in ((right, 12), (steep, 100)))
    assert lg.best_accuracy(SIGNAL, "t3") == pytest.approx(2 * best, abs=1e-9)
    assert lg.shrinkage(SIGNAL, "logistic") == pytest.approx(8 * shrunk, rel=1e-9)
