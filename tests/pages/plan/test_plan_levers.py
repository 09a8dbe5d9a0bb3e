"""The plan page and its report: a missing δ, the mechanism's bandwidth, legends, choices."""

from __future__ import annotations

import io
import math
import zipfile

import pytest
import streamlit as st

from pages.charts import words
from pages.plan import designs as plan_designs
from pages.plan import goal as plan_goal
from pages.plan import levers as plan_levers
from pages.plan import report as plan_report
from pages.plan import view as plan_view
from pages.plan.view import View
from rates import plan as planning
from rates.answer import Lens
from rates.study.presets import preset
from rates.study.scenario import Server, TransferStudy
from rates.study.scope import Scope
from tests.pages.driver import everything
from tests.pages.plan.test_plan import GENEROUS, HOSPITALS, STUDY, choose, grid, opened, whole
from tests.pages.report.test_report import Reader
from tests.rates.plan.test_levers import TOY

# Q promises ε = 0, which needs no δ, until its budget is a lever.
SILENT = TransferStudy(
    target=Server(name="T", n=0, epsilon=1, delta=1e-6),
    sources=[
        Server(name="A", n=1000, epsilon=0.1, delta=1e-6),
        Server(name="Q", n=50, epsilon=0),
    ],
    smoothness=0.5,
    dimension=2,
    margin=1,
)


def test_a_missing_delta_is_said_and_no_limit_is_claimed():
    app = opened(SILENT, View(goal="rate", lever="epsilon", site="Q"))
    rows = grid(app, "Enough, mechanism")
    (cell,) = rows[(rows["Lever"] == "Budget ε") & (rows["Where"] == "Q")]["Enough, mechanism"]
    assert cell == "needs δ of Q"
    text = everything(app)
    rule = "The noise at Q needs a delta, which is not stated, so there is no such point."
    assert words.md(rule) in text
    assert "From here on the rate" not in text
    assert "Needs δ: the mechanism's noise there cannot be computed" in text


def test_a_missing_delta_is_the_engine_s_reason():
    table = planning.levers(SILENT, 0.5)
    lacking = {(x.lever, x.site) for x in table.levers if x.mechanism and x.mechanism.unstated}
    assert lacking == {("epsilon", "Q")}
    assert all(not x.equation.unstated for x in table.levers)
    point = planning.saturation(SILENT, "epsilon", "Q", lens=Lens(mechanism="analytic"))
    assert math.isnan(point.value)
    assert "needs a delta" in point.rule
    assert planning.saturation(SILENT, "epsilon", "A", lens=Lens(mechanism="analytic")).value > 1


def test_the_bandwidth_of_the_mechanism_is_named():
    text = everything(opened(STUDY, View(goal="rate", other=GENEROUS)))
    assert text.count("Named mechanism: bandwidth 2 r") == 4
    assert "bandwidth 1.5 r" in plan_goal.bandwidth(STUDY, 1.5)
    assert "series estimator" in plan_goal.bandwidth(preset("phones").study)
    reader = Reader(whole(STUDY, View(goal="rate", other=GENEROUS)))
    assert reader.text.count("Named mechanism: bandwidth 2 r") == 3


def test_the_bandwidths_are_those_that_were_computed_with():
    """The designs' effective samples are the engine's from 1 to 3 r."""
    found, _ = plan_designs.designs(STUDY, View(goal="rate", other=GENEROUS))
    ends = [
        planning.versus(STUDY, GENEROUS, lens=Lens(kappa=k)).effective_n_mechanism[0]
        for k in (1, 2, 3)
    ]
    assert [worth[0] for worth in found.mechanism] == ends
    assert ends[0] < ends[1] < ends[2]


def test_the_report_explains_its_tables():
    text = Reader(whole(STUDY, View(goal="rate", other=GENEROUS))).text
    assert plan_levers.LEGEND in text
    assert "more than ten times what Hungary has today" in text
    assert "A row with a count is left out as a whole" in text


def test_the_report_takes_the_choices_of_the_page(monkeypatch):
    made = {}
    monkeypatch.setattr(
        st, "download_button", lambda label, data, *_, **__: made.update({label: data})
    )
    view = View(goal="rate", lever="n", site="Cleveland", other=GENEROUS)
    app = opened(STUDY, view)
    choices = {s.label: s for s in app.selectbox}
    choices["In terms of which site?"].set_value("Cleveland")
    choices["Change along the figure"].set_value("n")
    app.run()
    brief = Reader(made["Report (HTML)"]()).text
    assert "To bring the worst-case" in brief
    with zipfile.ZipFile(io.BytesIO(made["Report with all files (ZIP)"]())) as file:
        assert "One more record" not in file.read("report.html").decode()
        assert {"tables/exchange.csv", "figures/designs.svg"} <= set(file.namelist())
        text = Reader(file.read("plan.html").decode()).text
    assert "One more record, in terms of Cleveland" in text
    assert plan_designs.LABELS["n"] in text
    assert plan_designs.LABELS["epsilon"] not in text


def test_the_report_has_defaults_where_nothing_was_chosen():
    view = plan_view.asked(View(other=GENEROUS), STUDY, Scope())
    goal = plan_goal.goal(STUDY, view)
    made = plan_report.section(STUDY, view, HOSPITALS.scope or Scope(), goal)
    captions = [getattr(block, "caption", "") for block in made.blocks]
    assert f"One more record, in terms of {words.label(STUDY.target.name)}" in captions


@pytest.fixture
def with_toy(monkeypatch):
    """The toy in the catalogue; tables made without it are forgotten, and those with it."""
    monkeypatch.setitem(planning.LEVERS, TOY.name, TOY)
    plan_levers.table_of.cache_clear()
    yield
    plan_levers.table_of.cache_clear()


@pytest.mark.usefixtures("with_toy")
def test_a_toy_lever_is_chosen_listed_and_drawn():
    """One record in the catalogue is a lever of the page, its table and its figure."""
    site = STUDY.servers[1].name
    app = opened(STUDY, View(goal="rate", lever=TOY.name, site=site))
    assert not app.exception
    chosen = choose(app, "Which lever?")
    assert chosen.value == TOY.name
    assert TOY.title in chosen.options
    assert TOY.title in set(grid(app, "Lever")["Lever"])
    assert TOY.unlimited in everything(app)  # the answer: out of reach, and how far it gets
    goal = plan_goal.goal(STUDY, view := View(goal="rate", lever=TOY.name, site=site))
    row = plan_levers.chosen(plan_levers.found(STUDY, view, goal), view)
    drawn = plan_levers.picture(STUDY, view, goal, row)
    assert drawn.figure.x.title == f"{TOY.title} at {site}"
