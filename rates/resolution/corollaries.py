r"""[CCV] Corollaries 1 and 2, equal servers, in closed form: the root, its elbow and its cost.

For m equal servers the equation (6) has the exact root

.. math:: D = (m n^2 \varepsilon^2)^{\frac{1}{2g+2}} \wedge (mn)^{\frac{1}{2g+1}},

with g = α for the integrated risk and g = ν = α - 1/p for the risk at a point.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from rates.phases import checked
from rates.pieces import Array, crossings


def homogeneous_D(
    n: ArrayLike, m: ArrayLike, epsilon: ArrayLike, *, smoothness: ArrayLike
) -> Array:
    r"""Return the exact root D of (6) for m servers with n records and one budget.

    Args:
        n: Records per server, any real >= 0.
        m: Number of servers, any real >= 0.
        epsilon: The common budget in [0, inf].
        smoothness: g > 0.

    Returns:
        D, with the broadcast shape; 0 without information.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> float(homogeneous_D(2**12, 1, 2.0**-4, smoothness=1).round(9))
        16.0

    Source: [CCV] eqs. (4), (5); the root itself, so without constants.
    """
    private, free = _log_branches(n, m, epsilon, smoothness)
    return np.asarray(np.exp(np.minimum(private, free)))


def _log_branches(
    n: ArrayLike, m: ArrayLike, epsilon: ArrayLike, smoothness: ArrayLike
) -> tuple[Array, Array]:
    """Return the logs of both branches of D."""
    g = checked("smoothness", smoothness)
    with np.errstate(divide="ignore", invalid="ignore"):
        log_n = np.log(checked("n", n, zero=True))
        log_m = np.log(checked("m", m, zero=True))
        log_epsilon = np.log(checked("epsilon", epsilon, zero=True, infinite=True))
        private, free = branches(log_m, log_n, log_epsilon, g)
    return np.where(np.isneginf(free), -np.inf, private), free


def branches(
    log_m: ArrayLike, log_n: ArrayLike, log_epsilon: ArrayLike, g: ArrayLike
) -> tuple[Array, Array]:
    """Return the logs of the private and of the sampling branch of D from logs.

    Source: [CCV] eqs. (4), (5).
    """
    log_m, log_n, log_epsilon, g = map(np.asarray, (log_m, log_n, log_epsilon, g))
    private = (log_m / 2.0 + (log_n + log_epsilon)) / (g + 1.0)
    return private, (log_m + log_n) / 2.0 / (g + 0.5)


def elbow(n: ArrayLike, m: ArrayLike, *, smoothness: ArrayLike) -> Array:
    r"""Return the budget up to which privacy binds, (mn)^(1/(4g+2)) n^(-1/2).

    .. math:: n \varepsilon^2 \le (mn)^{\frac{1}{2g+1}}

    Args:
        n: Records per server, > 0.
        m: Number of servers, > 0.
        smoothness: g > 0.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> float(elbow(2**12, 1, smoothness=1).round(12))
        0.0625

    Source: [CCV] Section 2.1.
    """
    log_n, log_m = np.log(checked("n", n)), np.log(checked("m", m))
    g = checked("smoothness", smoothness)
    levels = np.stack(np.broadcast_arrays(*branches(log_m, log_n, 0.0, g)), axis=-1)
    slopes = np.stack([1.0 / (g + 1.0), np.zeros_like(g)], axis=-1)  # in log epsilon
    return np.asarray(np.exp(crossings(slopes, levels)[..., 0]))
