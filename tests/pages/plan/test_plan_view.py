"""What is asked on the plan page, as the value of ``?plan=``."""

from __future__ import annotations

import json
import math

import pytest

from pages.plan import view as plan_view
from pages.plan.state import PLAN
from pages.plan.view import View
from rates import plan as planning
from rates.numbers.parameters import DomainError
from rates.study import codec
from rates.study.presets import PRESETS, preset
from rates.study.scenario import TransferStudy
from tests.pages.driver import open_page
from tests.pages.plan.test_plan import STUDY, opened


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_a_view_survives_its_link(entry):
    for view in (
        View(),
        View(goal="sample", multiple=3.5, lever="sites", kind_epsilon=math.inf, kind_n=10.0),
        View(goal="risk", wanted=0.01, site="Ü", risk="pointwise", other=entry.study, offers="a;b"),
    ):
        assert PLAN.read(PLAN.link(view)) == view


@pytest.mark.parametrize(
    "data",
    [
        {"version": 2},
        {"version": True},
        {"version": 1, "luck": 1},
        {"version": 1, "fraction": 2},
        {"version": 1, "lever": "luck"},
        {"version": 1, "goal": 3},
        {"version": 1, "kind_n": -1},
        {"version": 1, "other": {"version": 1}},
        [1],
    ],
)
def test_a_plan_that_is_not_one_is_refused(data):
    with pytest.raises(DomainError):
        plan_view.from_text(codec.pack(json.dumps(data)))


def test_a_plan_that_cannot_be_opened_is_said():
    app = open_page("plan", plan=codec.pack('{"version":1,"lever":"luck"}'))
    assert any("plan in the address could not be opened" in e.value for e in app.error)


def test_a_lever_that_a_study_lacks_is_not_asked_for():
    view = plan_view.fitted(View(lever="signal_exponent", site="Ü"), preset("phones").study)
    assert (view.lever, view.site) == ("epsilon", planning.ALL)
    view = plan_view.fitted(View(lever="count"), STUDY)
    assert view.site == "Cleveland"
    lone = TransferStudy(target=STUDY.target, smoothness=0.5, dimension=2, margin=1)
    assert "count" not in plan_view.levers(lone)
    assert opened(lone, View(lever="count")).markdown
