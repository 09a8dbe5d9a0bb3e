"""A study's balance equations as values: by the rate equation, or by a named mechanism."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rates.answer import federated, transfer
from rates.answer.lens import BY_EQUATION, Lens
from rates.answer.mechanism import log_budgets, series_equation, transfer_equation
from rates.numbers import ACC_PRINTED, CCV_PRINTED, Terms, at_root, solve_log
from rates.study import FederatedStudy, Study, TransferStudy, columns

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True)
class Equation:
    """One balance equation with what turns its root u = log r into an answer.

    Attributes:
        terms: The equation.
        worth_power: The effective sample is exp(log_worth - worth_power u).
        log_worth: The log of its constant.
        rate_power: The rate is exp(rate_power u), uncapped.
    """

    terms: Terms
    worth_power: float
    log_worth: float
    rate_power: float

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
    risk, mechanism = lens.risk_of(study), lens.mechanism
    if isinstance(study, TransferStudy):
        worth, power = 2.0 * study.smoothness + study.dimension, transfer.rate_power(study)
        if mechanism is None:
            terms, log_worth = transfer.rate_terms(study, log_budget=log_budget), 0.0
        else:
            budget = log_budget
            if budget is None:
                budget = log_budgets(study.servers, mechanism, ACC_PRINTED)[0]
            terms, log_worth = transfer_equation(study, budget, lens.kappa)
        return Equation(terms=terms, worth_power=worth, log_worth=log_worth, rate_power=power)
    g = smoothness_of(study, risk)
    if mechanism is None:
        terms, log_worth = federated.rate_terms(study, g, log_budget=log_budget), 0.0
    else:
        budget = log_budget
        if budget is None and risk == "pointwise":
            budget = log0(columns(study.servers)["epsilon"])
        elif budget is None:
            budget = log_budgets(study.servers, mechanism, CCV_PRINTED)[0]
        terms, log_worth = series_equation(study, risk, budget, lens.series)
    return Equation(terms=terms, worth_power=2.0 * g + 1.0, log_worth=log_worth, rate_power=2.0 * g)


def smoothness_of(study: FederatedStudy, risk: str) -> float:
    """Return the g of one risk: α integrated, ν pointwise."""
    return study.smoothness if risk == "integrated" else study.pointwise_smoothness


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
    shift = 0.0 if isinstance(study, TransferStudy) else -u
    log_sample = log0(c["n"]) + shift
    with np.errstate(invalid="ignore", over="ignore"):
        sample, privacy = np.exp(log_sample), np.exp(log_sample + gap)
        least = np.minimum(log_sample, np.where(np.isnan(gap), np.inf, log_sample + gap))
        factor = np.exp(level - least)
        if isinstance(study, FederatedStudy):  # its left side is D^(2g+2), not 1
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


def log0(x: Array) -> Array:
    """Return log(x), minus infinity at 0, without a warning."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(x))
