"""The logistic page without a browser: every tab against the engine, refusals, own records."""

from __future__ import annotations

import math

import pytest

from pages.charts import simulation, words
from pages.core.live import Tab, from_text
from pages.logistic import page, sources
from sims.dplr import look
from sims.engine import Estimate
from tests.pages.driver import answer, finished, open_page, press

SMALL = "dimension:12;sparsity:3;sources:4;transferable:2"


# Which to drop --------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["", f"epsilon:0.5;{SMALL}"])
def test_the_first_tab_says_what_the_draw_says(text: str):
    app = open_page("logistic", run=text)
    found = look(from_text(text, sources.SOURCES.usual).values, 0)
    kept, every = sum(found.detection.kept), len(found.alike)
    assert f"keeps **{kept}** of {every} sources and drops **{every - kept}**" in answer(app)
    assert f"**{100 * found.accuracy['All sources']:.1f}%** with all sources" in answer(app)
    warned = [w for w in app.warning if words.number(found.noise) in w.value]
    assert bool(warned) is (found.noise > 1) is bool(text)
    assert math.isfinite(found.how.epsilon)  # privacy is there by default


def test_detection_figure_tells_kept_from_dropped_without_colour():
    found = look(from_text(f"kind:none;{SMALL}", sources.SOURCES.usual).values, 0)
    (figure,) = sources.sources_figure(found)
    marks = {
        mark.get("name"): mark["marker"]["symbol"]
        for mark in figure.figure["data"]
        if "marker" in mark
    }
    assert marks == {"Kept, like the target": "circle", "Dropped, unlike it": "x-open"}
    assert sum(len(t["x"]) for t in figure.figure["data"] if "marker" in t) == 4


# Does pooling help? ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tab", "text"),
    [
        (page.POOLING, f"replicates:2;epsilon:8,inf;{SMALL}"),
        pytest.param(page.TABLE_1, "replicates:2;transferable:1;scale:0.1", marks=pytest.mark.deep),
    ],
)
def test_a_run_says_what_the_engine_computes(tab: Tab, text: str):
    app = press(open_page("logistic", tab=tab.id, run=text), "Run")
    last = finished(tab, text)
    assert tab.answer(last) == answer(app)
    if tab is page.POOLING:
        low, high = (f"{100 * end:.1f}" for end in last.estimates[0].interval())
        assert f"% (95%: {low} to {high}%)**" in answer(app)
        return
    shown = app.dataframe[0].value
    assert "87.67%" in set(shown["Printed"])
    assert set(shown["Best"]) == {"93.84%", "92.34%", "91.88%"}
    simulated = {words.around(e, "{:.2%}".format) for e in last.estimates}
    assert set(shown["Simulated (95%)"]) == simulated


def test_harm_is_said_where_the_intervals_are_apart():
    good, bad = Estimate(0.9, 0.001, 9), Estimate(0.8, 0.001, 9)
    series = {"Target alone": ([1.0, math.inf], [bad, good])}
    series["All sources"] = ([1.0, math.inf], [bad, bad])
    assert page._harm(series, "accuracy", "epsilon").endswith("**harm** at no noise.")
    calm = {**series, "All sources": ([1.0, math.inf], [good, good])}
    assert "Nowhere" in page._harm(calm, "accuracy", "epsilon")
    assert page._harm(series, "error", "epsilon") == ""


@pytest.mark.parametrize("metric", ["accuracy", "kept", "error"])
def test_every_metric_is_drawn(metric):
    last = finished(page.POOLING, f"replicates:2;metric:{metric};epsilon:8,inf;{SMALL}")
    assert page.LABELS[metric] in page.pooling_answer(last)
    (figure,) = page.pooling_figure(last)
    assert len(figure.figure["layout"].get("shapes", ())) == (
        metric == "accuracy"
    )  # the best possible
    assert (figure.figure["layout"]["yaxis"]["tickformat"] == ".0%") is (
        metric in ("accuracy", "kept")
    )
    series = simulation.scores(last.request.points, last.estimates).values()
    for mark, (_, (e, *_)) in zip(figure.figure["data"], series, strict=True):
        assert mark["y"][0] + mark["error_y"]["array"][0] == pytest.approx(e.interval()[1])
