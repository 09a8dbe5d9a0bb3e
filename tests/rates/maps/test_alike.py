"""Designs of the map, and equal servers along one quantity, by closed forms and the engine."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.maps import alike, along, design, elbow, equal_servers, homogeneous_D
from rates.maps.alike import AXES
from rates.numbers import DomainError
from tests.rates.answer.test_laws import powers
from tests.rates.made import curve, site

FIELDS = {"m": 20, "n": 5000, "epsilon": 0.05, "smoothness": 2, "integrability": 4}
STUDY = equal_servers(**FIELDS)
CHANGES = {  # what of the study is another at a place of an axis
    "budget": (lambda x: {"epsilon": x}, [1e-3, 0.05, 3]),
    "spread": (lambda x: {"m": x, "n": 100_000 // x}, [1, 50, 100_000]),
    "sites": (lambda x: {"m": x}, [1, 37, 10_000]),
    "records": (lambda x: {"n": x}, [1, 999, 10**7]),
    "smoothness": (lambda x: {"smoothness": x}, [1, 2.5, 4]),
}


@pytest.mark.parametrize("axis", AXES)
def test_a_place_of_a_curve_is_the_answer_of_its_study(axis):
    changed, places = CHANGES[axis]
    curve = along(STUDY, axis, places)
    for k, x in enumerate(places):
        answer = rates.solve(equal_servers(**{**FIELDS, **changed(x)}))
        for risk in ("integrated", "pointwise"):
            branch, exact = getattr(curve, risk), getattr(answer, risk)
            assert branch.log_D[k] == pytest.approx(exact.log_D, abs=1e-12)
            assert branch.level[k] == exact.level


@pytest.mark.parametrize("axis", AXES)
def test_both_branches_meet_at_the_elbow(axis):
    curve = along(STUDY, axis, CHANGES[axis][1])
    for name in ("integrated", "pointwise"):
        at = getattr(along(STUDY, axis, [getattr(curve, name).elbow]), name)
        assert at.log_private[0] == pytest.approx(at.log_free[0], abs=1e-9)


def test_a_design_is_the_study_it_opens():
    found = design.to_study(design.from_text("2000,50,10000,0.25,2,1,1.2,0.2,1"), 1e-8)
    rows = [(s.n, s.count, s.epsilon) for s in found.servers]
    assert rows == [(10_000, 1, 0.2), (2_000, 50, 0.2)]
    assert design.to_study(design.from_text("5,0,9,0.5,2,1,1,1,1"), 1e-6).sources == ()


@given(st.text(max_size=60))
def test_any_text_is_a_design_or_a_refusal(text):
    with pytest.raises(DomainError) as caught:
        design.from_text(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("read", "text", "words"),
    [
        (lambda axis: along(STUDY, axis, [1]), "time", "one of budget"),
        (alike.from_text, "", "10 values"),
        (alike.from_text, "20,5000,0.05,0.6,2,50,site,budget,D,alike", "alpha - 1/p must exceed"),
        (alike.from_text, "20,10,0.05,2,4,50,total,budget,D,alike", "at least one record"),
        (design.from_text, "-1,5,50,0.5,2,1,1,1,1", "Sample size must be a non-negative integer"),
        (design.from_text, "1,5.5,50,0.5,2,1,1,1,1", "m must be a whole number from 0 to 1e9"),
        (design.from_text, "1,5,50,0.5,2,1,1,0,1", "epsilon must be positive and finite"),
        (design.from_text, "1,5,50,0.5,2,1,1,1,0", "ratio of budgets c must be positive"),
        (design.from_text, "1,5,50,0.5,2,5,1,1,1", r"alpha\*beta must be at most d"),
    ],
)
def test_what_is_no_curve_and_no_design_is_refused(read, text, words):
    with pytest.raises(DomainError, match=words):
        read(text)
    unlike = curve(*STUDY.servers, site("B", 9), alpha=2)
    with pytest.raises(DomainError, match="alike"):
        along(unlike, "budget", [1])


SIZE, COUNT, BUDGET, SMOOTH = powers(0, 12), powers(0, 6), powers(-6, 2), st.floats(0.05, 6)


@given(SIZE, COUNT, BUDGET, SMOOTH)
def test_closed_form_is_the_root(n: float, m: float, epsilon: float, g: float) -> None:
    root = float(rates.solve_D(n, epsilon, smoothness=g, count=m))
    assert float(homogeneous_D(n, m, epsilon, smoothness=g)) == pytest.approx(root, rel=1e-11)
    free = float(rates.solve_D(n, math.inf, smoothness=g, count=m))
    assert float(homogeneous_D(n, m, math.inf, smoothness=g)) == pytest.approx(free, rel=1e-11)
    bend = float(elbow(n, m, smoothness=g))
    assert n * bend**2 == pytest.approx((m * n) ** (1 / (2 * g + 1)), rel=1e-9)
    assert (root < free * (1 - 1e-9)) == (epsilon < bend) or abs(epsilon / bend - 1) < 1e-6
