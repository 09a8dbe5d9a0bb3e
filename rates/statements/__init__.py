"""The ledger: what the five papers print, with its verdicts and derivations."""

from __future__ import annotations

from rates.statements import verdicts
from rates.statements.covered import Section, coverage
from rates.statements.ledger import (
    Evaluation, KINDS, PAPERS, PROVED, REFUTED, Statement, UNTESTABLE, evaluate, statement,
    statements,
)
from rates.statements.symbolic import derive
from rates.statements.verdicts import StoredVerdict, main, stored
