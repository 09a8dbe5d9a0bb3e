"""The root kernel, searches for roots and Gaussian noise: by hand, by mpmath and dp_accounting."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting import gaussian_mechanism
from mpmath import mp, mpf
from numpy.typing import NDArray
from scipy.special import logsumexp

import rates
from rates.numbers import bracketed, implicit, least, rising
from rates.numbers.gaussian import analytic_multiplier, budget_elasticity, epsilon_of
from rates.numbers.implicit import Terms, at_root, make_terms, solve_log

Array = NDArray[np.float64]
NEVER = -math.inf  # the log of a size or budget of zero
FREE = math.inf  # the log of an infinite budget


def log_sum(terms: Terms, u: Array) -> Array:
    """Return the log of the left side at u, straight from its definition."""
    return logsumexp(at_root(terms, u)[0], axis=-1)


def random_terms(seed: int, shape: tuple[int, ...], smooth: bool = False) -> Terms:
    """Draw equations with sizes from 1 to 1e12, budgets from 1e-6 to 100 and some limits."""
    draw = np.random.default_rng(seed)
    size, budget = draw.uniform(0, 28, shape), draw.uniform(-14, 4.6, shape)
    budget[draw.random(shape) < 0.1] = FREE
    size[draw.random(shape) < 0.1] = NEVER
    budget[draw.random(shape) < 0.1] = NEVER
    size[..., 0], budget[..., 0] = draw.uniform(0, 28, shape[:-1]), 1.0  # one row is alive
    step = draw.integers(1, 9, (*shape[:-1], 1)).astype(float)
    slope = draw.uniform(0.1, 6, shape) + step
    weight = draw.uniform(0, 5, shape)
    return make_terms(size, budget, slope, step, weight, weight - 1.0, smooth=smooth)


LOG2 = math.log(2.0)


@pytest.mark.parametrize(
    ("size", "budget", "slope", "step", "root"),
    [
        ([6.0], [0.0], 2.0, 1.0, -3.0),  # both branches, exp(min(6, 12 + u) + 2u)
        ([6.0], [-2.0], 2.0, 1.0, -8.0 / 3.0),  # privacy: 8 + u + 2u = 0
        ([-4.0], [0.0], 2.0, 2.0, 2.0),  # r above 1, privacy: -8 + 2u + 2u = 0
        ([3.0 - LOG2, 6.0 - LOG2], [FREE, FREE], [1.0, 2.0], 1.0, -3.0),  # shares 1/2, 1/2
        ([3.0, 0.0], [FREE, NEVER], 1.0, 1.0, -3.0),
        ([3.0, NEVER], [FREE, FREE], 1.0, 1.0, -3.0),
        ([NEVER, 0.0], [FREE, NEVER], 1.0, 1.0, math.inf),
    ],
)
def test_roots_known_by_hand(size, budget, slope, step, root) -> None:
    u = solve_log(make_terms(size, budget, slope, step))
    assert (u.shape, float(u)) == ((), pytest.approx(root, rel=1e-15, abs=1e-15))


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("shape", [(300, 1), (200, 2), (60, 11), (4, 7, 3), (3, 200)])
def test_grid_equals_single_problems(shape: tuple[int, ...], smooth: bool) -> None:
    terms = random_terms(11, shape, smooth)
    u, pieces = solve_log(terms), [np.broadcast_to(x, terms.shape) for x in terms.pieces()]
    for index in np.ndindex(*u.shape):
        one = solve_log(make_terms(*(x[index] for x in pieces), smooth=smooth))
        np.testing.assert_allclose(u[index], one, rtol=1e-15, atol=1e-15)
    slope = np.max(terms.slope + terms.step)
    assert np.all(np.abs(log_sum(terms, u)) <= 4e-15 * slope * np.maximum(1, np.abs(u)))


@pytest.mark.parametrize("smooth", [False, True])
@pytest.mark.parametrize("block", [1, 7, 64])
def test_blocks_do_not_change_answers(monkeypatch, block: int, smooth: bool) -> None:
    terms = random_terms(5, (37, 5), smooth)
    dead = np.where(np.arange(37)[:, None] % 6 == 2, NEVER, terms.log_size)
    terms = make_terms(dead, *terms.pieces()[1:], smooth=smooth)
    whole = solve_log(terms)
    monkeypatch.setattr(implicit, "BLOCK", block)
    np.testing.assert_allclose(solve_log(terms), whole, rtol=1e-15, atol=1e-15)


@pytest.mark.parametrize("exponent", range(-20, 41, 4))
def test_exact_ties(exponent: int) -> None:
    # n = 2^k, n epsilon^2 r = 1 and n r^2 = 1 with r = 2^(-k/2).
    n, epsilon = 2.0**exponent, 2.0 ** (-exponent / 4)
    r = 2.0 ** (-exponent / 2)
    alone = rates.solve_r(n, epsilon, 1, beta=0.5, d=1)
    assert alone == pytest.approx(r, rel=2e-15 * max(1, abs(exponent)))
    many = rates.solve_r([n / 4] * 4, 2 * epsilon, 1, beta=0.5, d=1)
    assert many == pytest.approx(r, rel=2e-15 * max(1, abs(exponent)))


def test_rough_single_precision_start_is_mended() -> None:
    draw = np.random.default_rng(9)
    slope = draw.uniform(1, 3, (2000, 3))
    size = 1e6 * slope + draw.uniform(-1, 1, (2000, 3))  # single precision: u to 0.1
    terms = make_terms(size, FREE, slope, 0.5)
    u = solve_log(terms)
    assert np.all(np.abs(log_sum(terms, u)) <= 4e-15 * 3e6)


def test_extremes() -> None:
    # Slopes of 1e300 leave no room for r below 1; a weak target then decides nothing.
    assert float(rates.solve_r(10**9, np.inf, 1e300, beta=1, d=1)) == 1.0
    both = rates.solve_r([10**4, 10**9], np.inf, [1, 1e300], beta=0.5, d=1)
    assert float(both) == pytest.approx(0.01, rel=1e-14)
    # n = 1e15 under epsilon = 1e-300: privacy alone, (n epsilon)^(-2/(2 beta + 2 d)).
    r = rates.solve_r(1e15, 1e-300, 1, beta=0.5, d=2)
    assert math.log10(r) == pytest.approx(285 * 2 / 5, rel=1e-14)
    assert float(rates.solve_r(1e15, 1e300, 1, beta=0.5, d=2)) == pytest.approx(1e-5)
    assert float(rates.solve_D(1e300, np.inf, smoothness=1)) == pytest.approx(1e100, rel=1e-12)
    # A billion sites of one record are worth a billion records.
    many = rates.solve_r(1, np.inf, 1, beta=0.5, d=1, count=10**9)
    assert float(many) == pytest.approx(10**-4.5, rel=1e-14)
    huge_d = rates.solve_r(10**6, np.inf, 1, beta=1, d=10**6)
    assert math.log(huge_d) == pytest.approx(-math.log(10**6) / (10**6 + 2), rel=1e-9)


@pytest.mark.parametrize("at", [1, 2, 3, 17, 1000])
def test_least_whole_number(at: int) -> None:
    asked = []

    def holds(n: int) -> bool:
        asked.append(n)
        return n >= at

    assert least(holds, 0, 1) == at
    assert all(isinstance(n, int) and n > 0 for n in asked)
    assert least(lambda n: n >= at, at - 1, at) == at
    assert least(lambda n: n >= 8, 0, 1, most=8) == 8
    assert least(lambda n: n >= at, 0, 1, most=at - 1) == (math.inf if at > 1 else 1)


def test_bracketed_ends_though_steps_mislead() -> None:
    """Steps that point away are replaced by the middle; one problem may be settled before."""
    root = np.array([0.3, -2.0, 0.0])
    low, high = np.array([-5.0, -5.0, 0.0]), np.array([5.0, 5.0, 0.0])

    def away(x):
        return np.array([1e9, -1e9, math.nan]), x > root, 1.0

    found = bracketed(away, np.array([5.0, 5.0, 0.0]), low, high)
    np.testing.assert_allclose(found, root, atol=1e-14)


def test_many_rising_functions_at_once() -> None:
    """Kinks, far roots, roots on either side of the start, and functions without one."""
    heights = np.linspace(-300.0, 300.0, 41)
    steps = []

    def kinked(x: np.ndarray) -> np.ndarray:
        steps.append(x)
        return np.minimum(x, 2.0 * x - 3.0) - heights

    found = rising(kinked, np.zeros(41))
    np.testing.assert_allclose(kinked(found), 0.0, atol=1e-12)
    assert len(steps) < 12
    levels = np.array([-40.0, -1.0, -1e-9])
    found = rising(lambda x: -np.log1p(np.exp(-x)) - levels, np.array([3.0, -3.0, 700.0]))
    np.testing.assert_allclose(found, -np.log(np.expm1(-levels)), rtol=1e-6)
    ends = rising(lambda x: np.array([-1.0, 1.0, 0.0, x[3] - 709.0]), np.zeros(4))
    assert ends.tolist() == [math.inf, -math.inf, 0.0, 709.0]


EPSILONS = 10.0 ** np.arange(-12, 7)
DELTAS = np.array([1e-300, 1e-100, 1e-40, 1e-20, 1e-12, 1e-7, 1e-3, 0.03, 0.4, 0.9, 0.9999])


def profile(multiplier: mpf, epsilon: float) -> mpf:
    """Return the smallest delta of the Gaussian mechanism, from its definition."""
    t, eps = 1 / multiplier, mpf(epsilon)
    return mp.ncdf(t / 2 - eps / t) - mp.exp(eps) * mp.ncdf(-t / 2 - eps / t)


@pytest.mark.parametrize("delta", DELTAS)
def test_exact_noise_is_where_the_profile_crosses_delta(delta: float) -> None:
    noise = analytic_multiplier(EPSILONS, delta)
    with mp.workdps(60):
        wide = mpf(10) ** (-11 if delta > 0.99 else -12)  # near 1 a double delta is coarse
        for multiplier, epsilon in zip(noise.tolist(), EPSILONS.tolist(), strict=True):
            assert profile(mpf(multiplier) * (1 + wide), epsilon) < mpf(delta)
            assert profile(mpf(multiplier) * (1 - wide), epsilon) > mpf(delta)


def test_agrees_with_dp_accounting() -> None:
    epsilon = np.array([0.01, 0.1, 0.5, 1.0, 2.0, 8.0, 30.0])[:, None]
    delta = np.array([1e-12, 1e-8, 1e-5, 1e-3, 0.1])
    noise = analytic_multiplier(epsilon, delta)
    assert noise.shape == (7, 5)
    for i, j in np.ndindex(noise.shape):
        other = gaussian_mechanism.get_sigma_gaussian(float(epsilon[i, 0]), float(delta[j]))
        assert noise[i, j] == pytest.approx(other, rel=1e-8)
        back = gaussian_mechanism.get_epsilon_gaussian(float(noise[i, j]), float(delta[j]))
        assert back == pytest.approx(float(epsilon[i, 0]), rel=1e-8)


@pytest.mark.parametrize("delta", [1e-200, 1e-12, 1e-6, 1e-2, 0.5, 0.99])
def test_budget_elasticity_is_a_derivative(delta: float) -> None:
    epsilon, step = 10.0 ** np.arange(-8, 5.0), 1e-5
    up, down = (np.log(analytic_multiplier(epsilon * math.exp(h), delta)) for h in (step, -step))
    expected = -(up - down) / (2 * step)
    actual = budget_elasticity(epsilon, analytic_multiplier(epsilon, delta))
    np.testing.assert_allclose(actual, expected, rtol=1e-6, atol=1e-8)
    assert np.all((actual > 0) & (actual < 1))


@pytest.mark.parametrize("delta", [1e-300, 1e-12, 0.4])
def test_budget_of_a_multiplier_undoes_it(delta: float) -> None:
    for epsilon in (1e-6, 0.3, 7.0, 1e4):
        multiplier = float(analytic_multiplier(epsilon, delta))
        assert epsilon_of(multiplier, delta) == pytest.approx(epsilon, rel=1e-9)
    assert epsilon_of(1e3, 0.4) == 0.0
