"""The overview without a browser: its live figure against the engine, and its doors."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pages.charts import words
from rates.answer.cost import privacy_cost
from rates.study.presets import preset
from tests.pages.driver import open_page

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("epsilon", [0.1, 5.0])
def test_the_slider_says_what_the_engine_says(epsilon):
    app = open_page("overview")
    app.select_slider(key="overview_epsilon").set_value(epsilon).run()
    study = preset("hospitals").study
    (cost,) = privacy_cost(study.with_servers([replace(s, epsilon=epsilon) for s in study.servers]))
    text = " ".join(m.value for m in app.markdown)
    assert f"keeps **{words.percent(cost.equation.kept)}**" in text
    kept = words.span(*(words.percent(x) for x in cost.kept_range))
    assert f"keeps **{kept}**" in text


def test_a_broken_link_is_said():
    app = open_page("overview", study="~1nonsense")
    assert "could not be opened" in app.error[0].value


def test_a_link_for_another_page_is_said():
    app = open_page("overview", phase="7")
    assert "phase, which this page does not use" in app.warning[0].value
