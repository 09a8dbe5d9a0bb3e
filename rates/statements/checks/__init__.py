"""The numerical tests behind the ledger: for each statement, draws from its domain and a gap.

One folder per paper; each of its modules holds one mapping `CHECKS` from a short name to a `Check`,
which a claim names as ``"paper_module.name"``. A check knows two forms of its statement, as printed
and in our reading, and measures both with the same ruler, so exchanging the forms exchanges the
verdicts.
"""

from rates.statements.checks.base import Check, find, measure
