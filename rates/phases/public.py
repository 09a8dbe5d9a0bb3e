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

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from rates.phases import homogeneous
from rates.phases.segments import SMALLEST, Regime, as_regimes
from rates.pieces import Tree, cut, decide, joined, settle

PUBLIC = "public"
_LABELS = ("1", PUBLIC, *homogeneous.LABELS[1:])
_TREE: Tree = ("min", (0, 1, ("max", (2, 3)), ("max", (4, 5))))


def public_source(
    n0: ArrayLike,
    n1: ArrayLike,
    n2: ArrayLike,
    epsilon: ArrayLike,
    **shape: ArrayLike,
) -> homogeneous.Array:
    r"""Return log r = -log(A_t + n_1^(1/k) + A_2), at most 0.

    Args:
        n0: Records of the target, any real >= 0.
        n1: Records of the unprotected source, any real >= 0.
        n2: Records of the protected source, any real >= 0.
        epsilon: The budget of the target and the protected source, in [0, inf].
        **shape: As in `homogeneous.setting`: the signal exponent gamma of both sources, the
            smoothness beta and the dimension d, each > 0.

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
    s, level = _problem(n0, n1, n2, **shape)
    target, sources = _sides(s, homogeneous.log_budget(epsilon))
    return np.minimum(0.0, -np.logaddexp(np.logaddexp(-target, -sources), -level))


def _problem(
    n0: ArrayLike, n1: ArrayLike, n2: ArrayLike, **shape: ArrayLike
) -> tuple[homogeneous.Setting, homogeneous.Array]:
    """Return servers 0 and 2 as a setting with one source, and the log of server 1's own r."""
    s = homogeneous.setting(n2, 1.0, n0, **shape)
    with np.errstate(divide="ignore"):
        level = -np.log(homogeneous.checked("n1", n1, zero=True)) / (2.0 * s.beta * s.gamma + s.d)
    return s, level


def _sides(
    s: homogeneous.Setting, log_epsilon: homogeneous.Array
) -> tuple[homogeneous.Array, homogeneous.Array]:
    terms = s.terms(log_epsilon)
    return np.maximum(terms.Pt, terms.NPt), np.maximum(terms.Ps, terms.NPs)


def _codes(
    s: homogeneous.Setting, level: homogeneous.Array, log_epsilon: homogeneous.Array
) -> homogeneous.Codes:
    t = s.terms(log_epsilon)
    k = 2.0 * s.beta * s.gamma + s.d
    own = homogeneous.tie_width(level * k) / k
    of_target, of_source = homogeneous.slacks(s)
    values = [np.zeros(()), level, t.Pt, t.NPt, t.Ps, t.NPs]
    slacks = [np.zeros(()), own, of_target, of_target, of_source, of_source]
    return decide(_TREE, values, slacks)[1]


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
    s, level = _problem(n0, n1, n2, gamma=gamma, beta=beta, d=d)
    top = float(homogeneous.checked("upper", upper, infinite=True))
    with np.errstate(all="ignore"):
        by_target = -level * (s.beta + s.d) - s.target
        by_source = -level * (s.beta * s.gamma + s.d) - s.spread
        found = np.array([float(x) for x in (*s.crossings(), by_target, by_source)])
    found = np.where(found > SMALLEST, found, np.nan)
    cells = cut(found, -math.inf, math.log(top))
    codes = settle(_codes(s.column(), level[..., None], cells.middles), cells.thin)
    case = _case(s, level)
    bg, k = float(s.beta * s.gamma), float(2.0 * s.beta * s.gamma + s.d)
    free = math.exp(float(-s.spread) * bg / k) if case else math.nan
    thresholds: tuple[float, ...] = ()
    printed: tuple[float, ...] = ()
    if case == 2:
        thresholds = (_exp(by_source), free)
        printed = (_exp(by_source), _exp(-s.spread * (bg + s.d) / k))
    elif case == 3:
        thresholds = (_exp(np.minimum(by_target, by_source)),)
        printed = (max(_exp(-s.target * s.beta / (2.0 * s.beta + s.d)), free),)
    return PublicRegimes(
        case=case,
        regimes=as_regimes(joined(cells.edges, codes, 0.0, top), _LABELS),
        thresholds=thresholds,
        printed=printed,
    )


def _case(s: homogeneous.Setting, level: homogeneous.Array) -> int | None:
    k = 2.0 * s.beta * s.gamma + s.d
    log_n1, needed = float(-level * k), float(s.target * k / (2.0 * s.beta + s.d))
    if not float(s.spread) > needed:
        return None
    if log_n1 > float(s.spread):
        return 1
    return 2 if log_n1 >= needed else 3


def _exp(x: homogeneous.Array) -> float:
    with np.errstate(over="ignore"):
        return float(np.exp(x))
