"""Bases binned to a grid: weights, coefficients, integrals and their own sensitivities."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.curves.cells import (
    binned,
    cell_kernel,
    cell_of,
    integrals,
    losses,
    means,
)
from sims.curves.wavelets import (
    Basis,
    evaluate,
    least_dimension,
)
from tests.depth import examples
from tests.sims.curves.records import (
    cell_coefficients,
    cell_point_sensitivity,
    cell_sensitivity,
    coefficients,
    point_sensitivity,
    sensitivity,
)

FAMILIES = [("haar", 1), *(("periodic", N) for N in range(2, 7))]
FAMILIES += [("boundary", N) for N in range(1, 7)]


def basis(family: str, moments: int, dimension: int) -> Basis:
    return Basis(family=family, moments=moments, dimension=dimension)


@st.composite
def bases(draw) -> Basis:
    family, moments = draw(st.sampled_from(FAMILIES))
    least = least_dimension(family, moments)
    return basis(family, moments, draw(st.integers(least, least + 50)))


def test_haar_means_by_hand():
    # K = 3 in 4 cells: the second cell lies 1/3 in the first function, 2/3 in the second.
    third = np.sqrt(3) / 3
    expected = [[3, 0, 0], [1, 2, 0], [0, 2, 1], [0, 0, 3]]
    got = binned(basis("haar", 1, 3), cells=4).matrix.toarray()
    assert got == pytest.approx(third * np.array(expected), abs=1e-14)


@examples(40)
@given(bases(), st.integers(6, 10))
def test_polynomials_keep_their_means(b, q):
    # sum_k <f, psi_k> psi_k^Q = f^Q with f in V_K; the coefficients come from exact values.
    grid = binned(b, cells=2 ** max(q, b.dimension.bit_length()))
    x = np.linspace(0, 1, 700)
    degrees = range(b.moments if b.family == "boundary" else 1)
    for j in degrees:
        theta = np.linalg.lstsq(evaluate(b, x), x**j, rcond=None)[0]
        exact = means(lambda t, j=j: t**j, grid.cells)
        assert np.abs(grid.matrix @ theta - exact).max() < 1e-11


@pytest.mark.parametrize(("family", "N"), FAMILIES)
def test_weights_are_means_of_the_values(family, N):
    b = basis(family, N, 2 * N + 9)
    grid = binned(b, cells=64)
    x = (np.arange(64 * 512) + 0.5) / (64 * 512)
    rough = evaluate(b, x).reshape(64, 512, -1).mean(axis=1)
    tolerance = 0.02 if N == 1 else 5e-4 if N == 2 else 2e-5
    assert np.abs(grid.matrix.toarray() - rough).max() < tolerance


@examples(40)
@given(bases())
def test_binned_functions_are_a_projection(b):
    # The Gram matrix lies between 0 and 1, and the distance to the functions is its loss.
    grid = binned(b, cells=256)
    dense = grid.matrix.toarray()
    gram = dense.T @ dense / 256
    assert np.linalg.eigvalsh(gram).max() <= 1 + 1e-10
    assert losses(grid) == pytest.approx(1 - np.diag(gram), abs=1e-12)
    assert losses(grid).min() >= -1e-10
    assert grid.energy == pytest.approx((dense**2).sum(axis=1), rel=1e-12)


def test_stated_losses():
    for family, N in FAMILIES:
        assert losses(binned(basis(family, N, 64))).max() < 2.5e-4
    assert losses(binned(basis("haar", 1, 63))).max() < 63 / 8192 / 2


@examples(40)
@given(bases(), st.floats(0, 1))
def test_sensitivities_are_at_most_those_of_the_functions(b, at):
    grid = binned(b, cells=512)
    exact = float(sensitivity(b, clip=1, n=1)[0])
    assert 0.7 * exact < float(cell_sensitivity(grid, clip=1, n=1)[0]) <= exact * (1 + 1e-9)
    point = float(point_sensitivity(b, at, clip=1, n=1)[0])
    assert float(cell_point_sensitivity(grid, at, clip=1, n=1)[0]) <= point * (1 + 1e-9)


@pytest.mark.parametrize(("family", "N"), FAMILIES)
def test_sensitivity_is_the_maximum_over_all_replacements(family, N):
    # One record in every cell with both extreme responses: all there is to replace.
    b, clip, n, at = basis(family, N, 17), 2.0, 8, 0.37
    grid = binned(b, cells=128)
    where, rest = np.arange(128), np.zeros(n - 1)
    moved, plugged = [], []
    values = evaluate(b, [at])[0]
    for c in where:
        high, low = (
            cell_coefficients(
                grid, np.r_[c, np.zeros(n - 1, int)], np.r_[s, rest], np.zeros(n, int), [n]
            )[0]
            for s in (clip, -clip)
        )
        moved.append(np.linalg.norm(high - low))
        plugged.append(abs((high - low) @ values))
    whole = float(cell_sensitivity(grid, clip=clip, n=n)[0])
    point = float(cell_point_sensitivity(grid, at, clip=clip, n=n)[0])
    assert max(moved) == pytest.approx(whole, rel=1e-12)
    assert max(plugged) == pytest.approx(point, rel=1e-12)
    assert max(moved) > whole / 2 * 1.9  # half of it would be passed by far
    assert np.abs(cell_kernel(grid, at)).max() * 2 * clip / n == pytest.approx(point, rel=1e-12)


@examples(30)
@given(bases(), st.integers(1, 300), st.integers(0, 2**32 - 1))
def test_coefficients_are_those_of_the_dense_matrix(b, n, seed):
    rng = np.random.default_rng(seed)
    grid, m = binned(b, cells=128), 5
    x, y = rng.random(n), rng.standard_normal(n)
    server = rng.integers(0, m - 1, n).astype(np.intp)
    size = np.bincount(server, minlength=m)
    got = cell_coefficients(grid, cell_of(x, 128), y, server, size)
    dense = grid.matrix.toarray()[np.floor(x * 128).astype(int)]
    for j in range(m):
        own = server == j
        assert got[j] == pytest.approx(dense[own].T @ y[own] / max(size[j], 1), abs=1e-10)
    # Weighing first and summing once is the same combination of servers.
    u = rng.random(m) / np.maximum(size, 1)
    once = cell_coefficients(grid, cell_of(x, 128), y * u[server], server, [1])[0]
    assert once == pytest.approx((u * np.maximum(size, 1)) @ got, abs=1e-10)


def test_binned_coefficients_come_near_the_exact_ones():
    rng = np.random.default_rng(0)
    x, y = rng.random(20_000), rng.standard_normal(20_000)
    b = basis("boundary", 3, 32)
    got = cell_coefficients(binned(b), cell_of(x), y, np.zeros(20_000, int), [20_000])[0]
    exact = coefficients(b, x, y)
    assert np.abs(got - exact).max() < 0.02 * np.abs(exact).std()


@pytest.mark.parametrize(("family", "N"), FAMILIES)
def test_integrals_are_expectations_of_coefficients(family, N):
    # x uniform on each cell's midpoint, y = g: every record once is the expectation itself.
    b = basis(family, N, 20)
    grid = binned(b, cells=512)
    g = np.random.default_rng(0).standard_normal(512)
    got = cell_coefficients(grid, np.arange(512), g, np.zeros(512, int), [512])[0]
    assert integrals(grid, g) == pytest.approx(got, abs=1e-12)
    assert integrals(grid, np.stack([g, 2 * g])).shape == (2, b.dimension)


def test_integrals_of_a_smooth_function_are_accurate_to_second_order():
    # <x^2, psi_k> exactly from Parseval in V_K with N = 3; binned, by the product of two losses.
    b = basis("boundary", 3, 16)
    x = np.linspace(0, 1, 500)
    theta = np.linalg.lstsq(evaluate(b, x), x**2, rcond=None)[0]
    for cells in (256, 1024, 4096):
        grid = binned(b, cells=cells)
        got = integrals(grid, means(lambda t: t**2, cells))
        bound = 1 / cells * np.sqrt(losses(grid).max())
        assert np.abs(got - theta).max() < bound


def test_means_are_exact_where_promised():
    assert means(lambda x: x**7, 4) == pytest.approx(
        [((i + 1) ** 8 - i**8) / 8 / 4**7 for i in range(4)], rel=1e-12
    )
    jump = means(lambda x: np.where(x < 0.3, -1.0, 2.0), 8, breaks=[0.3])
    assert jump[2] == pytest.approx(-0.4 + 2 * 0.6, abs=1e-12)  # 0.3 is 2.4 cells
    at, s = 0.3, 0.5
    cusp = means(lambda x: np.abs(x - at) ** s, 8, breaks=[at])
    exact = 8 * (0.05**1.5 + 0.075**1.5) / 1.5
    assert cusp[2] == pytest.approx(exact, rel=1e-3)


def test_a_million_records_stay_small():
    rng = np.random.default_rng(0)
    n, m = 1_000_000, 50
    grid = binned(basis("boundary", 2, 64))
    tracemalloc.start()
    cell = rng.integers(0, grid.cells, n, dtype=np.int32)
    y = np.clip(rng.standard_normal(n), -3, 3)
    server = np.repeat(np.arange(m, dtype=np.int32), n // m)
    got = cell_coefficients(grid, cell, y, server, np.full(m, n // m))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert got.shape == (m, 64)
    assert peak < 100e6


def test_cells_of_points():
    assert cell_of([0.0, 0.1249, 0.125, 1.0], 8).tolist() == [0, 0, 1, 7]
