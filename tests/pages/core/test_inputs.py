"""What counts as moved and as typed when a request brings an earlier text along."""

from __future__ import annotations

import re
from functools import partial

import pytest
from streamlit.testing.v1 import AppTest

from pages.phases import page as designs
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.core.links import asked
from tests.pages.driver import enter, open_page, slider, unfold

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
        assert slider(app, label).value == number
        assert float(box(app, label).value) == number
    return design.epsilon, design.gamma


def do(app: AppTest, **given) -> tuple[float, float]:
    """Do several things before the page runs again; what budget and signal exponent are then."""
    known = {
        "budget": slider(app, BUDGET),
        "signal": slider(app, SIGNAL),
        "text": box(app),
    }
    for name, value in given.items():
        known[name].set_value(value)
    app.run()
    return state(app)


def test_an_earlier_text_that_comes_with_something_else_is_an_echo(app):
    assert do(app, budget=0.32) == (0.32, 1.2)
    assert do(app, budget=0.25, text="0.4") == (0.25, 1.2)
    assert do(app, budget=0.2, text="0.32") == (0.2, 1.2)  # put there by the run before the last
    assert do(app, signal=1.1, text="0.25") == (0.2, 1.1)
    assert do(app, signal=1.2, text="0.32") == (0.2, 1.2)


def test_a_text_alone_is_typed_and_a_new_one_whatever_comes_with_it(app):
    assert do(app, budget=0.32) == (0.32, 1.2)
    assert do(app, text="0.320.18") == (0.18, 1.2)  # one arrived before what was typed
    assert do(app, text="0.4") == (0.4, 1.2)
    assert do(app, text="0.32") == (0.32, 1.2)
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
    box(app).set_value(text).run()
    assert "plain number" in app.error[0].value
    assert repr(text) in app.error[0].value
    assert box(app).value == text
    assert slider(app, BUDGET).value == 0.4
    box(app).set_value(f"{text}x").run()  # gone on with
    assert repr(f"{text}x") in app.error[0].value
    assert do(app, text="0.35") == (0.35, 1.2)
    assert not app.error


def test_a_refused_position_takes_the_slider_back(app):
    shape = partial(unfold, app, "Sizes")  # before every look: old versions shut it
    slider(shape(), "Margin α").set_value(4.0).run()
    assert slider(shape(), "Margin α").value == 4.0
    slider(shape(), "Dimension d").set_value(1.0).run()
    assert r"alpha\*beta must be at most d" in " ".join(e.value for e in app.error)
    assert slider(shape(), "Dimension d").value == 2.0
    assert box(shape(), "Dimension d").value == "2"
    assert state(app) == (0.4, 1.2)


def test_what_a_link_holds_is_shown_as_text_and_never_as_markup():
    app = open_page("hybrid", tab="parity", run="alpha:![x](http://example.com/x.png)__a__$y$")
    told = app.error[0].value
    assert r"!\[x\](`http://example.com/x.png)__a__`\$y\$" in told


def test_no_refusal_is_shown_without_escaping():
    bare = re.compile(
        r"\w+\.(error|warning|info)\((str\(|(problem|refusal|error)\)|f?\"[^\n]*\{(problem|refusal|error)\})"
    )
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
