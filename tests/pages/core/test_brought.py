"""A word that no list offers, sent by hand, changes nothing."""

from __future__ import annotations

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState

from pages.core import controls
from pages.orders.asked import RATE
from rates.orders import EXAMPLES
from tests.pages.driver import everything, open_page, send

EQUATION = RATE.write(next(one for one in EXAMPLES if one.sites)) or {}
LISTS = [
    ("plan", {}, "plan_goal_select"),
    ("fit", {}, "fit_1_answer_outcome"),
    ("lessons", {}, "lesson_open"),
    ("lessons", {}, "list_lesson"),
    ("lessons", {"lesson": "back"}, "predict_back_pick"),
    ("orders", {}, "rate_axis_x"),
    ("orders", {}, "rate_axis_y"),
    ("orders", EQUATION, "rate_unknown"),
]


@pytest.mark.parametrize(("page", "query", "key"), LISTS, ids=[key for *_, key in LISTS])
def test_a_word_that_no_list_offers_changes_nothing(
    page: str, query: dict[str, str], key: str
) -> None:
    app = open_page(page, **query).run()
    held = next(one for one in (*app.selectbox, *app.radio) if one.key == key)
    before, said, value = dict(app.query_params), everything(app), held.value
    for word in ("1/3", "-1", "1"):
        send(app, WidgetState(id=held.id, string_value=word))
        now = next(one for one in (*app.selectbox, *app.radio) if one.key == key)
        assert now.value == value
        assert dict(app.query_params) == before
        assert everything(app) == said


def test_what_no_list_offers_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(controls.st, "session_state", {"place": "x", "other": 2})
    for key in ("place", "other"):
        controls._changed(key, lambda given: said.append(str(int(given))))
    assert said == ["2"]
