"""Noise: scales against dp-accounting, privacy on the worst pair, covariance of the paths."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from dp_accounting import gaussian_mechanism
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from rates.numbers.parameters import DomainError
from sims.acc.paths import JITTER, axis_factor, grid_paths, triangular_path
from sims.engine.gate import release
from sims.engine.noise import Mechanism, gaussian, laplace


def draw(mechanism: Mechanism, rng: np.random.Generator, size) -> np.ndarray:
    """Noise of a mechanism, as the gate draws it."""
    law = mechanism.law if mechanism.law == "Laplace" else "Gaussian"
    zeros = np.zeros(size)
    return release(zeros, rng, of="x", law=law, sensitivity=1.0, multiplier=mechanism.scale)


KERNELS = {
    "triangular": lambda u: np.maximum(1.0 - np.abs(u), 0.0),
    "gaussian": lambda u: np.exp(-0.5 * u**2) / math.sqrt(2 * math.pi),
}


def gram(kernel, size, steps):
    index = np.arange(size)
    return kernel((index[:, None] - index[None, :]) / steps)


@given(
    st.floats(0.01, 50),
    st.floats(1e-12, 0.1),
    st.floats(1e-6, 1e3),
)
def test_analytic_scale_is_that_of_dp_accounting(epsilon, delta, sensitivity):
    got = gaussian(sensitivity=sensitivity, epsilon=epsilon, delta=delta)
    wanted = gaussian_mechanism.get_sigma_gaussian(epsilon, delta)
    assert got.scale == pytest.approx(sensitivity * wanted, rel=1e-6)
    assert got.valid
    assert got.sd == got.scale


@pytest.mark.parametrize(
    ("calibration", "constant", "delta", "fails_from"),
    [
        ("ACC", 2, 1e-3, 8.51),
        ("ACC", 2, 1e-5, 9.39),
        ("ACC", 2, 1e-8, 10.30),
        ("CCV", 4, 1e-3, 28.4),
        ("CCV", 4, 1e-5, 39.9),
    ],
)
def test_printed_constants_and_where_they_fail(calibration, constant, delta, fails_from):
    for epsilon in (0.1, 1, 0.995 * fails_from, 1.005 * fails_from, 60):
        got = gaussian(sensitivity=2, epsilon=epsilon, delta=delta, calibration=calibration)
        assert got.scale == pytest.approx(2 * math.sqrt(constant * math.log(2 / delta)) / epsilon)
        real = 2 * gaussian_mechanism.get_sigma_gaussian(epsilon, delta)
        assert got.valid == (got.scale >= real)
        assert got.valid == (epsilon < fails_from)
        assert ("Not (" in got.guarantee) == (not got.valid)


def test_what_a_record_says():
    got = gaussian(sensitivity=1, epsilon=16, delta=1e-5, calibration="ACC")
    assert got.guarantee.startswith("Not (16, 1e-05)-private: the printed constant is too small")
    assert "one record replaced" in laplace(sensitivity=1, epsilon=1).guarantee
    assert "0)-differentially" in laplace(sensitivity=1, epsilon=1).guarantee


@pytest.mark.parametrize("make", [laplace, lambda **k: gaussian(**k, delta=1e-6)])
def test_limits(make):
    none = make(sensitivity=3.0, epsilon=math.inf)
    assert (none.scale, none.sd, none.law, none.valid) == (0.0, 0.0, "none", True)
    assert not draw(none, np.random.default_rng(0), 4).any()
    assert make(sensitivity=0, epsilon=1.0).scale == 0
    with pytest.raises(DomainError, match="epsilon must be positive for a release"):
        make(sensitivity=1.0, epsilon=0)
    with pytest.raises(DomainError, match="sensitivity must be at least 0"):
        make(sensitivity=-1.0, epsilon=1)


def test_refusals():
    with pytest.raises(DomainError, match="delta must lie strictly"):
        gaussian(sensitivity=1, epsilon=1, delta=0)
    with pytest.raises(DomainError, match="calibration must be analytic or ACC or CCV"):
        gaussian(sensitivity=1, epsilon=1, delta=0.1, calibration="x")


def excess(mechanism: Mechanism, epsilon, draws=400_000):
    """Largest of P(x > t) - e^epsilon P(x' > t) over t, worst neighbours: distance Delta."""
    rng = np.random.default_rng(1)
    x = np.sort(draw(mechanism, rng, draws) + mechanism.sensitivity)
    other = np.sort(draw(mechanism, rng, draws))
    t = np.linspace(-3, 8, 200) * mechanism.sd
    above = 1 - np.searchsorted(x, t) / draws
    above_other = 1 - np.searchsorted(other, t) / draws
    return float(np.max(above - math.exp(epsilon) * above_other))


def halved(mechanism: Mechanism) -> Mechanism:
    return replace(mechanism, scale=mechanism.scale / 2)


@pytest.mark.parametrize("epsilon", [0.5, 1.0, 2.0])
def test_draws_are_private_on_the_worst_pair_and_halved_noise_is_not(epsilon):
    delta = 0.02
    noise = gaussian(sensitivity=0.3, epsilon=epsilon, delta=delta)
    # Standard error of the excess: below (1 + e^epsilon) / (2 sqrt(draws))
    tolerance = 4 * (1 + math.exp(epsilon)) / (2 * math.sqrt(400_000))
    assert excess(noise, epsilon) == pytest.approx(delta, abs=tolerance)
    assert excess(halved(noise), epsilon) > delta + 3 * tolerance
    pure = laplace(sensitivity=0.3, epsilon=epsilon)
    assert excess(pure, epsilon) < tolerance
    assert excess(halved(pure), epsilon) > 3 * tolerance


def test_laws_of_the_draws():
    rng = np.random.default_rng(2)
    pure = laplace(sensitivity=1.0, epsilon=0.5)
    x = draw(pure, rng, (4, 50_000))
    assert x.shape == (4, 50_000)
    assert x.std() == pytest.approx(pure.sd, rel=0.02)
    assert np.abs(x).mean() == pytest.approx(pure.scale, rel=0.02)
    normal = gaussian(sensitivity=1.0, epsilon=0.5, delta=1e-3)
    y = draw(normal, rng, 200_000) / normal.scale
    for t in (-1.0, 0.5, 2.0):
        assert (y < t).mean() == pytest.approx(ndtr(t), abs=0.005)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("size", "steps"), [(1, 3.0), (5, 0.5), (24, 7.3), (64, 32.0), (64, 8.0)])
def test_factor_gives_the_matrix(name, size, steps):
    factor = axis_factor(KERNELS[name], size, steps)
    assert np.abs(factor @ factor.T - gram(KERNELS[name], size, steps)).max() < 1e-10


@pytest.mark.parametrize("name", KERNELS)
def test_noise_lies_in_every_direction(name):
    factor = axis_factor(KERNELS[name], 64, 32.0)
    singular = np.linalg.svd(factor, compute_uv=False)
    assert singular.min() ** 2 >= 0.99 * JITTER * float(KERNELS[name](0.0))


def test_a_kernel_that_is_not_positive_definite_is_refused():
    with pytest.raises(DomainError, match="positive definite"):
        axis_factor(lambda u: (np.abs(u) < 1.0).astype(float), 30, 7.0)


@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize(("size", "steps"), [(24, 8.0), (64, 32.0), (64, 4.0)])
def test_one_record_moves_a_joint_release_by_at_most_its_norm(name, size, steps):
    # A record at x adds K((x - .)/h), of norm sqrt(K(0)) in the space of the noise, to each
    # axis; the change of a product is the product. In units of independent noise of the same
    # size it is far longer: the release would give away what the calibration promised to hide.
    kernel = KERNELS[name]
    factor, at = axis_factor(kernel, size, steps), np.arange(size)
    allowed = math.sqrt(float(kernel(0.0)))
    for x in np.linspace(0, size - 1, 23):
        change = kernel((at - x) / steps)
        assert np.linalg.norm(np.linalg.solve(factor, change)) <= allowed * (1 + 1e-9)
        assert np.linalg.norm(change / allowed) > 1.3 * allowed


def covariance_error(paths, wanted):
    """Largest deviation of the empirical covariance, in its own standard errors."""
    draws = len(paths)
    got = paths.T @ paths / draws
    scale = np.sqrt((np.outer(np.diag(wanted), np.diag(wanted)) + wanted**2) / draws)
    return float(np.abs((got - wanted) / scale).max())


def test_triangular_paths_have_the_kernel_as_covariance():
    size, q = 12, 4
    paths = triangular_path(np.random.default_rng(3), size, q, copies=40_000)
    wanted = gram(KERNELS["triangular"], size, q)
    assert covariance_error(paths, wanted) < 4.5
    assert covariance_error(0.5 * paths, wanted) > 50  # halved noise is seen
    mixed = np.random.default_rng(4).standard_normal((40_000, size))
    assert covariance_error(mixed, wanted) > 50  # so is independent noise


@pytest.mark.parametrize("name", KERNELS)
def test_grid_paths_have_the_product_kernel_as_covariance(name):
    kernel, shape = KERNELS[name], (4, 5)
    factors = [axis_factor(kernel, n, 2.5) for n in shape]
    paths = grid_paths(np.random.default_rng(6), factors, copies=40_000)
    assert paths.shape == (40_000, *shape)
    wanted = np.kron(gram(kernel, 4, 2.5), gram(kernel, 5, 2.5))
    flat = paths.reshape(40_000, -1)
    assert covariance_error(flat, wanted) < 4.5
    assert covariance_error(0.5 * flat, wanted) > 50
    assert np.abs(flat.mean(0)).max() < 4.5 * math.sqrt(wanted[0, 0] / 40_000)


def test_box_filter_and_factor_agree():
    # Both laws are centred and Gaussian, so equal matrices are equal laws; here by linear maps.
    size, q = 9, 3
    white = np.eye(size + q - 1)
    rows = np.array([np.convolve(row, np.ones(q), "valid") for row in white]) / math.sqrt(q)
    factor = axis_factor(KERNELS["triangular"], size, q)
    assert np.abs(rows.T @ rows - factor @ factor.T).max() < 1e-10


def test_paths_depend_on_the_generator_only():
    factor = axis_factor(KERNELS["gaussian"], 6, 2.0)
    draw = [grid_paths(np.random.default_rng(s), [factor, factor]) for s in (1, 1, 2)]
    assert np.array_equal(draw[0], draw[1])
    assert not np.array_equal(draw[0], draw[2])
    assert triangular_path(np.random.default_rng(1), 6, 2).shape == (1, 6)
