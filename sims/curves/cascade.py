r"""The scaling function: its filters, its values at any point, the largest of a form of them.

Filters were computed once to 40 digits; they are kept as a table and read as doubles. N vanishing
moments, scaling function phi on [0, S], S = 2N - 1, extremal phase. The edge functions of the half
line are sums of translates cut off at the end.

**Values** come by the refinement equation alone.

Write v(u) = (phi(u), phi(u + 1), ..., phi(u + S - 1)) for 0 <= u < 1. With the first binary
digit d of u, v(u) = T_d v(2u - d), T_d[s, j] = sqrt(2) h_(2s + d - j). A point with finitely
many digits therefore has an exact value: a product of matrices times v(0). Points are read
as multiples of 2^-52 (`positions`), where multiplication by the dimension is exact in whole
numbers; so no interpolation and no rounding of the argument enter, which matters because
phi is rough: for N = 2 a shift of 1e-16 moves it by up to about 1e-8.

**The largest value** of |M v(u)| over 0 <= u <= 1 is certified by branch and bound on digits.

After r digits v(u) = P v(u') with P a product of digit matrices, and u' in [0, 1]. Columns of
P sum to 1 and entries of v sum to 1, so for the node P v(0)

.. math:: |M v(u)| \le |M P v(0)| + \sum_s |M P e_s - M P v(0)|\, \rho_s,
    \qquad \rho_s = \sup_u |v_s(u) - v_s(0)|.

Cells whose bound is within 1e-7 of a value already met are dropped, the others are halved.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError, Parameter
from sims.engine import Array

BITS = 52  # points are multiples of 2^-52
BLOCK = 13  # digits per tabulated product
MAX_DIMENSION = 2 ** (64 - BITS)  # the product with a point must fit in 64 bits
TOLERANCE = 1e-7  # relative distance of an upper bound from the value met
SLACK = 1e-12  # rounding of the bounds, relative
_CHUNK = 2**14
_FIRST = 4  # digits before any cell is dropped

MOMENTS = Parameter(
    "moments",
    "N",
    "1, ..., 6",
    help="How smooth the wavelets are: polynomials of degree below this number are reproduced "
    "exactly. 1 is the Haar basis of steps. The curve's smoothness should be below it.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filters:
    """All that defines one family.

    Attributes:
        moments: N, 1 to 6.
        low: h, 2N taps, sum sqrt(2): phi(x) = sqrt(2) sum_p h_p phi(2x - p).
        integers: phi(0), ..., phi(S - 1).
        unit_integrals: Integrals of phi over [s, s + 1].
        left: Edge functions at 0, (N, S): function k is the sum of translates -(S-1)..0, cut off
            at the end, with these weights. Its support is [0, N + k].
        right: Those at 1, seen from that end.
    """

    moments: int
    low: Array
    integers: Array
    unit_integrals: Array
    left: Array
    right: Array

    @property
    def support(self) -> int:
        """Length S = 2N - 1 of the support of phi."""
        return 2 * self.moments - 1


@cache
def _table() -> dict[str, Any]:
    text = files("sims.curves").joinpath("wavelet_filters.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text)["moments"]
    return data


@cache
def filters(moments: int) -> Filters:
    """Return the filters with this number of vanishing moments, rounded to doubles.

    >>> filters(2).low.round(4).tolist()
    [0.483, 0.8365, 0.2241, -0.1294]

    Raises:
        DomainError: ``moments`` is not a whole number from 1 to 6.

    Source: Daubechies (1988); Cohen, Daubechies and Vial (1993), Section 4.
    """
    N = int(MOMENTS.check(moments))
    parts = {name: np.array(part, float) for name, part in _table()[str(N)].items()}
    for part in parts.values():
        part.flags.writeable = False
    return Filters(moments=N, **parts)


# Values -----------------------------------------------------------------------------------------

Whole = NDArray[np.uint64]


@cache
def digit_matrices(moments: int) -> Array:
    """Return T_0 and T_1, shape (2, S, S); every column sums to 1.

    >>> digit_matrices(2).sum(axis=1).round(12).tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]
    """
    f = filters(moments)
    S = f.support
    bit, s, j = np.ogrid[0:2, 0:S, 0:S]
    tap = 2 * s + bit - j
    inside = (tap >= 0) & (tap <= S)
    T = np.where(inside, np.sqrt(2.0) * f.low[np.clip(tap, 0, S)], 0.0)
    return np.asarray(T / T.sum(axis=1, keepdims=True))  # their last rounding


@cache
def block_products(moments: int, digits: int = BLOCK) -> Array:
    """Return T_(d1) ... T_(dr) for every string of r digits, shape (2^r, S, S)."""
    T = digit_matrices(moments)
    out = np.eye(T.shape[1])[None]
    for _ in range(digits):
        out = np.concatenate([T[0] @ out, T[1] @ out])
    return out


def refined(moments: int, start: Array, digits: int) -> Array:
    """Return products of r digits times ``start``, shape (2^r, S).

    From v(0) these are the values at the multiples of 2^-r; from the integrals of v they are
    its means over the cells of width 2^-r.
    """
    T = digit_matrices(moments)
    out = start[None]
    for _ in range(digits):
        out = np.concatenate([out @ T[0].T, out @ T[1].T])
    return out


def positions(x: ArrayLike, dimension: int) -> tuple[NDArray[np.int64], Whole]:
    """Return cell and position of K x: whole part c and binary digits of the fraction.

    x is rounded down to a multiple of 2^-52, 1 to the last of them; K times it is exact.

    Raises:
        DomainError: A point is not a number from 0 to 1.

    >>> cell, digits = positions([0.3, 1.0], 3)
    >>> cell.tolist(), (digits / 2**52).round(3).tolist()
    ([0, 2], [0.9, 1.0])
    """
    points = np.asarray(x, float).ravel()
    ok = (points >= 0.0) & (points <= 1.0)
    if not ok.all():
        raise DomainError("A point must lie in [0, 1].", field="x", value=float(points[~ok][0]))
    grid = np.minimum(np.floor(points * 2.0**BITS), 2.0**BITS - 1.0).astype(np.uint64)
    grid *= np.uint64(dimension)
    cell = (grid >> np.uint64(BITS)).astype(np.int64)
    return cell, grid & np.uint64(2**BITS - 1)


def values(moments: int, digits: Whole) -> Array:
    """Return v(u), shape (n, S), at u = digits 2^-52.

    >>> values(2, np.array([0], np.uint64)).round(4).tolist()  # phi at 0, 1, 2
    [[0.0, 1.366, -0.366]]

    Source: Daubechies and Lagarias (1992), the local form of the refinement equation.
    """
    f = filters(moments)
    if moments == 1:
        return np.ones((len(digits), 1))
    P = block_products(moments)
    tail = P @ f.integers
    out = np.empty((len(digits), f.support))
    mask = np.uint64(2**BLOCK - 1)
    for first in range(0, len(digits), _CHUNK):
        part = digits[first : first + _CHUNK]
        at = [(part >> np.uint64(k)) & mask for k in range(0, BITS, BLOCK)]
        v = tail[at[0]]
        for index in at[1:]:
            v = np.einsum("nij,nj->ni", P[index], v)
        out[first : first + _CHUNK] = v
    return out


@cache
def wavelet_supremum(moments: int) -> float:
    """Return the largest absolute value of the mother wavelet, on a grid of 1/1024.

    >>> [round(wavelet_supremum(N), 2) for N in (1, 2, 4)]
    [1.0, 1.73, 1.36]
    """
    f, half = filters(moments), 2**9
    phi = refined(moments, f.integers, 9).T.ravel()  # at multiples of 1/512
    psi = np.zeros(2 * len(phi))
    sign = np.where(np.arange(2 * moments) % 2, -1.0, 1.0)
    for p, tap in enumerate(sign * f.low[::-1]):  # psi(x) = sqrt(2) sum_p g_p phi(2x - p)
        psi[p * half : p * half + len(phi)] += np.sqrt(2.0) * tap * phi
    return round(float(np.abs(psi).max()), 12)


@cache
def antiderivative(moments: int, digits: int) -> Array:
    """Return the integral of phi from 0 to i 2^-r, i = 0..S 2^r.

    >>> antiderivative(1, 2).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    f = filters(moments)
    whole = np.concatenate([[0.0], np.cumsum(f.unit_integrals)])
    for r in range(digits):
        S, step = f.support, 2**r
        fine = np.zeros(2 * S * step + 1)
        for p, tap in enumerate(f.low):  # Phi(x) = sum_p h_p Phi(2x - p) / sqrt(2)
            shifted = np.arange(2 * S * step + 1) - p * step
            fine += tap / np.sqrt(2.0) * whole[np.clip(shifted, 0, S * step)]
        whole = fine
    return whole


# The largest value ------------------------------------------------------------------------------


@cache
def spread(moments: int) -> Array:
    r"""Return certified bounds rho_s of \|phi(u + s) - phi(s)\| over 0 <= u <= 1.

    With D the largest differences at the nodes of depth 13 and E the largest absolute entries
    of the products less their nodes, rho <= D + E rho; phi being bounded, rho <= (1 - E)^-1 D.

    >>> spread(1).tolist()
    [0.0]
    """
    start = filters(moments).integers
    P = block_products(moments, BLOCK)
    nodes = P @ start
    D = np.abs(nodes - start).max(axis=0)
    E = np.abs(P - nodes[:, :, None]).max(axis=0) if moments > 1 else np.zeros((1, 1))
    rho = np.linalg.solve(np.eye(len(start)) - E, D)
    return np.asarray(rho * (1.0 + SLACK))


def largest(moments: int, forms: Array) -> float:
    r"""Return an upper bound of \|M v(u)\| over all u and forms, at most 1e-7 above the largest.

    Args:
        moments: N.
        forms: Matrices M, shape (forms, rows, S).

    >>> round(largest(2, np.eye(3)[None]), 6)  # phi(u)^2 + ... at u = 0 is 2
    1.414214
    """
    T = digit_matrices(moments)
    start, rho = filters(moments).integers, spread(moments)
    A, best, upper = forms, 0.0, 0.0
    for depth in range(BITS + 1):
        node = A @ start
        size = np.linalg.norm(node, axis=1)
        best = max(best, float(size.max()))
        if moments == 1:  # constant on every cell
            return best
        away = np.linalg.norm(A - node[:, :, None], axis=1)
        bound = (size + away @ rho) * (1.0 + SLACK)
        open_ = (bound > best * (1.0 + TOLERANCE)) | (depth < _FIRST)
        if not open_.any():
            return best * (1.0 + TOLERANCE)
        upper = max(best * (1.0 + TOLERANCE), float(bound.max()))
        A = np.concatenate([A[open_] @ T[0], A[open_] @ T[1]])
    return upper
