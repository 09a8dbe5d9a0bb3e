"""[ACC] Corollary 3.2: which term of (4) decides, and the exact intervals on which it does."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.phases.homogeneous import (
    LABELS,
    NAMES,
    Array,
    Codes,
    Setting,
    checked,
    codes_at,
    log_budget,
    setting,
)
from rates.pieces import cut, joined, settle

__all__ = [
    "LABELS",
    "Endpoints",
    "Order",
    "Regime",
    "endpoints",
    "governing",
    "governing_codes",
    "printed_eps21",
    "regimes",
    "sequence",
]

SMALLEST = -744.0  # log of the least budget that floating point can hold


def governing_codes(
    n: ArrayLike, m: ArrayLike, n0: ArrayLike, epsilon: ArrayLike, **shape: ArrayLike
) -> Codes:
    """Return `governing` as indices in `LABELS`, the form that a large grid wants.

    >>> governing_codes(1e4, 100, 1e5, [1e-6, 0.4], gamma=1.2, beta=0.5, d=2).tolist()
    [0, 3]
    """
    return codes_at(setting(n, m, n0, **shape), log_budget(epsilon)).astype(np.int8)


def governing(
    n: ArrayLike,
    m: ArrayLike,
    n0: ArrayLike,
    epsilon: ArrayLike,
    *,
    gamma: ArrayLike,
    beta: ArrayLike,
    d: ArrayLike,
) -> NDArray[np.str_]:
    r"""Return which of "1", "Pt", "NPt", "Ps", "NPs" decides (4) at a common budget.

    .. math:: \min\{1,\; \mathrm{NP}_t \vee \mathrm{P}_t,\; \mathrm{NP}_s \vee \mathrm{P}_s\}

    At a tie the private term wins over the unprotected one, "1" over both, and the target
    over the sources. The margin does not enter.

    Args:
        n: Records per source, any real >= 0.
        m: Number of sources, any real >= 0.
        n0: Records of the target, any real >= 0.
        epsilon: The common budget in [0, inf].
        gamma: Signal exponent of the sources, > 0.
        beta: Smoothness, > 0.
        d: Dimension, > 0.

    Returns:
        Labels with the broadcast shape.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> governing(1e4, 100, 8e4, [1e-6, 1e-3, 0.17, 0.4], gamma=1.2, beta=0.5, d=2).tolist()
        ['1', 'Ps', 'NPt', 'Ps']

    Source: [ACC] eq. (4), Table 1.
    """
    return np.asarray(NAMES[governing_codes(n, m, n0, epsilon, gamma=gamma, beta=beta, d=d)])


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoints:
    """The budgets and the exponent at which two terms agree; not clipped to (0, 1].

    Attributes:
        gamma_star: NPt = NPs; infinite where log n0 = 0.
        eps1: The least budget with a rate below 1.
        eps2: Pt = NPt.
        eps3: Ps = NPs.
        eps11: Pt = Ps; nan at gamma = 1, where the lines are parallel.
        eps21: Ps = NPt.
        epsX: Pt = NPs, which decides outside n <= n0 <= mn only.
    """

    gamma_star: float
    eps1: float
    eps2: float
    eps3: float
    eps11: float
    eps21: float
    epsX: float


def endpoints(n: float, m: float, n0: float, *, gamma: float, beta: float, d: float) -> Endpoints:
    r"""Return the endpoints of Corollary 3.2, with eps21 corrected.

    .. math::
        \gamma_* = \frac{1}{2\beta}\Bigl[\frac{(2\beta+d)\log mn}{\log n_0} - d\Bigr], \quad
        \varepsilon_1 = \frac{1}{\sqrt m\,n} \wedge \frac{1}{n_0}, \quad
        \varepsilon_2 = n_0^{-\frac{\beta}{2\beta+d}}, \quad
        \varepsilon_3 = \bigl(m^{d/2} n^{-\beta\gamma}\bigr)^{\frac{1}{2\beta\gamma+d}},

        \varepsilon_{11} = \bigl[(\sqrt m\,n)^{\beta+d} n_0^{-(\beta\gamma+d)}
        \bigr]^{\frac{1}{\beta(\gamma-1)}}, \quad
        \varepsilon_{21} = \frac{n_0^{(\beta\gamma+d)/(2\beta+d)}}{\sqrt m\,n}, \quad
        \varepsilon_X = \frac{(mn)^{(\beta+d)/(2\beta\gamma+d)}}{n_0}.

    Returns:
        The values; nan where undefined (a term is missing, gamma = 1), ``inf`` where infinite.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> ends = endpoints(1e4, 100, 1e5, gamma=1.2, beta=0.5, d=2)
        >>> round(ends.gamma_star, 9), round(ends.eps21, 9)
        (1.6, 0.215443469)

    Source: [ACC] Corollary 3.2; item 4 prints the denominator β + d, see `printed_eps21`.
    """
    values = end_values(setting(n, m, n0, gamma=gamma, beta=beta, d=d))
    return Endpoints(**{name: float(value) for name, value in values.items()})


def end_values(s: Setting) -> dict[str, Array]:
    """Return the fields of `Endpoints` as arrays."""
    b, d = s.beta, s.d
    with np.errstate(all="ignore"):
        t, q, two, three, eleven, twenty_one, x = s.crossings()
        values = {
            "gamma_star": ((2.0 * b + d) * s.pooled / s.target - d) / (2.0 * b),
            "eps1": np.exp(np.minimum(t, q)),
            "eps2": np.where(np.isfinite(s.target), np.exp(two), np.nan),
            "eps3": np.where(np.isfinite(s.pooled), np.exp(three), np.nan),
        }
        both = np.isfinite(s.target) & np.isfinite(s.pooled)
        values["gamma_star"] = np.where(both, values["gamma_star"], np.nan)
        values["eps11"] = np.where(both & (s.gamma != 1.0), np.exp(eleven), np.nan)
        values["eps21"] = np.where(both, np.exp(twenty_one), np.nan)
        values["epsX"] = np.where(both, np.exp(x), np.nan)
    return values


def printed_eps21(n: ArrayLike, m: ArrayLike, n0: ArrayLike, **shape: ArrayLike) -> Array:
    r"""Return eps21 as Corollary 3.2 prints it, n0^((βγ+d)/(β+d)) / (sqrt(m) n).

    It is not where NPt = Ps: there the denominator is 2β + d.

    >>> float(printed_eps21(1e4, 100, 1e5, gamma=1.2, beta=0.5, d=2).round(4))
    1.5849

    Source: [ACC] Corollary 3.2, item 4.
    """
    s = setting(n, m, n0, **shape)
    with np.errstate(over="ignore", invalid="ignore"):
        value = np.exp(s.target * (s.beta * s.gamma + s.d) / (s.beta + s.d) - s.spread)
    return np.asarray(np.where(np.isfinite(s.target) & np.isfinite(s.spread), value, np.nan))


@dataclass(frozen=True, slots=True, kw_only=True)
class Regime:
    """One interval (lo, hi] of budgets and the term that decides on it.

    Attributes:
        lo: Lower end, excluded.
        hi: Upper end.
        rate: "1", "Pt", "NPt", "Ps" or "NPs".
    """

    lo: float
    hi: float
    rate: str


def regimes(
    n: float,
    m: float,
    n0: float,
    *,
    gamma: float,
    beta: float,
    d: float,
    ratio: float = 1.0,
    upper: float = 1.0,
) -> tuple[Regime, ...]:
    """Return the deciding term on each interval of the sources' budget, in ascending order.

    The candidates for an end are the crossings of two terms and of each with 1. The minimum
    is taken once in each cell between them, and equal neighbours are joined, so the result
    holds for any sizes, inside n <= n0 <= mn or not.

    Args:
        n: Records per source, any real >= 0.
        m: Number of sources, any real >= 0.
        n0: Records of the target, any real >= 0.
        gamma: Signal exponent of the sources, > 0.
        beta: Smoothness, > 0.
        d: Dimension, > 0.
        ratio: The target's budget over the sources'; 1 is the common budget of (4).
        upper: Upper end of the map, ``inf`` allowed; the paper's map stops at 1.

    Returns:
        Intervals that partition (0, upper]; the last one ends at ``upper`` exactly.

    Raises:
        DomainError: An argument lies outside its domain.

    Examples:
        >>> for row in regimes(1e4, 100, 8e4, gamma=1.2, beta=0.5, d=2):
        ...     print(f"{row.lo:.4g} to {row.hi:.4g}: {row.rate}")
        0 to 1e-05: 1
        1e-05 to 0.003309: Ps
        0.003309 to 0.1523: Pt
        0.1523 to 0.1776: NPt
        0.1776 to 0.7499: Ps
        0.7499 to 1: NPs

    Source: [ACC] eq. (4); Table 1 with its corrections is `rates.phases.table_one`.
    """
    s = setting(n, m, n0, gamma=gamma, beta=beta, d=d, ratio=ratio)
    top = float(checked("upper", upper, infinite=True))
    edges, codes = intervals(s, -math.inf, math.log(top))
    return as_regimes(joined(edges, codes, 0.0, top), LABELS)


def as_regimes(
    rows: Sequence[tuple[float, float, int]], labels: Sequence[str]
) -> tuple[Regime, ...]:
    """Return joined cells as regimes."""
    return tuple(Regime(lo=lo, hi=hi, rate=labels[code]) for lo, hi, code in rows)


def intervals(s: Setting, low: float, high: float) -> tuple[Array, Codes]:
    """Return the inner edges in log ε and the code of each cell; rows as in the setting."""
    with np.errstate(all="ignore"):
        found = np.stack(np.broadcast_arrays(*s.crossings()), axis=-1)
    cells = cut(np.where(found > SMALLEST, found, np.nan), low, high)
    return cells.edges, settle(codes_at(s.column(), cells.middles), cells.thin)


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """The order in which terms decide as the budget grows.

    Attributes:
        rates: The labels.
        sides: "T" for the target, "S" for the sources, neighbours joined, "1" left out.
        re_entrant: Whether a side comes back after the other one has decided.
    """

    rates: tuple[str, ...]
    sides: str
    re_entrant: bool


def sequence(n: float, m: float, n0: float, **case: float) -> Order:
    """Return the order of the labels of `regimes`, and whether a side comes back.

    >>> sequence(1e4, 100, 8e4, gamma=1.2, beta=0.5, d=2).sides
    'STS'

    T, S, T needs γ < 1, n0 > mn and a ratio below 1; it never occurs under a common budget.

    Source: [ACC] Table 1.
    """
    rates = tuple(row.rate for row in regimes(n, m, n0, **case))
    sides = ""
    for rate in rates:
        side = "" if rate == "1" else rate[-1].upper()
        if not sides.endswith(side):
            sides += side
    return Order(rates=rates, sides=sides, re_entrant=len(sides) > len(set(sides)))
