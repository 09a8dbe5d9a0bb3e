"""The resolution page without a browser: displayed numbers against the engine, and refusals."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest

import rates
from pages import resolution as page
from pages.charts import words
from pages.resolution import DETAIL
from rates.maps import Detail
from rates.maps.alike import AXES
from tests.pages import driver
from tests.pages.core.links import asked, linked
from tests.pages.driver import box, enter, everything, open_page, slider


def expect_answer(app: AppTest, detail: Detail) -> None:
    answer = rates.solve(detail.study())
    text = everything(app)
    for risk in (answer.integrated, answer.pointwise):
        assert f"**{words.number(risk.D)}** functions" in text
        limit = "privacy" if risk.limited_by[0] == "privacy" else "sampling"
        assert f"(level **{risk.level}**, {limit} binds)" in text
    assert f"**{detail.n:,}** records" in text


def test_what_is_typed_or_moved_gives_the_engine_s_numbers():
    app = open_page("resolution")
    expect_answer(app, Detail())
    enter(app, box(app, "Budget"), "0.0123")
    expect_answer(app, Detail(epsilon=0.0123))
    assert asked(app, DETAIL) == Detail(epsilon=0.0123)
    app.button_group(key="detail_held_choice").set_value("total").run()
    enter(app, slider(app, "Number of sites m"), 63.0)
    design = Detail(sites=63, records=100_000, held="total", epsilon=0.0123)
    expect_answer(app, design)
    for label, text in (
        ("Smoothness α", "0.6"),
        ("Number of sites m", "0"),
        ("Integrability p", "1"),
    ):
        enter(app, box(app, f"{label}, exact value"), text)
        assert app.error or app.warning
        expect_answer(app, design)
    driver.at(app, "overview").run()
    driver.at(app, "resolution").run()
    expect_answer(app, design)
    assert asked(app, DETAIL) == design


def test_every_axis_draws_the_study_s_own_point():
    for axis in AXES:
        marks = page.curve_of(Detail(axis=axis)).figure["data"]
        assert "This design" in [mark.get("name") for mark in marks]


def test_a_budget_of_zero_is_said_and_an_old_address_opens():
    app = open_page("resolution", detail="epsilon:0.02;view:dominating;moved:20")
    expect_answer(app, Detail(epsilon=0.02))
    assert not app.error
    none = open_page("resolution", detail=linked(DETAIL, Detail(epsilon=0)))
    assert "No site carries information" in everything(none)
