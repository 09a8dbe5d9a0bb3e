"""A study's balance equations as values: by the rate equation, or by a named mechanism."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rates.answer.mechanism import BY_EQUATION, Lens, constants, noise_multipliers
from rates.numbers import Terms, at_root, log0, solve_log
from rates.study import Study, columns

Array = NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)  # no slots: the roots are kept once found
class Equation:
    """A balance equation, or a grid of them, with what turns its root u = log r into an answer.

    Attributes:
        terms: The equation.
        worth_power: The effective sample is exp(log_worth - worth_power u); a number, or an array
            that broadcasts against the roots.
        log_worth: The log of its constant; one for each constant of a mechanism if there are more.
        rate_power: The rate is exp(rate_power u), uncapped.
        budget_power: -d log(noise multiplier)/d log ε_j; 1 unless calibrated exactly.
    """

    terms: Terms
    worth_power: Any
    log_worth: Any
    rate_power: float
    budget_power: Array | float = 1.0

    def effective_n(self, u: Array) -> Array:
        """Effective sample size at u = log r; 0 where nothing carries information."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.log_worth - self.worth_power * u))

    @cached_property
    def roots(self) -> Array:
        """The roots, log r."""
        return solve_log(self.terms)

    def worth(self, out: NDArray[np.bool_] | None = None) -> Array:
        """Effective records at the roots, without the rows of ``out``."""
        return self.effective_n(self.roots if out is None else solve_log(self.terms[..., ~out]))

    def times(self, log_count: Array) -> Equation:
        """The same with every row counted as often as said, by the log."""
        return replace(self, terms=self.terms.times(log_count))

    @property
    def shares(self) -> Array:
        """Each row's part of the equation at its root; 0 without information."""
        u = self.roots
        level, _ = at_root(self.terms, np.where(np.isinf(u), 0.0, u))
        return np.where(np.isinf(u)[..., None], 0.0, np.exp(level))


def equation(
    study: Study,
    lens: Lens = BY_EQUATION,
    *,
    log_budget: Array | None = None,
    kappas: Sequence[float] = (),
) -> Equation:
    """Return the rate equation of one risk, or that of a named mechanism.

    Args:
        study: A study.
        lens: Which risk, by which answer.
        log_budget: Instead of the study's own budgets, their logs (the logs of
            1/noise multiplier for Gaussian noise); leading axes make a grid.
        kappas: Bandwidths of the mechanism in place of the lens's, along the axis before the last;
            the rate equation and a curve have one only.

    Raises:
        DomainError: The study has no such risk, or the mechanism needs a delta that is missing.
    """
    risk = lens.risk_of(study)
    powers, logs = study.powers(risk), [(0.0, 0.0)]
    budget_power: Array | float = 1.0
    if lens.mechanism is not None:
        if log_budget is None and risk != "pointwise":  # there the noise is Laplace's
            noise, budget_power = noise_multipliers(study.servers, lens.mechanism, study.printed)
            log_budget = -log0(noise)
        widths = lens.at_widths(study, kappas) if kappas else (lens,)
        logs = [constants(study, risk, by) for by in widths]
    every = np.array(logs).T
    log_sample, log_private = every[..., None] if kappas else every[:, 0]
    if kappas and log_budget is not None and log_budget.ndim > 1:
        log_budget = log_budget[..., None, :]
    return Equation(
        terms=study.terms(
            risk,
            log_budget=log_budget,
            log_sample=log_sample,
            log_private=log_private,
            smooth=lens.mechanism is not None,
        ),
        worth_power=powers.worth,
        log_worth=-every[0] if kappas else -float(every[0, 0]),
        rate_power=powers.rate,
        budget_power=budget_power,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteTerm:
    """One row of the rate equation with its numbers filled in.

    Attributes:
        name: The site.
        sample: What its sample allows: n_j (CCV: n_j D).
        privacy: What its privacy allows: n_j² ε_j² r^d (CCV: n_j² ε_j²); ``inf`` unprotected.
        factor: What the smaller of both is multiplied by, count included.
        term: The row's term.
    """

    name: str
    sample: float
    privacy: float
    factor: float
    term: float


def site_terms(study: Study, risk: str) -> tuple[SiteTerm, ...]:
    """Return the rate equation at its root, row by row; empty without information.

    >>> from rates.presets import preset
    >>> rows = site_terms(preset("hospitals").study, "classification")
    >>> round(rows[0].sample), round(rows[0].privacy, 1), round(sum(row.term for row in rows), 9)
    (142, 197.5, 1.0)

    Source: [ACC] eq. (5); [CCV] eq. (6).
    """
    terms = equation(study, Lens(risk=risk)).terms
    u = float(solve_log(terms))
    if math.isinf(u):
        return ()
    level, gap = at_root(terms, u)
    c = columns(study.servers)
    shift = 0.0 if study.kind == "transfer" else -u
    log_sample = log0(c["n"]) + shift
    with np.errstate(invalid="ignore", over="ignore"):
        sample, privacy = np.exp(log_sample), np.exp(log_sample + gap)
        least = np.minimum(log_sample, np.where(np.isnan(gap), np.inf, log_sample + gap))
        factor = np.exp(level - least)
        if study.kind == "federated":  # its left side is D^(2g+2), not 1
            factor = c["count"]
    term = factor * np.exp(least)
    return tuple(
        SiteTerm(name=s.name, sample=a, privacy=b, factor=f, term=t)
        for s, a, b, f, t in zip(
            study.servers,
            sample.tolist(),
            np.nan_to_num(privacy, nan=0.0, posinf=np.inf).tolist(),
            np.nan_to_num(factor).tolist(),
            np.nan_to_num(term).tolist(),
            strict=True,
        )
    )
