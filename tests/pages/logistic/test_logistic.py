"""The logistic page without a browser: every tab against the engine, refusals, own records."""

from __future__ import annotations

import math

import pytest

from pages.charts import simulation
from pages.core.live import from_text
from pages.logistic import page, sources
from sims.dplr import look
from sims.engine import Estimate
from tests.pages.driver import finished

SMALL = "dimension:12;sparsity:3;sources:4;transferable:2"


# Which to drop --------------------------------------------------------------------------------


def test_detection_figure_tells_kept_from_dropped_without_colour():
    found = look(from_text(f"kind:none;{SMALL}", sources.SOURCES.usual).values, 0)
    (figure,) = sources.sources_figure(found)
    marks = [mark for mark in figure.figure["data"] if "marker" in mark]
    looks = {mark["name"]: mark["marker"]["symbol"] for mark in marks}
    assert looks == {"Kept, like the target": "circle", "Dropped, unlike it": "x-open"}
    assert sum(len(mark["x"]) for mark in marks) == 4


# Does pooling help? ---------------------------------------------------------------------------


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
    layout, share = figure.figure["layout"], metric in ("accuracy", "kept")
    assert len(layout.get("shapes", ())) == (metric == "accuracy")  # the best possible
    assert (layout["yaxis"]["tickformat"] == ".0%") is share
    series = simulation.scores(last.request.points, last.estimates).values()
    for mark, (_, (e, *_)) in zip(figure.figure["data"], series, strict=True):
        assert mark["y"][0] + mark["error_y"]["array"][0] == pytest.approx(e.interval()[1])
