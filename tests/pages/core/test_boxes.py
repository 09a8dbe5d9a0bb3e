"""What a browser says late or by hand: boxes that were shut, words that no list offers."""

from __future__ import annotations

import re
from functools import partial

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest

from pages.orders.asked import RATE
from pages.phases import page as designs
from rates.orders import EXAMPLES
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.core.links import asked
from tests.pages.driver import button, enter, everything, lacks, open_page, send, slider, unfold

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
    first, _ = told(app, title)
    send(send(app, opened(first)), pressed(app, label))
    second, stays = told(app, title)
    assert (second == first, stays) == (False, False)  # a browser heeds only what differs
    assert told(send(app, opened(second)), title) == (second, True)
    send(app, opened(second), pressed(app, label))  # what is said again of it comes along
    send(app, opened(second))  # it was on its way when the box was shut
    third, stays = told(app, title)
    assert not stays
    assert told(send(app, opened(third)), title) == (third, True)


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
        return held.id, held.value, dict(app.query_params), everything(app)

    app = open_page(page, **query).run()
    before = now()
    for word in ("1/3", "-1", "1"):
        send(app, WidgetState(id=before[0], string_value=word))
        assert now() == before


# What counts as moved and as typed when a request brings an earlier text along --------------------


BUDGET, SIGNAL, TARGET = "Sources' budget ε", "Signal exponent γ", "Target records n₀"


@pytest.fixture
def app() -> AppTest:
    return open_page("phases", at="10000,100,100000,0.5,2,1,1.2,0.4,1")


def box(app: AppTest, label: str = BUDGET):
    return driver.box(app, f"{label}, exact value")


def state(app: AppTest) -> tuple[float, float]:
    """Budget and signal exponent, after a look at whether everything shows them."""
    design = asked(app, designs.POINT)
    for label, number in ((BUDGET, design.epsilon), (SIGNAL, design.gamma)):
        assert (slider(app, label).value, float(box(app, label).value)) == (number, number)
    return design.epsilon, design.gamma


def do(app: AppTest, **given) -> tuple[float, float]:
    """Do several things before the page runs again; what budget and signal exponent are then."""
    known = {"budget": slider(app, BUDGET), "signal": slider(app, SIGNAL), "text": box(app)}
    for name, value in given.items():
        known[name].set_value(value)
    app.run()
    return state(app)


def test_an_earlier_text_that_comes_with_something_else_is_an_echo(app):
    assert (do(app, budget=0.32), do(app, budget=0.25, text="0.4")) == ((0.32, 1.2), (0.25, 1.2))
    assert do(app, budget=0.2, text="0.32") == (0.2, 1.2)  # put there by the run before the last
    assert do(app, signal=1.1, text="0.25") == (0.2, 1.1)
    assert do(app, signal=1.2, text="0.32") == (0.2, 1.2)


def test_a_text_alone_is_typed_and_a_new_one_whatever_comes_with_it(app):
    assert do(app, budget=0.32) == (0.32, 1.2)
    assert do(app, text="0.320.18") == (0.18, 1.2)  # one arrived before what was typed
    assert (do(app, text="0.4"), do(app, text="0.32")) == ((0.4, 1.2), (0.32, 1.2))
    assert do(app, budget=0.25, signal=1.1, text="0.17") == (0.17, 1.1)


def test_a_replaced_slider_still_counts_when_it_moves(app):
    old = slider(app, BUDGET)
    assert do(app, text="0.18") == (0.18, 1.2)
    assert old.key != slider(app, BUDGET).key
    app.session_state[old.key] = 0.32  # the browser has not seen the new one yet
    app.run()
    assert state(app) == (0.32, 1.2)


@pytest.mark.parametrize("text", deep_after(2, ["0.18x", "", "0.4.4.4", "0.4x", "x"]))
def test_a_text_that_is_no_number_is_refused_as_it_is(app, text):
    for typed in (text, f"{text}x"):  # which is gone on with
        enter(app, box(app), typed)
        assert lacks(app.error[0].value, "plain number", repr(typed)) == []
        assert (box(app).value, slider(app, BUDGET).value) == (typed, 0.4)
    assert do(app, text="0.35") == (0.35, 1.2)
    assert not app.error


def test_a_refused_position_takes_the_slider_back(app):
    shape = partial(unfold, app, "Sizes")  # before every look: old versions shut it
    slider(shape(), "Margin α").set_value(4.0).run()
    assert slider(shape(), "Margin α").value == 4.0
    slider(shape(), "Dimension d").set_value(1.0).run()
    assert r"alpha\*beta must be at most d" in driver.told(app)
    assert (slider(shape(), "Dimension d").value, box(app, "Dimension d").value) == (2.0, "2")
    assert state(app) == (0.4, 1.2)


def test_what_a_link_holds_is_shown_as_text_and_never_as_markup():
    app = open_page("hybrid", tab="parity", run="alpha:![x](http://example.com/x.png)__a__$y$")
    told = app.error[0].value
    assert r"!\[x\](`http://example.com/x.png)__a__`\$y\$" in told


def test_no_refusal_is_shown_without_escaping():
    why = "(problem|refusal|error)"
    bare = re.compile(rf"\w+\.(error|warning|info)\((str\(|{why}\)|f?\"[^\n]*\{{{why}\}})")
    for path in (driver.ROOT / "pages").rglob("*.py"):
        assert not bare.search(path.read_text("utf-8")), path.name


def test_a_number_is_read_as_people_write_it_and_refused_where_it_has_two_readings(app):
    assert do(app, text="0,35") == (0.35, 1.2)
    unfold(app, "Sizes")
    for text, value in (("12.400", 12_400), ("25,000", 25_000), ("12k", 12_000), ("ca. 350", 350)):
        enter(app, box(app, TARGET), text)
        assert asked(app, designs.POINT).n0 == float(box(app, TARGET).value) == value
    for label, text, told in ((BUDGET, "1,250", "1.25 or 1250"), (TARGET, "2.000", "2 or 2000")):
        enter(app, box(app, label), text)
        assert any(f"{text} can be {told}" in error.value for error in app.error)
