"""Boxes that close when what they ask for is done, whatever the browser says meanwhile."""

from __future__ import annotations

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from tests.pages.driver import open_page, send

BOXES = [
    ("study", "Paste rows", "Read these rows"),
    ("fit", "Paste rows", "Read these rows"),
    ("plan", "Paste rows", "Read these rows"),
    ("study", "Examples", "Start with an empty table"),
    ("lessons", "Add to the list", "Break (5 min)"),
]


def told(app: AppTest, title: str) -> tuple[str, bool]:
    """What a browser is told of a box: its name, and whether it is open."""
    boxes = [block.proto.popover for block in app.get("popover")]
    box = next(box for box in boxes if box.label == title)
    return box.id, box.open


def opened(box: str) -> WidgetState:
    return WidgetState(id=box, bool_value=True)


def pressed(app: AppTest, label: str) -> WidgetState:
    button = next(button for button in app.button if button.label == label)
    return WidgetState(id=button.id, trigger_value=True)


@pytest.mark.parametrize(("page", "title", "label"), BOXES)
def test_a_box_that_was_shut_stays_shut_whatever_is_said_late(
    page: str, title: str, label: str
) -> None:
    app = open_page(page)
    name, _ = told(app, title)
    assert told(send(app, opened(name)), title) == (name, True)
    send(app, opened(name), pressed(app, label))
    assert not told(app, title)[1]
    send(app, opened(name))  # it was on its way when the box was shut
    assert not told(app, title)[1]
    name, _ = told(app, title)
    assert told(send(app, opened(name)), title) == (name, True)


@pytest.mark.parametrize(("page", "title", "label"), BOXES)
def test_a_browser_that_opens_and_uses_a_box_at_once_hears_that_it_is_shut(
    page: str, title: str, label: str
) -> None:
    app = open_page(page)
    before = told(app, title)  # a browser heeds only what differs from this
    send(app, opened(before[0]), pressed(app, label))
    assert not told(app, title)[1]
    assert told(app, title) != before


def test_what_was_typed_into_a_box_stays_when_it_is_shut() -> None:
    app = open_page("study")
    app.text_area(key="pasted").set_value("name,n").run()
    send(app, opened(told(app, "Paste rows")[0]), pressed(app, "Read these rows"))
    assert app.text_area(key="pasted").value == "name,n"
