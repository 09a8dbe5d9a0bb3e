"""Figures from plain data: the numbers to take away are those drawn, titles are legible."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pages import figures
from pages.adaptation import runs
from pages.charts import curves, log_axis, number, percent, shares, simulation, spec
from pages.charts.make import numbers_of, words_of
from pages.charts.svg_marks import plain
from pages.classification import page as rate
from pages.core import live as plans
from pages.hybrid import runs as hybrid_runs
from pages.logistic import page as logistic
from pages.regression import page as curve_rate
from rates import DomainError
from rates.answer import Lens, balance, privacy_cost
from rates.answer.compare import budget_sweep
from rates.maps import equal_servers, sweep
from rates.maps.alike import AXES
from rates.study import PRESETS, FederatedStudy, Server, TransferStudy, preset
from sims.engine import Estimate, Request, fits, run, scaling, start
from sims.experiments import find


@pytest.mark.parametrize("entry", PRESETS, ids=lambda p: p.key)
def test_the_balance_figure_of_every_example(entry):
    transfer = isinstance(entry.study, TransferStudy)
    names = [s.name for s in entry.study.servers]
    for risk in ("classification",) if transfer else ("integrated", "pointwise"):
        result = balance(entry.study, risk)
        drawn = curves.balance_figure(result, names, transfer=transfer, caption="")
        figure = spec.figure(drawn.figure)
        lines = {trace.name: trace for trace in figure.data if trace.mode == "lines"}
        np.testing.assert_allclose(lines["Sum of all terms"].y, np.exp(result.total))
        sign = 1 if transfer else -1
        np.testing.assert_allclose(lines["Sum of all terms"].x, np.exp(sign * result.log_r))
        root = next(trace for trace in figure.data if trace.name == "Root")
        assert (root.x[0], root.y[0]) == (pytest.approx(math.exp(sign * result.root)), 1)
        assert f"Sum of all terms: {number(math.exp(result.total[0]))} at" in drawn.alt


def test_rows_of_shares_and_budgets():
    study = preset("hospitals").study
    (cost,) = privacy_cost(study)
    names = [s.name for s in study.servers]
    panels = [("Rate equation", cost.equation.answer)]
    drawn = shares.shares_figure(names, panels, has_target=True, caption="")
    of_each = list(cost.equation.answer.shares)
    assert [row["share, rate equation"] for row in drawn.rows] == of_each
    bars = (zip(m["y"], m["text"], strict=True) for m in drawn.figure["data"])
    told = {name[2:]: text for bar in bars for name, text in bar}
    assert told == {name: percent(x) for name, x in zip(names, of_each, strict=True)}
    sweep_ = budget_sweep(study, [0.5, 1.0], lens=Lens(risk="classification"))
    rows = curves.kept_figure(sweep_, unit=2.0, label="Common budget ε", title="t", name="n").rows
    low, high, equation, whole = rows[:4]
    assert (low["Common budget ε"], equation["Common budget ε"]) == (1.0, 1.0)
    kept = [row["Effective sample kept"] for row in (whole, low)]
    assert kept == [sweep_.equation[1], sweep_.mechanism[1, 0]]
    assert high["high"] == pytest.approx(sweep_.mechanism[:, 1].max())


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("integrability", [2, math.inf])
def test_the_resolution_figure_along_every_axis(axis, integrability):
    study = equal_servers(20, 5000, 0.05, smoothness=2, integrability=integrability)
    curve = sweep(study, axis)
    drawn = curves.curve_figure(curve, here=1.0, caption="")
    figure = spec.figure(drawn.figure)
    (line,) = [t for t in figure.data if t.name in ("Both errors", "Whole curve")]
    np.testing.assert_allclose(line.y, np.exp(curve.integrated.log_D))
    assert "nan" not in drawn.alt


@pytest.mark.parametrize("key", ["hospitals", "unequal"])
@pytest.mark.parametrize("name", figures.FIGURES)
def test_one_call_draws(key, name):
    study = preset(key).study
    drawn, figure = figures.drawn(study, name), figures.of(study, name)
    assert figure.layout.meta["alt"] == drawn.alt
    assert figure.layout.title.text.replace("<br>", " ") == drawn.figure["layout"]["title"]
    assert drawn.to_frame().shape == (len(drawn.rows), len(drawn.rows[0]))
    assert drawn._repr_svg_().count("<svg") == 1
    check(drawn.figure)


def check(chart):
    """Words name every series, rows hold its points, and a band follows its other edge."""
    numbers, told = numbers_of(chart), words_of(chart)
    for before, mark in itertools.pairwise([None, *chart["data"]]):
        if mark.get("showlegend") is not False:
            assert plain(mark["name"]) in told
        mine = [row for row in numbers if row["series"] == plain(mark.get("name") or "")]
        there = [x for x in mark["x"] if x is not None]
        assert len(mine) >= len(there) * ("hoverinfo" not in mark)
        if mark.get("fill") == "tonexty":
            assert before["line"]["width"] == 0
            assert np.array_equal(before["x"], mark["x"])


def test_a_run_has_its_errors_and_its_figure():
    asked = Request(experiment=find("hybrid-parity"), replicates=8, seed=3)
    *_, found = run(asked)
    table = found.to_frame()
    errors = [np.std(row[:8], ddof=1) / np.sqrt(8) for row in found.replicated]
    assert table["standard error"].tolist() == pytest.approx(errors)
    assert (table["95% low"] <= table.iloc[:, 2]).all()
    assert figures.drawn(found).rows[0][asked.experiment.y_label] == table.iloc[0, 2]
    assert "share of draws" in figures.of(found).layout.meta["alt"]


def test_what_cannot_be_drawn_is_said():
    free = FederatedStudy(servers=[Server(name="a", n=9, epsilon=float("inf"))], smoothness=2)
    nothing = FederatedStudy(servers=[Server(name="a", n=0, epsilon=1)], smoothness=2)
    *_, audited = run(Request(experiment=find("privacy-audit"), replicates=2))
    for found, name, risk, says in (
        (free, "risk", "", "must be one of shares, budgets"),
        (free, "shares", "mean", "must be one of integrated, pointwise"),
        (free, "budgets", "", "finite budget"),
        (nothing, "balance", "", "nothing to balance"),
        (nothing, "map", "", "no two numbers"),
        (audited, "", "", "to_frame has the numbers"),
    ):
        with pytest.raises(DomainError, match=says):
            figures.drawn(found, name, risk)


def test_a_part_that_helps_lies_left_of_zero():
    parts = (0.1, 0.3, 0.8, -0.2)
    one = shares.by_cause({"A": (0.1, parts), "B": (0.1, parts)}, title="Two", caption="")
    spans = {m["name"]: (m["base"][0], m["base"][0] + m["x"][0]) for m in one.figure["data"]}
    assert spans["sites that differ"] == pytest.approx((-0.2, 0.0))
    assert spans["privacy noise"] == pytest.approx((0.4, 1.2))
    assert "sites that differ −20%" in one.alt
    assert one.figure["layout"]["xaxis"]["range"][0] < -0.2


# What a reader sees ---------------------------------------------------------------------------


@pytest.mark.parametrize("ends", [(30.0, 3e11), (1e-5, 1.0), (50.0, 2e4), (1e6, 5e7), (1e5, 1e8)])
def test_an_axis_writes_its_numbers_in_one_way(ends):
    """Hybrid said 1,000,000 and 1e8 on one axis."""
    texts = log_axis("n", ends)["ticktext"]
    assert len(texts) > 2
    assert not any("e" in text for text in texts)
    raised = any("10" in text and text[-1] in "⁰¹²³⁴⁵⁶⁷⁸⁹" for text in texts)
    assert not (raised and any("," in text for text in texts))


NOT_BEGUN = [
    *(rate.RATE_TAB, curve_rate.RATE_TAB, runs.RATE, runs.MIXTURE),
    *(hybrid_runs.PARITY, logistic.POOLING),
]


@pytest.mark.parametrize("tab", NOT_BEGUN, ids=lambda tab: tab.key)
def test_a_legend_lists_nothing_before_there_is_a_mark(tab):
    blocks = tab.blocks(start(tab.make(tab.usual)))
    marks = next(block.figure["data"] for block in blocks if hasattr(block, "figure"))
    # An entry that stands for a kind of line has no point, and that line is there.
    lines = {m["line"]["dash"] for m in marks if "line" in m and m["x"][0] is not None}
    for mark in marks:
        if mark.get("showlegend") is not False and mark["x"][0] is None:
            assert mark["line"]["dash"] in lines, mark["name"]


def test_error_bars_stay_inside_and_beside_each_other():
    asked = plans.from_text("replicates:2;private:50,400;epsilon:1,3;public:200", runs.RATE.usual)
    begun = start(runs.RATE.make(asked))
    wide = [Estimate(0.2, 0.5, 6, -0.4, 1.3) for _ in begun.request.points]
    found = runs.rate_figure(SimpleNamespace(request=begun.request, estimates=wide))
    (figure,) = (block.figure for block in found if hasattr(block, "figure"))
    bottom, top = figure["layout"]["yaxis"]["range"]
    drawn = [mark for mark in figure["data"] if "error_y" in mark]
    for mark in drawn:
        y, error = np.array(mark["y"]), mark["error_y"]
        assert (bottom < np.log10(y - error["arrayminus"])).all()
        assert (np.log10(y + error["array"]) < top).all()
    places = [x for mark in drawn for x in mark["x"]]
    assert len({*places}) == len(places) > 0


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
    lifted, exact, dots = figure["data"][:3]
    constant = found[0].constant.value
    assert list(lifted["y"]) == pytest.approx([constant * p.theory for p in request.points])
    assert list(exact["y"]) == [p.exact for p in request.points]
    heights = [(e.mean, e.high - e.mean) for e in last.estimates]
    assert [*zip(dots["y"], dots["error_y"]["array"], strict=True)] == heights
    assert [x.endswith("-open") for x in dots["marker"]["symbol"]] == [True, False, False]
    assert figure["layout"]["shapes"][0]["x0"] == 4e5
