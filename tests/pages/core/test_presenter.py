"""A page on the screen of a lecture room."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from tests.pages.driver import details, everything, open_page, picture, press

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
    assert len({one.label for one in fold.expander} - {fold.label}) == 3
    assert "As the budget grows" in everything(app)
    press(app, "Back to the page")
    assert "view" not in app.query_params
    press(details(app), "Present this")  # and back, with what the page shows
    assert (app.query_params["view"], app.query_params["at"]) == ("present", "epsilon:0.5")
