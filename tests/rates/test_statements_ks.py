"""The ledger of [KS]: verdicts, counterexamples, and that a broken engine shows."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates import hybrid, hybrid_privacy
from rates.checks import find, ks_sizes, measure
from rates.checks.base import Check, Form
from rates.statements import (
    PROVED,
    REFUTED,
    UNTESTABLE,
    Statement,
    evaluate,
    judge,
    statement,
    statements_of,
)
from rates.verdicts import of_evaluation, stored

LEDGER = statements_of("KS")
TESTED = [item for item in LEDGER if item.check is not None]
CORRECTED = [item for item in TESTED if item.reading is not None]


def ids(item: Statement) -> str:
    return item.id


def test_every_numbered_place_of_the_paper_has_a_record():
    text = " ".join(item.id for item in LEDGER)
    for name in (
        *("Thm3.1", "Lem3.2", "Eq2", "Claim4.1", "Thm4.2", "Eq3", "Thm4.3", "Cor4.4"),
        *("Alg1", "Alg4", "PropB.1", "ClaimB.2", "CorB.3", "AppA", "AppC", "AppD"),
    ):
        assert f"KS:{name}:" in text
    assert len(LEDGER) >= 40
    assert all(item.pages == ("hybrid",) for item in LEDGER)


@pytest.mark.parametrize("item", LEDGER, ids=ids)
def test_verdicts(item: Statement):
    found = evaluate(item)
    for kept, new in zip(stored("KS")[item.id], of_evaluation(found), strict=True):
        assert replace(kept, worst=None) == replace(new, worst=None)
        assert (kept.worst or 0) == pytest.approx(new.worst or 0, rel=1e-4, abs=1e-9)
    if item.check is None:
        assert {v.words for v in found.verdicts} == {UNTESTABLE}
        return
    used = found.of(item.used).words
    assert used == PROVED if item.proof else used.startswith("no counterexample in")
    if item.reading is not None:
        assert found.of("printed").words == REFUTED


@pytest.mark.parametrize("item", CORRECTED, ids=ids)
def test_counterexamples_decide_alone(item: Statement):
    """The stored parameter set refutes the printed form and not our reading."""
    check = find(str(item.check))
    at = {key: np.array([float(value)]) for key, value in (item.counterexample or {}).items()}
    assert at
    assert float(check.gap(at, "printed")[0]) > 20 * check.tolerance
    assert float(check.gap(at, "reading")[0]) <= check.tolerance
    if item.holds_at is not None:
        smaller = {key: np.array([float(value)]) for key, value in item.holds_at.items()}
        assert float(check.gap(smaller, "printed")[0]) <= check.tolerance


def exchanged(check: Check) -> Check:
    other: dict[Form, Form] = {"printed": "reading", "reading": "printed"}
    return replace(check, gap=lambda draws, form: check.gap(draws, other[form]))


@pytest.mark.parametrize("item", CORRECTED, ids=ids)
def test_exchanging_the_forms_exchanges_the_verdicts(item: Statement):
    words = {}
    for form in item.forms:
        outcome = measure(
            exchanged(find(str(item.check))),
            form,
            generator=np.random.default_rng(1),
            seed=1,
            number=40,
            counterexample=item.counterexample,
        )
        words[form] = judge(item, form, outcome)
    assert words["reading"] == REFUTED
    assert words["printed"].startswith("no counterexample in")


def test_another_seed_gives_the_same_verdicts():
    for item in TESTED:
        words = [v.words for v in evaluate(item, seed=7, number=20).verdicts]
        assert words == [v.words for v in evaluate(item, number=20).verdicts], item.id


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
    assert words_of(name) == PROVED
    right = getattr(module, function)
    monkeypatch.setattr(module, function, lambda *a, **k: factor * right(*a, **k))
    assert words_of(name) == REFUTED


def test_the_projection_without_its_cut_is_seen(monkeypatch):
    from rates.checks import ks_privacy

    def uncut(log_weights, density):
        w = np.exp(log_weights - log_weights.max())
        return density * len(w) * w / w.sum()

    monkeypatch.setattr(ks_privacy, "project", uncut)
    assert words_of("KS:Eq2:projection") == REFUTED


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
