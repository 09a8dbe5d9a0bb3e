r"""The same space by levels: father functions and wavelets, an orthogonal change of basis.

V_K with K = 2^j K_0 has the basis of K_0 father functions and of the wavelets of dimensions
K_0, 2 K_0, ..., K / 2. `decompose` maps coefficients in the order of place to these levels and
acts on the last axis, so it also maps the functions' values: ``decompose(basis, evaluate(basis,
x))`` are the father functions and wavelets at x. Norms are kept, hence L2 sensitivities too.
Levels released one by one each need their own budget: `level_suprema` has their sensitivities.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sims.curves.cells import Grid
from sims.curves.filters import Array, filters
from sims.curves.wavelets import Basis, Family, least_dimension


def level_dimensions(basis: Basis, coarsest: int | None = None) -> tuple[int, ...]:
    """Return the dimensions (K_0, K_0, 2 K_0, ..., K/2) of father functions and levels.

    Args:
        basis: The functions; its dimension K is halved while it is even.
        coarsest: K_0, reached from K by halving; by default the least that is at least 2N.

    >>> level_dimensions(Basis(family="boundary", moments=2, dimension=32))
    (4, 4, 8, 16)
    """
    least = least_dimension(basis.family, basis.moments)
    stop = coarsest if coarsest is not None else 2 * basis.moments
    K, out = basis.dimension, []
    while K % 2 == 0 and max(least, stop) <= K // 2:
        K //= 2
        out.append(K)
    return (K, *out[::-1])


def decompose(basis: Basis, theta: ArrayLike, coarsest: int | None = None) -> tuple[Array, ...]:
    """Return the coefficients by levels: fathers first, then wavelets from coarse to fine.

    >>> haar = Basis(family="haar", moments=1, dimension=4)
    >>> [level.round(9).tolist() for level in decompose(haar, [1.0, 1.0, 1.0, 1.0], 1)]
    [[2.0], [0.0], [0.0, 0.0]]

    Source: Cohen, Daubechies and Vial (1993), Section 4; [CCV] Section 2.1.
    """
    father, details = np.asarray(theta, float), []
    for K in level_dimensions(basis, coarsest)[:0:-1]:
        low, high = two_scale(basis.family, basis.moments, K)
        details.append(_along(high, father))
        father = _along(low, father)
    return (father, *details[::-1])


def compose(basis: Basis, levels: tuple[Array, ...]) -> Array:
    """Return coefficients in the order of place from those by levels: `decompose` undone.

    >>> haar = Basis(family="haar", moments=1, dimension=4)
    >>> compose(haar, decompose(haar, [1.0, 2.0, 3.0, 4.0])).round(9).tolist()
    [1.0, 2.0, 3.0, 4.0]

    """
    father, *details = (np.asarray(level, float) for level in levels)
    for detail in details:
        low, high = two_scale(basis.family, basis.moments, detail.shape[-1])
        father = _along(low.T, father) + _along(high.T, detail)
    return father


def level_suprema(grid: Grid, coarsest: int | None = None) -> tuple[float, ...]:
    """Return sup_x sqrt(sum_k psi_lk^Q(x)^2) of each level, fathers first; exact for the grid.

    >>> from sims.curves.cells import binned
    >>> haar = Basis(family="haar", moments=1, dimension=8)
    >>> [round(x, 6) for x in level_suprema(binned(haar, cells=8), 2)]
    [1.414214, 1.414214, 2.0]
    """
    levels = decompose(grid.basis, grid.matrix.toarray(), coarsest)
    return tuple(float(np.sqrt((level**2).sum(axis=1).max())) for level in levels)


def _along(matrix: Any, theta: Array) -> Array:
    """Apply a sparse matrix along the last axis."""
    flat = theta.reshape(-1, theta.shape[-1])
    return np.asarray((matrix @ flat.T).T).reshape(*theta.shape[:-1], matrix.shape[0])


@lru_cache(maxsize=64)
def two_scale(family: Family, moments: int, dimension: int) -> tuple[Any, Any]:
    """Return the refinement matrices H and G, sparse, (K, 2K) each; (H; G) is orthogonal.

    Row k of H writes scaling function k of V_K, row k of G wavelet k, in functions of V_2K.

    >>> H, G = two_scale("haar", 1, 1)
    >>> H.toarray().round(4).tolist(), G.toarray().round(4).tolist()
    ([[0.7071, 0.7071]], [[0.7071, -0.7071]])
    """
    basis = Basis(family=family, moments=moments, dimension=dimension)
    f = filters(basis.moments)
    low = _refinement(basis, f.low, f.left.low, f.right.low)
    return low, _refinement(basis, f.high, f.left.high, f.right.high)


def _refinement(basis: Basis, taps: Array, left: Array, right: Array) -> Any:
    from scipy.sparse import coo_array

    K, N = basis.dimension, basis.edges
    first = np.arange(K - 2 * N)
    row = np.repeat(first + N, len(taps))
    column = (2 * (first + 1) + N - 1 if N else 2 * first)[:, None] + np.arange(len(taps))
    value = np.tile(taps, len(first))
    column = column.ravel() % (2 * K)  # only periodic functions run over the end
    if N:
        k, fine = (index.ravel() for index in np.indices(left.shape))
        row = np.concatenate([row, k, K - 1 - k])
        column = np.concatenate([column, fine, 2 * K - 1 - fine])
        value = np.concatenate([value, left.ravel(), right.ravel()])
    return coo_array((value, (row, column)), shape=(K, 2 * K)).tocsr()
