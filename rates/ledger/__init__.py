"""The ledger: what the papers print, as claims that are checked as they are shown."""

from typing import TYPE_CHECKING

from rates.ledger.judging import (
    ARGUED, COMPUTED, CONTRADICTED, DECIDED, FAILS, NOT_SEEN, SURVIVES, UNTESTABLE,
    Verdict, check, complaints,
)
from rates.ledger.claim import Claim, Outcome, read_claim
from rates.ledger.texts import (
    CATEGORIES, CONCLUSION, FORMS, NOT_REPRODUCED, PAPERS, Entry, Form, Section, entries,
    entries_of, entry, sections,
)
from rates.ledger.papers import Paper, Term, glossary, papers, term

if TYPE_CHECKING:  # whole modules, on demand: some of them need mpmath, or load the engines
    from rates.ledger import editions, figures, review, shown, verdicts
