r"""[ACC] Corollary 3.3: a target and a source under one budget, and a source without any.

Server 1 is unprotected, servers 0 (the target) and 2 have the budget ε, and both sources have
the signal exponent γ. With k = 2βγ + d the rate in terms of r is min(1, r)^(β(1+α)),

.. math::
    r^{-1} = A_t + n_1^{1/k} + A_2, \quad
    A_t = n_0^{\frac{1}{2\beta+d}} \wedge (n_0\varepsilon)^{\frac{1}{\beta+d}}, \quad
    A_2 = n_2^{\frac{1}{k}} \wedge (n_2\varepsilon)^{\frac{1}{\beta\gamma+d}},

whatever the sample sizes are. The corollary's three cases say which summand is the largest; case
3 is printed to leave server 1 at the budget from which privacy no longer matters, which does not
involve n_1.
"""

from __future__ import annotations

import functools

import numpy as np
from numpy.typing import ArrayLike

from rates.maps.phases import checked, log_budget, terms
from rates.pieces import Array, Lines, Tree

PUBLIC = "public"
_TREE: Tree = ("min", (0, 1, ("max", (2, 3)), ("max", (4, 5))))  # at ties the first one wins


def summands(n0: ArrayLike, n1: ArrayLike, n2: ArrayLike, **shape: ArrayLike) -> Lines:
    """Return the logs of r by each summand as lines in log ε.

    Labels are those of (4), with s for server 2, and "public" for server 1.

    Raises:
        DomainError: An argument lies outside its domain.
    """
    four = terms(n2, 1.0, n0, **shape)
    one, *lines = four.lines.items()
    public = terms(checked("n1", n1, zero=True), 1.0, 0.0, **shape).lines["NPs"]
    return Lines(_TREE, dict([one, (PUBLIC, public), *lines]))


def public_source(
    n0: ArrayLike, n1: ArrayLike, n2: ArrayLike, epsilon: ArrayLike, **shape: ArrayLike
) -> Array:
    r"""Return log r = -log(A_t + n_1^(1/k) + A_2), at most 0.

    Args:
        n0: Records of the target, any real >= 0.
        n1: Records of the unprotected source, any real >= 0.
        n2: Records of the protected source, any real >= 0.
        epsilon: The budget of the target and the protected source, in [0, inf].
        **shape: The signal exponent gamma of both sources, the smoothness beta and the
            dimension d, each > 0.

    Returns:
        log r; multiply by β(1+α) for the log of the rate.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> r = np.exp(public_source(1000, 8, 1e4, 0.3, gamma=1, beta=0.5, d=2))
        >>> float(r.round(4))
        0.03

    Source: [ACC] Corollary 3.3.
    """
    one, public, *four = summands(n0, n1, n2, **shape).at(log_budget(epsilon))
    parts = public, np.maximum(*four[:2]), np.maximum(*four[2:])
    return np.minimum(one, -functools.reduce(np.logaddexp, [-part for part in parts]))


def printed_end(n0: float, n1: float, n2: float, **shape: float) -> float:
    """Return the budget at which case 3, as printed, leaves the unprotected source.

    >>> round(printed_end(1000, 8, 1e4, gamma=1, beta=0.5, d=2), 3)
    0.316

    Source: [ACC] Corollary 3.3, case 3.
    """
    found = summands(n0, n1, n2, **shape)
    return float(np.exp(max(found.meeting("Pt", "NPt"), found.meeting("Ps", "NPs"))))
