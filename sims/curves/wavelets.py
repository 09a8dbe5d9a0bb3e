r"""Wavelet bases of [0, 1]: values, functions of coefficients and suprema.

The interface (everything else in `sims.curves.cells`, `sims.curves.functions`
builds on it):

- ``Basis(family=, moments=, dimension=)``: K orthonormal functions psi_1, ..., psi_K, in order of
  place from 0 to 1: the translates sqrt(K) phi(K x - m) of the scaling function, periodised
  ("periodic", "haar") or replaced by N edge functions at each end ("boundary").
- ``evaluate(basis, x)``: (n, K). ``synthesise(basis, theta, x)``: sum_k theta_k psi_k(x).
- ``supremum(basis)``: sup_x sqrt(K(x, x)). ``point_supremum(basis, at)``: sup_x |K(at, x)|. The
  sensitivities of a site's coefficients are 2 clip / n times these (one record replaced).

Why K may be any whole number: the span of psi_1, ..., psi_K is the space V_K of functions at
scale 1/K. For K = 2^J it is the paper's space of levels up to J - 1, and `decompose` of
`sims.curves.cells` is the orthogonal change to its basis by levels; norms of coefficient vectors,
sensitivities and the law of independent noise are the same in both. For other K the spaces are not
nested, which no estimator of a fixed resolution needs; steps of powers of two disappear.

Accuracy: x is read as a multiple of 2^-52, rounded down (1 as the last one). There the
values are exact up to rounding (about 1e-14 sqrt(K); edge functions to 1e-12 sqrt(K)).
A function costs O(n (2N - 1)) operations over data, independently of K.
`sims.curves.cells` bins data to a grid instead, with its own exact sensitivities: use it for many
servers, many replicates and exact risk.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rates.numbers import DomainError, Parameter
from sims.curves.cascade import MAX_DIMENSION as MOST
from sims.curves.cascade import MOMENTS, filters, largest, positions, values
from sims.engine import Array

Family = Literal["haar", "periodic", "boundary"]
FAMILIES: tuple[Family, ...] = ("haar", "periodic", "boundary")

DIMENSION = Parameter(
    "dimension",
    "K",
    f"1, ..., {MOST}",
    help="How many basis functions the estimate uses: its resolution is 1/K. "
    "More functions follow more detail, and each one carries noise.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """An orthonormal basis of the functions of resolution 1/K on [0, 1].

    Attributes:
        family: "haar" (steps), "periodic" (Daubechies, ends glued) or "boundary" (edge functions
            of Cohen, Daubechies and Vial: polynomials of degree below N on all of [0, 1]).
        moments: Vanishing moments N, 1 to 6; 1 for "haar".
        dimension: K, 1 to 4096; at least 2N for "boundary" with N > 1.

    Raises:
        DomainError: A field lies outside its set.

    >>> Basis(family="boundary", moments=2, dimension=3)
    Traceback (most recent call last):
        ...
    rates.DomainError: Edge functions need dimension >= 4. Basis, field dimension: got 3.
    """

    family: Family
    moments: int
    dimension: int

    def __post_init__(self) -> None:
        least = least_dimension(self.family, self.moments)
        object.__setattr__(self, "moments", int(MOMENTS.check(self.moments, "Basis")))
        dimension = int(DIMENSION.check(self.dimension, "Basis"))
        if dimension < least:
            rule = f"Edge functions need dimension >= {least}."
            raise DomainError(rule, field="dimension", value=dimension, where="Basis")
        object.__setattr__(self, "dimension", dimension)

    @property
    def edges(self) -> int:
        """Edge functions at each end: N, or 0 where there are none."""
        return self.moments if self.family == "boundary" and self.moments > 1 else 0

    @property
    def support(self) -> int:
        """Translates that are not zero at a point: S = 2N - 1."""
        return 2 * self.moments - 1

    @property
    def translates(self) -> int:
        """Translates of phi that touch [0, 1], cut off or glued; `fold` makes K of them."""
        return self.dimension + (self.support - 1 if self.edges else 0)


def least_dimension(family: Family, moments: int) -> int:
    """Return the smallest dimension of a family: 2N with edge functions, else 1.

    >>> least_dimension("boundary", 3), least_dimension("periodic", 3)
    (6, 1)
    """
    if family not in FAMILIES:
        rule = f"The family must be one of {', '.join(FAMILIES)}."
        raise DomainError(rule, field="family", value=family, where="Basis")
    N = int(MOMENTS.check(moments, "Basis"))
    if family == "haar" and N != 1:
        rule = "The Haar basis has 1 vanishing moment."
        raise DomainError(rule, field="moments", value=N, where="Basis")
    return 2 * N if family == "boundary" and N > 1 else 1


def evaluate(basis: Basis, x: ArrayLike) -> Array:
    """Return psi_k(x_i), shape (n, K).

    >>> haar = Basis(family="haar", moments=1, dimension=4)
    >>> evaluate(haar, [0.3, 1.0]).tolist()
    [[0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 0.0, 2.0]]

    Raises:
        DomainError: A point is not in [0, 1].

    Source: [CCV] Section 2.1; Cohen, Daubechies and Vial (1993), Section 4.
    """
    column, value = _touched(basis, x)
    out = np.zeros((len(column), basis.translates))
    np.add.at(out, (np.arange(len(column))[:, None], column), value)
    return fold(basis, out)


def synthesise(basis: Basis, theta: ArrayLike, x: ArrayLike) -> Array:
    """Return sum_k theta_k psi_k(x_i), shape (..., n) for theta of shape (..., K).

    >>> b = Basis(family="boundary", moments=2, dimension=8)
    >>> line, other = evaluate(b, [0.3, 0.4])  # the first is K(0.3, .)
    >>> bool(np.isclose(synthesise(b, line, [0.4])[0], line @ other))
    True
    """
    raw = unfold(basis, np.asarray(theta, float))
    column, value = _touched(basis, x)
    return np.asarray(np.einsum("...ns,ns->...n", raw[..., column], value))


def supremum(basis: Basis) -> float:
    r"""Return the certified sup over x of sqrt(sum_k psi_k(x)^2), at most 1e-7 of it too large.

    All basis functions take part: edge functions and whole translates, and so, for K = 2^J,
    the father functions and all levels below J.

    >>> round(supremum(Basis(family="periodic", moments=2, dimension=32)) ** 2 / 32, 6)
    2.0
    """
    S = basis.support
    # From K = 2S + 1 on there is a cell that neither edge reaches: more are the same.
    # Periodic cells are all alike; below K = S a translate meets itself around the circle.
    K = min(basis.dimension, 2 * S + 1 if basis.edges else S)
    return math.sqrt(basis.dimension) * _scaled_supremum(basis.family, basis.moments, K)


@lru_cache(maxsize=256)
def _scaled_supremum(family: Family, moments: int, K: int) -> float:
    small = Basis(family=family, moments=moments, dimension=K)
    cells = np.arange(K if small.edges else 1)
    identity = fold(small, np.eye(small.translates))  # row: translate, column: function
    columns = _column(small, cells[:, None], np.arange(small.support))
    return largest(moments, identity[columns].transpose(0, 2, 1))


def point_supremum(basis: Basis, at: float) -> float:
    """Return the certified sup over x of |K(at, x)|, at most 1e-7 of it too large.

    >>> point_supremum(Basis(family="haar", moments=1, dimension=16), 0.5)
    16.0
    """
    raw = unfold(basis, evaluate(basis, [at])[0])
    forms = raw[_column(basis, np.arange(basis.dimension)[:, None], np.arange(basis.support))]
    touched = np.abs(forms).max(axis=1) > 0.0
    return math.sqrt(basis.dimension) * largest(basis.moments, forms[touched, None, :])


def fold(basis: Basis, raw: Array) -> Array:
    """Return the K functions' numbers from those of the translates, (..., T) to (..., K)."""
    if not basis.edges:
        return raw
    f, K, S, N = filters(basis.moments), basis.dimension, basis.support, basis.edges
    left = raw[..., :S] @ f.left.T
    right = raw[..., K - 1 :][..., ::-1] @ f.right.T
    return np.concatenate([left, raw[..., S : S + K - 2 * N], right[..., ::-1]], axis=-1)


def unfold(basis: Basis, theta: Array) -> Array:
    """Return the translates' weights from those of the functions: the transpose of `fold`."""
    if not basis.edges:
        return theta
    f, K, N = filters(basis.moments), basis.dimension, basis.edges
    left = theta[..., :N] @ f.left
    right = (theta[..., K - N :][..., ::-1] @ f.right)[..., ::-1]
    return np.concatenate([left, theta[..., N : K - N], right], axis=-1)


def _touched(basis: Basis, x: ArrayLike) -> tuple[NDArray[np.int64], Array]:
    """Return columns and values, (n, S) each, of the translates that a point meets."""
    cell, digits = positions(x, basis.dimension)
    shifts = np.arange(basis.support)
    value = math.sqrt(basis.dimension) * values(basis.moments, digits)
    return _column(basis, cell[:, None], shifts), value


def _column(basis: Basis, cell: NDArray[np.int64], shift: int | NDArray) -> NDArray[np.int64]:
    """Return the column of the translate m = cell - shift."""
    if basis.edges:
        return np.asarray(cell - shift + basis.support - 1)
    return np.asarray((cell - shift) % basis.dimension)
