"""The ledger of [KS]: verdicts, counterexamples, and that a broken engine shows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.hybrid import needs as hybrid
from rates.hybrid import privacy as hybrid_privacy
from rates.statements.checks.ks import sizes as ks_sizes
from rates.statements.ledger import CONTRADICTED, SUPPORTED, evaluate, statement, statements_of

LEDGER = statements_of("KS")


def test_every_numbered_place_of_the_paper_has_a_record():
    text = " ".join(item.id for item in LEDGER)
    for name in (
        *("Thm3.1", "Lem3.2", "Eq2", "Claim4.1", "Thm4.2", "Eq3", "Thm4.3", "Cor4.4"),
        *("Alg1", "Alg4", "PropB.1", "ClaimB.2", "CorB.3", "AppA", "AppC", "AppD"),
    ):
        assert f"KS:{name}:" in text
    assert len(LEDGER) >= 40
    assert all(item.pages == ("hybrid",) for item in LEDGER)


# A broken engine or check is seen ---------------------------------------------------------------


def words_of(name: str) -> str:
    item = statement(name)
    return evaluate(item, number=60).of(item.used).words


@pytest.mark.parametrize(
    ("name", "module", "function", "factor"),
    [
        ("KS:Claim4.1:step", hybrid_privacy, "step_epsilon", 0.99),
        ("KS:Thm4.2:privacy", hybrid, "records_for", 0.1),
        ("KS:Thm4.3:rounds", hybrid, "iterations", 0.6),
        ("KS:Sec2:users", hybrid, "users_enough", 0.3),
        ("KS:Cor4.4:domination", hybrid, "chi_square_records", 30.0),
    ],
)
def test_a_broken_engine_is_seen(monkeypatch, name: str, module, function: str, factor: float):
    assert words_of(name) in SUPPORTED
    right = getattr(module, function)
    monkeypatch.setattr(module, function, lambda *a, **k: factor * right(*a, **k))
    assert words_of(name) in CONTRADICTED


def test_the_projection_without_its_cut_is_seen(monkeypatch):
    from rates.statements.checks.ks import privacy as ks_privacy

    def uncut(log_weights, density):
        w = np.exp(log_weights - log_weights.max())
        return density * len(w) * w / w.sum()

    monkeypatch.setattr(ks_privacy, "project", uncut)
    assert words_of("KS:Eq2:projection") in CONTRADICTED


def test_binomial_tails_by_hand():
    chances = [math.comb(7, k) * 0.3**k * 0.7 ** (7 - k) for k in range(8)]
    for k in range(8):
        assert float(ks_sizes.at_most(k, 7, 0.3)) == pytest.approx(sum(chances[: k + 1]))
    assert float(ks_sizes.at_most(-1, 7, 0.3)) == 0.0


def test_the_regret_games_can_be_lost():
    """With no allowance for learning the bound fails, so the games do test it."""
    free = [ks_sizes._regret_of(0.1, 200, float(s), None) + 0.1 * 200 / 8 for s in range(5)]
    assert all(math.isfinite(x) for x in free)
    paid = ks_sizes._regret_of(0.1, 200, 3.0, None)
    assert paid < 0
