"""The overview without a browser: its live figure against the engine, and links that are broken."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pages.charts import words
from rates.answer.cost import privacy_cost
from rates.study.presets import preset
from tests.pages.driver import everything, open_page


@pytest.mark.parametrize("epsilon", [0.1, 5.0])
def test_the_slider_says_what_the_engine_says(epsilon):
    app = open_page("overview")
    app.select_slider(key="overview_epsilon").set_value(epsilon).run()
    study = preset("hospitals").study
    (cost,) = privacy_cost(study.with_servers([replace(s, epsilon=epsilon) for s in study.servers]))
    kept = words.span(*(words.percent(x) for x in cost.kept_range))
    for text in (words.percent(cost.equation.kept), kept):
        assert f"keeps **{text}**" in everything(app)
