"""Designs of the map: which there are, and which study each is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.maps import design as points
from rates.numbers.parameters import DomainError


@given(st.text(max_size=60))
def test_any_text_is_a_design_or_a_refusal(text):
    with pytest.raises(DomainError) as caught:
        points.from_text(text)
    assert "\n" not in str(caught.value)


def test_a_design_is_the_study_it_opens():
    design = points.from_text("2000,50,10000,0.25,2,1,1.2,0.2,1")
    study = points.to_study(design, 1e-8)
    assert [(s.n, s.count, s.epsilon) for s in study.servers] == [
        (10_000, 1, 0.2),
        (2_000, 50, 0.2),
    ]
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
