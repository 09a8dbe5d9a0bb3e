"""Formal claims: one object from which LaTeX, checks on draws and certificates all come."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rates.formal.book import claims
from rates.formal.claim import Claim, Range, Relation, Where
from rates.formal.mutants import tally

if TYPE_CHECKING:
    from rates.formal import certify, verify


def __getattr__(name: str) -> Any:
    if name not in ("certify", "verify"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return import_module(f"rates.formal.{name}")  # on demand: they need mpmath
