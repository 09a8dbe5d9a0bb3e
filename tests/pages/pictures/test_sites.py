"""The shrinking sites: what is sent equals the engine, and junk changes nothing."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest

from pages.pictures import sites
from rates.answer import mean_noise, privacy_cost
from rates.study import PRESETS, Server, codec, preset
from tests.pages.driver import details, everything, open_page

HOSPITALS = preset("hospitals").study


@pytest.mark.parametrize("one", PRESETS, ids=lambda one: one.key)
def test_what_is_sent_equals_the_engine(one):
    risk = privacy_cost(one.study)[0].risk
    sent = json.loads(json.dumps(sites.data(one.study, risk), allow_nan=False))
    for stop in (0, 17, 40, 66, 80):
        scaled = [replace(s, epsilon=s.epsilon * sites.STOPS[stop]) for s in one.study.servers]
        study = one.study.with_servers(scaled)
        cost = privacy_cost(study)[0]
        whole, middle = sent["whole"], cost.mechanism[len(cost.mechanism) // 2]
        assert whole["equation"]["part"][stop] == pytest.approx(cost.equation.kept, rel=1e-5)
        ends = (whole["low"][stop], whole["high"][stop])
        assert ends == pytest.approx(cost.kept_range, rel=1e-5)
        noise = mean_noise(study, np.array([[s.epsilon for s in study.servers]]))[0]
        for k, site in enumerate(sent["sites"]):
            for name, back in (("equation", cost.equation), ("mechanism", middle)):
                part = back.kept * back.answer.shares[k] / back.free.shares[k]
                assert site[name]["part"][stop] == pytest.approx(min(1, part), rel=1e-5)
            if study.servers[k].private:
                assert site["noise"][stop] == pytest.approx(noise[k], rel=1e-5)


def test_a_delta_next_to_1_is_said_and_sent_as_numbers():
    near = math.nextafter(1.0, 0.0)
    study = HOSPITALS.with_servers(
        [replace(s, delta=near if s.private else s.delta) for s in HOSPITALS.servers]
    )
    sent = sites.data(study, privacy_cost(study)[0].risk)
    json.dumps(sent, allow_nan=False)
    assert "noise beyond numbers" in {site["silent"] for site in sent["sites"]}
    assert not open_page("study", study=codec.to_link(study)).error


def test_a_missing_delta_and_many_rows_are_said():
    unsaid = HOSPITALS.with_servers([replace(HOSPITALS.target, delta=None), *HOSPITALS.sources])
    sent = sites.data(unsaid, "classification")
    assert sent["whole"]["mechanism"] is None
    assert sent["sites"][0]["silent"] == "noise needs δ"
    more = [Server(name=f"s{k}", n=k + 1, epsilon=2, delta=1e-6) for k in range(40)]
    sent = sites.data(HOSPITALS.with_servers([*HOSPITALS.servers, *more]), "classification")
    assert len(sent["sites"]) == 12
    assert sent["sites"][-1]["name"] == "33 others"
    assert sites.picture(HOSPITALS.unprotected(), "classification") is None


def test_a_budget_in_the_address_opens_and_one_that_is_none_is_said():
    assert "factor=0.501" not in everything(details(open_page("overview")))
    assert "factor=0.501" in everything(details(open_page("overview", epsilon="0.5")))
    app = open_page("overview", epsilon="7000")
    assert "could not be used" in app.error[0].value
