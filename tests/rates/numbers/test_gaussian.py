"""Gaussian noise: exact calibration against mpmath and against dp_accounting."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting import gaussian_mechanism
from mpmath import mp, mpf

from rates.numbers.gaussian import (
    ACC_PRINTED,
    CCV_PRINTED,
    analytic_multiplier,
    budget_elasticity,
    delta_of,
    epsilon_of,
    printed_multiplier,
)

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


@pytest.mark.parametrize(
    ("constant", "delta", "first"),
    [
        (ACC_PRINTED, 1e-3, 8.51),
        (ACC_PRINTED, 1e-5, 9.39),
        (ACC_PRINTED, 1e-8, 10.30),
        (CCV_PRINTED, 1e-3, 28.4),
        (CCV_PRINTED, 1e-5, 39.9),
        (CCV_PRINTED, 1e-8, 56.7),
    ],
)
def test_printed_noise_fails_from_a_known_budget_on(
    constant: float, delta: float, first: float
) -> None:
    half_digit = 0.005 if constant == ACC_PRINTED else 0.05
    epsilon = np.array([0.01, 1.0, first - half_digit, first + half_digit, 2 * first])
    actual = delta_of(printed_multiplier(epsilon, delta, constant), epsilon)
    np.testing.assert_array_equal(actual > delta, [False, False, False, True, True])


@pytest.mark.parametrize("delta", [1e-300, 1e-12, 0.4])
def test_budget_of_a_multiplier_undoes_it(delta: float) -> None:
    for epsilon in (1e-6, 0.3, 7.0, 1e4):
        multiplier = float(analytic_multiplier(epsilon, delta))
        assert epsilon_of(multiplier, delta) == pytest.approx(epsilon, rel=1e-9)
    assert epsilon_of(1e3, 0.4) == 0.0
