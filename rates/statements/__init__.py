"""The ledger: what the five papers print, with its verdicts and derivations; and the words used."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from rates.statements import verdicts
from rates.statements.covered import Section, coverage
from rates.statements.formless import FORMLESS
from rates.statements.ledger import (
    ALGEBRA, ARGUED, BLIND, BROKEN, CATEGORIES, CONCLUSION, CONTRADICTED, DECIDED, DROPPED,
    Evaluation, KINDS, NOT_REPRODUCED, PAPERS, REFUTED, SUPPORTED, Statement, TESTED, UNSHOWN,
    UNTESTABLE, evaluate, statement, statements,
)
from rates.statements.reviewed import decisions
from rates.statements.verdicts import StoredVerdict, main, stored

if TYPE_CHECKING:
    from rates.statements import certified
    from rates.statements.symbolic import derive


def __getattr__(name: str) -> Any:
    if name == "certified":
        return import_module("rates.statements.certified")  # on demand: it needs mpmath
    if name != "derive":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rates.statements.symbolic import derive  # on demand: the derivations are many

    return derive
