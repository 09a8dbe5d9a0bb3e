"""The logistic page without a browser: every tab against the engine, refusals, own records."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.core.live.plans import from_text
from pages.logistic import accuracy as logistic_accuracy
from pages.logistic import figures
from pages.logistic import records as logistic_records
from pages.logistic import sources as logistic_sources
from pages.logistic import table as logistic_table
from rates.logistic.surrogate import meaning, scale_for
from sims.engine.experiment import Estimate, Request
from sims.engine.runs import run
from sims.logistic.picture import look
from sims.logistic.study import TABLE, TRANSFER
from tests.pages.driver import everything, open_page

ROOT = Path(__file__).resolve().parents[3]
SMALL = "dimension:12;sparsity:3;sources:4;transferable:2"


def answer(app: AppTest) -> str:
    return str(app.markdown[0].value)


# Which to drop ---------------------------------------------------------------------------------


def test_the_first_tab_drops_the_right_sources():
    app = open_page("logistic")
    found = look(logistic_sources.TAB.usual.values, 0)
    kept = sum(source.kept for source in found.sources)
    assert f"keeps **{kept}** of 10 sources and drops **{10 - kept}**" in answer(app)
    assert f"**{100 * found.accuracy['All sources']:.1f} %** with all sources" in answer(app)
    assert f"c = {words.number(found.factor)} times the truth" in everything(app)
    assert "No protection" not in answer(app)


def test_a_small_budget_keeps_what_harms():
    app = open_page("logistic", run=f"epsilon:0.5;{SMALL}")
    values = from_text(f"epsilon:0.5;{SMALL}", logistic_sources.TAB.usual).values
    found = look(values, 0)
    assert "All noise" in everything(app)
    assert words.number(found.noise) in everything(app)
    assert f"keeps **{sum(s.kept for s in found.sources)}** of 4" in answer(app)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("transferable:11", "at most the number of sources"),
        ("sparsity:9", "3 s must be at most p"),
        ("kind:exact", 'kind must be "none"'),
        ("epsilon:0", "epsilon must be positive"),
        ("size:100", "covariate values"),
    ],
)
def test_bad_links_are_said(text, rule):
    assert rule in everything(open_page("logistic", run=text))


def test_detection_figure_tells_kept_from_dropped_without_colour():
    found = look(from_text(f"kind:none;{SMALL}", logistic_sources.TAB.usual).values, 0)
    figure = figures.detection(
        found.sources, found.alone, found.threshold, alt="", rows=[], name="n"
    ).figure
    marks = {mark.name: mark.dots.symbol for mark in figure.marks if mark.dots}
    assert marks == {"Kept, like the target": "circle", "Dropped, unlike it": "x-open"}
    assert sum(len(t.x) for t in figure.marks if t.dots) == 4
    strip = figures.strip(found).figure
    assert list(strip.marks[1].y) == pytest.approx([found.factor * b for b in found.truth])


# Does pooling help? ------------------------------------------------------------------------------


def finished(experiment, values, replicates):
    request = Request(experiment=experiment, values=values, replicates=replicates)
    *_, last = run(request)
    return last


def test_a_run_says_what_the_engine_computes():
    text = f"replicates:2;epsilon:8,inf;{SMALL}"
    app = open_page("logistic", tab="accuracy", run=text)
    next(b for b in app.button if b.label == "Run").click().run()
    assert not app.exception
    values = from_text(text, logistic_accuracy.TAB.usual).values
    last = finished(TRANSFER, values, 2)
    assert logistic_accuracy.answer(last) == answer(app)
    assert "finished in" in everything(app)
    low, high = (f"{100 * end:.1f}" for end in last.estimates[0].interval())
    assert f" % (95 %: {low} to {high} %)**" in answer(app)


def test_the_sentence_gives_the_intervals_of_the_bars():
    found = Estimate(0.6731, 0.039, 5)
    figure = figures.sweep({"Target alone": ([1.0], [found])}, "file", "t", "x", "y").figure
    half = figure.marks[0].spread.up[0]
    low, high = found.mean - half, found.mean + half
    told = f"67.3 % (95 %: {100 * low:.1f} to {100 * high:.1f} %)"
    assert logistic_accuracy.pair(found, "accuracy") == told


def test_names_too_long_for_two_columns_get_a_row_each():
    short = figures.meaning((0.1, 1.0), {"once": (2.0, 1.0)}, 0.5).figure
    long = figures.meaning((0.1, 1.0), {"Noise once, crude bound": (2.0, 1.0)}, 0.5).figure
    assert (short.legend.entry, long.legend.entry) == (0.48, 1.0)
    assert long.foot - short.foot == long.height - short.height == 22


@pytest.mark.parametrize("share", [True, False])
def test_an_empty_figure_has_a_fixed_axis(share):
    def draw(series):
        return figures.sweep(series, "file", "t", "x", "y", share=share).figure

    empty = draw({"a": ([1.0, 2.0], [Estimate(math.nan, math.nan, 0)] * 2)})
    assert empty.y.span == (0, 1)
    assert empty.y.labels is share  # without a share no scale is known yet
    full = draw({"a": ([1.0, 2.0], [Estimate(0.7, 0.01, 5)] * 2)})
    assert full.y.span is None
    assert full.y.labels is None


def test_harm_is_said_where_the_intervals_are_apart():
    good, bad = Estimate(0.9, 0.001, 9), Estimate(0.8, 0.001, 9)
    series = {"Target alone": ([1.0, math.inf], [bad, good])}
    series["All sources"] = ([1.0, math.inf], [bad, bad])
    said = logistic_accuracy._harm(series, "accuracy", "epsilon")
    assert said.endswith("harm** at no noise".replace("harm**", "**harm**") + ".")
    calm = {**series, "All sources": ([1.0, math.inf], [good, good])}
    assert "Nowhere" in logistic_accuracy._harm(calm, "accuracy", "epsilon")
    assert logistic_accuracy._harm(series, "direction", "epsilon") == ""


@pytest.mark.parametrize("name", list(logistic_accuracy.FIGURES))
def test_the_papers_figures_can_be_asked_for(name):
    app = open_page("logistic", tab="accuracy", run=f"epsilon:8;{SMALL};replicates:2")
    next(b for b in app.button if b.label.startswith(f"As {name}")).click().run()
    assert not app.exception
    assert "kind:printed" in str(app.query_params["run"])
    assert not [e for e in app.error if "cannot" in str(e.value)]


@pytest.mark.parametrize("sweep", list(logistic_accuracy.SWEPT))
def test_every_sweep_can_be_chosen(sweep):
    usual, chosen = logistic_accuracy.TAB.usual.values, logistic_accuracy.SWEPT[sweep]
    values = {**usual, **chosen.values, "sweep": sweep}
    request = Request(experiment=TRANSFER, values=values, replicates=2)
    assert len({point.x for point in request.points}) >= 4


@pytest.mark.parametrize("metric", ["kept", "direction", "relative"])
def test_other_metrics_are_drawn(metric):
    values = from_text(f"metric:{metric};epsilon:8,inf;{SMALL}", logistic_accuracy.TAB.usual).values
    progress = finished(TRANSFER, values, 2)
    assert logistic_accuracy.LABELS[metric] in logistic_accuracy.answer(progress)
    series = logistic_accuracy._series(progress)
    lines = {"best": 0.9}
    drawn = figures.sweep(series, "file", "t", "x", "y", share=metric == "kept", lines=lines)
    assert len(drawn.figure.marks) == len(series) + 1
    assert "y against x. " in drawn.alt
    assert " to " in drawn.alt


# Table 1 ---------------------------------------------------------------------------------------


@pytest.mark.deep
def test_the_table_stands_beside_the_printed_one():
    text = "replicates:2;transferable:1;scale:0.1"
    app = open_page("logistic", tab="table", run=text)
    assert "whole hits of 300" in answer(app)
    next(b for b in app.button if b.label == "Run").click().run()
    assert not app.exception
    values = from_text(text, logistic_table.TAB.usual).values
    assert answer(app) == logistic_table.answer(finished(TABLE, values, 2))
    shown = app.dataframe[0].value
    assert ("87.67", "263") in set(zip(shown["Printed, %"], shown["Of 300"], strict=True))
    assert set(shown["Best, %"]) == {"93.84", "92.34", "91.88"}
    last = finished(TABLE, values, 2)
    simulated = {
        f"{100 * e.mean:.2f} ({100 * e.low:.2f} to {100 * e.high:.2f})" for e in last.estimates
    }
    assert set(shown["Simulated, % (95 %)"]) == simulated


def test_transfer_helps_where_the_intervals_separate():
    low, high, vague = Estimate(0.8, 0.01, 9), Estimate(0.9, 0.01, 9), Estimate(0.9, 0.09, 9)
    both = {("t3", "naive", 0.1): low, ("t3", "oracle", 0.1): high}
    assert logistic_table._order(both).endswith("**1 of 1** cells: the printed order reproduces.")
    more = {**both, ("normal", "naive", 0.1): low, ("normal", "oracle", 0.1): vague}
    more |= {("mixture", "naive", 0.1): high, ("mixture", "oracle", 0.1): low}
    assert "**1 of 3** cells, harms in **1**, and is not told apart in **1**." in (
        logistic_table._order(more)
    )


# What ε is that? ---------------------------------------------------------------------------------


def test_the_translator_says_the_engines_numbers():
    app = open_page("logistic", tab="meaning")
    found = meaning(0.1, dimension=50, radius=1.0, n=300, delta=1e-5)
    assert f"ε = **{words.number(found.once)}**" in answer(app)
    assert f"**{words.number(found.once_twice)}** with the second release" in answer(app)
    needed = scale_for(1.0, dimension=50, radius=1.0)
    assert f"a scale of **{words.number(needed)}**" in answer(app)
    shown = app.dataframe[0].value
    assert words.number(found.central) in list(shown["ε"])
    told = dict(zip(shown["Reading"], shown["ε"], strict=True))
    assert told["Two releases, target (pure)"] == words.number(found.once_twice)


def test_no_clipping_promises_nothing():
    app = open_page("logistic", tab="meaning", run="radius:inf")
    assert "promises **nothing**" in answer(app)
    assert "No clipping." in everything(app)


# My records --------------------------------------------------------------------------------------


def csv_text() -> str:
    rng = np.random.default_rng(0)
    lines = ["source,y,a,b"]
    for name, n, sign in (("small", 60, 1), ("like", 200, 1), ("un*like", 200, -1)):
        for x in rng.standard_normal((n, 2)):
            y = int(sign * x.sum() + 0.3 * rng.standard_normal() > 0)
            lines.append(f"{name},{y},{x[0]:.4f},{x[1]:.4f}")
    return "\n".join(lines)


def uploaded(text: str, **query: str) -> AppTest:
    app = open_page("logistic", tab="records", **query)
    app.file_uploader[0].set_value(("records.csv", text.encode(), "text/csv")).run()
    assert not app.exception
    return app


def test_own_records_are_judged():
    app = uploaded(csv_text(), run="kind:none")
    assert "For **small** the detection keeps **like** of 2 sources" in answer(app)
    assert "Not private end to end" in everything(app)
    assert "mean ± standard error over the splits: target alone **" in answer(app)


def test_without_records_the_format_is_said():
    app = open_page("logistic", tab="records")
    assert "table of records" in answer(app)
    assert "covariates, all numbers" in everything(app)


def test_a_refused_table_is_said(monkeypatch):
    import streamlit as st

    monkeypatch.setattr(st, "session_state", {})
    sites = logistic_records.SITES
    sites.take(b"source,y,a\nT,2,1")
    assert "y must be 0 or 1" in st.session_state[f"{sites.name}_problem"]
    assert sites.now() is None
    sites.take(csv_text().encode())
    assert st.session_state[f"{sites.name}_problem"] == ""
    assert sites.now().names == ("small", "like", "un*like")
