"""What a browser brings: what fits its widget is read, all else counts as not sent and is said."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime import app_session
from streamlit.runtime.state import SafeSessionState
from streamlit.runtime.state import session_state as streamlits
from streamlit.runtime.state.common import WidgetMetadata

from pages.parts.orders.asked import RATE
from pages.parts.session import asking, brought
from rates.orders import EXAMPLES
from tests.pages.driver import everything, open_page, send

ID = "$$ID-0-name"


def text_of(value: Any) -> str:
    return "" if value is None else value.strip()


def known() -> streamlits.WStates:
    """The states of a session that has drawn one field of text."""
    brought.watch()
    found = streamlits.WStates()
    found.set_widget_metadata(WidgetMetadata(ID, text_of, str, "string_value"))
    return found


@pytest.mark.parametrize(
    "wrong",
    [
        {"double_value": 1.0},
        {"trigger_value": True},
        {"bytes_value": b"\xff"},
        {"json_value": "{"},
        {"int_value": 3},
    ],
)
@pytest.mark.parametrize("drawn", [True, False])
def test_another_type_counts_as_not_sent(wrong: dict[str, Any], drawn: bool) -> None:
    states = known()
    held = WidgetState(id=ID, **wrong)
    if drawn:  # the widget is known when the value comes
        states.set_widget_from_proto(held)
        assert ID not in states.states
    else:
        states.states[ID] = streamlits.Serialized(held)
    assert states.get(ID) is None
    assert states.get_serialized(ID) is None  # what a run that begins anew takes along


def test_whoever_reads_all_values_reads_on_after_one_that_does_not_fit() -> None:
    states = known()
    states.set_widget_metadata(WidgetMetadata("$$ID-1-later", text_of, str, "string_value"))
    for name, value in ((ID, {"double_value": 1.0}), ("$$ID-1-later", {"string_value": "b"})):
        states.states[name] = streamlits.Serialized(WidgetState(id=name, **value))
    assert [states.get(name) for name in states] == [None, "b"]
    assert list(states) == ["$$ID-1-later"]


def test_a_field_of_numbers_reads_whole_ones() -> None:
    states = known()
    states.set_widget_metadata(WidgetMetadata(ID, float, str, "double_value"))
    states.set_widget_from_proto(WidgetState(id=ID, int_value=7))
    assert states[ID] == 7


def test_a_widget_that_was_sent_empty_keeps_its_type() -> None:
    states = known()
    for sent in (WidgetState(id=ID), WidgetState(id=ID, string_value="a")):
        states.set_widget_from_proto(sent)
        assert states[ID] == sent.string_value
    states.set_widget_from_proto(WidgetState(id=ID))
    assert states[ID] == ""
    states.set_widget_from_proto(WidgetState(id=ID, double_value=1.0))
    assert states[ID] == ""
    empty = states.get_serialized(ID)
    assert empty is not None
    assert empty.WhichOneof("value") in (None, "string_value")


def test_what_fits_is_read_and_foreign_widgets_wait() -> None:
    states = known()
    states.set_widget_from_proto(WidgetState(id=ID, string_value=" a "))
    states.set_widget_from_proto(WidgetState(id="$$ID-1-later", string_value="b"))
    assert states[ID] == "a"
    assert "$$ID-1-later" in states.states
    assert states.get("$$ID-1-later") is None
    for name in ("", "x", "room", "touched", "$$other"):
        states.set_widget_from_proto(WidgetState(id=name, string_value="b"))
    assert len(states) == 2
    sent = f"{streamlits.STREAMLIT_INTERNAL_KEY_PREFIX}_{ID}"  # by a component, such as the coins
    states.set_widget_from_proto(WidgetState(id=sent, json_trigger_value="[]"))
    assert len(states) == 3


def test_bytes_that_are_no_message_are_answered_in_our_words() -> None:
    brought.watch()
    message: ForwardMsg = app_session.AppSession._create_exception_message(
        None, ValueError("inner words")
    )
    assert message.delta.new_element.alert.body == brought.REFUSED
    assert b"inner words" not in message.SerializeToString()


def test_no_visitor_empties_a_session_or_the_caches_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    brought.watch()
    monkeypatch.setattr(brought, "_refusing", set())
    app_session.AppSession._handle_clear_cache_request(SimpleNamespace(id="one"))
    assert brought._refusing == {"one"}


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
    monkeypatch.setattr(asking.st, "session_state", {"place": "x", "other": 2})
    monkeypatch.setattr(brought, "note", lambda: said.append("left out"))
    for key in ("place", "other"):
        asking._changed(key, lambda given: said.append(str(int(given))))
    assert said == ["left out", "2"]


def test_a_streamlit_without_these_places_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        pass

    monkeypatch.setattr(streamlits, "WStates", Other)
    monkeypatch.delattr(app_session, "AppSession")
    brought.watch()
    assert not any("checked" in name for name in vars(Other))
    monkeypatch.setattr(brought, "get_script_run_ctx", lambda: context(object()))
    brought.forget()
    brought.say()


def context(state: object) -> object:
    return SimpleNamespace(session_state=state, session_id="x")


def test_widgets_of_long_ago_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    session = streamlits.SessionState()
    widgets = session._new_widget_state.widget_metadata
    for k in range(200):
        widgets[f"gone {k}"] = WidgetMetadata(f"gone {k}", str, str, "string_value")
    session._new_widget_state.set_from_value("gone 3", "here")
    session._old_state["gone 4"] = "kept"
    safe = SafeSessionState(session, lambda: None)
    monkeypatch.setattr(brought, "get_script_run_ctx", lambda: context(safe))
    brought.forget()
    assert [*widgets] == ["gone 3", "gone 4", *(f"gone {k}" for k in range(184, 200))]
