"""Users and volunteers of [KS] are whole people and enough, and refusals name what would do."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr
from scipy.stats import binom

from rates.hybrid import needs as hybrid
from rates.hybrid.design import HybridDesign
from rates.hybrid.needs import Circumstances
from rates.numbers.parameters import DomainError
from tests.depth import examples

CALM = examples(60)


def test_users_asked_are_enough_by_the_exact_failure():
    """No test of Algorithm 2 fails more often than β/2T; with the printed number it can."""
    for epsilon, small in ((1.0, False), (3.0, False), (9.0, True), (20.0, True)):
        design = HybridDesign(accuracy=0.1, divergence=1 / 0.3, epsilon=epsilon)
        found = hybrid.needs(design)
        allowed = design.failure / (2 * found.iterations)
        for users, enough in ((found.users_per_test, True), (found.printed_users, not small)):
            k = np.arange(users + 1)
            sigma = math.sqrt(2 * math.log(2 / design.delta) / users) / epsilon
            off = k / users - 0.5
            far = ndtr((-0.1 - off) / sigma) + ndtr((off - 0.1) / sigma)
            assert (float(binom.pmf(k, users, 0.5) @ far) <= allowed) is enough
    assert 1.1e-5 > allowed > 2.3e-7


@CALM
@given(st.floats(0.001, 0.124), st.floats(1, 1e6), st.floats(1e-2, 1e3), st.floats(1e-10, 0.2))
def test_people_are_whole_and_at_least_what_either_formula_asks(accuracy, x, epsilon, delta):
    design = HybridDesign(accuracy=accuracy, divergence=x, epsilon=epsilon, delta=delta)
    found = hybrid.needs(design)
    asked = (accuracy, design.failure / (2 * found.iterations), epsilon, delta)
    for size in (hybrid.users_for, hybrid.users_enough):
        assert found.users_per_test >= float(size(*asked))
    people = [found.users_per_test, found.printed_users, found.users, found.records]
    for way in hybrid.strategies(design, Circumstances(ratio=1.5)):
        people += [way.volunteers, way.users]
        if way.key == "worst":
            assert (way.users, way.volunteers) == pytest.approx((found.users, found.records))
    assert all(p == math.floor(p) for p in people)
    assert found.users_per_test >= 1


@CALM
@given(st.integers(1, 10_000), st.integers(100, 10**6))
def test_the_least_density_that_is_named_is_enough(sample, records):
    small = 0.5 * sample / records
    with pytest.raises(DomainError) as caught:
        hybrid.check_run(sample, small, records)
    assert caught.value.value == small
    told = str(caught.value)
    if sample > records:
        assert "m must be at most n" in told
        return
    named = float(told.split("κ must be at least ")[1].split(". ", maxsplit=1)[0])
    assert named == pytest.approx(sample / records, rel=0.011)
    hybrid.check_run(sample, min(named, 1.0), records)
