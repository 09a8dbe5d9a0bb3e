"""The view of the current study's own map, without a browser: axes, answers, links, refusals."""

from __future__ import annotations

import json
from dataclasses import replace

from pages.charts.maps import own as own_figure
from pages.phases import own
from rates.landscape import Moved, around, landscape
from rates.presets import preset
from rates.study import codec
from tests.pages.core.links import linked
from tests.pages.driver import everything, open_page

HOSPITALS = preset("hospitals").study
CURVE = preset("unequal").study


def open_map(study, **asked):
    """Open the view for a study by a link."""
    link = linked(own.OWN, own.Asked(**asked))
    return open_page("phases", own=link, study=codec.to_link(study))


def picture(app) -> dict:
    return json.loads(app.get("plotly_chart")[0].proto.spec)


def test_the_map_says_who_carries_and_how_far():
    app = open_map(HOSPITALS, x="epsilon_all", y="n_1")
    axes = [around(HOSPITALS, Moved.of(text)) for text in ("epsilon_all", "n_1")]
    found = landscape(HOSPITALS, *axes)
    said = everything(app)
    assert "**Cleveland** carries most by both answers; what binds it differs" in said
    assert f"*all private budgets* above **× {found.across.low:.3g}**" in said
    assert f"*Records n of Hungary* below **{found.upwards.high:.3g}**" in said
    drawn = picture(app)
    assert "**Cleveland carries most, sampling binds**" in everything(app)
    names = [trace.get("name") for trace in drawn["data"]]
    assert {"◆ Hungary: privacy binds", "○ Cleveland: sampling binds", "your point"} <= {*names}
    app.button_group(key="own_answer_choice").set_value("mechanism").run()
    assert "**Cleveland carries most, privacy binds**" in everything(app)
    assert app.query_params["own"] == "x:epsilon_all;y:n_1;answer:mechanism"


def test_the_view_alone_takes_the_usual_axes_and_stands_in_the_address_while_it_is_shown():
    app = open_page("phases", study=codec.to_link(CURVE))
    assert "own" not in app.query_params
    app.button_group(key="phase_view").set_value("own").run()
    assert app.query_params["own"] == "x:epsilon_all;y:n_1"
    assert not app.slider
    app.selectbox(key="own_y_select").set_value("count_2").run()
    app.selectbox(key="own_reach_select").set_value("10").run()
    app.button_group(key="own_risk_choice").set_value("pointwise").run()
    asked = "x:epsilon_all;y:count_2;reach:10;risk:pointwise"
    assert app.query_params["own"] == asked
    app.button_group(key="phase_view").set_value("map").run()
    assert "own" not in app.query_params
    app.button_group(key="phase_view").set_value("own").run()
    assert app.query_params["own"] == asked
    app.selectbox(key="own_x_select").set_value("count_2").run()  # both the same: another below
    assert app.selectbox(key="own_y_select").value != "count_2"
    assert not app.exception


def test_bad_links_are_refused_in_words():
    app = open_page("phases", own="x:__import__;y:n_1")
    assert "An axis is a quantity and a row, such as n_all, n_1 or epsilon_2" in app.error[0].value
    app = open_page("phases", own="x:n_1;reach:7")
    assert "reach" in app.error[0].value
    app = open_map(CURVE, x="signal_exponent_2", y="epsilon_9")
    assert "signal\\_exponent\\_2 and no number epsilon\\_9" in app.warning[0].value
    assert app.selectbox(key="own_x_select").value == "epsilon_all"
    assert picture(app)["data"]


def test_what_cannot_be_mapped_is_said():
    bare = HOSPITALS.with_servers([replace(s, delta=None) for s in HOSPITALS.servers])
    app = open_map(bare, x="epsilon_all", y="n_1", answer="mechanism")
    assert "needs delta for every private row" in app.info[0].value
    silent = CURVE.with_servers([replace(s, n=0) for s in CURVE.servers])
    app = open_map(silent, x="epsilon_all", y="n_1")
    assert "no site takes part" in app.info[0].value


def test_names_are_shown_as_they_are():
    first, *rest = CURVE.servers
    study = CURVE.with_servers([replace(first, name="<b>*x*</b>"), *rest])
    app = open_map(study, x="n_1", y="epsilon_1")
    drawn = own_figure.map_of(study, "n_1", "epsilon_1", 100.0, "equation", "integrated")
    assert "&lt;b&gt;*x*&lt;/b&gt;" in drawn.figure.title
    assert "\\*x\\*" in everything(app)
    assert all(part in app.code[0].value for part in ('x="n_1"', 'y="epsilon_1"', "<b>*x*</b>"))
