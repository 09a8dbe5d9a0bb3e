"""What a browser says late or by hand: boxes that were shut, words that no list offers."""

from __future__ import annotations

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from pages.orders.asked import RATE
from rates.orders import EXAMPLES
from tests.pages.driver import button, everything, open_page, send

BOXES = [
    ("study", "Paste rows", "Read these rows"),
    ("fit", "Paste rows", "Read these rows"),
    ("study", "Examples", "Start with an empty table"),
]
LISTS = [
    *(("statements", {}, f"ledger_{name}_select") for name in ("paper", "category")),
    ("plan", {}, "plan_goal_select"),
    ("fit", {}, "fit_1_answer_outcome"),
    ("lessons", {}, "lesson_open"),
    ("lessons", {"lesson": "back"}, "predict_back_pick"),
    ("orders", {}, "rate_axis_x"),
    ("orders", {}, "rate_axis_y"),
    ("orders", RATE.write(next(one for one in EXAMPLES if one.sites)), "rate_unknown"),
]


def told(app: AppTest, title: str) -> tuple[str, bool]:
    """What a browser is told of a box: its name, and whether it is open."""
    boxes = [block.proto.popover for block in app.get("popover")]
    box = next(box for box in boxes if box.label == title)
    return box.id, box.open


def opened(box: str) -> WidgetState:
    return WidgetState(id=box, bool_value=True)


def pressed(app: AppTest, label: str) -> WidgetState:
    return WidgetState(id=button(app, label).id, trigger_value=True)


@pytest.mark.parametrize(("page", "title", "label"), BOXES)
def test_a_box_that_was_shut_stays_shut_whatever_is_said_late(page, title, label):
    app = open_page(page)
    before = told(app, title)  # a browser heeds only what differs from this
    name, _ = before
    send(send(app, opened(name)), pressed(app, label))
    assert not told(app, title)[1]
    assert told(app, title) != before
    name, _ = told(app, title)
    assert told(send(app, opened(name)), title) == (name, True)
    send(app, opened(name), pressed(app, label))  # what is said again of it comes along
    send(app, opened(name))  # it was on its way when the box was shut
    assert not told(app, title)[1]
    name, _ = told(app, title)
    assert told(send(app, opened(name)), title) == (name, True)


def test_what_was_typed_into_a_box_stays_when_it_is_shut():
    app = open_page("study")
    name = told(app, "Paste rows")[0]
    send(app, opened(name)).text_area(key="pasted").set_value("name,n")
    send(app, opened(name), pressed(app, "Read these rows"))
    assert not app.get("text_area")
    assert send(app, opened(told(app, "Paste rows")[0])).text_area(key="pasted").value == "name,n"


@pytest.mark.parametrize(("page", "query", "key"), LISTS, ids=[key for *_, key in LISTS])
def test_a_word_that_no_list_offers_changes_nothing(page, query, key):
    def now():
        held = next(one for one in (*app.selectbox, *app.radio) if one.key == key)
        return held.value, dict(app.query_params), everything(app)

    app = open_page(page, **query).run()
    before, held = now(), next(one for one in (*app.selectbox, *app.radio) if one.key == key)
    for word in ("1/3", "-1", "1"):
        send(app, WidgetState(id=held.id, string_value=word))
        assert now() == before
