r"""The same equations for a named mechanism, with its constants and every delta.

The rate equations drop all constants, and can then say that privacy costs nothing where
a real mechanism loses a factor of three. So every answer is given a second time:

* transfer: kernel regression with the product triangular kernel on a uniform design, one
  joint Gaussian release per site, bandwidth h = kappa r. With A = (2/3)^d / 4 the variance
  at a point is V_j(h) = A/(n_j h^d) + (sigma/Delta)^2/(n_j h^d)^2, and r solves
  sum_j r^(2 beta gamma_j) / V_j(kappa r) = 1;
* federated: a series of K functions, V_j(K) = v K/n_j + b_j K^2/(n_j epsilon_j)^2, and
  D = K solves sum_j C K^(-2g) / V_j(K) = 1; Gaussian noise on all coefficients for the
  integrated risk, Laplace noise on the value for the risk at a point.

Two variances add where the rate equation takes the larger: its minimum becomes a harmonic
sum, and the same kernel solves it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rates import numbers
from rates.answer import federated, transfer
from rates.answer.lens import DEFAULT_SERIES, SeriesConstants
from rates.answer.records import Condition, FederatedAnswer, RiskAnswer, TransferAnswer, breakdown
from rates.study import FederatedStudy, Server, Study, TransferStudy, columns

Array = NDArray[np.float64]


@overload
def calibrated(
    study: TransferStudy,
    *,
    mechanism: numbers.Mechanism = ...,
    kappa: float = ...,
    series: SeriesConstants = ...,
) -> TransferAnswer: ...


@overload
def calibrated(
    study: FederatedStudy,
    *,
    mechanism: numbers.Mechanism = ...,
    kappa: float = ...,
    series: SeriesConstants = ...,
) -> FederatedAnswer: ...


def calibrated(
    study: Study,
    *,
    mechanism: numbers.Mechanism = "analytic",
    kappa: float = 2.0,
    series: SeriesConstants = DEFAULT_SERIES,
) -> TransferAnswer | FederatedAnswer:
    r"""Solve a study's equation for a named mechanism, constants and deltas included.

    Args:
        study: A study; every private row states its delta.
        mechanism: "printed" noise of the paper, or the exact "analytic" calibration.
        kappa: Bandwidth over r (transfer studies), positive.
        series: Constants of the series estimator (federated studies).

    Returns:
        The record of `rates.solve`, with the mechanism's name and constants as its scale.

    Raises:
        DomainError: A private row lacks delta, or an argument lies outside its domain.

    Examples:
        One unprotected target of n records is worth n, by this answer too.

        >>> lone = Server(name="target", n=5000, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=0.5, dimension=2, margin=1)
        >>> round(calibrated(study, kappa=3).effective_n, 6)
        5000.0

    Source: [ACC] eqs. (7)-(9), (12); [CCV] Section 3 with 4 c_A in Lemma 3.3; exact
    calibration after Balle and Wang (2018).
    """
    numbers.check_mechanism(mechanism)
    if isinstance(study, TransferStudy):
        return _transfer(study, mechanism, numbers.KAPPA.check(kappa))
    notes = federated.conditions(study, integrated := _integrated(study, mechanism, series))
    return FederatedAnswer(
        scale=_series_scale(mechanism, series),
        integrated=integrated,
        pointwise=calibrated_pointwise(study, series=series),
        notes=notes + _guarantee(study.servers, mechanism, numbers.CCV_PRINTED),
    )


def transfer_equation(
    study: TransferStudy, log_budget: Array, kappa: float
) -> tuple[numbers.Terms, float]:
    """Return the mechanism's equation and the log of the constant of its effective sample.

    Args:
        study: A transfer study.
        log_budget: -log(sigma/Delta) per row; ``inf`` unprotected, ``-inf`` nothing released.
        kappa: Bandwidth over r.
    """
    d = study.dimension
    log_a = math.log(0.25) + d * math.log(2.0 / 3.0)
    terms = transfer.rate_terms(
        study,
        log_budget=log_budget,
        log_sample=d * math.log(kappa) - log_a,
        log_private=2.0 * d * math.log(kappa),
        smooth=True,
    )
    return terms, log_a - d * math.log(kappa)


def series_equation(
    study: FederatedStudy, risk: str, log_budget: Array, series: SeriesConstants
) -> tuple[numbers.Terms, float]:
    """Return the series estimator's equation for one risk, as `transfer_equation` does.

    For the risk "pointwise" the budget is log(epsilon_j), as the noise is Laplace.
    """
    if risk == "integrated":
        g, log_noise = study.smoothness, 2 * math.log(2 * series.clip) + math.log(series.overlap)
    else:
        g = study.pointwise_smoothness
        log_noise = math.log(8.0) + 2.0 * math.log(series.clip * series.spike)
    log_bias = math.log(series.bias)
    log_sample = log_bias - math.log(series.variance)
    terms = federated.rate_terms(
        study,
        g,
        log_budget=log_budget,
        log_sample=log_sample,
        log_private=log_bias - log_noise,
        smooth=True,
    )
    return terms, -log_sample


def _transfer(study: TransferStudy, mechanism: numbers.Mechanism, kappa: float) -> TransferAnswer:
    log_budget, power = log_budgets(study.servers, mechanism, numbers.ACC_PRINTED)
    terms, log_worth = transfer_equation(study, log_budget, kappa)
    u = float(numbers.solve_log(terms))
    return transfer.answer(
        study,
        breakdown(terms, u, 1.0, power),
        u,
        scale=(
            f"mechanism: product triangular kernel, one {mechanism} Gaussian release per "
            f"site, bandwidth {kappa:g} r"
        ),
        bandwidth=min(1.0, kappa * math.exp(min(u, 700.0))),
        log_factor=None,
        notes=transfer.conditions(study, u)
        + _guarantee(study.servers, mechanism, numbers.ACC_PRINTED),
        log_worth=log_worth,
    )


def _integrated(
    study: FederatedStudy, mechanism: numbers.Mechanism, series: SeriesConstants
) -> RiskAnswer:
    log_budget, power = log_budgets(study.servers, mechanism, numbers.CCV_PRINTED)
    terms, log_worth = series_equation(study, "integrated", log_budget, series)
    return federated.risk(terms, study.smoothness, log_worth=log_worth, budget_power=power)


def calibrated_pointwise(
    study: FederatedStudy, *, series: SeriesConstants = DEFAULT_SERIES
) -> RiskAnswer:
    """Solve the pointwise equation for Laplace noise, which needs no delta.

    >>> study = FederatedStudy(servers=[Server(name="A", n=1000, epsilon=1)], smoothness=1)
    >>> calibrated_pointwise(study).limited_by
    ('privacy',)

    Source: [CCV] eqs. (15), (16) with the sensitivity doubled (see Lemma 3.3).
    """
    with np.errstate(divide="ignore"):
        log_budget = np.log(columns(study.servers)["epsilon"])
    terms, log_worth = series_equation(study, "pointwise", log_budget, series)
    return federated.risk(terms, study.pointwise_smoothness, log_worth=log_worth)


def log_budgets(
    servers: tuple[Server, ...], mechanism: numbers.Mechanism, printed: float
) -> tuple[Array, Array]:
    """Return -log(sigma/Delta) per row and its elasticity in log(epsilon)."""
    noise, power = noise_multipliers(servers, mechanism, printed)
    with np.errstate(divide="ignore"):
        return -np.log(noise), power


def offered_delta(study: Study) -> float:
    """Return a delta to offer where none is stated: 1e-6, or less in a large study.

    With it the sum of n_j delta_j, which the theorems ask to vanish, is at most 0.01, or as it is
    where the stated ones exceed that already; a larger study gets one digit, rounded down.

    >>> from rates.presets import preset
    >>> offered_delta(preset("hospitals").study)
    1e-06
    """
    private = [s for s in study.servers if s.private]
    if all(s.delta is not None for s in private):  # none is missing: one for all of them
        private = [replace(s, delta=None) for s in private]
    stated = sum(s.n * s.count * s.delta for s in private if s.delta is not None)
    total = sum(s.n * s.count for s in private if s.delta is None)
    if not total or (room := max(1e-4, 0.01 - stated) / total) >= 1e-6:
        return 1e-6
    step = 10.0 ** math.floor(math.log10(room))
    return float(f"{math.floor(room / step * (1 + 1e-12)) * step:.0e}")


def noise_factor(delta: float) -> float:
    """Return sqrt(2 log(2/delta)), by which delta multiplies the printed noise.

    >>> round(noise_factor(1e-6), 2)
    5.39

    Source: [ACC] eq. (9).
    """
    return math.sqrt(numbers.ACC_PRINTED * (math.log(2.0) - math.log(delta)))


def noise_multipliers(
    servers: tuple[Server, ...], mechanism: numbers.Mechanism, printed: float
) -> tuple[Array, Array]:
    """Return sigma/Delta per row and its elasticity in 1/epsilon.

    Unprotected rows get 0; rows that release nothing get ``inf``.

    Raises:
        DomainError: A private row lacks delta.
    """
    noise = np.array([0.0 if s.informative else math.inf for s in servers])
    power = np.ones(len(servers))
    private = np.array([s.private for s in servers], dtype=bool)
    for server in servers:
        if server.private and server.delta is None:
            rule = "The mechanism needs delta for every private row."
            where = f"Server {server.name!r}"
            raise numbers.DomainError(rule, "delta", numbers.Words("nothing"), where)
    if private.any():
        c = columns(servers)
        epsilon, delta = c["epsilon"][private], c["delta"][private]
        noise[private] = multipliers(epsilon, delta, mechanism, printed)
        if mechanism == "analytic":
            power[private] = numbers.budget_elasticity(epsilon, noise[private])
    return noise, power


def multipliers(
    epsilon: Array, delta: Array, mechanism: numbers.Mechanism, printed: float
) -> Array:
    """Return sigma/Delta for private budgets, exact or with the paper's constant."""
    if mechanism == "analytic":
        return numbers.analytic_multiplier(epsilon, delta)
    with np.errstate(over="ignore"):
        return numbers.printed_multiplier(epsilon, delta, printed)


def _guarantee(
    servers: tuple[Server, ...], mechanism: numbers.Mechanism, printed: float
) -> tuple[Condition, ...]:
    """Say whether the noise really is (epsilon, delta)-private at every row."""
    if mechanism == "analytic" or not any(s.private for s in servers):
        return ()
    noise, _ = noise_multipliers(servers, mechanism, printed)
    rows = [(s, float(x)) for s, x in zip(servers, noise, strict=True) if s.private]
    actual = numbers.delta_of([x for _, x in rows], [s.epsilon for s, _ in rows])
    over = [
        (s.name, d)
        for (s, _), d in zip(rows, actual.tolist(), strict=True)
        if s.delta is not None and d > s.delta * (1 + 1e-9)
    ]
    source = "[ACC] Prop. 4.1" if printed == numbers.ACC_PRINTED else "[CCV] Lemma 3.1"
    if not over:
        text = "The printed noise is (epsilon, delta)-private at every site (replace one record)."
        return (Condition(key="printed_noise", holds=True, text=text, source=source),)
    names = numbers.listed([name for name, _ in over])
    text = (
        f"The printed noise is not (epsilon, delta)-private at {names}: the actual "
        f"delta reaches {max(d for _, d in over):.3g}. Use the analytic calibration."
    )
    return (Condition(key="printed_noise", holds=False, text=text, source=source),)


def _series_scale(mechanism: numbers.Mechanism, c: SeriesConstants) -> str:
    return (
        f"mechanism: series estimator, {mechanism} Gaussian noise on the coefficients "
        f"(integrated), Laplace noise on the value (pointwise); q={c.overlap:g}, "
        f"s={c.spike:g}, tau={c.clip:g}, v={c.variance:g}, C={c.bias:g}"
    )
