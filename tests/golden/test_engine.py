"""The engines of levers, ranges, maps, splits and decisions answer as they did."""

from __future__ import annotations

import pytest

from tests.depth import deep_after
from tests.golden.make_engine import answers, differing


@pytest.mark.parametrize(("name", "ask"), deep_after(15, list(answers())))
def test_an_answer_is_the_stored_one(name, ask):
    assert differing(name, ask) == [], "PYTHONPATH=. python tests/golden/make_engine.py renews them"
