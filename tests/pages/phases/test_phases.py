"""The phase page without a browser: sequence, printed table, refusals, and links to a study."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from pages.charts import maps, words
from pages.phases import own
from pages.phases import page as designs
from rates import regimes
from rates.maps import Design, Moved, around, standing
from rates.study import codec, preset
from tests.pages import driver
from tests.pages.core.links import asked, linked
from tests.pages.driver import details, enter, everything, open_page, picture_data, told, unfold

MISPRINT = designs.EXAMPLES["The misprinted threshold"]


def open_point(design: Design = MISPRINT):
    return open_page("phases", at=linked(designs.POINT, design))


@pytest.mark.parametrize("design", designs.EXAMPLES.values(), ids=list(designs.EXAMPLES))
def test_the_sequence_is_the_engine_s(design):
    app = open_point(design)
    found = regimes(*design.sizes, **design.shape, ratio=design.ratio)
    steps = (("trivial" if r.rate == "1" else r.rate, words.number(r.hi)) for r in found)
    assert " → ".join(f"{rate} up to {high}" for rate, high in steps) in everything(app)
    assert asked(app, designs.POINT) == design


def test_a_typed_budget_moves_the_point():
    app = open_point()
    for label, typed, refused in (("Sources' budget ε", "0.18", 0), ("Signal exponent γ", "-1", 1)):
        enter(app, driver.box(app, f"{label}, exact value"), typed)
        assert asked(app, designs.POINT) == replace(MISPRINT, epsilon=0.18)
        assert told(app).count("gamma must be positive and finite") == refused
    assert designs.deciding(asked(app, designs.POINT)) == "NPt"


def test_a_link_brings_the_printed_table_and_its_absence_takes_it_away():
    app = open_point()
    assert "table" not in app.query_params
    app.query_params["table"] = "A"
    unfold(app.run(), "Sizes, shape")
    reading = partial(app.selectbox, key="table_table_select")
    assert reading().value == "A"
    assert "from 0.215 to 0.75 it says NPt, while Ps decides" in everything(app)
    del app.query_params["table"]  # as Back does
    app.run()
    assert (reading().value, "table" in app.query_params) == ("none", False)
    app.query_params["table"] = "C<b>"
    assert len(app.run().error) == 1
    enter(app, reading(), "B")
    assert (list(app.error), app.query_params["table"]) == ([], "B")


# The map of the current study -----------------------------------------------------------------

HOSPITALS = preset("hospitals").study
CURVE = preset("unequal").study


def open_map(study, **given):
    """Open the view for a study by a link."""
    link = linked(own.OWN, own.Asked(**given))
    return open_page("phases", own=link, study=codec.to_link(study))


def test_the_map_says_who_carries_and_how_far():
    app = open_map(HOSPITALS, x="epsilon_all", y="n_1")
    found = standing(HOSPITALS, *(around(HOSPITALS, Moved.of(x)) for x in ("epsilon_all", "n_1")))
    said = everything(app)
    assert f"*every ε* above **× {found.across.low:.3g}**" in said
    assert f"*Records n of Hungary* below **{found.upwards.high:.3g}**" in said
    for binds, answer in (("sampling", "rate equation"), ("privacy", "named mechanism")):
        assert f"**Cleveland** carries most and **{binds}** binds it by the {answer}" in said
    names = [name for part in picture_data(app, "map")["regions"] for name in part["names"]]
    lines = {" ".join(name["lines"]) for name in names}
    assert {"Hungary privacy binds", "Cleveland sampling binds"} <= lines
    enter(app, app.button_group(key="own_answer_choice"), "mechanism")
    assert "By the named mechanism it stays so" in everything(app)
    assert app.query_params["own"] == "x:epsilon_all;y:n_1;answer:mechanism"


@pytest.mark.parametrize("at", ["1", "1,2,3", "1,-1", "inf,1"])
def test_a_point_that_is_no_pair_of_positive_numbers_is_refused(at: str):
    app = open_page("phases", own=f"x:epsilon_all;y:n_1;at:{at}", study=codec.to_link(HOSPITALS))
    assert "two positive numbers" in app.error[0].value


def test_the_view_alone_takes_the_usual_axes_and_stands_in_the_address_while_it_is_shown():
    def look(view: str) -> str | None:
        enter(app, app.button_group(key="phase_view"), view)
        return app.query_params.get("own")

    app = open_page("phases", study=codec.to_link(CURVE))
    assert "own" not in app.query_params
    assert look("own") == "x:epsilon_all;y:n_1"
    enter(app, app.selectbox(key="own_y_select"), "count_2")
    enter(app, app.button_group(key="own_risk_choice"), "pointwise")
    wanted = "x:epsilon_all;y:count_2;risk:pointwise"
    assert [app.query_params["own"], look("map"), look("own")] == [wanted, None, wanted]
    enter(app, app.selectbox(key="own_x_select"), "count_2")  # both the same: another below
    assert app.selectbox(key="own_y_select").value != "count_2"


def test_what_a_map_cannot_show_is_refused_in_words():
    for change, answer, word in (
        ({"delta": None}, "mechanism", "needs delta for every private row"),
        ({"n": 0}, "equation", "no site takes part"),
    ):
        study = HOSPITALS.with_servers([replace(s, **change) for s in HOSPITALS.servers])
        assert word in told(open_map(study, x="epsilon_all", y="n_1", answer=answer))


def test_names_are_shown_as_they_are():
    study = CURVE.with_servers([replace(CURVE.servers[0], name="<b>*x*</b>"), *CURVE.servers[1:]])
    app = open_map(study, x="n_1", y="epsilon_1")
    drawn = maps.map_of(study, "n_1", "epsilon_1", "equation", "integrated")
    assert "&lt;b&gt;*x*&lt;/b&gt;" in drawn.figure["layout"]["title"]
    assert "\\*x\\*" in everything(app)
    lines = details(app).code[0].value
    assert all(part in lines for part in ('x="n_1"', 'y="epsilon_1"', "<b>*x*</b>"))
