"""The numerical tests behind the ledger: for each statement, draws from its domain and a gap.

Each module of this package holds one mapping `CHECKS` from a short name to a `Check`; a claim
names its check as ``"module.name"``. A check knows two forms of its statement, as printed and in
our reading, and measures both with the same ruler, so exchanging the forms exchanges the verdicts.
"""

from __future__ import annotations

import importlib
from typing import cast

from rates.statements.checks.base import FORMS, Check, Draws, Form, Outcome, measure

MODULES: tuple[str, ...] = (
    "acc_adaptive",
    "acc_design",
    "acc_equation",
    "acc_homogeneous",
    "acc_kernel",
    "acc_public",
    "acc_rates",
    "acc_simulations",
    "acc_table",
    "bcmm_privacy",
    "bcmm_proofs",
    "bcmm_weights",
    "ccv_alike",
    "ccv_balance",
    "ccv_bounds",
    "ccv_series",
    "ccv_smoothness",
    "ccv_unequal",
    "dplr_design",
    "dplr_privacy",
    "dplr_surrogate",
    "ks_appendix",
    "ks_privacy",
    "ks_sizes",
)

__all__ = ["FORMS", "MODULES", "Check", "Draws", "Form", "Outcome", "find", "measure"]


def find(name: str) -> Check:
    """Return the check that a claim names as ``"module.name"``.

    Raises:
        KeyError: If there is no such module in `MODULES` or no such check in it.
    """
    module, _, check = name.partition(".")
    if module not in MODULES:
        raise KeyError(name)
    paper, _, file = module.partition("_")
    found = importlib.import_module(f"rates.statements.checks.{paper}.{file}")
    checks = cast("dict[str, Check]", found.CHECKS)
    return checks[check]
