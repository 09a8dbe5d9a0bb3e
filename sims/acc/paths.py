"""Joint noise of released functions: paths on a grid with a given covariance."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from rates.numbers import DomainError
from sims.acc.lattice import box
from sims.engine import Array

Kernel = Callable[[Array], Array]

JITTER = 1e-12  # share of K(0) added independently at each point


def triangular_path(
    rng: np.random.Generator, size: int, per_bandwidth: int, copies: int = 1
) -> Array:
    r"""Draw paths with the covariance of the triangular kernel on a regular grid.

    Sums of q neighbouring white-noise values over sqrt(q) have covariance (1 - |l|/q)_+ at
    lag l exactly, which is (1 - |s-t|/h)_+ for h of q grid steps; the cost is O(size).

    Args:
        rng: Source of randomness.
        size: Grid points.
        per_bandwidth: q, grid steps per bandwidth, at least 1.
        copies: Independent paths.

    Returns:
        Array of shape (copies, size).

    Examples:
        >>> triangular_path(np.random.default_rng(0), 5, 2, copies=3).shape
        (3, 5)

    Source: [ACC] eq. (9), with K the triangular kernel.
    """
    white = rng.standard_normal((copies, size + per_bandwidth - 1))
    return box(white, per_bandwidth) / math.sqrt(per_bandwidth)


def axis_factor(kernel: Kernel, size: int, steps: float) -> Array:
    r"""Return F with F F' = (K((i-j)/steps))_ij + `JITTER` K(0) I.

    A smooth kernel's matrix is singular in floating point. Leaving its null directions out
    would release them without noise; the jitter gives each of them some. The covariance is
    never below the one that privacy asks for, so the guarantee stands.

    Args:
        kernel: K on arrays of lags in bandwidths; positive definite on the line.
        size: Points of a regular grid.
        steps: Bandwidth in grid steps, positive.

    Examples:
        >>> F = axis_factor(lambda u: np.maximum(1 - abs(u), 0.0), 3, 2.0)
        >>> (F @ F.T).round(6)
        array([[1. , 0.5, 0. ],
               [0.5, 1. , 0.5],
               [0. , 0.5, 1. ]])

    Source: [ACC] eq. (9).
    """
    index = np.arange(size)
    by_lag = np.asarray(kernel(index / steps), dtype=float)
    gram = by_lag[np.abs(index[:, None] - index[None, :])]
    values, vectors = np.linalg.eigh(gram)
    if values[0] < -1e-9 * values[-1]:
        rule = "The kernel must be positive definite."
        raise DomainError(rule, field="kernel", value=float(values[0]))
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0) + JITTER * by_lag[0]))


def grid_paths(rng: np.random.Generator, factors: Sequence[Array], copies: int = 1) -> Array:
    r"""Draw paths of a product kernel on a grid, jointly at all of its points.

    For white noise Z, F_1 Z F_2' has covariance K(s_1 - t_1) K(s_2 - t_2): one matrix product
    per axis in place of a factorisation over all points.

    Args:
        rng: Source of randomness.
        factors: One factor per axis, from `axis_factor`.
        copies: Independent paths.

    Returns:
        Array of shape (copies, points of axis 1, points of axis 2, ...).

    Examples:
        >>> F = axis_factor(lambda u: np.exp(-u**2 / 2), 4, 2.0)
        >>> grid_paths(np.random.default_rng(0), [F, F], copies=2).shape
        (2, 4, 4)

    Source: [ACC] eq. (9), with K a product.
    """
    out = rng.standard_normal((copies, *(factor.shape[1] for factor in factors)))
    for axis, factor in enumerate(factors, start=1):
        out = np.moveaxis(np.moveaxis(out, axis, -1) @ factor.T, -1, axis)
    return np.ascontiguousarray(out)
