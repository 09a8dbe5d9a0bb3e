r"""Many parameter values at once: both answers, and what privacy costs.

A point is one row of coordinates: beta (g for a federated study), the margin (1 for one), and the
gamma of every row of sites.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import Lens, equation
from rates.fit.ranges import Box
from rates.numbers import Mechanism, Terms, at_root, solve_log
from rates.study import Study

Array = NDArray[np.float64]
Index = NDArray[np.int64]

_TOGETHER = 6000  # numbers up to which both equations are solved in one call


class Problem:
    """One risk of a study by one answer, over ranges.

    Args:
        study: A study; its own smoothness, margin and signal exponents are not used.
        risk: "classification", "integrated" or "pointwise".
        ranges: Where its points lie.
        mechanism: None for the rate equation.
        kappas: Bandwidths over r of the mechanism (transfer studies).

    Attributes:
        low: Lowest value of every coordinate.
        high: The highest ones.

    Raises:
        DomainError: The mechanism needs a delta that is missing.
    """

    def __init__(
        self,
        study: Study,
        risk: str,
        ranges: Box,
        *,
        mechanism: Mechanism | None = None,
        kappas: Sequence[float] = (2.0,),
    ) -> None:
        self.risk, self.dimension = risk, float(ranges.dimension)
        smooth = ranges.smoothness
        if risk == "pointwise":
            (a, b), (p, q) = smooth, ranges.integrability
            smooth = a - 1.0 / p, b - 1.0 / q
        self.low, self.high = np.array([smooth, ranges.margin, *ranges.signal], dtype=float).T
        self.kappas = tuple(kappas) if mechanism and risk == "classification" else (2.0,)
        lenses = [Lens(risk=risk, mechanism=mechanism, kappa=k) for k in self.kappas]
        every = [equation(study, lens).terms for lens in lenses]
        self._own, self.smooth = every[0], every[0].smooth
        # Laid out: one line per bandwidth, the study's own budgets and none.
        shape = self._own.shape
        self._sample = np.stack([np.broadcast_to(t.log_sample, shape) for t in every])
        self._private = np.stack([np.broadcast_to(t.log_private, shape) for t in every])
        budget = np.broadcast_to(self._own.log_budget, shape)
        self._budgets = np.stack([budget, np.full(shape, np.inf)])[:, None]
        with np.errstate(invalid="ignore"):  # no records without protection come last
            self.apart = self._own.log_size + 2.0 * budget  # log of n_j eps_j^2, up to a constant

    def margin(self, x: Array) -> Array:
        """The margins of points; one beyond the cut alpha beta = d is lowered to it."""
        most = self.dimension / x[:, 0] if self.risk == "classification" else np.inf
        return np.minimum(x[:, 1], most)

    def _terms(self, x: Array, kappa: Index) -> Terms:
        """The equations with the slopes, and the bandwidth, of every point."""
        terms = self._own.changed(slope=2.0 * x[:, :1] * x[:, 2:] + self.dimension)
        if len(self.kappas) == 1:
            return terms
        return terms.changed(log_sample=self._sample[kappa], log_private=self._private[kappa])

    def roots(self, x: Array, kappa: Index) -> tuple[Array, Array]:
        """Return u and v, the logs of r (1/D) with and without privacy, at every point."""
        terms = self._terms(x, kappa)
        if x[:, 2:].size <= _TOGETHER:
            u, v = solve_log(terms.changed(log_budget=self._budgets))
            return u, v
        # Where nothing is private the smooth minimum is the sharp one, which is solved faster.
        free = replace(terms, log_budget=self._budgets[1], smooth=False)
        return solve_log(terms), solve_log(free)

    def log_rate(self, x: Array, kappa: Index) -> Array:
        """Return the log of the rate at every point, at most 0."""
        u = solve_log(self._terms(x, kappa))
        return np.minimum(x[:, 0] * (1.0 + self.margin(x)) * u, 0.0)

    def slopes(self, x: Array, kappa: Index) -> tuple[Array, Array, Array]:
        """Return u - v, and its derivatives in beta and in every gamma."""
        terms = self._terms(x, kappa).changed(log_budget=self._budgets)
        roots = solve_log(terms)
        level, branch = at_root(terms, roots)
        with np.errstate(over="ignore"):
            private = 1.0 / (1.0 + np.exp(branch)) if terms.smooth else branch <= 0.0
        share = np.exp(level)
        total = (share * (terms.slope + terms.step * private)).sum(axis=-1, keepdims=True)
        pull = -2.0 * roots[..., None] * share / total  # du / d(beta gamma_j)
        change = pull[0] - pull[1]
        return roots[0] - roots[1], (change * x[:, 2:]).sum(axis=-1), change * x[:, :1]
