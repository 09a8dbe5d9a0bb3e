"""Rates of differentially private learning across sites: the theory, as plain functions."""

from __future__ import annotations

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
from rates.studies import solve
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
