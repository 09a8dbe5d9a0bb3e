"""What is not used daily loads when it is asked for, not by an import or a page's start."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.depth import deep_after
from tests.house.tree import ROOT

SLOW = {
    "rates, rates.study, rates.presets, rates.answer; "
    "rates.solve(rates.presets.preset('hospitals').study)": (
        *("rates.ledger", "scipy", "pandas", "sympy", "streamlit"),
    ),
    "rates.decision, rates.__main__": (
        *("importlib.metadata", "rates.orders", "rates.ledger", "scipy"),
    ),
    "rates.ledger.verdicts; rates.ledger.entries(); rates.ledger.verdicts.stored()": (
        *("rates.ledger.functions", "scipy.optimize", "sympy", "mpmath"),
    ),
    "pages.figures, rates.presets; study = rates.presets.preset('hospitals').study; "
    "[pages.figures.of(study, name) for name in pages.figures.FIGURES]": ("streamlit",),
    "pages.overview": ("pages.core.live", "pages.study.page", "scipy", "sims.calibration"),
    "pages.study.page, pages.plan.report": ("pages.core.live", "scipy", "sims.audit"),
    "pages.statements.page, pages.study.page, pages.core.live": ("rates.ledger.functions", "sympy"),
}


@pytest.mark.parametrize("what", deep_after(3, SLOW))
def test_an_import_leaves_the_slow_modules_alone(what: str) -> None:
    command = [sys.executable, "-c", f"import {what}; import sys; print(*sys.modules)"]
    done = subprocess.run(command, capture_output=True, cwd=ROOT, check=True, text=True)
    loaded = done.stdout.split()
    assert "rates" in loaded
    found = [name for name in loaded for slow in SLOW[what] if f"{name}.".startswith(f"{slow}.")]
    assert not found
