"""Where a lesson goes on, the page shows the lesson's own case."""

from __future__ import annotations

import pytest

from pages.core.live import plans
from pages.lessons import reveals as known
from pages.orders import asked
from pages.phases import designs
from pages.regression import rate
from rates.orders import EXAMPLES
from sims.lessons import LESSONS, lesson


def test_back_goes_on_at_its_point_of_the_map():
    assert designs.POINT.read(dict(LESSONS["back"].link)) == known.BACK


@pytest.mark.parametrize(("key", "swept"), [("twice", "n"), ("spread", "m")])
def test_twice_and_spread_go_on_with_their_run(key, swept):
    found = plans.from_text(LESSONS[key].link.word("run"), rate.TAB.usual).values
    assert found.word("sweep") == swept
    step = known.STEPS[key]
    assert {step.start, step.end} <= set(found.numbers(swept))


def test_a_rate_of_ones_own_goes_on_as_itself():
    link = lesson("rate", rate=EXAMPLES[0]).link
    assert asked.RATE.read(dict(link)) == EXAMPLES[0]
