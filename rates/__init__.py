"""Rates of differentially private learning across sites: the theory, as plain functions.

Read `numbers`, `study` and `answer` first, then `plan`, `maps`, `decision`; `orders` reads rates.
"""

from typing import TYPE_CHECKING, Any

from rates.answer import calibrated, solve, solve_D, solve_r
from rates.numbers import DomainError, to_frame
from rates.study import FederatedStudy, Server, TransferStudy, codec
from rates.version import __version__

if TYPE_CHECKING:
    from rates import orders
    from rates.decision import Decision, decide
    from rates.maps import endpoints, governing, regimes
    from rates.plan import Unreachable, smallest
    from rates.plan import Offer, best_next, cheapest, levers, needed

__all__ = [
    "Decision", "DomainError", "FederatedStudy", "Offer", "Server", "TransferStudy",
    "Unreachable", "__version__", "best_next", "calibrated", "cheapest", "codec", "decide",
    "endpoints", "governing", "levers", "needed", "regimes", "smallest",
    "solve", "solve_D", "solve_r", "to_frame",
]
_ON_DEMAND = ("maps", "plan", "orders")  # each takes its time to load; orders needs sympy


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _ON_DEMAND:
        return import_module(f"rates.{name}")
    if name in __all__:
        rooms = {"decide": "decision", "Decision": "decision"}
        rooms |= dict.fromkeys(("endpoints", "governing", "regimes"), "maps")
        room = rooms.get(name, "plan")
        return getattr(import_module(f"rates.{room}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
