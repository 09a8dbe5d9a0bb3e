"""The resolution page without a browser: displayed numbers against the engine, and refusals."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

import rates
from pages.charts import words
from pages.resolution.page import DETAIL
from rates.resolution.design import Detail
from rates.resolution.growing import two_groups
from rates.resolution.resolution import spreading
from rates.study import codec
from rates.study.presets import preset
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.core.links import asked
from tests.pages.core.links import linked as text_of
from tests.pages.driver import everything, open_page, unfold

ROOT = Path(__file__).resolve().parents[3]


def linked(app: AppTest) -> Detail:
    return asked(app, DETAIL)


def expect_answer(app: AppTest, detail: Detail) -> None:
    answer = rates.solve(detail.study())
    for risk in (answer.integrated, answer.pointwise):
        assert f"**{words.number(risk.D)}** functions" in app.markdown[0].value
        assert f"(level **{risk.level}**" in app.markdown[0].value


def test_a_typed_budget_gives_the_engine_s_numbers():
    app = open_page("resolution")
    expect_answer(app, Detail())
    next(t for t in app.text_input if t.label.startswith("Budget")).set_value("0.0123").run()
    expect_answer(app, Detail(epsilon=0.0123))
    assert linked(app) == Detail(epsilon=0.0123)


def test_a_slider_moves_the_answer_and_the_total_can_be_held():
    app = open_page("resolution")
    app.button_group(key="detail_held_choice").set_value("total").run()
    next(s for s in app.select_slider if s.label == "Number of sites m").set_value(63.0).run()
    detail = Detail(sites=63, records=100_000, held="total")
    expect_answer(app, detail)
    assert f"**{100_000 // 63:,}** records" in app.markdown[0].value


@pytest.mark.parametrize(
    ("label", "text", "rule"),
    [
        ("Smoothness α, exact value", "0.6", "alpha - 1/p must exceed 1/2"),
        ("Number of sites m, exact value", "0", "at least 1"),
        ("Integrability p, exact value", "1", "p must be >= 2"),
    ],
)
def test_a_refused_number_leaves_the_answer(label, text, rule):
    app = open_page("resolution")
    next(t for t in app.text_input if t.label == label).set_value(text).run()
    assert rule in everything(app)
    expect_answer(app, Detail())


@pytest.mark.parametrize(
    "axis", deep_after(2, ["spread", "sites", "records", "smoothness", "roughness"])
)
def test_every_axis_draws_the_study_s_own_point(axis):
    app = open_page("resolution")
    app.selectbox(key="detail_axis_select").set_value(axis).run()
    assert not app.exception
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert any(trace["name"] == "This design" for trace in spec["data"])


def test_the_view_of_one_growing_site():
    app = open_page("resolution", detail=text_of(DETAIL, Detail(view="dominating", moved=25)))
    study = two_groups(Detail().study(), 0.25)
    answer = rates.solve(study)
    text = app.markdown[0].value
    for risk in (answer.integrated, answer.pointwise):
        assert f"to **{words.number(risk.D)}**" in text
    assert "neither Corollary 3 nor Corollary 4" in text
    next(s for s in app.select_slider if s.label.startswith("Moved")).set_value(90.0).run()
    assert "**Corollary 4** applies" in app.markdown[0].value


def test_one_site_cannot_dominate():
    app = open_page("resolution", detail=text_of(DETAIL, Detail(sites=1, view="dominating")))
    assert "at least 2" in app.warning[0].value
    expect_answer(app, Detail(sites=1))


def test_a_budget_of_zero_is_said():
    app = open_page("resolution", detail=text_of(DETAIL, Detail(epsilon=0)))
    assert "No site carries information" in everything(app)


def test_an_unprotected_design_is_drawn():
    app = open_page(
        "resolution", detail=text_of(DETAIL, Detail(epsilon=float("inf"), view="dominating"))
    )
    assert "The budgets must be bounded" in " ".join(str(t.value) for t in app.table)
    expect = rates.solve(two_groups(Detail(epsilon=float("inf")).study(), 0.5))
    assert f"**{words.number(expect.integrated.D)}**" in app.markdown[0].value


@pytest.mark.parametrize("text", ["1,2", "20,5000,0.05,0.5,4,50,site,budget,D,alike", "x" * 3000])
def test_a_broken_design_in_the_address_is_said(text):
    app = open_page("resolution", detail=text)
    assert "could not be opened" in app.error[0].value
    expect_answer(app, Detail())


def test_the_current_study_is_placed():
    assert "is a classifier" in everything(open_page("resolution"))
    app = open_page("resolution", study=codec.to_link(preset("dominating").study))
    assert "Corollary 4, integrated" in everything(app)
    assert "Corollary 1, integrated does not" in everything(app)


def test_the_reversed_claim_shows_the_engine_s_numbers():
    text = everything(open_page("resolution"))
    for p in (float("inf"), 4.0, 2.0):
        factor = spreading(1e8, 1e-3, smoothness=2 - 1 / p, few=10, many=100).rate
        assert f"**{words.number(factor, 4)}**" in text


def test_the_design_survives_a_page_switch():
    app = open_page("resolution")
    next(s for s in app.select_slider if s.label.startswith("Budget")).set_value(0.1).run()
    driver.at(app, "overview").run()
    driver.at(app, "resolution").run()
    expect_answer(app, Detail(epsilon=0.1))
    assert linked(app) == Detail(epsilon=0.1)


def test_letters_are_shared_between_pages():
    app = open_page("resolution")
    unfold(app, "Why")
    app.button_group(key="letters").set_value("words").run()
    driver.at(app, "study").run()
    assert not [g for g in app.button_group if g.key == "letters"]  # drawn only if open
    unfold(app, "Why")
    assert app.button_group(key="letters").value == "words"
    spec = next(
        c.proto.spec for c in app.get("plotly_chart") if "Distance over which" in c.proto.spec
    )
    assert "Sum of all terms" in spec


def test_what_binds_has_its_own_name():
    binds = importlib.import_module("pages.resolution.answer")._binds
    found = [binds(SimpleNamespace(limited_by=(limit,))) for limit in ("privacy", "sample")]
    assert found == ["privacy", "sampling"]
