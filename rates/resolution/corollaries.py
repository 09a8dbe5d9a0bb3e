r"""[CCV] Corollaries 1 and 2, equal servers, in closed form: the root, its elbow and its cost.

For m equal servers the equation (6) has the exact root

.. math:: D = (m n^2 \varepsilon^2)^{\frac{1}{2g+2}} \wedge (mn)^{\frac{1}{2g+1}},

with g = α for the integrated risk and g = ν = α - 1/p for the risk at a point.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rates.maps import checked
from rates.numbers import INTEGRABILITY, DomainError
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


def privacy_cost(n: ArrayLike, m: ArrayLike, epsilon: ArrayLike, *, smoothness: ArrayLike) -> Array:
    r"""Return the factor by which privacy multiplies the rate of equal servers, at least 1.

    .. math:: 1 \vee \bigl(m^{\frac{1}{2g+1}} n^{-\frac{2g}{2g+1}}
        \varepsilon^{-2}\bigr)^{\frac{2g}{2g+2}}

    Both rates are uncapped. Where the private one exceeds 1 the trivial answer is better.

    Args:
        n: Records per server, > 0.
        m: Number of servers, > 0.
        epsilon: The common budget in [0, inf].
        smoothness: g > 0.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> privacy_cost(2**12, 1, [0.0625, 0.03125], smoothness=1).round(12).tolist()
        [1.0, 2.0]

    Source: [CCV] Section 2.1, after Corollaries 1 and 2.
    """
    checked("n", n), checked("m", m)
    private, free = _log_branches(n, m, epsilon, smoothness)
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(2.0 * np.asarray(smoothness) * np.maximum(free - private, 0.0)))


@dataclass(frozen=True, slots=True, kw_only=True)
class CostExponents:
    """Powers in the privacy cost factor where privacy binds.

    Attributes:
        epsilon: Of the budget, -2g/(g+1).
        sites: Of m with all N = mn records fixed, g/(g+1); it grows with g, so spreading
            records over servers costs the integrated risk more than the risk at a point.
        sites_growing: Of m with the n of each server fixed, g/((g+1)(2g+1)).
        records: Of n with m fixed, -2g²/((g+1)(2g+1)).
    """

    epsilon: float
    sites: float
    sites_growing: float
    records: float


def cost_exponents(smoothness: float) -> CostExponents:
    """Return the powers of ε, m and n in the privacy cost factor.

    Section 2.1 says that spreading a fixed total costs the risk at a point relatively more.
    By its own factor the power of m is g/(g+1), which is smaller for ν than for α.

    >>> cost_exponents(1).sites, cost_exponents(2).sites > cost_exponents(1.5).sites
    (0.5, True)

    Source: [CCV] Section 2.1, derived from the factor there.
    """
    g = float(checked("smoothness", smoothness))
    share = g / (g + 1.0)
    return CostExponents(
        epsilon=-2.0 * share,
        sites=share,
        sites_growing=share / (2.0 * g + 1.0),
        records=-2.0 * g * share / (2.0 * g + 1.0),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Budgets in (lo, hi] that cost the risk at a point but not the integrated risk.

    Attributes:
        lo: Elbow of the integrated risk.
        hi: Elbow of the risk at a point.
    """

    lo: float
    hi: float


def window(n: float, m: float, *, smoothness: float, integrability: float) -> Window | None:
    r"""Return the budgets at which only the risk at a point suffers; None if there are none.

    .. math:: (mn)^{\frac{1}{2\alpha+1}} < n\varepsilon^2 \le (mn)^{\frac{1}{2\nu+1}}

    Args:
        n: Records per server, > 0.
        m: Number of servers, > 0.
        smoothness: α.
        integrability: p in [2, inf]; at ``inf`` both risks agree.

    Raises:
        DomainError: An argument lies outside its domain, or α - 1/p <= 0.

    Examples:
        >>> found = window(10_000, 10, smoothness=2, integrability=2)
        >>> round(found.lo, 4), round(found.hi, 4)
        (0.0316, 0.0422)

    Source: [CCV] Section 2.1, after Corollary 2.
    """
    p = INTEGRABILITY.check(integrability)
    nu = float(checked("smoothness", smoothness)) - 1.0 / p
    if nu <= 0:
        raise DomainError("alpha - 1/p must be positive.", "smoothness", nu)
    lo, hi = (float(elbow(n, m, smoothness=g)) for g in (smoothness, nu))
    return Window(lo=lo, hi=hi) if lo < hi else None
