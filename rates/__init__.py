"""Rates of differentially private learning across sites: the theory, as plain functions."""

from __future__ import annotations

from typing import overload

from rates import federated as _federated
from rates import transfer as _transfer
from rates.answers import FederatedAnswer, TransferAnswer
from rates.calibrated import calibrated
from rates.federated import solve_D
from rates.inverse import Unreachable, smallest
from rates.planning import (
    Offer,
    best_next,
    cheapest,
    levers,
    needed,
    saturation,
    site_values,
    versus,
    worth,
)
from rates.regimes import endpoints, governing, regimes
from rates.scenario import DomainError, FederatedStudy, Server, TransferStudy
from rates.transfer import solve_r

__all__ = [
    "DomainError",
    "FederatedStudy",
    "Offer",
    "Server",
    "TransferStudy",
    "Unreachable",
    "best_next",
    "calibrated",
    "cheapest",
    "endpoints",
    "governing",
    "levers",
    "needed",
    "regimes",
    "saturation",
    "site_values",
    "smallest",
    "solve",
    "solve_D",
    "solve_r",
    "versus",
    "worth",
]


@overload
def solve(study: TransferStudy) -> TransferAnswer: ...


@overload
def solve(study: FederatedStudy) -> FederatedAnswer: ...


def solve(study: TransferStudy | FederatedStudy) -> TransferAnswer | FederatedAnswer:
    """Solve a study's rate equation; see `rates.transfer.solve` and `rates.federated.solve`."""
    if isinstance(study, TransferStudy):
        return _transfer.solve(study)
    if isinstance(study, FederatedStudy):
        return _federated.solve(study)
    raise TypeError(f"solve takes a TransferStudy or a FederatedStudy, got {type(study).__name__}.")
