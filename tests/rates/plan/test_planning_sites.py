"""The next site against brute force, many candidates, and those that cannot be ranked."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates import plan as planning
from rates.numbers.parameters import DomainError
from rates.study.presets import preset
from rates.study.scenario import Server, TransferStudy
from tests.rates.plan.plan_cases import fraction_with, random_site, random_study

HOSPITALS = preset("hospitals").study


@pytest.mark.deep
def test_the_next_site_is_brute_force_on_random_lists() -> None:
    rng = np.random.default_rng(34)
    for _ in range(200):
        study = random_study(rng, sites=4)
        many, transfer = int(rng.integers(1, 6)), isinstance(study, TransferStudy)
        list_ = [random_site(rng, f"c{k}", transfer=transfer, most=3) for k in range(many)]
        ranking = {r.name: r for r in planning.best_next(study, list_)}
        assert [r.rank for r in ranking.values()] == list(range(1, many + 1))
        for mechanism, field, rank in (
            (None, "fraction", "rank"),
            ("analytic", "fraction_mechanism", "rank_mechanism"),
        ):
            by_hand = {
                c.name: fraction_with(study, extra=(c, c.count), mechanism=mechanism) for c in list_
            }
            for name, fraction in by_hand.items():
                assert getattr(ranking[name], field) == pytest.approx(fraction, rel=1e-9)
            ranked = sorted(by_hand, key=lambda name: getattr(ranking[name], rank))
            assert ranked == sorted(by_hand, key=by_hand.__getitem__)


def test_ten_thousand_candidates_and_those_without_delta() -> None:
    list_ = [Server(name=f"c{k}", n=k, epsilon=1, signal_exponent=0.8) for k in range(10_000)]
    ranking = planning.best_next(HOSPITALS, list_)
    assert ranking[0].fraction == min(r.fraction for r in ranking)
    assert ranking[0].name != ranking[-1].name
    assert next(r for r in ranking if r.name == "c0").fraction == pytest.approx(1)
    held = [r for r in ranking if r.name != "c0"]  # one without records makes no noise
    assert all(r.rank_mechanism == 0 and math.isnan(r.fraction_mechanism) for r in held)
    with pytest.raises(DomainError, match="at least one candidate"):
        planning.best_next(HOSPITALS, [])
    with pytest.raises(DomainError, match="unique"):
        planning.best_next(HOSPITALS, [list_[5], list_[5]])
