r"""[CCV] Section 2.1 in closed form: what privacy costs equal servers, and how it grows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rates.answer import solve_D
from rates.maps import checked, elbow, homogeneous_D
from rates.numbers import INTEGRABILITY, DomainError
from rates.pieces import Array


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
    both = [homogeneous_D(n, m, x, smoothness=smoothness) for x in (np.inf, epsilon)]
    with np.errstate(divide="ignore", over="ignore"):
        return np.asarray((both[0] / both[1]) ** (2.0 * np.asarray(smoothness)))


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Spreading:
    """What happens at one point when a study is spread over more equal servers.

    Attributes:
        rate: Factor on the rate with all mn records fixed.
        cost: Factor on the privacy cost (rate over unprotected rate), n per server fixed.
    """

    rate: float
    cost: float


def spreading(
    total: float, epsilon: float, *, smoothness: float, few: float, many: float
) -> Spreading:
    r"""Return what spreading from few to many servers multiplies.

    Where privacy binds throughout, with g the smoothness,

    .. math:: \text{rate: } (\text{many}/\text{few})^{\frac{g}{g+1}}, \qquad
        \text{cost: } (\text{many}/\text{few})^{\frac{g}{(g+1)(2g+1)}}.

    Args:
        total: All records; with ``few`` servers each holds total/few.
        epsilon: The common budget.
        smoothness: g > 0.
        few: Number of servers before.
        many: Number of servers after.

    Examples:
        >>> round(spreading(1e8, 1e-3, smoothness=1, few=10, many=100).rate, 9)
        3.16227766

    Source: [CCV] Section 2.1, derived from the factor there.
    """
    sites = np.array([few, many])
    D = solve_D((total / sites)[:, None], epsilon, smoothness=smoothness, count=sites[:, None])
    cost = privacy_cost(total / few, sites, epsilon, smoothness=smoothness)
    return Spreading(
        rate=float((D[1] / D[0]) ** (-2.0 * smoothness)), cost=float(cost[1] / cost[0])
    )
