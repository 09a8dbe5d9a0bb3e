"""A page on the screen of a lecture room: its question, its first figure large, all else folded."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from tests.pages.driver import everything, open_page, picture, press

LEAST = 22 / (1236 / 632)  # of letters in a drawing that is 1,236 pixels wide on the screen


def test_a_page_is_presented_by_its_address_alone():
    app = open_page("phases", view="present", at="epsilon:0.5")
    sizes = [
        float(e.get("font-size"))
        for e in ET.fromstring(picture(app)).iter()
        if e.tag.endswith("text")
    ]
    assert len(sizes) > 10
    assert min(sizes) >= LEAST
    assert [title.value for title in app.title] == ["Which term decides, and where does it change?"]
    assert app.main[1].children[0].type == "title"
    assert not app.get("plotly_chart")
    assert not app.sidebar
    (fold,) = (box for box in app.expander if box.label == "Controls and words")
    assert len(fold.button) == 5
    assert "At ε = **0.5**" in everything(app)
    press(app, "Back to the page")
    assert "view" not in app.query_params


def test_the_way_there_keeps_what_the_page_shows():
    app = press(open_page("phases", at="epsilon:0.5"), "Present this")
    assert app.query_params["view"] == "present"
    assert app.query_params["at"] == "epsilon:0.5"
