r"""Many parameter values at once: both answers, and what privacy costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rates.answer import Lens, equation
from rates.fit.ranges import Box
from rates.numbers import Mechanism, Terms, at_root, solve_log
from rates.study import Study

Array = NDArray[np.float64]

_TOGETHER = 6000  # numbers up to which both equations are solved in one call


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """Many parameter values: arrays of one entry per point, one row of gammas per point.

    Attributes:
        smoothness: beta; g for a federated study.
        margin: alpha; 1 for a federated study.
        signal: gamma of every row.
        kappa: Which of the problem's bandwidths, counted from 0.
    """

    smoothness: Array
    margin: Array
    signal: Array
    kappa: NDArray[np.int64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """Answers at many points, natural logs.

    Attributes:
        log_r: Of r (1/D for a federated study), uncapped.
        log_free: The same with every site unprotected.
        log_rate: Of the rate, at most 0.
        log_kept: Of the fraction of the effective sample that privacy leaves.
        log_cost: Of the error over the error without privacy, both uncapped.
    """

    log_r: Array
    log_free: Array
    log_rate: Array
    log_kept: Array
    log_cost: Array


class Problem:
    """One risk of a study by one answer, ready to be solved at many parameter values.

    Args:
        study: A study; its own smoothness, margin and signal exponents are not used.
        risk: "classification", "integrated" or "pointwise".
        mechanism: None for the rate equation.
        kappas: Bandwidths over r of the mechanism (transfer studies).

    Raises:
        DomainError: The mechanism needs a delta that is missing.
    """

    def __init__(
        self,
        study: Study,
        risk: str,
        *,
        mechanism: Mechanism | None = None,
        kappas: Sequence[float] = (2.0,),
    ) -> None:
        self.risk = risk
        self.kappas = tuple(kappas) if mechanism and risk == "classification" else (2.0,)
        lenses = [Lens(risk=risk, mechanism=mechanism, kappa=k) for k in self.kappas]
        own = [equation(study, lens).terms for lens in lenses]
        free = [equation(study.unprotected(), lens).terms for lens in lenses]
        self.dimension = float(study.dimension)
        # Laid out: one line per bandwidth, the study's own budgets and none.
        shape = np.broadcast_shapes(own[0].log_size.shape, own[0].log_budget.shape)
        self.smooth = own[0].smooth
        self._own = own
        lines = [t.log_sample for t in own], [t.log_private for t in own]
        self._sample, self._private = (
            np.stack([np.broadcast_to(x, shape) for x in line]) for line in lines
        )
        budgets = [np.broadcast_to(t[0].log_budget, shape) for t in (own, free)]
        self._budgets = np.stack(budgets)[:, None, :]
        with np.errstate(invalid="ignore"):
            # Log of n_j eps_j^2 of every row up to a constant, one line per bandwidth.
            both = [_branches(t) for t in own]
            self.apart = np.stack([np.where(np.isneginf(a), -np.inf, b - a) for a, b in both])

    def _terms(self, at: Points) -> Terms:
        """The equations with the slopes, and the bandwidth, of every point."""
        slope = 2.0 * at.smoothness[:, None] * at.signal + self.dimension
        if len(self.kappas) == 1:
            return self._own[0].changed(slope=slope)
        kappa = at.kappa
        return self._own[0].changed(
            slope=slope, log_sample=self._sample[kappa], log_private=self._private[kappa]
        )

    def roots(self, at: Points) -> tuple[Array, Array]:
        """Return u and v, the logs of r with and without privacy."""
        terms = self._terms(at)
        if at.signal.size <= _TOGETHER:
            u, v = solve_log(terms.changed(log_budget=self._budgets))
            return u, v
        # Where nothing is private the smooth minimum is the sharp one, which is solved faster.
        free = replace(terms, log_budget=self._budgets[1], smooth=False)
        return solve_log(terms), solve_log(free)

    def solve(self, at: Points) -> Answers:
        """Solve both equations at every point."""
        u, v = self.roots(at)
        power = at.smoothness * (1.0 + at.margin)
        return Answers(
            log_r=u,
            log_free=v,
            log_rate=np.minimum(power * u, 0.0),
            log_kept=-(2.0 * at.smoothness + self.dimension) * (u - v),
            log_cost=power * (u - v),
        )

    def slopes(self, at: Points) -> tuple[Array, Array, Array]:
        """Return u - v, and its derivatives in beta and in every gamma."""
        terms = self._terms(at).changed(log_budget=self._budgets)
        roots = solve_log(terms)
        level, branch = at_root(terms, roots)
        with np.errstate(over="ignore"):
            private = 1.0 / (1.0 + np.exp(branch)) if terms.smooth else branch <= 0.0
        share = np.exp(level)
        total = (share * (terms.slope + terms.step * private)).sum(axis=-1, keepdims=True)
        pull = -2.0 * roots[..., None] * share / total  # du / d(beta gamma_j)
        change = pull[0] - pull[1]
        by_gamma = change * at.smoothness[:, None]
        return roots[0] - roots[1], (change * at.signal).sum(axis=-1), by_gamma


def _branches(terms: Terms) -> tuple[Array, Array]:
    """Logs of what the samples and what the budgets allow, one entry per row."""
    sample = terms.log_size + terms.log_sample
    with np.errstate(invalid="ignore"):
        private = 2.0 * (terms.log_size + terms.log_budget) + terms.log_private
    return sample, np.where(np.isneginf(sample), -np.inf, private)


def bounds(ranges: Box, risk: str) -> tuple[Array, Array]:
    """Ends of every coordinate: smoothness (g for a federated study), margin, gammas."""
    smooth = list(ranges.smoothness)
    if risk == "pointwise":
        smooth = [a - 1.0 / p for a, p in zip(smooth, ranges.integrability, strict=True)]
    table = np.array([smooth, ranges.margin, *ranges.signal], dtype=float)
    return table[:, 0], table[:, 1]


def points(x: Array, ranges: Box, risk: str, kappa: NDArray[np.int64] | int = 0) -> Points:
    """Read coordinates as points; a margin beyond the cut alpha beta = d is lowered to it."""
    margin = x[:, 1]
    if risk == "classification":
        margin = np.minimum(margin, ranges.dimension / x[:, 0])
    index = np.broadcast_to(np.asarray(kappa, dtype=np.int64), (len(x),))
    return Points(smoothness=x[:, 0], margin=margin, signal=x[:, 2:], kappa=index)
