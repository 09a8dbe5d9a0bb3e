r"""[ACC] (4), equal sources under one budget: which of its terms decides, and where that changes.

Each side, the target and its sources, is held back by the larger of its two terms, sampling or
privacy, and the better side decides. In logs the terms are lines in log ε: every end of Corollary
3.2 is where two of them meet, and `rates.pieces` finds which decides where. `rates.orders` has
the same rate as a text, for claims about it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import STEEPEST, check_array
from rates.pieces import Array, Axis, Codes, Lines, Polygon, Tree, join_rows

LABELS = ("1", "Pt", "NPt", "Ps", "NPs")
_TREE: Tree = ("min", (0, ("max", (1, 2)), ("max", (3, 4))))  # read in the order of the tie rule
_FLAT = np.zeros(())
_FAR = 1e200  # stands for the log of an infinite budget, where inf - inf could arise


def checked(name: str, value: ArrayLike, *, zero: bool = False, infinite: bool = False) -> Array:
    """Check as `check_array` does, but let a scalar stay a scalar."""
    array = check_array(name, value, zero=zero, infinite=infinite)
    return array if np.ndim(value) else array.reshape(())


def terms(
    n: ArrayLike,
    m: ArrayLike,
    n0: ArrayLike,
    *,
    gamma: ArrayLike,
    beta: ArrayLike,
    d: ArrayLike,
    ratio: ArrayLike = 1.0,
) -> Lines:
    """Return the logs of r behind the terms of (4) as lines in log ε; see `governing`.

    >>> four = terms(100, 100, 10_000, gamma=1, beta=1, d=2)
    >>> [round(float(x / np.log(10)), 9) for x in four.at(np.log(0.1))]
    [0.0, -1.0, -1.0, -0.666666667, -1.0]

    Raises:
        DomainError: An argument lies outside its domain.

    Source: [ACC] eq. (4). Constants and L_N are left out.
    """
    with np.errstate(divide="ignore"):
        log_n, log_m, target = (
            np.log(checked(name, value, zero=True))
            for name, value in (("n", n), ("m", m), ("n0", n0))
        )
    b, g, d = checked("beta", beta), checked("gamma", gamma), checked("d", d)
    bg, own = b * np.minimum(g, STEEPEST), target + np.log(checked("ratio", ratio))
    lines = {
        "1": (_FLAT, _FLAT),
        "Pt": (-1.0 / (b + d), -own / (b + d)),
        "NPt": (_FLAT, -target / (2.0 * b + d)),
        "Ps": (-1.0 / (bg + d), -(0.5 * log_m + log_n) / (bg + d)),
        "NPs": (_FLAT, -(log_m + log_n) / (2.0 * bg + d)),
    }
    return Lines(_TREE, lines)


def log_budget(epsilon: ArrayLike) -> Array:
    """Return log ε for ε in [0, inf], with a large number for an infinite budget."""
    with np.errstate(divide="ignore"):
        return np.minimum(np.log(checked("epsilon", epsilon, zero=True, infinite=True)), _FAR)


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
    found = terms(n, m, n0, gamma=gamma, beta=beta, d=d)
    return np.asarray(np.take(LABELS, found.codes(log_budget(epsilon))))


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
    found = terms(n, m, n0, gamma=gamma, beta=beta, d=d)
    with np.errstate(all="ignore"):
        pooled, target = np.log(m) + np.log(n), np.log(n0)
        star = ((2.0 * beta + d) * pooled / target - d) / (2.0 * beta)
        # Without a source or a target there is no exponent at which they are alike.
        star = star if np.isfinite(pooled) and np.isfinite(target) else math.nan
        ends = {k: float(np.exp(at)) for k, at in log_ends(found).items()}
    return Endpoints(gamma_star=float(star), **ends)


def log_ends(found: Lines) -> dict[str, Array]:
    """Return the logs of the budgets in `Endpoints`, nan where a line is missing."""
    # Parallel lines that rounding makes meet somewhere far off have no such end.
    parallel = found.lines["Pt"][0] == found.lines["Ps"][0]
    return {
        "eps1": np.fmin(np.fmin(found.meeting("1", "Pt"), found.meeting("1", "Ps")), np.inf),
        "eps2": found.meeting("Pt", "NPt"),
        "eps3": found.meeting("Ps", "NPs"),
        "eps11": np.where(parallel, np.nan, found.meeting("Pt", "Ps")),
        "eps21": found.meeting("NPt", "Ps"),
        "epsX": found.meeting("Pt", "NPs"),
    }


def printed_eps21(n: ArrayLike, m: ArrayLike, n0: ArrayLike, **shape: ArrayLike) -> Array:
    r"""Return eps21 as Corollary 3.2 prints it, n0^((βγ+d)/(β+d)) / (sqrt(m) n).

    It is not where NPt = Ps: there the denominator is 2β + d.

    >>> float(printed_eps21(1e4, 100, 1e5, gamma=1.2, beta=0.5, d=2).round(4))
    1.5849

    Source: [ACC] Corollary 3.2, item 4.
    """
    with np.errstate(over="ignore"):
        return np.asarray(np.exp(log_printed_eps21(terms(n, m, n0, **shape))))


def log_printed_eps21(found: Lines) -> Array:
    """Return its log: there Ps is what Pt, and not NPt, is at the budget 1."""
    (slope, sources), (_, target) = found.lines["Ps"], found.lines["Pt"]
    with np.errstate(invalid="ignore"):
        at = (target - sources) / slope
    return np.where(np.isfinite(target) & np.isfinite(sources), at, np.nan)


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

    It holds for any sizes, inside n <= n0 <= mn or not.

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

    Source: [ACC] eq. (4); Table 1 with its corrections is `rates.maps.table_one`.
    """
    found = terms(n, m, n0, gamma=gamma, beta=beta, d=d, ratio=ratio)
    rows = found.intervals(0.0, float(checked("upper", upper, infinite=True)))
    return tuple(Regime(lo=row.lo, hi=row.hi, rate=row.label) for row in rows)


@dataclass(frozen=True, slots=True, kw_only=True)
class Succession:
    """The order in which terms decide as the budget grows.

    Attributes:
        rates: The labels.
        sides: "T" for the target, "S" for the sources, neighbours joined, "1" left out.
        re_entrant: Whether a side comes back after the other one has decided.
    """

    rates: tuple[str, ...]
    sides: str
    re_entrant: bool


def sequence(n: float, m: float, n0: float, **case: float) -> Succession:
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
    return Succession(rates=rates, sides=sides, re_entrant=len(sides) > len(set(sides)))


# Maps ---------------------------------------------------------------------------------------------

Regions = dict[str, tuple[Polygon, ...]]


def gamma_regions(
    n: float, m: float, n0: float, *, gamma: ArrayLike, low: float, high: float = 1.0, **case: float
) -> Regions:
    """Return, per label, the polygons of the map of (budget, signal exponent).

    Args:
        n: Records per source, any real >= 0.
        m: Number of sources, any real >= 0.
        n0: Records of the target, any real >= 0.
        gamma: Heights of the rows, positive; they are sorted. More rows are added where the
            order of labels changes.
        low: Left end of the map, > 0.
        high: Right end.
        **case: What else `terms` takes.

    Returns:
        Polygons by label, x the budget, y the height. They cover [low, high] times the
        range of y without overlap. Edges are exact at every row and straight in between, to
        1e-4 of the width.

    Raises:
        DomainError: An argument lies outside its domain.

    >>> found = gamma_regions(1e4, 100, 8e4, gamma=[0.5, 2, 3], beta=0.5, d=2, low=1e-6)
    >>> {label: len(polygons) for label, polygons in found.items()}
    {'1': 1, 'Pt': 1, 'NPt': 1, 'Ps': 2, 'NPs': 1}

    Source: [ACC] eq. (4), Figure 1.
    """
    x = Axis(low=low, high=high)

    def cells(heights: Array) -> tuple[Array, Codes]:
        return terms(n, m, n0, gamma=heights, **case).cells(*x.span)

    return join_rows(cells, gamma, LABELS, x=x, log_y=False)
