"""Laws of the ledger that every paper's statements obey: the used form holds, the other fails."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates.statements import PAPERS, verdicts
from rates.statements.checks import find, measure
from rates.statements.checks.base import Check
from rates.statements.ledger import (
    ALGEBRA,
    ARGUED,
    CONTRADICTED,
    TESTED,
    UNTESTABLE,
    Statement,
    evaluate,
    judge,
    statements,
)
from rates.statements.outcome import Form

STORED = {paper: verdicts.stored(paper) for paper in PAPERS}
# [ACC] has its own, stricter versions beside its simulated statements.
LEDGER = [item for item in statements() if item.paper != "ACC" and not item.withdrawn]
CHECKED = [item for item in LEDGER if item.check is not None]
CORRECTED = [item for item in CHECKED if item.reading is not None]
SHARP = [item for item in CHECKED if find(str(item.check)).constants]


def ids(item: Statement) -> str:
    return item.id


@pytest.mark.parametrize("item", LEDGER, ids=ids)
def test_the_form_in_use_holds_and_a_corrected_one_does_not(item: Statement):
    """By the stored verdicts, which another test finds again."""
    found = {verdict.form: verdict.words for verdict in STORED[item.paper][item.id]}
    if item.check is None:
        assert set(found.values()) == {UNTESTABLE}
        return
    used = found[item.used]
    assert used == (ALGEBRA if item.derivation else ARGUED if item.proof else TESTED)
    if item.reading is not None:
        assert found["printed"] in CONTRADICTED


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
            number=100,
            counterexample=item.counterexample,
        )
        words[form] = judge(item, form, outcome)
    assert words["reading"] in CONTRADICTED
    assert words["printed"] == TESTED


@pytest.mark.parametrize("item", SHARP, ids=ids)
def test_bounds_up_to_constants_are_sharp_within_two(item: Statement):
    outcome = evaluate(item).of(item.used).outcome
    assert outcome is not None
    assert -math.log(2) <= outcome.worst <= outcome.tolerance


@pytest.mark.deep
def test_another_seed_gives_the_same_verdicts():
    for item in CHECKED:
        words = [v.words for v in evaluate(item, seed=7, number=40).verdicts]
        assert words == [v.words for v in evaluate(item, number=40).verdicts], item.id
