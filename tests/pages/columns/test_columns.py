"""The page of split columns without a browser: what it says is what the engine says."""

from __future__ import annotations

from pages import columns as page
from pages.charts import number, words
from rates import columns
from sims.engine import fits
from tests.pages.driver import answer, everything, finished, open_page, press

RUN = "n:20000;epsilon_2:0.002,0.003,0.005,0.02,0.12,0.2,1;replicates:30"


def test_a_run_says_both_answers_and_its_slopes():
    app = press(open_page("columns", run=RUN), "Run")
    last = finished(page.TAB, RUN)
    assert answer(app) == page.TAB.answer(last)
    actual = columns.actual_bend(20_000, 1.0, 0.3)
    assert f"from ε₂ = **{number(columns.bend(20_000))}** by the rate" in answer(app)
    assert f"by the rate, **{number(actual)}** by the mechanism" in answer(app)
    for fit in fits(last.request.points, last.estimates):
        assert f"{fit.series.lower()} **{words.slope(fit)}** (rate **−2.000**)" in answer(app)
    assert len(app.get("plotly_chart")) == 1
    assert "one server's column, replaced" in everything(app)
