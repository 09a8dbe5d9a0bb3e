r"""[ACC] Corollary 3.3: a target and a source under one budget, and a source without any.

Server 1 is unprotected, servers 0 (the target) and 2 have the budget ε, and both sources have
the signal exponent γ. With k = 2βγ + d the rate in terms of r is min(1, r)^(β(1+α)),

.. math::
    r^{-1} = A_t + n_1^{1/k} + A_2, \quad
    A_t = n_0^{\frac{1}{2\beta+d}} \wedge (n_0\varepsilon)^{\frac{1}{\beta+d}}, \quad
    A_2 = n_2^{\frac{1}{k}} \wedge (n_2\varepsilon)^{\frac{1}{\beta\gamma+d}},

whatever the sample sizes are. The corollary's three cases say which summand is the largest.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rates.maps.phases import Regime, as_regimes, checked, log_budget, terms
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


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicRegimes:
    """Which summand decides where, and what Corollary 3.3 says.

    Attributes:
        case: The corollary's case, 1 to 3; None where n2 <= n0^((2βγ+d)/(2β+d)), which the
            corollary leaves out.
        regimes: Intervals of budgets that partition (0, 1].
        thresholds: The case's budgets, corrected: none in case 1, two in case 2, one in case 3.
        printed: The same as printed.
    """

    case: int | None
    regimes: tuple[Regime, ...]
    thresholds: tuple[float, ...]
    printed: tuple[float, ...]


def public_regimes(
    n0: float, n1: float, n2: float, *, gamma: float, beta: float, d: float, upper: float = 1.0
) -> PublicRegimes:
    r"""Return the exact intervals of budgets, and the case with its thresholds.

    Case 2 passes from server 1 to server 2 at n_2^{-1} n_1^{(βγ+d)/k}, and server 2 is free
    of its budget from n_2^{-βγ/k} on (printed: n_2^{-(βγ+d)/k}). Case 3 leaves server 1 at

    .. math:: \varepsilon_* = n_0^{-1} n_1^{(\beta+d)/k} \wedge n_2^{-1} n_1^{(\beta\gamma+d)/k}

    (printed: the budget from which privacy no longer matters, which does not involve n_1).

    Args:
        n0: Records of the target, any real >= 0.
        n1: Records of the unprotected source, any real >= 0.
        n2: Records of the protected source, any real >= 0.
        gamma: Signal exponent of both sources, > 0.
        beta: Smoothness, > 0.
        d: Dimension, > 0.
        upper: Upper end of the intervals, ``inf`` allowed.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> found = public_regimes(1000, 8, 1e4, gamma=1, beta=0.5, d=2)
        >>> found.case, [f"{x:.3g}" for x in (*found.thresholds, *found.printed)]
        (3, ['0.000566', '0.316'])
        >>> [row.rate for row in found.regimes]
        ['public', 'Ps', 'NPs']

    Source: [ACC] Corollary 3.3, cases 2 and 3 corrected.
    """
    found = summands(n0, n1, n2, gamma=gamma, beta=beta, d=d)
    alone = {name: float(found.lines[name][1]) for name in ("NPt", PUBLIC, "NPs")}  # of log r
    case = None
    if alone["NPs"] < alone["NPt"]:
        case = 1 if n1 > n2 else 2 if alone[PUBLIC] <= alone["NPt"] else 3

    def at(first: str, second: str) -> float:
        with np.errstate(over="ignore"):
            return float(np.exp(found.meeting(first, second)))

    thresholds: tuple[float, ...] = ()
    printed: tuple[float, ...] = ()
    if case == 2:
        thresholds = (at(PUBLIC, "Ps"), at("Ps", "NPs"))
        full = (beta * gamma + d) / (2.0 * beta * gamma + d)
        printed = (thresholds[0], n2**-full)
    elif case == 3:
        thresholds = (min(at(PUBLIC, "Pt"), at(PUBLIC, "Ps")),)
        printed = (max(at("Pt", "NPt"), at("Ps", "NPs")),)
    rows = found.intervals(0.0, float(checked("upper", upper, infinite=True)))
    return PublicRegimes(
        case=case, regimes=as_regimes(rows), thresholds=thresholds, printed=printed
    )
