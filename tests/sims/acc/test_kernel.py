"""Kernels, statistics, noise levels, weights and labels of the classifier."""

from __future__ import annotations

import math
from functools import reduce

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates import Server, TransferStudy
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
    """A release on a grid, in coordinates of its noise path: at most the claim, and that much."""
    grid, h, n, rng = midpoints(6), 0.5, 3, np.random.default_rng(6)
    claimed, factor, largest = k.sensitivity(shape, n, h, d), k.axis_factor(shape, 6, h * 6), 0.0
    for trial in range(1000):
        x = rng.random((2, d)) if trial else np.full((2, d), grid[2])
        half = rng.choice([-0.5, 0.5], 2) if trial else np.array([0.5, -0.5])
        axes = [k.table(shape, x[:, a], grid, h) for a in range(d)]
        old, new = (
            y * reduce(np.multiply.outer, rows) for y, *rows in zip(half, *axes, strict=True)
        )
        change = (old - new) / (n * h**d)
        for _ in range(d):
            change = np.linalg.solve(factor, change).T
        largest = max(largest, float(np.linalg.norm(change)))
    assert largest == pytest.approx(claimed, rel=1e-6)
    noise = k.Group(n=n, multiplier=2.0).noise(h, d, shape)
    assert noise == pytest.approx(2.0 * claimed * shape.peak ** (d / 2))


def study(target: Server, *sources: Server) -> TransferStudy:
    return TransferStudy(target=target, sources=sources, smoothness=1.0, dimension=1, margin=0)


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
