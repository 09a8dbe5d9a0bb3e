"""Bases binned to a grid and by levels: weights, coefficients, their own sensitivities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.curves.cells import (
    binned,
    cell_kernel,
    compose,
    decompose,
    integrals,
    level_dimensions,
    level_suprema,
    losses,
    means,
    two_scale,
)
from sims.curves.wavelets import evaluate, least_dimension, point_supremum, supremum
from tests.depth import examples
from tests.sims.curves.bases import FAMILIES, bases, basis


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


@examples(40)
@given(bases(), st.floats(0, 1))
def test_sensitivities_are_at_most_those_of_the_functions(b, at):
    grid = binned(b, cells=512)
    exact = supremum(b)
    assert 0.7 * exact < np.sqrt(grid.energy.max()) <= exact * (1 + 1e-9)
    assert np.abs(cell_kernel(grid, at)).max() <= point_supremum(b, at) * (1 + 1e-9)


def test_integrals_of_a_smooth_function_are_accurate_to_second_order():
    # <x^2, psi_k> exactly from Parseval in V_K with N = 3; binned, by the product of two losses.
    b = basis("boundary", 3, 16)
    x = np.linspace(0, 1, 500)
    theta = np.linalg.lstsq(evaluate(b, x), x**2, rcond=None)[0]
    for cells in (256, 1024, 4096):
        grid = binned(b, cells=cells)
        square = means(lambda t: t**2, cells)
        got = integrals(grid, np.stack([square, 2 * square]))
        bound = 1 / cells * np.sqrt(losses(grid).max())
        assert np.abs(got - np.stack([theta, 2 * theta])).max() < 2 * bound


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


@pytest.mark.parametrize(("family", "N"), FAMILIES)
def test_one_level_is_an_orthogonal_matrix(family, N):
    least = least_dimension(family, N)
    for K in (least, least + 1, 2 * N + 6, 33):
        H, G = (matrix.toarray() for matrix in two_scale(family, N, K))
        both = np.vstack([H, G])
        assert np.abs(both @ both.T - np.eye(2 * K)).max() < 1e-12


@pytest.mark.parametrize(("family", "N"), FAMILIES)
def test_coarse_functions_are_their_combinations_of_fine_ones(family, N):
    # Values at all points against filters: the spaces are nested and norms carry over.
    K = 2 * N + 3
    x = np.concatenate([[0.0, 1.0], np.random.default_rng(1).random(500), 10.0 ** -np.arange(1, 9)])
    low, _ = two_scale(family, N, K)
    fine = evaluate(basis(family, N, 2 * K), x)
    assert np.abs(evaluate(basis(family, N, K), x) - fine @ low.toarray().T).max() < 1e-12


@pytest.mark.parametrize(("family", "N"), FAMILIES)
def test_wavelets_do_not_see_polynomials(family, N):
    b = basis(family, N, 64 if N < 5 else 48)
    x = np.linspace(0, 1, 900)
    for degree in range(N if family == "boundary" else 1):
        theta = np.linalg.lstsq(evaluate(b, x), x**degree, rcond=None)[0]
        _, *details = decompose(b, theta)
        assert max(np.abs(level).max() for level in details) < 1e-12


@examples(40)
@given(st.sampled_from(FAMILIES), st.integers(1, 4), st.integers(0, 3), st.integers(0, 2**32 - 1))
def test_decomposition_keeps_norms_and_can_be_undone(family, odd, doublings, seed):
    K = (2 * family[1] + odd) * 2**doublings
    b = basis(*family, K)
    theta = np.random.default_rng(seed).standard_normal((2, 3, K))
    levels = decompose(b, theta)
    assert tuple(level.shape[-1] for level in levels) == level_dimensions(b)
    assert sum(level.shape[-1] for level in levels) == K
    energy = sum((level**2).sum(axis=-1) for level in levels)
    assert energy == pytest.approx((theta**2).sum(axis=-1), rel=1e-10)
    assert compose(b, levels) == pytest.approx(theta, abs=1e-10)


def test_two_levels_of_haar_by_hand():
    father, coarse, fine = decompose(basis("haar", 1, 4), [1.0, 3.0, 2.0, -2.0], 1)
    root = np.sqrt(2)
    assert father == pytest.approx([2.0])
    assert coarse == pytest.approx([2.0])
    assert fine == pytest.approx([-2 / root, 4 / root])


def test_level_suprema_bound_the_level_and_add_up():
    grid = binned(basis("boundary", 3, 64), cells=1024)
    parts = level_suprema(grid, 8)
    levels = decompose(grid.basis, grid.matrix.toarray(), 8)
    for sup, level in zip(parts, levels, strict=True):
        assert sup == pytest.approx(np.linalg.norm(level, axis=1).max(), rel=1e-12)
    whole = np.sqrt(grid.energy.max())
    assert max(parts) <= whole <= np.sqrt(np.square(parts).sum()) * (1 + 1e-12)


def test_levels_end_where_edge_functions_would_meet():
    assert level_dimensions(basis("boundary", 2, 24)) == (6, 6, 12)
