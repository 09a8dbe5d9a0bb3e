"""Points over parts: they sum to 100 whatever is set, and what was set stays as long as it can."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError
from sims.lessons import POINTS, even, moved


@given(st.data())
def test_points_always_sum_and_what_was_set_stays(data):
    parts = data.draw(st.integers(2, 7))
    points, kept = even(parts), ()
    for _ in range(data.draw(st.integers(1, 6))):
        place = data.draw(st.integers(0, parts - 1))
        value = data.draw(st.integers(0, POINTS))
        kept = tuple(k for k in kept if k != place)
        after = moved(points, place, value, kept)
        assert sum(after) == POINTS
        assert all(x == int(x) >= 0 for x in after)
        assert after[place] == value
        # What was set is left alone exactly where another part can give or take.
        others = parts - 1 - len(kept)
        if others and sum(points[k] for k in kept) <= POINTS - value:
            assert all(after[k] == points[k] for k in kept)
        points, kept = after, (*kept, place)


def test_shares_that_are_set_one_by_one_end_as_they_were_set():
    points = even(5)
    wanted = (43, 35, 14, 6, 2)
    for place, value in enumerate(wanted):
        points = moved(points, place, value, tuple(range(place)))
    assert points == wanted


@pytest.mark.parametrize("value", [-1, 101, 0.5, float("nan"), float("inf")])
def test_no_other_numbers_of_points(value):
    with pytest.raises(DomainError, match="whole number of points"):
        moved(even(3), 0, value)
    with pytest.raises(DomainError, match="whole number of points"):
        moved(even(3), 3, 5)
