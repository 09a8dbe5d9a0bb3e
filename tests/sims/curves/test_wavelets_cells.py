"""Bases binned to a grid and by levels: weights, coefficients, their own sensitivities."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sims.curves.cells import binned, cell_kernel, losses, means
from sims.curves.wavelets import evaluate, point_supremum, supremum
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


def test_means_are_exact_where_promised():
    jump = means(lambda x: np.where(x < 0.3, -1.0, 2.0), 8, breaks=[0.3])
    assert jump[2] == pytest.approx(-0.4 + 2 * 0.6, abs=1e-12)  # 0.3 is 2.4 cells
    at, s = 0.3, 0.5
    cusp = means(lambda x: np.abs(x - at) ** s, 8, breaks=[at])
    exact = 8 * (0.05**1.5 + 0.075**1.5) / 1.5
    assert cusp[2] == pytest.approx(exact, rel=1e-3)


@pytest.mark.parametrize(("family", "N"), FAMILIES)
def test_all_functions_are_orthonormal_but_for_the_width_of_a_cell(family, N):
    dense = binned(basis(family, N, 2 * N + 6), cells=2**13).matrix.toarray()
    assert np.abs(dense.T @ dense / 2**13 - np.eye(2 * N + 6)).max() < 3e-5
