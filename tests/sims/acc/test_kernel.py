"""Kernels, statistics, noise levels, weights and labels of the classifier."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting.gaussian_mechanism import get_sigma_gaussian
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtri

from rates import Server, TransferStudy, solve
from rates.numbers.parameters import DomainError
from sims.acc import kernel as k
from sims.engine import midpoints

BOTH = pytest.mark.parametrize("shape", k.KERNELS.values(), ids=lambda s: s.name)


@BOTH
def test_constants_of_the_kernels(shape):
    u = np.linspace(-12, 12, 240_001)
    values, step = k.profile(shape, u), u[1] - u[0]
    assert values.sum() * step == pytest.approx(1.0, abs=1e-9)
    assert (values**2).sum() * step == pytest.approx(shape.roughness, abs=1e-8)
    assert values.max() == shape.peak


def naive(x, half, grid, bandwidth, shape):
    """The sum of (7), term by term."""
    out = np.zeros((len(grid),) * x.shape[1])
    for place in np.ndindex(*out.shape):
        for xi, yi in zip(x, half, strict=True):
            factors = [
                float(k.profile(shape, (a - grid[p]) / bandwidth))
                for a, p in zip(xi, place, strict=True)
            ]
            out[place] += yi * math.prod(factors)
    return out / (len(x) * bandwidth ** x.shape[1])


@BOTH
def test_statistic_by_definition(shape):
    rng = np.random.default_rng(3)
    x, half, grid = rng.random((23, 2)), rng.choice([-0.5, 0.5], 23), midpoints(5)
    got = k.from_points(x, half, grid, 0.4, shape)
    np.testing.assert_allclose(got, naive(x, half, grid, 0.4, shape), atol=1e-13)
    middle = (np.floor(x * 8) + 0.5) / 8
    cells = k.from_cells(k.tally(x, half, 8), 23, 0.4, k.table(shape, grid, midpoints(8), 0.4))
    np.testing.assert_allclose(cells, naive(middle, half, grid, 0.4, shape), atol=1e-13)


@BOTH
@pytest.mark.parametrize("d", [1, 2])
def test_sensitivity_is_found_by_search(shape, d):
    """No pair of records moves the statistic further in the kernel's norm, and one does."""
    rng, n, h = np.random.default_rng(5), 7, 0.4
    claimed = k.sensitivity(shape, n, h, d)

    def moved(x, y, a, b):
        """Norm of the change when record (x, a) becomes (y, b)."""
        cross = float(np.prod(k.profile(shape, (x - y) / h)))
        square = shape.peak**d * (a * a + b * b) - 2.0 * a * b * cross
        return math.sqrt(max(square, 0.0)) / (n * h**d)

    draws = [moved(rng.random(d), rng.random(d), *rng.choice([-0.5, 0.5], 2)) for _ in range(3000)]
    x = rng.random(d)
    assert max(draws) <= claimed * (1 + 1e-12)
    assert moved(x, x, 0.5, -0.5) == pytest.approx(claimed, rel=1e-12)


@BOTH
def test_sensitivity_of_the_released_grid(shape):
    """The vector on a grid, measured in its own noise: at most the claim, and close to it."""
    grid, h, n = midpoints(6), 0.5, 3
    gram = np.kron(*[k.table(shape, grid, grid, h)] * 2)
    inverse = np.linalg.inv(gram)
    claimed, rng, largest = k.sensitivity(shape, n, h, 2), np.random.default_rng(6), 0.0
    for trial in range(2000):
        x = rng.random((2, 2)) if trial else np.full((2, 2), grid[2])
        half = rng.choice([-0.5, 0.5], 2) if trial else np.array([0.5, -0.5])
        old, new = (k.from_points(x[[i]], half[[i]], grid, h, shape) for i in (0, 1))
        change = ((old - new) / n).ravel()
        largest = max(largest, math.sqrt(change @ inverse @ change))
    assert largest == pytest.approx(claimed, rel=1e-6)


def violation(multiplier_factor: float, epsilon: float, delta: float) -> float:
    """Lower 99.9% bound of P(S | D) - e^eps P(S | D') - delta for the most telling S.

    D and D' differ in one flipped label. The release is the whole grid with its joint path.
    """
    rng, n, h, grid, copies = np.random.default_rng(7), 10, 0.5, midpoints(6), 40_000
    x, half = rng.random((n, 2)), rng.choice([-0.5, 0.5], n)
    x[0], half[0] = grid[2], 0.5
    noise = get_sigma_gaussian(epsilon, delta)
    deviation = k.Group(n=n, multiplier=noise).noise(h, 2)
    factor = k.axis_factor(k.TRIANGULAR, 6, h * 6)
    gram = np.kron(*[k.table(k.TRIANGULAR, grid, grid, h)] * 2)
    first = k.from_points(x, half, grid, h, k.TRIANGULAR).ravel()
    half[0] = -0.5
    second = k.from_points(x, half, grid, h, k.TRIANGULAR).ravel()
    direction = np.linalg.solve(gram, first - second)
    scores = []
    for centre in (first, second):
        paths = factor @ rng.standard_normal((copies, 6, 6)) @ factor.T
        noisy = centre + multiplier_factor * deviation * paths.reshape(copies, -1)
        scores.append(noisy @ direction)
    scale = np.std(scores[0])
    t = (first - second) @ direction / scale
    cut = second @ direction + scale * (epsilon / t + t / 2.0)
    p, q = ((s >= cut).mean() for s in scores)
    error = math.sqrt(p * (1 - p) / copies + math.exp(2 * epsilon) * q * (1 - q) / copies)
    return float(p - math.exp(epsilon) * q - delta + ndtri(0.001) * error)


def test_neighbouring_data_cannot_be_told_apart_unless_noise_is_halved():
    assert violation(1.0, 0.5, 0.05) <= 0.0
    assert violation(0.5, 0.5, 0.05) > 0.05
    assert violation(0.8, 0.5, 0.05) > 0.0  # the calibration is tight


def study(*servers: Server, beta: float = 1.0, d: int = 1) -> TransferStudy:
    return TransferStudy(
        target=servers[0], sources=servers[1:], smoothness=beta, dimension=d, margin=0
    )


def test_the_papers_weights_by_hand():
    one = study(
        Server(name="t", n=100, epsilon=0.5),
        Server(name="s", n=200, epsilon=math.inf, signal_exponent=2),
        Server(name="quiet", n=50, epsilon=0.0),
        Server(name="many", n=10, epsilon=10, count=4),
    )
    h = 0.01  # 100^2 0.25 h = 25 against 100; 10^2 100 h = 100 against 10
    sizes = np.array([25 * h, 200 * h * h, 0.0, 4 * 10 * h])
    np.testing.assert_allclose(k.oracle_weights(one, h), sizes / sizes.sum(), rtol=1e-12)
    with pytest.raises(DomainError, match="must release"):
        k.oracle_weights(study(Server(name="t", n=0, epsilon=1.0)), h)


def test_the_papers_bandwidth_solves_its_equation():
    one = study(Server(name="t", n=1000, epsilon=0.5, delta=1e-5), beta=0.5, d=2)
    h = k.oracle_bandwidth(one)
    assert min(1000, 1000**2 * 0.25 * h**2) * h**3 == pytest.approx(math.log(2e5), rel=1e-9)
    assert h == solve(one).bandwidth
    with pytest.raises(DomainError, match="needs delta"):
        k.oracle_bandwidth(study(Server(name="t", n=10, epsilon=1.0)))


@given(
    n=st.lists(st.integers(1, 10**6), min_size=2, max_size=4),
    gamma=st.floats(0.3, 3),
    h=st.floats(0.01, 1),
    push=st.floats(-0.5, 0.5),
)
def test_matched_weights_have_the_largest_signal_to_noise(n, gamma, h, push):
    rows = [Server(name="t", n=n[0], epsilon=1.0, delta=1e-6)] + [
        Server(name=f"s{i}", n=m, epsilon=0.1 * (i + 1), delta=1e-6, signal_exponent=gamma)
        for i, m in enumerate(n[1:])
    ]
    one = study(*rows)
    noise = [
        k.Group(n=s.n, multiplier=math.sqrt(2 * math.log(2e6)) / s.epsilon).noise(h, 1)
        for s in rows
    ]
    variance = k.TRIANGULAR.roughness / (4 * np.array(n) * h) + np.square(noise)
    signal = h ** np.array([s.signal_exponent for s in rows])

    def ratio(w: np.ndarray) -> float:
        return float(w @ signal / math.sqrt(w**2 @ variance))

    best = np.array(k.matched_weights(one, h, "printed"))
    other = best.copy()
    other[0] *= 1.0 + push
    assert best.sum() == pytest.approx(1.0)
    assert ratio(other) <= ratio(best) * (1 + 1e-12)
