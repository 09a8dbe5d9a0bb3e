"""Releases made record by record, and their sensitivities: the product's laws are held to them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError, check_array
from sims.curves.cells import Grid, cell_kernel
from sims.curves.wavelets import (
    Basis,
    _touched,
    evaluate,
    fold,
    point_supremum,
    supremum,
    synthesise,
)

Array = NDArray[np.float64]
_CHUNK = 2**16


def coefficients(basis: Basis, x: ArrayLike, y: ArrayLike) -> Array:
    """Return (1/n) sum_i y_i psi_k(x_i), shape (K,); y is used as it is, so clip it before.

    Raises:
        DomainError: As `server_coefficients`.

    Source: [CCV] eq. (12), without the noise.
    """
    where = np.zeros(np.size(np.asarray(x)), np.intp)
    return np.asarray(server_coefficients(basis, x, y, where, 1)[0])


def server_coefficients(
    basis: Basis, x: ArrayLike, y: ArrayLike, server: ArrayLike, servers: int
) -> Array:
    """Return every server's (1/n_j) sum_i y_i psi_k(x_i), shape (m, K); 0 where n_j = 0.

    Args:
        basis: The functions.
        x: Points of [0, 1], any number n of them.
        y: Responses, clipped already where privacy is claimed.
        server: Index 0..m-1 of the server that holds each record.
        servers: m.

    Raises:
        DomainError: Lengths differ, a point is not in [0, 1], an index not in 0..m-1.
    """
    points = np.asarray(x, float).ravel()
    responses, where = np.asarray(y, float).ravel(), np.asarray(server, np.intp).ravel()
    if not len(points) == len(responses) == len(where):
        lengths = (len(points), len(responses), len(where))
        raise DomainError("x, y and server must have one entry per record.", value=lengths)
    if len(where) and not 0 <= where.min() <= where.max() < servers:
        rule = "A server's index must lie in 0..m-1."
        raise DomainError(rule, field="server", value=(int(where.min()), int(where.max())))
    raw = np.zeros(servers * basis.translates)
    for first in range(0, len(points), _CHUNK):
        part = slice(first, first + _CHUNK)
        column, value = _touched(basis, points[part])
        column += where[part, None] * basis.translates
        value *= responses[part, None]
        raw += np.bincount(column.ravel().astype(np.intp, copy=False), value.ravel(), len(raw))
    n = np.maximum(np.bincount(where, minlength=servers), 1)
    return fold(basis, raw.reshape(servers, basis.translates)) / n[:, None]


def kernel(basis: Basis, at: float, x: ArrayLike) -> Array:
    """Return the projection kernel K(at, x_i) = sum_k psi_k(at) psi_k(x_i), shape (n,).

    Source: [CCV] eq. (15), the plug-in estimator's weight of a record.
    """
    return synthesise(basis, evaluate(basis, [at])[0], x)


def sensitivity(basis: Basis, *, clip: float, n: ArrayLike) -> Array:
    r"""Return the exact L2 sensitivity of the coefficients when one record is replaced.

    .. math:: \Delta_2 = \frac{2\tau}{n} \sup_x \Big(\sum_k \psi_k(x)^2\Big)^{1/2}

    It is reached by (x, tau) against (x, -tau) at the supremum, and no replacement moves more.

    Args:
        basis: The functions.
        clip: tau, responses lie in [-tau, tau].
        n: Records of the server; broadcasts.

    Source: [CCV] Lemma 3.1, with the smallest constant.
    """
    return 2.0 * clip * supremum(basis).value / check_array("n", n)


def point_sensitivity(basis: Basis, at: float, *, clip: float, n: ArrayLike) -> Array:
    r"""Return the exact sensitivity of the plug-in estimate at a point, one record replaced.

    .. math:: \Delta = \frac{2\tau}{n} \sup_x |K(x_0, x)|

    Source: [CCV] Lemma 3.3, with the smallest constant; the printed one is half of what a
    replaced record can do in the Haar basis.
    """
    return (
        2.0
        * float(check_array("clip", clip)[0])
        * point_supremum(basis, at).value
        / check_array("n", n)
    )


def cell_coefficients(
    grid: Grid,
    cell: NDArray[np.integer],
    y: ArrayLike,
    server: NDArray[np.integer],
    n: ArrayLike,
) -> Array:
    """Return every server's (1/n_j) sum_i y_i psi_k^Q(x_i), (m, K); 0 where n_j = 0.

    Where only a combination sum_j u_j of the servers is wanted, weigh y by u_j / n_j and pass
    one server with n = 1: the same sum at a fraction of the work.

    Args:
        grid: The binned basis.
        cell: Cell of each record, from `cell_of`.
        y: Responses, clipped already.
        server: Index 0..m-1 of each record's server; not looked at where m = 1.
        n: Records of each server, (m,).
    """
    size = np.maximum(check_array("n", n, zero=True), 1.0)
    sums = cell_sums(cell, y, server, len(size), grid.cells)
    return np.asarray((grid.matrix.T @ sums).T / size[:, None])


def cell_sensitivity(grid: Grid, *, clip: float, n: ArrayLike) -> Array:
    """Return the exact L2 sensitivity of `cell_coefficients`, one record replaced.

    Source: [CCV] Lemma 3.1, with the smallest constant for the binned functions.
    """
    tau = check_array("clip", clip)[0]
    return np.asarray(2.0 * tau * np.sqrt(grid.energy.max()) / check_array("n", n))


def cell_point_sensitivity(grid: Grid, at: float, *, clip: float, n: ArrayLike) -> Array:
    """Return the exact sensitivity of the binned plug-in estimate at a point.

    Source: [CCV] Lemma 3.3, with the smallest constant for the binned functions.
    """
    tau = check_array("clip", clip)[0]
    return np.asarray(2.0 * tau * np.abs(cell_kernel(grid, at)).max() / check_array("n", n))


def cell_sums(
    cell: NDArray[np.integer], y: ArrayLike, server: NDArray[np.integer], servers: int, cells: int
) -> Array:
    """Return the sum of y for every cell and server, (Q, m): the only pass over the data."""
    key = cell if servers == 1 else cell * np.int64(servers) + server
    sums = np.bincount(key.astype(np.intp, copy=False), np.asarray(y, float), servers * cells)
    return np.asarray(sums, float).reshape(cells, servers)
