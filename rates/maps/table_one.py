r"""[ACC] Table 1 as printed, in two readings, and corrected; and Corollary 3.3.

The first row of the printed table has three cells for four columns. Reading A lets its last
cell, NPs, span the columns (eps2, eps3] and (eps3, 1], as the text below the corollary does;
reading B lets {Pt, Ps} span (eps1, eps2] and (eps2, eps3]. Neither holds: the cell (eps2, eps3]
of the first row has to be that of the second.

The claims of `rates.orders` say the same cell by cell, and prove or refute it.
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates import pieces
from rates.maps.phases import LABELS, checked, log_budget, log_ends, log_printed_eps21, terms
from rates.numbers import DomainError
from rates.pieces import TIE, Array, Axis, Codes, Lines, Polygon, Tree

Reading = Literal["A", "B", "corrected"]
Row = tuple[tuple[str, ...], ...]

# A row from left to right: a term, and the ends up to which it decides, the first of them.
_TARGET: Row = (("Pt", "eps2", "eps11"), ("Ps", "eps2"))
_SOURCES: Row = (("Ps", "eps2", "eps11"), ("Pt", "eps2"))
_THIRD: Row = (("NPt", "eps3", "eps21"), ("Ps", "eps3"), ("NPs",))
_FIRST: dict[Reading, Row] = {  # γ up to 1
    "A": (*_TARGET, ("NPs",)),
    "B": (("Pt", "eps3", "eps11"), ("Ps", "eps3"), ("NPs",)),
    "corrected": (*_TARGET, *_THIRD),
}
_SECOND: Row = (*_SOURCES, *_THIRD)  # γ in (1, γ*]
_LAST: Row = (*_SOURCES, ("NPt",))


def checked_reading(reading: str) -> Reading:
    """Return the name of a reading, or raise `DomainError`."""
    if reading not in ("A", "B", "corrected"):
        raise DomainError('reading must be "A", "B" or "corrected".', "reading", reading)
    return reading  # type: ignore[return-value]


def reading_ends(found: Lines, reading: Reading, printed_eps21: bool) -> dict[str, Array]:
    """Return the logs of the ends that a reading uses."""
    ends = log_ends(found)
    (steep, target), (slope, sources) = found.lines["Pt"], found.lines["Ps"]
    with np.errstate(invalid="ignore"):
        # Where γ = 1 one of Pt and Ps is the larger up to eps2; if they tie, corrected, Pt is.
        tie = TIE * np.maximum(1.0, np.abs(target))
        first = target - sources < (tie if reading == "corrected" else -tie)
    ends["eps11"] = np.where(
        steep == slope, np.where(first, ends["eps2"], ends["eps1"]), ends["eps11"]
    )
    if reading != "corrected" and printed_eps21:
        ends["eps21"] = log_printed_eps21(found)
    return ends


def table_codes(found: Lines, x: Array, reading: Reading, printed_eps21: bool) -> Codes:
    """Return what a reading says at log budgets x, as indices in `LABELS`."""
    ends = reading_ends(found, reading, printed_eps21)

    def says(row: Row) -> Codes:
        upto = [np.logical_and.reduce([x <= ends[end] for end in cell[1:]]) for cell in row[:-1]]
        names = [np.int16(LABELS.index(term)) for term, *_ in row]
        return np.select(np.broadcast_arrays(*upto), names[:-1], names[-1])

    (steep, _), (slope, _) = found.lines["Pt"], found.lines["Ps"]
    weak = found.lines["NPs"][1] <= found.lines["NPt"][1]  # γ up to γ*
    rows = np.where(
        slope <= steep, says(_FIRST[reading]), np.where(weak, says(_SECOND), says(_LAST))
    )
    return np.asarray(np.where(x <= ends["eps1"], np.int16(0), rows))


def wrong_cells(
    found: Lines, reading: Reading, printed_eps21: bool, low: float, high: float
) -> tuple[Array, Codes]:
    """Return the edges of cells, and by cell the labels of a reading and of (4) as one code.

    It is -1 where the reading is right: where terms tie, the label of either is.
    """
    meet = pieces.crossings(*found.stacked)  # all ends but one that is no crossing
    other = np.broadcast_to(log_printed_eps21(found), meet.shape[:-1])
    cells = pieces.cut(np.concatenate([meet, other[..., None]], axis=-1), low, high)
    column = found.column()
    printed = table_codes(column, cells.middles, reading, printed_eps21)
    truth = column.codes(cells.middles)
    wrong = (printed != truth) & ~_decides(column, cells.middles, printed)
    both = np.where(wrong, len(LABELS) * printed + truth, np.int16(-1))
    return cells.edges, pieces.settle(both, cells.thin)


def _decides(found: Lines, x: Array, codes: Codes) -> NDArray[np.bool_]:
    """Say whether each label is its side's larger term and its side decides, ties included."""
    one, *four = found.at(x)
    target, sources = np.maximum(*four[:2]), np.maximum(*four[2:])
    value = np.choose(codes, [one, *four])
    side = np.choose(codes, [one, target, target, sources, sources])
    rate = np.minimum(0.0, np.minimum(target, sources))
    tie = TIE * np.maximum(1.0, np.abs(rate))
    return np.asarray((np.abs(value - rate) <= tie) & (np.abs(side - rate) <= tie))


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement:
    """An interval (lo, hi] of budgets on which a reading of Table 1 is wrong.

    Attributes:
        lo: Lower end, excluded.
        hi: Upper end.
        printed: The reading's label.
        truth: The label of the minimum of (4).
    """

    lo: float
    hi: float
    printed: str
    truth: str


def disagreement(
    n: float, m: float, n0: float, *, reading: Reading, printed_eps21: bool = True, **shape: float
) -> tuple[Disagreement, ...]:
    """Return where in (0, 1] a reading of Table 1 names a term that does not decide (4).

    Examples:
        >>> case = dict(gamma=1.2, beta=0.5, d=2)
        >>> for row in disagreement(1e4, 100, 1e5, reading="A", **case):
        ...     print(f"{row.lo:.4f} to {row.hi:.4f}: {row.printed}, not {row.truth}")
        0.2154 to 0.7499: NPt, not Ps

    Source: [ACC] Table 1 against eq. (4).
    """
    found = terms(n, m, n0, **shape)
    edges, both = wrong_cells(found, checked_reading(reading), printed_eps21, -np.inf, 0.0)
    # Both labels are one code, so that a change of either ends a row.
    rows = [row for row in pieces.joined(edges, both, 0.0, 1.0) if row[-1] >= 0]
    pairs = [divmod(code, len(LABELS)) for *_, code in rows]
    return tuple(
        Disagreement(lo=lo, hi=hi, printed=LABELS[printed], truth=LABELS[truth])
        for (lo, hi, _), (printed, truth) in zip(rows, pairs, strict=True)
    )


def disagreement_regions(
    n: float, m: float, n0: float, *, gamma: ArrayLike, reading: Reading, low: float, **shape: float
) -> tuple[Polygon, ...]:
    """Return the part of the (budget, exponent) map on which a printed reading is wrong.

    Args:
        n: Records per source, > 0.
        m: Number of sources, > 0.
        n0: Records of the target, > 0.
        gamma: Signal exponents, the rows of the map; more are added at changes.
        reading: "A" or "B".
        low: Left end of the map; the right end is 1, where the paper's map stops.
        **shape: beta and d.

    Examples:
        >>> wrong = disagreement_regions(
        ...     1e4, 100, 1e5, gamma=[1.1, 1.2, 1.3], beta=0.5, d=2, reading="A", low=1e-6
        ... )
        >>> len(wrong), round(float(wrong[0].x.max()), 3)
        (1, 0.862)

    Source: [ACC] Table 1 against eq. (4).
    """
    name, axis = checked_reading(reading), Axis(low=low, high=1.0)

    def table(heights: Array) -> tuple[Array, Codes]:
        found = terms(n, m, n0, gamma=heights, **shape)
        edges, both = wrong_cells(found, name, True, *axis.span)
        return edges, (both >= 0).astype(np.int16)

    return pieces.join_rows(table, gamma, ("right", "wrong"), x=axis)["wrong"]


PUBLIC = "public"
_TREE: Tree = ("min", (0, 1, ("max", (2, 3)), ("max", (4, 5))))  # at ties the first one wins


def summands(n0: ArrayLike, n1: ArrayLike, n2: ArrayLike, **shape: ArrayLike) -> Lines:
    r"""Return the logs of r by each summand of Corollary 3.3 as lines in log ε.

    A target and a source under one budget, and a source without any: server 1 is unprotected,
    servers 0 (the target) and 2 have the budget ε, and both sources have the signal exponent γ.
    With k = 2βγ + d the rate in terms of r is min(1, r)^(β(1+α)),

    .. math::
        r^{-1} = A_t + n_1^{1/k} + A_2, \quad
        A_t = n_0^{\frac{1}{2\beta+d}} \wedge (n_0\varepsilon)^{\frac{1}{\beta+d}}, \quad
        A_2 = n_2^{\frac{1}{k}} \wedge (n_2\varepsilon)^{\frac{1}{\beta\gamma+d}},

    whatever the sample sizes are. The corollary's three cases say which summand is the largest;
    case 3 is printed to leave server 1 at the budget from which privacy no longer matters, which
    does not involve n_1.

    Labels are those of (4), with s for server 2, and "public" for server 1.

    Raises:
        DomainError: An argument lies outside its domain.
    """
    four = terms(n2, 1.0, n0, **shape)
    one, *lines = four.lines.items()
    # A source alone without a budget has the sampling term of (4), whatever the target.
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
