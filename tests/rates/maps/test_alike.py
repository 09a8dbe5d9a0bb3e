"""Equal servers along one quantity, against closed forms and the engine."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.maps import along, elbow, equal_servers, homogeneous_D
from rates.maps.alike import AXES, from_text
from rates.numbers.parameters import DomainError
from rates.study import Server
from tests.rates.answer.test_laws import powers

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


def test_what_is_refused():
    with pytest.raises(DomainError, match="one of budget"):
        along(STUDY, "time", [1])
    with pytest.raises(DomainError, match="alike"):
        along(STUDY.with_servers([*STUDY.servers, Server(name="B", n=9, epsilon=1)]), "budget", [1])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "10 values"),
        ("20,5000,0.05,0.6,2,50,site,budget,D,alike", "alpha - 1/p must exceed 1/2"),
        ("20,10,0.05,2,4,50,total,budget,D,alike", "at least one record"),
    ],
)
def test_what_an_older_address_is_refused_for(text, words):
    with pytest.raises(DomainError, match=words):
        from_text(text)


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
