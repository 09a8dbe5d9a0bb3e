"""Rates of differentially private learning across sites: the theory, as plain functions."""

from typing import Any

from rates.answer import calibrated, solve, solve_D, solve_r
from rates.plan import Unreachable, smallest
from rates.plan import (
    Offer, best_next, cheapest, levers, needed, saturation, site_values, versus, worth,
)
from rates.phases import endpoints, governing, regimes
from rates.numbers import DomainError
from rates.study import FederatedStudy, Server, TransferStudy
from rates.version import __version__

__all__ = [
    "DomainError", "FederatedStudy", "Offer", "Server", "TransferStudy", "Unreachable",
    "__version__", "best_next", "calibrated", "cheapest", "endpoints", "governing", "levers",
    "needed", "regimes", "saturation", "site_values", "smallest", "solve", "solve_D", "solve_r",
    "versus", "worth",
]


def __getattr__(name: str) -> Any:
    if name != "orders":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module("rates.orders")  # on demand: it needs sympy
