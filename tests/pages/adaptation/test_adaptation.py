"""The adaptation page without a browser: every tab against the engine, and refusals."""

from __future__ import annotations

import sys
import time
from dataclasses import replace
from types import ModuleType, SimpleNamespace

import pytest

from pages.adaptation import page, runs
from pages.charts import simulation, words
from pages.core.live import page as live_page
from pages.core.live import panel
from rates.adaptation import deployed_budget
from sims import budgets
from sims.engine import Estimate, Point, live
from tests.pages.driver import answer, everything, finished, open_page, press

RATE_RUN = "replicates:2;private:50,400;epsilon:1;public:200;steps:50"
TABLE_RUN = "replicates:2;epsilon:5;steps:20"


def test_a_promise_that_the_printed_noise_breaks_is_named():
    app = open_page("adaptation", tab="rate", run=RATE_RUN.replace("epsilon:1", "epsilon:1,40"))
    real = deployed_budget(40, 0.01)
    assert not real.valid
    (warning,) = app.warning
    assert f"ε = 40 is really {words.number(real.epsilon)}" in warning.value
    assert "ε = 1 is" not in warning.value


def test_the_best_share_moves_towards_the_source_where_privacy_costs_more():
    said = runs.mixture_answer(finished(runs.MIXTURE, "private:1000"))
    assert "n = 1,000, no privacy: α = **0.1** (not told apart: 0, 0.25); " in said
    assert "n = 1,000, ε = 1: α = **0.75** (not" in said


def test_the_best_fit_on_a_table_names_those_it_is_not_told_apart_from():
    points = [Point(series=s, x=5.0) for s in ("descent", "printed", "profiled", "source")]
    means = [Estimate(m, 0.01, 9) for m in (1.0, 1.01, 2.0, 1.5)]
    seen = list(zip(points, means, strict=True))
    best, rest = page.answer(SimpleNamespace(seen=lambda: seen)).split("not told apart from")
    assert "descent on the target" in best
    assert rest.startswith(" printed algorithm. ")


@pytest.mark.usefixtures("by_step")
def test_a_run_that_waits_for_its_place_leaves_the_processor_to_others(monkeypatch):
    slept: list[float] = []
    monkeypatch.setattr(live, "SLOTS", live.Slots(0))
    clock = SimpleNamespace(**{**vars(time), "sleep": slept.append})
    monkeypatch.setattr(panel, "time", clock)
    app = press(open_page("adaptation", run=RATE_RUN), "Run")
    assert sum(slept) == pytest.approx(budgets.ASKS_EVERY)
    (bar,) = app.run().get("progress")
    assert bar.proto.text == "Waiting for a place: 1 before you."


def test_a_page_that_another_visitor_loads_does_not_break_this_one(monkeypatch):
    def load(name):
        """What a module does that loads another one when it is looked at."""
        monkeypatch.setitem(sys.modules, f"pages.{name.lower()}", ModuleType("one"))
        raise AttributeError(name)

    loading = ModuleType("loading")
    loading.__getattr__ = load  # type: ignore[method-assign]
    monkeypatch.setitem(sys.modules, "pages.a_page", loading)
    elsewhere = replace(runs.RATE, title="Not in any module")
    assert [*live_page.told([], elsewhere, elsewhere.usual)] == []


def test_without_scikit_learn_the_page_says_so(monkeypatch):
    monkeypatch.setattr(page.bcmm, "have_tables", lambda: False)
    app = open_page("adaptation", tab="table", run=TABLE_RUN)
    assert "scikit-learn**, which is not installed here" in answer(app)


def test_an_uploaded_table_is_used_and_a_bad_one_refused():
    rows = [f"{d},{y / 10},{y},{y * y % 7}" for d in ("public", "private") for y in range(-9, 10)]
    good = "domain,label,age,dose\n" + "\n".join(rows)
    app = open_page("adaptation", tab="table", run=TABLE_RUN)
    for text in ("domain,label,age\npublic,1,2\n", good):
        app.file_uploader[0].set_value(("t.csv", text.encode(), "text/csv")).run()
        assert bool(app.error) == (text != good)
    press(app, "Run")
    assert "At ε = 5 the private fit" in answer(app)
    assert any("read_table(Path" in code.value for code in app.code)
    assert "dose" not in str(app.query_params)  # nothing of it is in the link
    press(app, "Back to the tables of the page")
    assert "your table" not in everything(app)


# Figures --------------------------------------------------------------------------------------
@pytest.mark.parametrize("x", [(0.0, 0.0), (0.0, 3.0)])
def test_a_place_of_0_has_an_axis_without_logarithms(x):
    points = [Point(series=s, x=at) for s in ("a", "b") for at in x]
    found = [Estimate(0.5, 0.01, 5) for _ in points]
    given = SimpleNamespace(request=SimpleNamespace(points=points), estimates=found)
    figure = simulation.error_figure(given, "n", "Error", log="x", name="f", title="t").figure
    along = figure["layout"]["xaxis"]
    assert along.get("type") != "log"
    assert along["range"][0] < 0 < along["range"][1]
