"""A study's balance equations as values: by the rate equation, or by a named mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.answer.lens import BY_EQUATION, Lens
from rates.answer.mechanism import constants, noise_multipliers
from rates.numbers import Terms, at_root, log0, solve_log
from rates.study import Study, columns

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """One balance equation with what turns its root u = log r into an answer.

    Attributes:
        terms: The equation.
        worth_power: The effective sample is exp(log_worth - worth_power u).
        log_worth: The log of its constant.
        rate_power: The rate is exp(rate_power u), uncapped.
        budget_power: -d log(noise multiplier)/d log ε_j; 1 unless calibrated exactly.
    """

    terms: Terms
    worth_power: float
    log_worth: float
    rate_power: float
    budget_power: Array | float = 1.0

    def effective_n(self, u: Array) -> Array:
        """Effective sample size at u = log r."""
        with np.errstate(over="ignore"):
            return np.asarray(np.exp(self.log_worth - self.worth_power * u))


def equation(
    study: Study, lens: Lens = BY_EQUATION, *, log_budget: Array | None = None
) -> Equation:
    """Return the rate equation of one risk, or that of a named mechanism.

    Args:
        study: A study.
        lens: Which risk, by which answer.
        log_budget: Instead of the study's own budgets, their logs (the logs of
            1/noise multiplier for Gaussian noise); leading axes make a grid.

    Raises:
        DomainError: The study has no such risk, or the mechanism needs a delta that is missing.
    """
    risk = lens.risk_of(study)
    powers, log_worth = study.powers(risk), 0.0
    budget_power: Array | float = 1.0
    if lens.mechanism is None:
        terms = study.terms(risk, log_budget=log_budget)
    else:
        if log_budget is None and risk != "pointwise":  # there the noise is Laplace's
            noise, budget_power = noise_multipliers(study.servers, lens.mechanism, study.printed)
            log_budget = -log0(noise)
        log_sample, log_private = constants(study, risk, lens)
        terms = study.terms(
            risk,
            log_budget=log_budget,
            log_sample=log_sample,
            log_private=log_private,
            smooth=True,
        )
        log_worth = -log_sample
    return Equation(
        terms=terms,
        worth_power=powers.worth,
        log_worth=log_worth,
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
