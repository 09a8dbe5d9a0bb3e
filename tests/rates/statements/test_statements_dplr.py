"""The ledger of [DPLR]: verdicts, counterexamples, and that exchanged forms exchange them."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest

from rates.logistic.law import signal_variance
from rates.logistic.surrogate import meaning, record_sum
from rates.statements.checks.dplr import design, privacy, surrogate
from rates.statements.ledger import CONTRADICTED, evaluate, statement, statements_of

LEDGER = statements_of("DPLR")
TESTED = [item for item in LEDGER if item.check is not None]
CORRECTED = [item for item in TESTED if item.reading is not None]


def test_the_findings_have_a_record():
    names = {item.id.removeprefix("DPLR:") for item in LEDGER}
    assert names >= {
        "Alg1:unclipped",
        "Eq9:epsilon-of-scale",
        "Alg1:placement",
        "Alg1:second-release",
        "Alg1:penalty",
        "Eq13:square",
        "Eq9:indefinite",
        "Eq11:bias",
        "Eq11:floor",
        "Tab1:one-run",
        "Tab1:best",
        "Sec3.2:all-four",
        "Sec2.3:algorithm-free",
        "Sec3.3:gdpr",
    }
    placed = {int(k) for k in re.findall(r"DPLR:Eq(\d+):", " ".join(item.id for item in LEDGER))}
    assert placed == {3, 4, 5, 8, 9, 10, 11, 12, 13, 18}
    assert len(CORRECTED) >= 12


@pytest.mark.parametrize(
    ("module", "name", "wrong", "claim"),
    [
        (privacy, "refined_sensitivity", lambda p, R=1.0: 0.01, "DPLR:Eq8:sensitivity"),
        (privacy, "refined_sensitivity", lambda p, R=1.0: 1.0, "DPLR:Eq9:epsilon-of-scale"),
        (surrogate, "shrinkage", lambda v, law="normal": 0.3, "DPLR:Eq11:bias"),
        (surrogate, "shrinkage", lambda v, law="normal": 0.3, "DPLR:Eq11:floor"),
        (design, "best_accuracy", lambda v, law: 0.8, "DPLR:Tab1:best"),
    ],
)
def test_a_broken_engine_is_seen(monkeypatch, module, name, wrong, claim):
    monkeypatch.setattr(module, name, wrong)
    item = statement(claim)
    assert evaluate(item, number=60).of(item.used).words in CONTRADICTED


def test_the_numbers_in_the_words():
    """What the ledger's sentences state, computed."""
    assert round(meaning(0.1, dimension=50, radius=1, n=300, delta=1e-5).once) == 196
    assert record_sum(39.6) / 0.1 == pytest.approx(2160, abs=3)
    v = signal_variance(np.ones(10))
    assert v == pytest.approx(26.004, abs=1e-3)
    c = 4 / math.sqrt(2 * math.pi * (1 + v))
    assert round((1 - c) * math.sqrt(10), 2) == 2.19
    hits = [round(value * 3) for law in design.LAWS for value in design.TABLE[law]]
    text = " ".join(statement("DPLR:Tab1:one-run").proof)
    assert [int(k) for k in re.findall(r"\b2\d\d\b", text)] == hits
    assert surrogate._factor("t3", v) == pytest.approx(0.3001, abs=1e-4)


def test_the_check_at_a_moment_by_simulation():
    """The shrinkage by records, apart from both closed forms."""
    rng = np.random.default_rng(0)
    x = rng.standard_normal(400_000) * 2.0
    y = (x + rng.logistic(size=x.size) > 0).astype(float)
    fitted = 4 * np.mean(x * (y - 0.5)) / np.mean(x * x)
    assert surrogate._factor("logistic", 4.0) == pytest.approx(fitted, abs=0.01)
