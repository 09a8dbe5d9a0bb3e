"""Equal servers along one quantity, and one that grows, against closed forms and the engine."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rates
from rates.answer import dominating, privacy_binds_everywhere
from rates.maps import along, equal_servers, growth, two_groups
from rates.maps.alike import AXES, from_text
from rates.numbers.parameters import DomainError
from tests.rates.answer.test_laws import LAWS, powers

FIELDS = {"m": 20, "n": 5000, "epsilon": 0.05, "smoothness": 2, "integrability": 4}
STUDY = equal_servers(**FIELDS)
CHANGES = {  # what of the study is another at a place of an axis
    "budget": (lambda x: {"epsilon": x}, [1e-3, 0.05, 3]),
    "spread": (lambda x: {"m": x, "n": 100_000 // x}, [1, 50, 100_000]),
    "sites": (lambda x: {"m": x}, [1, 37, 10_000]),
    "records": (lambda x: {"n": x}, [1, 999, 10**7]),
    "smoothness": (lambda x: {"smoothness": x}, [1, 2.5, 4]),
    "roughness": (lambda x: {"integrability": 1 / x}, [0.01, 0.2, 0.5]),
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
            assert branch.log_rate[k] == pytest.approx(exact.log_rate, abs=1e-12)


@pytest.mark.parametrize("axis", AXES)
def test_both_branches_meet_at_the_elbow(axis):
    curve = along(STUDY, axis, CHANGES[axis][1])
    for name in ("integrated", "pointwise"):
        elbow = getattr(curve, name).elbow
        if axis == "roughness" and name == "integrated":
            assert math.isnan(elbow)
            continue
        at = getattr(along(STUDY, axis, [elbow]), name)
        assert at.log_private[0] == pytest.approx(at.log_free[0], abs=1e-9)


@pytest.mark.parametrize("moved", [0.0, 0.013, 0.5, 0.999, 1.0])
def test_two_groups_keep_every_record(moved):
    study = two_groups(STUDY, moved)
    assert sum(s.n * s.count for s in study.servers) == 100_000
    assert study.servers[1].n == math.floor((1 - moved) * 5000 + 1e-9)
    exact = growth(STUDY, [1 - study.servers[1].n / 5000])
    answer = rates.solve(study)
    assert exact.integrated[0] == pytest.approx(answer.integrated.log_D, abs=1e-12)
    assert exact.pointwise[0] == pytest.approx(answer.pointwise.log_D, abs=1e-12)


def test_what_is_refused():
    alone = equal_servers(1, 100, 1, smoothness=2, integrability=2)
    with pytest.raises(DomainError, match="at least 2"):
        two_groups(alone, 0.5)
    with pytest.raises(DomainError, match="from 0 to 1"):
        growth(STUDY, [1.5])
    with pytest.raises(DomainError, match="one of budget"):
        along(STUDY, "time", [1])
    with pytest.raises(DomainError, match="alike"):
        along(two_groups(STUDY, 0.5), "budget", [1])


@LAWS
@given(
    st.integers(2, 10**4),
    powers(1, 7).map(int),
    powers(-4, 1),
    st.floats(0.6, 4),
    st.lists(st.floats(0, 1), min_size=1, max_size=5),
)
def test_spans_agree_with_the_conditions(m, n, epsilon, smoothness, parts):
    study = equal_servers(m, n, epsilon, smoothness=smoothness, integrability=math.inf)
    result = growth(study, sorted(parts))
    for t in parts:
        size, count = [n * (1 + t * (m - 1)), n * (1 - t)], [1, m - 1]
        exact = {
            "(8)": privacy_binds_everywhere(
                size, [epsilon] * 2, smoothness=smoothness, count=count
            ),
            "(9)": 0 in dominating(size, [epsilon] * 2, smoothness=smoothness, count=count),
        }
        for which, holds in exact.items():
            spans = [s for s in result.spans if (s.condition, s.risk) == (which, "integrated")]
            near = any(min(abs(t - s.low), abs(t - s.high)) < 1e-9 for s in spans)
            inside = any(s.low <= t <= s.high for s in spans)
            assert near or inside == holds


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "10 values"),
        ("20,5000,0.05,0.6,2,50,site,budget,D,alike", "alpha - 1/p must exceed 1/2"),
        ("20,5000,0.05,2,4,50,site,time,D,alike", "axis must be one of"),
        ("20,x,0.05,2,4,50,site,budget,D,alike", "plain number"),
        ("20,10,0.05,2,4,50,total,budget,D,alike", "at least one record"),
    ],
)
def test_what_an_older_address_is_refused_for(text, words):
    with pytest.raises(DomainError, match=words):
        from_text(text)
