"""The ledger of [BCMM]: verdicts, counterexamples, and what its checks rest on."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from rates.checks import bcmm_privacy as privacy
from rates.checks import find, measure
from rates.checks.base import Check, Form
from rates.ledger_coverage import coverage
from rates.statements import PROVED, REFUTED, UNTESTABLE, Statement, evaluate, judge, statements_of
from rates.verdicts import of_evaluation, stored

LEDGER = statements_of("BCMM")
TESTED = [item for item in LEDGER if item.check is not None]
CORRECTED = [item for item in TESTED if item.reading is not None]


def ids(item: Statement) -> str:
    return item.id


def test_every_numbered_place_of_the_paper_has_a_record():
    text = " ".join(item.id for item in LEDGER)
    for name in ("Thm4.2", "Thm4.3", "Thm5.2", "ThmB.1", "Lem4.1", "Lem5.1"):
        assert f"BCMM:{name}:" in text
    placed = {int(k) for k in re.findall(r"BCMM:Eq(\d+):", text)}
    assert placed == {2, 3, 5, 6, 9, 20, 23}
    assert len(LEDGER) >= 35
    assert len(CORRECTED) >= 15
    assert [row.section for row in coverage("BCMM")] == list("1234567ABCDEF")


@pytest.mark.parametrize("item", LEDGER, ids=ids)
def test_verdicts(item: Statement):
    found = evaluate(item)
    for kept, new in zip(stored("BCMM")[item.id], of_evaluation(found), strict=True):
        assert replace(kept, worst=None, attained=None) == replace(new, worst=None, attained=None)
    if item.check is None:
        assert {v.words for v in found.verdicts} == {UNTESTABLE}
        return
    assert found.of(item.used).words == PROVED
    if item.reading is not None:
        assert found.of("printed").words == REFUTED


@pytest.mark.parametrize("item", CORRECTED, ids=ids)
def test_counterexamples_decide_alone(item: Statement):
    check = find(str(item.check))
    at = {key: np.array([float(value)]) for key, value in (item.counterexample or {}).items()}
    assert at
    assert float(check.gap(at, "printed")[0]) > 30 * check.tolerance
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
    assert words["reading"] == REFUTED
    assert words["printed"].startswith("no counterexample in")


@pytest.mark.parametrize("item", [i for i in TESTED if find(str(i.check)).constants], ids=ids)
def test_bounds_up_to_constants_are_sharp_within_two(item: Statement):
    outcome = evaluate(item).of(item.used).outcome
    assert outcome is not None
    assert -math.log(2) <= outcome.worst <= outcome.tolerance


def test_another_seed_gives_the_same_verdicts():
    for item in TESTED:
        words = [v.words for v in evaluate(item, seed=7, number=60).verdicts]
        assert words == [v.words for v in evaluate(item, number=60).verdicts], item.id


@pytest.mark.parametrize(
    ("name", "key", "factor"),
    [
        ("bcmm_privacy.gradient_w", "radius", 0.5),  # G and B computed from half of the radius
        ("bcmm_privacy.gradient_u", "bound", 0.5),
        ("bcmm_weights.gradients", "alpha", 0.3),
        ("bcmm_weights.moves", "bound", 0.2),
    ],
)
def test_a_smaller_bound_would_be_refuted(name: str, key: str, factor: float):
    """The hypotheses of proved bounds are used: with a smaller bound draws fail."""
    check = find(name)
    draws = dict(check.draw(np.random.default_rng(0), 3_000))
    assert check.gap(draws, "printed").max() <= check.tolerance
    if key == "alpha":
        broken = check.gap(draws, "printed") - math.log(factor)
    else:
        broken = check.gap({**draws, key: draws[key] * factor}, "printed")
    assert broken.max() > check.tolerance


def test_the_profile_by_two_tails_is_that_of_the_engine():
    from rates.gaussian import delta_of

    mu, epsilon = np.array([0.3, 1.0, 4.0]), np.array([1.0, 2.0, 9.0])
    assert np.exp(privacy._log_delta(mu, epsilon)) == pytest.approx(delta_of(1 / mu, epsilon))
