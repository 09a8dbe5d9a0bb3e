"""Noise: scales against dp-accounting, privacy on the worst pair, covariance of the paths."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting import gaussian_mechanism

from sims.acc.kernel import JITTER, KERNELS, axis_factor, profile
from sims.engine.gate import each_spent, multiplier, release, spent


@pytest.mark.parametrize(("delta", "fails_from"), [(1e-3, 8.51), (1e-5, 9.39), (1e-8, 10.30)])
def test_what_single_releases_guarantee_and_where_the_printed_noise_fails(delta, fails_from):
    budgets = (0.1, 1.0, 0.995 * fails_from, 1.005 * fails_from, 60.0)
    asked = [(epsilon, delta) for epsilon in (0.0, *budgets, math.inf)]
    exact, printed = (each_spent(asked, mechanism) for mechanism in ("analytic", "printed"))
    assert [(one.epsilon, one.delta) for one in printed] == asked[1:-1]
    assert [one.valid for one in printed] == [epsilon < fails_from for epsilon in budgets]
    assert all(one.valid and one.actual > 0.99 * delta for one in exact)
    for one in printed:
        noise = math.sqrt(2 * math.log(2 / delta)) / one.epsilon
        assert one.valid == (noise >= gaussian_mechanism.get_sigma_gaussian(one.epsilon, delta))


@pytest.mark.parametrize("releases", [1, 3])
def test_releases_compose_as_one_of_less_noise(releases):
    sigma = gaussian_mechanism.get_sigma_gaussian(0.7, 1e-6)
    for factor, kept in ((1.001, True), (0.999, False), (0.5, False)):
        found = spent(factor * math.sqrt(releases) * sigma, 0.7, 1e-6, releases)
        assert found is not None
        assert found.valid == kept
    assert spent(0.0, math.inf, 1e-6) is None


def excess(law: str, multiplier: float, epsilon: float, draws: int = 400_000) -> float:
    """Largest of P(x > t) - e^epsilon P(x' > t) over t, worst neighbours: distance Delta."""
    rng = np.random.default_rng(1)
    said = {"of": "x", "law": law, "sensitivity": 0.3, "multiplier": multiplier}
    x, other = (np.sort(release(np.full(draws, at), rng, **said)) for at in (0.3, 0.0))
    t = np.linspace(-3, 8, 200) * 0.3 * multiplier
    above, above_other = (1 - np.searchsorted(one, t) / draws for one in (x, other))
    return float(np.max(above - math.exp(epsilon) * above_other))


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_draws_are_private_on_the_worst_pair_and_halved_noise_is_not(epsilon):
    # Standard error of the excess: below (1 + e^epsilon) / (2 sqrt(draws))
    tolerance = 4 * (1 + math.exp(epsilon)) / (2 * math.sqrt(400_000))
    sigma = multiplier(epsilon, 0.02, "analytic")
    assert excess("Gaussian", sigma, epsilon) == pytest.approx(0.02, abs=tolerance)
    assert excess("Gaussian", sigma / 2, epsilon) > 0.02 + 3 * tolerance
    assert excess("Laplace", 1 / epsilon, epsilon) < tolerance
    assert excess("Laplace", 0.5 / epsilon, epsilon) > 3 * tolerance


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("size", "steps"), [(24, 8.0), (64, 32.0), (64, 4.0)])
def test_one_record_moves_a_joint_release_by_at_most_its_norm(name, size, steps):
    # A record at x adds K((x - .)/h), of norm sqrt(K(0)) in the space of the noise, to each
    # axis; the change of a product is the product. In units of independent noise of the same
    # size it is far longer: the release would give away what the calibration promised to hide.
    kernel = KERNELS[name]
    factor, at = axis_factor(kernel, size, steps), np.arange(size)
    allowed = math.sqrt(kernel.peak)
    # Noise lies in every direction.
    assert np.linalg.svd(factor, compute_uv=False).min() ** 2 >= 0.99 * JITTER * kernel.peak
    for x in np.linspace(0, size - 1, 23):
        change = profile(kernel, (at - x) / steps)
        assert np.linalg.norm(np.linalg.solve(factor, change)) <= allowed * (1 + 1e-9)
        assert np.linalg.norm(change / allowed) > 1.3 * allowed
