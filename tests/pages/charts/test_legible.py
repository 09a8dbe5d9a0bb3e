"""What a reader sees: titles in words, one way of numbers, no mark that is not there."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import pytest

from pages.adaptation import runs
from pages.charts import log_axis, simulation
from pages.classification import page as rate
from pages.core import live as plans
from pages.hybrid import runs as hybrid_runs
from pages.logistic import page as logistic
from pages.regression import page as curve_rate
from sims.engine import Estimate, Request, fits, run, scaling, start


@pytest.mark.parametrize("ends", [(30.0, 3e11), (1e-5, 1.0), (50.0, 2e4), (1e6, 5e7), (1e5, 1e8)])
def test_an_axis_writes_its_numbers_in_one_way(ends):
    """Hybrid said 1,000,000 and 1e8 on one axis."""
    texts = log_axis("n", ends).ticks.texts
    assert len(texts) > 2
    assert not any("e" in text for text in texts)
    raised = any("10" in text and text[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹" for text in texts)
    assert not (raised and any("," in text for text in texts))


NOT_BEGUN = {
    "classifier": (rate.RATE_TAB, rate.rate_blocks),
    "curve": (curve_rate.RATE_TAB, curve_rate.rate_blocks),
    "records": (runs.RATE, runs.rate_figure),
    "share": (runs.MIXTURE, runs.mixture_figure),
    "parity": (hybrid_runs.PARITY, hybrid_runs.PARITY.blocks),
    "pooling": (logistic.POOLING, logistic.POOLING.blocks),
}


@pytest.mark.parametrize("case", NOT_BEGUN)
def test_a_legend_lists_nothing_before_there_is_a_mark(case):
    tab, drawn = NOT_BEGUN[case]
    figure = next(iter(drawn(start(tab.make(tab.usual))))).figure
    # An entry that stands for a kind of line has no point, and that line is there.
    lines = {mark.stroke.dash for mark in figure.marks if mark.stroke and mark.x[0] is not None}
    for mark in figure.marks:
        if mark.name and mark.listed is not False and mark.x[0] is None:
            assert mark.stroke is not None, mark.name
            assert mark.stroke.dash in lines, mark.name


def test_error_bars_stay_inside_and_beside_each_other():
    asked = plans.from_text("replicates:2;private:50,400;epsilon:1,3;public:200", runs.RATE.usual)
    begun = start(runs.RATE.make(asked))
    wide = [Estimate(0.2, 0.5, 6, -0.4, 1.3) for _ in begun.request.points]
    found = runs.rate_figure(SimpleNamespace(request=begun.request, estimates=wide))
    (figure,) = (block.figure for block in found if hasattr(block, "figure"))
    (up,), drawn = figure.axes("y"), [mark for mark in figure.marks if mark.spread]
    assert drawn
    for mark in drawn:
        for y, high, low in zip(mark.y, mark.spread.up, mark.spread.down, strict=True):
            assert up.span[0] < math.log10(y - low)
            assert math.log10(y + high) < up.span[1]
    places = [x for mark in drawn for x in mark.x]
    assert len({*places}) == len(places)


def test_verdicts_name_what_cannot_be_told_apart():
    slope = scaling.Fitted(value=-0.7, stderr=0.02, low=-0.74, high=-0.66, misfit=1.0)
    rest = {"constant": None, "used": 5, "left_out": ()}
    fit, judged = scaling.Fit(series="a", slope=slope, theory=-0.69, **rest), simulation.judged
    assert judged(fit, None) == "agrees"
    other = judged(fit, SimpleNamespace(sampling=-2 / 3, privacy=-1.0))
    assert ("sampling alone" in other, "privacy alone" in other) == (True, False)
    assert judged(replace(fit, theory=-1.0), None) == "differs"


def test_the_figure_has_points_with_intervals_over_lines():
    values = {"n": (3e3, 1e5, 1e6), "epsilon": (0.1,)}
    request = Request(experiment=rate.RATE_TAB.experiment, values=values, replicates=8)
    *_, last = run(request)
    found = fits(request.points, last.estimates)
    how = {"x_title": "n", "y_title": "y", "title": "t", "curve": "c", "bends": {"ε = 0.1": [4e5]}}
    figure = simulation.rate_figure(last, name="rate", **how).figure
    lifted, exact, dots, hollow = figure.marks[:4]
    constant = found[0].constant.value
    assert list(lifted.y) == pytest.approx([constant * p.theory for p in request.points])
    assert list(exact.y) == [p.exact for p in request.points]
    assert list(dots.y) == [e.mean for e in last.estimates[1:]]
    assert dots.spread.up == [e.high - e.mean for e in last.estimates[1:]]
    assert hollow.dots.symbol.endswith("-open")
    assert list(hollow.x) == [3e3]
    assert figure.rules[0].start == (4e5, 0)
