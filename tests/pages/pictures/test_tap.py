"""The budget tap: what is sent equals the engine, and junk changes nothing."""

from __future__ import annotations

import json

import pytest

from pages.pictures import sites as tap
from pages.plan import page as plan_page
from pages.plan.state import View
from rates.answer import privacy_cost
from rates.plan import in_house
from rates.study import PRESETS, FederatedStudy, Server
from tests.pages.driver import open_page, picture_data
from tests.pages.plan.test_plan_sections import STUDY, asking
from tests.rates.split.test_pipes import doubled

RISK = "classification"


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.key)
def test_what_is_sent_equals_the_engine(one):
    study = in_house(one.study)
    risk = privacy_cost(study)[0].risk
    found = tap.taps_of(study, risk)
    sent = json.loads(json.dumps(tap.tap_data(study, risk), allow_nan=False))
    assert [site["name"] for site in sent["sites"]] == [s.name for s in study.servers]
    for choice in {0, len(found.adds) // 3, len(found.adds) - 1}:
        cost = privacy_cost(doubled(study, found, choice))[0]
        answer = cost.mechanism[len(cost.mechanism) // 2].answer
        wanted = [answer.effective_n * share for share in answer.shares]
        assert sent["adds"][choice] == pytest.approx(wanted, rel=1e-5)
        assert sent["worth"][choice] == pytest.approx(answer.effective_n, rel=1e-5)
        ends = [each.answer.effective_n for each in cost.mechanism]
        assert sent["low"][choice] == pytest.approx(min(ends), rel=1e-5)
        assert sent["high"][choice] == pytest.approx(max(ends), rel=1e-5)
        bits = [bool(sent["private"][choice] >> k & 1) for k in range(len(study.servers))]
        assert bits == [limit == "privacy" for limit in answer.limited_by]


def test_the_still_tells_every_site_and_what_twice_its_budget_gains():
    drawn, found = tap.tap_still(STUDY, RISK), tap.taps_of(STUDY, RISK)
    assert [row["site"] for row in drawn.rows] == [s.name for s in STUDY.servers]
    for row, adds, step in zip(drawn.rows, found.adds[0], found.steps, strict=True):
        assert row["adds"] == adds
        gain = found.adds[step].sum() - found.adds[0].sum()
        assert row["records gained by twice its budget"] == pytest.approx(gain)
        assert row["site"] in drawn.alt


def test_what_cannot_be_doubled_says_why_and_many_rows_stand_together():
    silent = Server(name="silent", n=5, epsilon=0)
    sites = tap.tap_data(STUDY.with_servers([*STUDY.servers, silent]), RISK)["sites"]
    assert [site["silent"] for site in sites] == ["no noise", "", "", "", "sends nothing"]
    assert [bool(site["step"]) for site in sites] == [False, True, True, True, False]
    rows = [Server(name=f"s{k}", n=k + 1, epsilon=1 + k, delta=1e-6) for k in range(40)]
    study = FederatedStudy(servers=rows, smoothness=1)
    sites = tap.tap_data(study, "integrated")["sites"]
    assert sites[-1]["name"] == "34 others"
    assert sites[-1]["budgets"] == ["ε as stated", "ε × 2"]
    budgets = tap.chosen(study, "integrated", {"choice": sites[-1]["step"]})
    assert budgets == {f"s{k}": 2.0 * (1 + k) for k in range(1, 35)}


def test_what_is_pressed_goes_into_the_rows_that_it_is_of(monkeypatch):
    taken = []
    monkeypatch.setattr(plan_page.sites, "change", taken.append)
    found = tap.taps_of(STUDY, RISK)
    choice = 2 * found.steps[1] + found.steps[3]
    plan_page._pressed(asking(STUDY, View()), {"choice": choice})
    cells = [taken[0]({"name": s.name}) for s in STUDY.servers]
    first, last = STUDY.servers[1], STUDY.servers[3]
    assert [cell.get("epsilon") for cell in cells] == [
        *(None, f"{4 * first.epsilon:g}", None, f"{2 * last.epsilon:g}")
    ]


def test_the_page_draws_it_for_the_study_as_its_user_sees_it():
    app = open_page("plan")
    sent = picture_data(app, "tap")
    assert sent["sites"][0]["silent"] == "no noise"  # the target's own, in house
    assert sent["sites"][0]["step"] == 0
