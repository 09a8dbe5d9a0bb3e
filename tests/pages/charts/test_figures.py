"""Figures from plain data: the numbers to take away are those that are drawn."""

from __future__ import annotations

import itertools
import math
from collections import deque

import numpy as np
import pytest

from pages import figures
from pages.charts import curves, number, percent, plan, shares, spec
from pages.charts.make import numbers_of, words_of
from pages.charts.svg_marks import plain
from pages.phases import page as designs
from rates import DomainError
from rates.answer import Lens, privacy_cost
from rates.answer.compare import budget_sweep
from rates.answer.sides import balance
from rates.maps import equal_servers, growth, sweep
from rates.maps.alike import AXES
from rates.plan import site_values
from rates.study import PRESETS, FederatedStudy, Server, TransferStudy, preset
from sims.engine import Request, run
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
        np.testing.assert_allclose(lines["Signal squared"].x, np.exp(sign * result.log_r))
        root = next(trace for trace in figure.data if trace.name == "Root")
        assert root.x[0] == pytest.approx(math.exp(sign * result.root))
        assert root.y[0] == 1
        assert f"Sum of all terms: {number(math.exp(result.total[0]))} at" in drawn.alt


def test_rows_of_shares_and_budgets():
    study = preset("hospitals").study
    (cost,) = privacy_cost(study)
    names = [s.name for s in study.servers]
    panels = [("Rate equation", cost.equation.answer)]
    drawn = shares.shares_figure(names, panels, has_target=True, caption="")
    of_each = list(cost.equation.answer.shares)
    assert [row["share, rate equation"] for row in drawn.rows] == of_each
    bars = drawn.figure.marks
    told = {name[2:]: text for m in bars for name, text in zip(m.y, m.texts, strict=True)}
    assert told == {name: percent(x) for name, x in zip(names, of_each, strict=True)}
    sweep_ = budget_sweep(study, [0.5, 1.0], lens=Lens(risk="classification"))
    rows = curves.kept_figure(sweep_, unit=2.0, label="Common budget ε", title="t", name="n").rows
    low, high, equation, _ = rows[:4]
    assert (low["Common budget ε"], equation["Common budget ε"]) == (1.0, 1.0)
    assert rows[3]["Effective sample kept"] == sweep_.equation[1]
    assert low["Effective sample kept"] == sweep_.mechanism[1, 0]
    assert high["high"] == pytest.approx(sweep_.mechanism[:, 1].max())


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("integrability", [2, math.inf])
def test_the_resolution_figure_along_every_axis(axis, integrability):
    study = equal_servers(20, 5000, 0.05, smoothness=2, integrability=integrability)
    curve = sweep(study, axis)
    for quantity in ("D", "rate"):
        drawn = curves.curve_figure(curve, quantity=quantity, here=1.0, caption="")
        figure = spec.figure(drawn.figure)
        (line,) = [t for t in figure.data if t.name in ("Both errors", "Whole curve")]
        branch = curve.integrated
        wanted = branch.log_D if quantity == "D" else np.minimum(branch.log_rate, 0)
        np.testing.assert_allclose(line.y, np.exp(wanted))
        assert "nan" not in drawn.alt


def test_bars_show_where_the_conditions_hold():
    study = equal_servers(100, 1000, 0.05, smoothness=2, integrability=math.inf)
    result = growth(study, [0, 0.5, 1])
    shown = curves.growth_figure(result, here=0.5)
    figure = spec.figure(shown.figure)
    bars = [trace for trace in figure.data if trace.type == "bar"]
    drawn = [(b.base[0], b.base[0] + b.x[0]) for b in bars]
    spans = [(s.low, s.high) for s in result.spans if s.risk == "integrated"]
    np.testing.assert_allclose(drawn, spans)
    assert shown.rows[1]["Functions, D"] == np.exp(result.integrated[1])


@pytest.mark.parametrize("key", ["hospitals", "unequal"])
@pytest.mark.parametrize("name", figures.FIGURES)
def test_one_call_draws(key, name):
    study = preset(key).study
    drawn, figure = figures.drawn(study, name), figures.of(study, name)
    assert figure.layout.meta["alt"] == drawn.alt
    assert figure.layout.title.text.replace("<br>", " ") == drawn.figure.title
    assert drawn.to_frame().shape == (len(drawn.rows), len(drawn.rows[0]))
    assert drawn._repr_svg_().count("<svg") == 1
    check(drawn.figure)


def check(chart):
    """Words name every series, rows hold its points, and a band follows its other edge."""
    numbers, told = numbers_of(chart), words_of(chart)
    for before, mark in itertools.pairwise([None, *chart.marks]):
        if mark.name and mark.listed is not False:
            assert plain(mark.name) in told
        mine = [row for row in numbers if row["series"] == plain(mark.name or "")]
        there = [x for x in mark.x if x is not None]
        assert len(mine) >= len(there) * (mark.hover != "")
        if getattr(mark, "fill", None) and mark.fill.band:
            assert before.stroke.width == 0
            assert np.array_equal(before.x, mark.x)


def test_what_a_site_is_worth_is_a_span_around_today():
    study = preset("unprotected").study
    drawn, first = figures.drawn(study, "sites").figure, plan.ranked(site_values(study))[0]
    (mark,) = (m for m in drawn.marks if m.name == "Named mechanism")
    assert list(mark.x[:2]) == [first.kept_mechanism - 1, first.joined_mechanism - 1]
    assert drawn.y.names[-1] == mark.y[0] == first.name  # from the origin up


def test_the_rate_along_a_cut_has_its_band():
    check(designs.cut_of(next(iter(designs.EXAMPLES.values()))).figure)


def test_a_run_has_its_errors_and_its_figure():
    asked = Request(experiment=find("hybrid-parity"), replicates=8, seed=3)
    found = deque(run(asked), maxlen=1).pop()
    table = found.to_frame()
    errors = [np.std(row[:8], ddof=1) / np.sqrt(8) for row in found.replicated]
    assert table["standard error"].tolist() == pytest.approx(errors)
    assert (table["95% low"] <= table.iloc[:, 2]).all()
    assert figures.drawn(found).rows[0][asked.experiment.y_label] == table.iloc[0, 2]
    assert "share of draws" in figures.of(found).layout.meta["alt"]


def test_what_cannot_be_drawn_is_said():
    free = FederatedStudy(servers=[Server(name="a", n=9, epsilon=float("inf"))], smoothness=2)
    nothing = FederatedStudy(servers=[Server(name="a", n=0, epsilon=1)], smoothness=2)
    request = Request(experiment=find("privacy-audit"), replicates=2)
    for found, name, risk, says in (
        (free, "risk", "", "must be one of shares, budgets"),
        (free, "shares", "mean", "must be one of integrated, pointwise"),
        (free, "budgets", "", "finite budget"),
        (nothing, "balance", "", "nothing to balance"),
        (nothing, "map", "", "no two numbers"),
        (deque(run(request), maxlen=1).pop(), "", "", "to_frame has the numbers"),
    ):
        with pytest.raises(DomainError, match=says):
            figures.drawn(found, name, risk)


def test_a_part_that_helps_lies_left_of_zero():
    parts = (0.1, 0.3, 0.8, -0.2)
    one = shares.by_cause({"A": (0.1, parts), "B": (0.1, parts)}, title="Two", caption="")
    spans = {m.name: (m.base[0], m.base[0] + m.x[0]) for m in one.figure.marks}
    assert spans["sites that differ"] == pytest.approx((-0.2, 0.0))
    assert spans["privacy noise"] == pytest.approx((0.4, 1.2))
    assert "sites that differ −20%" in one.alt
    assert one.figure.x.span[0] < -0.2
