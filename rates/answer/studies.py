"""Solve either kind of study, by the rate equation or by a named mechanism."""

from __future__ import annotations

from typing import overload

from rates.answer import federated, transfer
from rates.answer.lens import BY_EQUATION, DEFAULT_SERIES, Lens, SeriesConstants
from rates.answer.records import FederatedAnswer, RiskAnswer, TransferAnswer
from rates.numbers import Mechanism, check_mechanism
from rates.study import FederatedStudy, Study, TransferStudy


@overload
def solve(study: TransferStudy, lens: Lens = ...) -> TransferAnswer: ...


@overload
def solve(study: FederatedStudy, lens: Lens = ...) -> FederatedAnswer: ...


def solve(study: Study, lens: Lens = BY_EQUATION) -> TransferAnswer | FederatedAnswer:
    """Solve a study's rate equation, by `transfer.solve` or `federated.solve`."""
    if not isinstance(study, Study):
        got = type(study).__name__
        raise TypeError(f"solve takes a TransferStudy or a FederatedStudy, got {got}.")
    return federated.solve(study, lens) if study.target is None else transfer.solve(study, lens)


def solve_risk(study: Study, lens: Lens) -> TransferAnswer | RiskAnswer:
    """Solve one risk of a study."""
    return federated.risk(study, lens) if study.target is None else transfer.solve(study, lens)


@overload
def calibrated(
    study: TransferStudy,
    *,
    mechanism: Mechanism = ...,
    kappa: float = ...,
    series: SeriesConstants = ...,
) -> TransferAnswer: ...


@overload
def calibrated(
    study: FederatedStudy,
    *,
    mechanism: Mechanism = ...,
    kappa: float = ...,
    series: SeriesConstants = ...,
) -> FederatedAnswer: ...


def calibrated(
    study: Study,
    *,
    mechanism: Mechanism = "analytic",
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

        >>> from rates.study import Server
        >>> lone = Server(name="target", n=5000, epsilon=float("inf"))
        >>> study = TransferStudy(target=lone, smoothness=0.5, dimension=2, margin=1)
        >>> round(calibrated(study, kappa=3).effective_n, 6)
        5000.0

    Source: [ACC] eqs. (7)-(9), (12); [CCV] Section 3 with 4 c_A in Lemma 3.3; exact
    calibration after Balle and Wang (2018).
    """
    check_mechanism(mechanism)
    return solve(study, Lens(mechanism=mechanism, kappa=kappa, series=series))
