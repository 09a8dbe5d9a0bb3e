"""Designs, cuts and the printed table's errors on the map, against slower ways to the same."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.maps import Design
from rates.maps import design as points
from rates.numbers.parameters import DomainError
from rates.plan import rate_along
from rates.study.presets import preset


@given(st.text(max_size=60))
def test_any_text_is_a_design_or_a_refusal(text):
    with pytest.raises(DomainError) as caught:
        points.from_text(text)
    assert "\n" not in str(caught.value)


def test_a_design_is_the_study_it_opens():
    study = preset("figure1").study
    design = points.from_study(study)
    assert design is not None
    assert points.to_study(design, 1e-8).servers[1].count == 50
    assert rates.solve(points.to_study(design, 1e-8)).r == rates.solve(study).r
    assert points.from_study(preset("hospitals").study) is None
    assert points.from_study(preset("unprotected").study) is None
    assert points.to_study(points.from_text("5,0,9,0.5,2,1,1,1,1"), 1e-6).sources == ()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("-1,5,50,0.5,2,1,1,1,1", "Sample size must be a non-negative integer"),
        ("1,5.5,50,0.5,2,1,1,1,1", "m must be a whole number from 0 to 1e9"),
        ("1,5,50,0.5,2,1,1,0,1", "epsilon must be positive and finite"),
        ("1,5,50,0.5,2,1,1,1,0", "ratio of budgets c must be positive"),
        ("1,5,50,0.5,2,5,1,1,1", "alpha*beta must be at most d"),
    ],
)
def test_a_design_outside_the_theory_is_refused(text, words):
    with pytest.raises(DomainError, match="got") as caught:
        points.from_text(text)
    assert words in str(caught.value)


def test_rates_along_a_cut_are_those_of_each_budget():
    design = Design(
        n=500, m=7, n0=900, smoothness=0.5, dimension=2, margin=1, gamma=1.3, epsilon=0.4, ratio=2
    )
    study = points.to_study(design, 1e-7)
    cut = rate_along(study, [0.1, 1.0, 30.0])
    for k, factor in enumerate(cut.factors.tolist()):
        other = points.to_study(replace(design, epsilon=design.epsilon * factor), 1e-7)
        assert cut.equation[k] == pytest.approx(rates.solve(other).rate, rel=1e-10)
        for row, kappa in zip(cut.mechanism, (1.0, 2.0, 3.0), strict=True):
            named = rates.calibrated(other, kappa=kappa).rate
            assert row[k] == pytest.approx(named, rel=1e-10)
