"""Factors on all budgets, sizes or counts: the study solved again with them is worth the goal."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates.answer import KAPPAS, Lens
from rates.numbers import DomainError
from rates.plan import Aim, in_house, lever_curve, levers, scales
from rates.presets import PRESETS, preset
from rates.study import Study, TransferStudy
from tests.rates.made import everywhere
from tests.rates.plan.plan_cases import effective_n, random_study

HOSPITALS = preset("hospitals").study


def worths(study: Study) -> list[float]:
    """Effective records by the mechanism with each of its constants, from the public solver."""
    kappas = [{"kappa": x} for x in KAPPAS] if isinstance(study, TransferStudy) else [{}]
    return [effective_n(study, "analytic", **kappa) for kappa in kappas]


def grown(study: Study, quantity: str, factor: float) -> Study:
    """Every row with that much more; whole numbers are rounded."""
    rows = []
    for s in study.servers:
        more = getattr(s, quantity) * (factor if quantity != "count" or s.count > 1 else 1)
        rows.append(replace(s, **{quantity: more if quantity == "epsilon" else round(more)}))
    return study.with_servers(rows)


def large(study: Study) -> Study:
    """Sizes and counts whose rounding does not show."""
    rows = [
        replace(s, n=10_000 * max(s.n, 1), count=1 if s.count == 1 else 10**6)
        for s in study.servers
    ]
    return study.with_servers(rows)


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_the_study_with_a_factor_is_worth_the_goal(entry) -> None:
    study = large(entry.study)
    goal = 1.2 * max(worths(study))
    seen = 0
    for scale in scales(study, Aim(needed=goal)):
        for factor in filter(math.isfinite, (scale.low, scale.high)):
            found = worths(grown(study, scale.quantity, factor))
            assert min(abs(w / goal - 1) for w in found) < 2e-5
            seen += 1
        if math.isinf(scale.high):
            assert scale.quantity == "epsilon"
            assert min(worths(study.unprotected())) < goal
    assert seen


def test_no_factor_lowers_anything_and_the_equation_stands_alone_without_delta() -> None:
    rng = np.random.default_rng(5)
    for _ in range(25):
        study = random_study(rng)
        for scale in scales(study, Aim(part=float(rng.uniform(0.05, 0.95)))):
            assert 1.0 <= scale.low <= scale.high
            assert scale.equation >= 1.0
    bare = scales(everywhere(HOSPITALS, delta=None), Aim(needed=300))
    assert all(math.isnan(s.low) and s.equation >= 1 for s in bare)


@pytest.mark.parametrize("quantity", ["epsilon", "n"])
def test_the_curve_passes_through_the_factors(quantity: str) -> None:
    scale = next(s for s in scales(HOSPITALS, Aim(needed=200)) if s.quantity == quantity)
    curve = lever_curve(HOSPITALS, quantity, "all", [1.0, scale.low, scale.high])
    assert curve.mechanism.max(axis=0)[1] == pytest.approx(200, rel=1e-5)
    assert curve.mechanism.min(axis=0)[2] == pytest.approx(200, rel=1e-5)
    assert curve.mechanism[:, 0] == pytest.approx(worths(HOSPITALS))
    assert curve.equation[0] == pytest.approx(effective_n(HOSPITALS))


def test_what_is_aimed_at_is_checked() -> None:
    for wrong in ({"needed": 0}, {"needed": math.nan}, {"multiple": -1}, {"part": 1.5}):
        with pytest.raises(DomainError, match="aimed at"):
            Aim(**wrong)
    with pytest.raises(DomainError, match="is for epsilon, n"):
        lever_curve(HOSPITALS, "count", "all", [1])
    with pytest.raises(DomainError, match="target, each, others"):
        in_house(HOSPITALS, "me")


def test_an_answer_that_is_there_already_needs_what_it_has() -> None:
    table = levers(HOSPITALS, 0.9, by_equation=1.7)
    other = levers(HOSPITALS, 0.9)
    for row, same in zip(table.levers, other.levers, strict=True):
        assert (row.equation.value, row.equation.reached) == (row.equation.now, True)
        assert row.mechanism == same.mechanism
        assert row.sentence.startswith("By the rate equation today's is enough; ")
    with pytest.raises(DomainError, match="above 0"):
        levers(HOSPITALS, 0.9, by_equation=0.0)


@pytest.mark.parametrize("key", ["hospitals", "unequal"])
def test_an_aim_at_a_fraction_of_the_rate_gives_that_fraction(key):
    study = preset(key).study
    for fraction in (0.2, 0.9):
        assert Aim.of_rate(study, fraction).fraction(study, Lens()) == pytest.approx(fraction)
