"""The regression page without a browser: every tab against the engine, and refusals."""

from __future__ import annotations

import math
from time import monotonic

import pytest

from pages.charts import words
from pages.core.live import from_text, panel
from pages.regression import estimate, rules
from pages.regression import page as rate
from rates.numbers import delta_of
from rates.study import PRESETS, FederatedStudy, codec
from sims import budgets
from sims.ccv import elbow, look, on_curve
from sims.ccv.settings import recipe_of, world_of
from sims.engine import start
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.driver import answer, enter, everything, finished, open_page, press, run_through

RUN = "replicates:2;epsilon:0.4,0.7,1,1.6;curves:1;n:3000"


# Rate -----------------------------------------------------------------------------------------


def test_the_rate_tab_shows_both_elbows_and_a_run_puts_points_on_the_exact_curve():
    app = open_page("regression", tab="rate", run=RUN)
    values = from_text(RUN, rate.RATE_TAB.usual).values
    found = elbow(world_of(values), n=3000, m=10, delta=1e-5, recipe=recipe_of(values))
    assert f"ε = **{words.number(found.printed)}** as printed" in answer(app)
    assert f"**{words.number(found.actual)}**, a factor of" in answer(app)
    run_through(app)
    last = finished(rate.RATE_TAB, RUN)
    inside, known = on_curve(last.request.points, last.estimates)
    assert f"**{inside} of {known}** simulated points" in answer(app)


@pytest.mark.usefixtures("by_step")
@pytest.mark.parametrize(("computed", "gives_way"), [(lambda: 0.0, True), (monotonic, False)])
def test_a_run_gives_way_for_as_long_as_others_held_it_up(monkeypatch, computed, gives_way):
    waited: list[float] = []
    monkeypatch.setattr(panel, "_computed", computed)
    monkeypatch.setattr(panel, "_wait", waited.append)
    press(open_page("regression", tab="rate", run="replicates:500;curves:1"), "Run")
    assert (waited[0] >= panel.LOOK) == gives_way
    assert waited[0] <= budgets.GIVES_WAY


# The other tabs -------------------------------------------------------------------------------


def test_one_draw_is_exact_on_average_and_repeats():
    app = open_page("regression", tab="estimate")
    first = answer(app)
    for epsilon in ("0.02", "1"):
        enter(app, driver.box(app, "Budget"), epsilon)
        assert (answer(app) == first) == (epsilon == "1")
    found = estimate.TAB.make(estimate.TAB.usual).look
    assert f"recover this curve to **{words.number(found.plan.miss)}** (root mean square" in first
    assert found.misses[0] == look(found.plan, 0, releases=1).misses[0]
    assert "With the best K for this ε: **0.0731**" in first


def test_a_link_without_a_tab_opens_the_machine():
    old = {"run": "curves:2;epsilon:0.01,0.1", "tab": "pointwise"}  # which is gone
    queries = ({}, {"run": RUN, "tab": "rate"}, old)
    *_, old = apps = [open_page("regression", **query) for query in queries]
    assert [app.button_group[0].value for app in apps] == ["estimate", "rate", "estimate"]
    assert (list(old.error), "run" in old.query_params) == ([], False)


def test_each_way_is_told_by_its_exact_risk_over_the_best_one():
    found = start(rules.WEIGHTS_TAB.make(from_text("curves:1", rules.WEIGHTS_TAB.usual)))
    exact = {point.series: point.exact for point in found.request.points if point.x == 1.0}
    assert min(exact, key=exact.__getitem__) == "inverse variance"
    worst = exact["equal"] / exact["inverse variance"]
    assert worst > 1.5
    assert f"equal ones **{words.number(worst)}**" in rules.weights_answer(found)


CURVE = next(p.study for p in PRESETS if isinstance(p.study, FederatedStudy))
LINK = codec.to_link(CURVE)


@pytest.mark.parametrize("page", ["regression", "classification"])
def test_a_study_is_simulated_on_its_own_servers_and_one_of_the_other_kind_offered_another(page):
    app = open_page(page, tab="study", **({} if page == "regression" else {"study": LINK}))
    next(b for b in app.button if b.label.startswith("Open the example")).click().run()
    assert "current study" not in answer(app)
    if page == "regression":
        app = open_page(page, tab="study", study=LINK, run="factor:1;replicates:2")
        assert run_through(app).values["n"] == tuple(s.n for s in CURVE.servers)


# Budgets that the noise keeps less than -------------------------------------------------------

SHORT = [  # tab, run, a budget at which the tight noise falls short, delta
    ("rate", "epsilon:20,50", 50.0, 1e-5),
    ("study", "factor:1,25", 100.0, 1e-6),
    ("estimate", "epsilon:100", 100.0, 1e-5),
    ("weights", "factor:20", 100.0, 1e-5),
]


def warned(tab: str, run: str) -> str:
    app = open_page("regression", tab=tab, run=f"curves:1;{run}", study=LINK)
    assert "(28 at delta = 1e-5)" in everything(app)
    return " ".join(w.value for w in app.warning if "Not private as asked for" in w.value)


@pytest.mark.parametrize(("tab", "run", "epsilon", "delta"), deep_after(2, SHORT))
def test_noise_that_keeps_less_than_asked_is_said(tab, run, epsilon, delta):
    real = float(delta_of(math.sqrt(4 * math.log(2 / delta)) / epsilon, epsilon))
    text = warned(tab, f"{run};noise:tight")
    assert f"at ε = {words.number(epsilon)}, δ = {words.number(delta)}" in text
    assert f"really holds at this ε is **{words.number(real)}**" in text
    assert warned(tab, f"{run};noise:analytic") == ""


def test_the_steps_of_the_chain_and_the_printed_noise_are_checked_too():
    laplace = "epsilon:0.5,1;basis:haar;risk:pointwise;noise:printed"
    assert "**2.13e-4**" in warned("constants", "epsilon:50")
    assert "at this ε is **1**" in warned("rate", "epsilon:10,1000;noise:printed")
    assert "ε = 1, δ = 0, and not at 2 of" in warned("rate", laplace)
