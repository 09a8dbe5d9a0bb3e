"""A rival from the literature: public records weighed to look like the private ones."""

from __future__ import annotations

import numpy as np

from sims.adaptation.algorithms import descend
from sims.engine import Array


def kernel_mean_matching(
    public: Array, private: Array, *, width: float = 1.0, most: float = 10.0, steps: int = 300
) -> Array:
    r"""Return weights of public records that match the private records' mean kernel function.

    .. math:: \min_{0 \le \beta \le B} \bigl\|\tfrac1m\sum_i \beta_i K(x_i, \cdot)
        - \tfrac1n\sum_j K(x_j, \cdot)\bigr\|^2, \qquad K(x, y) = e^{-\|x-y\|^2/(2\sigma^2)}.

    Accelerated projected gradient. It reads the private features without protection.

    Args:
        public: Features, shape (m, d); the kernel matrix is dense, so a few thousand at most.
        private: Features, shape (n, d).
        width: σ.
        most: B.
        steps: Steps of the descent.

    Source: Huang et al. (2006), without their constraint on the mean weight.
    """
    m = len(public)
    inside, across = _kernel(public, public, width), _kernel(public, private, width)
    right = across.mean(axis=1)
    return descend(
        lambda beta: inside @ beta / m - right,
        lambda beta: np.clip(beta, 0.0, most),
        np.ones(m),
        m / float(np.linalg.norm(inside, 1)),
        steps,
        accelerated=True,
    )


def _kernel(a: Array, b: Array, width: float) -> Array:
    square = (a**2).sum(axis=1)[:, None] + (b**2).sum(axis=1) - 2.0 * (a @ b.T)
    return np.asarray(np.exp(-np.maximum(square, 0.0) / (2.0 * width**2)))
