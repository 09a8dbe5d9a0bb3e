r"""Classification worlds whose Bayes risk, smoothness, margin and cell averages are exact.

A world is the law of one record on [0,1]^d x {0,1}: uniform covariates and the signal
f(x) = η0(x) - 1/2. A source with signal exponent γ has the signal sgn(f) |f|^γ, cut to
[-1/2, 1/2]. All integrals over cells are closed forms, so an experiment on a mesh draws
exactly from the law of covariates rounded to that mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from rates.numbers import SIGNAL_EXPONENT, DomainError
from rates.study import Server, TransferStudy
from sims.engine import Array


@dataclass(frozen=True, slots=True, kw_only=True)
class Cusp:
    r"""The asymmetric cusp: the signal changes sign at x_1 = 1/2 with two different slopes.

    .. math:: f(x) = A u^\beta \ (u \ge 0), \qquad f(x) = -B (-u)^\beta \ (u < 0),
        \qquad u = x_1 - 1/2.

    With A different from B the sign change is biased by smoothing, so no choice of
    bandwidth beats the rate; a symmetric signal would hide that.

    Attributes:
        smoothness: β in (0, 1].
        right: A, positive, with A 2^-β at most 1/2.
        left: B, likewise.
        dimension: d, 1 or 2; in two dimensions the signal depends on x_1 alone.

    >>> world = Cusp()
    >>> world.margin, round(world.bayes_risk, 6)
    (1.0, 0.35)
    """

    smoothness: float = 1.0
    right: float = 0.9
    left: float = 0.3
    dimension: int = 1

    @property
    def title(self) -> str:
        """Name for people."""
        return f"Asymmetric cusp, d = {self.dimension}, β = {self.smoothness:g}"

    @property
    def margin(self) -> float:
        """Margin α = 1/β."""
        return 1.0 / self.smoothness

    @property
    def bayes_risk(self) -> float:
        """1/2 - E|f|."""
        power = self.smoothness + 1.0
        return float(0.5 - (self.right + self.left) * 0.5**power / power)

    def signal(self, x: Array, gamma: float = 1.0) -> Array:
        """f_S(x) for points x of shape (..., d)."""
        u = np.asarray(x)[..., 0] - 0.5
        slope = np.where(u >= 0, self.right, self.left)
        size = (slope * np.abs(u) ** self.smoothness) ** _gamma(gamma)
        return np.asarray(np.where(u >= 0, 1.0, -1.0) * np.minimum(size, 0.5))

    def averages(self, edges: Sequence[Array], gamma: float = 1.0) -> Array:
        """Exact averages of f_S over the cells between edges, one sequence per axis.

        In two dimensions the second axis has length 1: the signal does not depend on it.
        """
        cuts = np.asarray(edges[0], float)
        out = _within(np.diff(self._primitive(cuts, _gamma(gamma))) / np.diff(cuts))
        return np.asarray(out if self.dimension == 1 else out[:, None])

    def loss(self, edges: Sequence[Array]) -> Array:
        """The excess risk of deciding a cell wrongly: integral of |2η0 - 1| over the cell.

        Raises:
            DomainError: A cell lies across x_1 = 1/2, where the right decision changes.
        """
        cuts = np.asarray(edges[0], float)
        if ((cuts[:-1] < 0.5) & (cuts[1:] > 0.5)).any():
            raise DomainError("A cell lies across x_1 = 1/2.", field="edges")
        out = 2.0 * np.abs(np.diff(self._primitive(cuts, 1.0)))
        return np.asarray(out if self.dimension == 1 else out[:, None] * np.diff(edges[1]))

    def _primitive(self, x: Array, gamma: float) -> Array:
        """The integral of f_S from 1/2 to x, an even-shaped function with its own two slopes."""
        u = np.abs(x - 0.5)
        slope = np.where(x >= 0.5, self.right, self.left)
        power = self.smoothness * gamma
        full = (0.5 ** (1.0 / gamma) / slope) ** (1.0 / self.smoothness)  # f_S is 1/2 from here
        inner = np.minimum(u, full)
        out = slope**gamma * inner ** (power + 1.0) / (power + 1.0) + 0.5 * (u - inner)
        return np.asarray(out)


@dataclass(frozen=True, slots=True, kw_only=True)
class Quadrants:
    r"""The two-dimensional design of [ACC]: the signal changes sign between quadrants.

    .. math:: f(x) = \mathrm{sgn}(uv)\, \min(|uv|^{1/4}, 1/2), \qquad
        u = x_1 - 1/2, \; v = x_2 - 1/2.

    The margin condition holds for every α below 4 and fails at 4 by a logarithm. The signal
    is symmetric about its boundary and has heavy tails, so no sample size that can be
    simulated shows the asymptotic rate: use it for accuracies, not for slopes.

    Attributes:
        title: Name for people.
        dimension: The number d of covariates.
        smoothness: Hölder smoothness β.
        margin: The least upper bound 4 of the α for which the margin condition holds.

    >>> round(1 - Quadrants().bayes_risk, 4)
    0.9203

    Source: [ACC] Section 6.1.1.
    """

    title: ClassVar = "Quadrants of the paper, d = 2, β = 1/4"
    dimension: ClassVar = 2
    smoothness: ClassVar = 0.25
    margin: ClassVar = 4.0

    @property
    def bayes_risk(self) -> float:
        """1/2 - E|f|."""
        return 0.5 - 4.0 * float(_product_primitive(np.asarray(0.25), 0.25))

    def signal(self, x: Array, gamma: float = 1.0) -> Array:
        """f_S(x) for points x of shape (..., 2)."""
        product = (np.asarray(x)[..., 0] - 0.5) * (np.asarray(x)[..., 1] - 0.5)
        size = np.minimum(np.sqrt(np.sqrt(np.abs(product))), 0.5) ** _gamma(gamma)
        return np.asarray(np.copysign(np.minimum(size, 0.5), product))

    def averages(self, edges: Sequence[Array], gamma: float = 1.0) -> Array:
        """Exact averages of f_S over the cells between edges of both axes."""
        power = 0.25 * _gamma(gamma)
        # The primitive needs one power below one cut, and which of the two cuts binds depends on γ.
        if gamma >= 1.0:  # the cut is that of f: a constant (1/2)^gamma beyond |uv| = 1/16
            return self._cells(edges, power, 1.0 / 16.0)
        return self._cells(edges, power, 0.5 ** (1.0 / power))

    def loss(self, edges: Sequence[Array]) -> Array:
        """The excess risk of deciding a cell wrongly: integral of |2η0 - 1| over the cell.

        Raises:
            DomainError: A cell lies across an axis of the quadrants.
        """
        for cuts in edges:
            if ((cuts[:-1] < 0.5) & (cuts[1:] > 0.5)).any():
                raise DomainError("A cell lies across a boundary of the quadrants.", field="edges")
        area = np.multiply.outer(np.diff(edges[0]), np.diff(edges[1]))
        return np.asarray(2.0 * np.abs(self._cells(edges, 0.25, 1.0 / 16.0)) * area)

    @staticmethod
    def _cells(edges: Sequence[Array], power: float, cut: float) -> Array:
        """Averages of sgn(uv) min(|uv|, cut)^power, by differences of its primitive."""
        u, v = (np.asarray(e, float) - 0.5 for e in edges)
        # The integral over (0,u) x (0,v) of an odd-odd function is even in u and in v.
        whole = _product_primitive(np.abs(np.multiply.outer(u, v)), power, cut)
        area = np.multiply.outer(np.diff(u), np.diff(v))
        return _within(np.diff(np.diff(whole, axis=0), axis=1) / area)


World = Cusp | Quadrants


def study_on(world: World, servers: Sequence[Server]) -> TransferStudy:
    """Return the transfer study of servers, target first, with a world's own parameters."""
    return TransferStudy(
        target=servers[0],
        sources=tuple(servers[1:]),
        smoothness=world.smoothness,
        dimension=world.dimension,
        margin=world.margin,
    )


def _gamma(gamma: float) -> float:
    return SIGNAL_EXPONENT.check(gamma)


def _within(averages: Array) -> Array:
    """Undo rounding that would leave [-1/2, 1/2]."""
    return np.asarray(np.clip(averages, -0.5, 0.5))


def _product_primitive(product: Array, power: float, cut: float = 1.0 / 16.0) -> Array:
    """The integral of min(st, cut)^power over 0 < s < a, 0 < t < b; depends on ab alone.

    Below the cut it is (ab)^(p+1)/(p+1)^2. Above, integrate over t first: up to s = cut/b the
    power, beyond it the power up to t = cut/s and the constant from there.
    """
    inner = np.minimum(product, cut)
    q = power + 1.0
    ratio = np.maximum(product, cut) / cut
    corner = inner**q / q**2
    band = cut**q * ((1.0 / q - 1.0) * np.log(ratio) + ratio - 1.0)
    return np.asarray(corner + band)
