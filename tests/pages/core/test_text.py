"""The one text form of settings in an address."""

from __future__ import annotations

import math

import pytest
from streamlit.runtime.state.common import TESTING_KEY
from streamlit.testing.v1 import AppTest

from pages import resolution
from pages.core import url_state
from rates.numbers import DomainError
from tests.pages.core.toy import TOY, Toy
from tests.pages.driver import Page, answer, enter, query


def test_what_is_usual_is_left_out_and_the_rest_comes_back():
    hard = Toy(epsilon=math.inf, kind="hard", sizes=(0.1, 3))
    written = {"": Toy(), "epsilon:2": Toy(epsilon=2), "epsilon:inf;kind:hard;sizes:0.1,3": hard}
    for text, record in written.items():
        assert (TOY.write(record), TOY.read({"toy": text})) == ({"toy": text}, record)
        assert TOY.link(record) == ({"toy": text} if text else {})


def test_what_cannot_be_read_is_refused():
    for given, told in (
        ("epsilon:1;epsilon:2", "may be named once"),
        *((f"epsilon:{word}", "must be a number") for word in ("x", "nan")),
        *(("epsilon:-1", "epsilon must be >= 0"), ("kind:round", '"soft" or "hard"')),
        *(("colour:3", "no part of this name"), ("margin:2", "may not exceed")),
        ("epsilon:" + "1" * 9000, "at most 8,000 characters"),
    ):
        with pytest.raises(DomainError, match=told):
            TOY.read({"toy": given})


def test_a_number_that_a_field_took_is_one_in_a_link():
    assert resolution.DETAIL.read({"detail": "smoothness:1e6"}).smoothness == 1e6


def test_an_earlier_form_is_read_and_a_part_may_have_a_text_of_its_own():
    assert TOY.read({"toy": "3,0.25"}) == Toy(epsilon=3, margin=0.25)
    part = url_state.Packed("word", str.upper, str.lower)
    assert url_state.written(part, "ab") == "AB"
    assert url_state.parse("word:AB", (part,), field="x", noun="X") == {"word": "ab"}


# A record in session and address: links, Back, late addresses, refusals, a lost session -----------


SCRIPT = "from tests.pages.core import toy\ntoy.main()\n"


@pytest.fixture
def app() -> AppTest:
    return Page.from_string(SCRIPT, default_timeout=300).run()


def shown(app: AppTest) -> tuple[str, str | None]:
    """What the page says, and what stands in its address."""
    return answer(app), query(app, "toy") if "toy" in app.query_params else None


def slider(app: AppTest):
    return app.select_slider[0]


def box(app: AppTest):
    return app.text_input[0]


def kind(app: AppTest):
    return app.button_group(key="toy_kind_choice")


def go(app: AppTest, link: str = "") -> AppTest:
    """Change the address, as a link or Back does."""
    app.query_params.clear()
    app.query_params.update({"toy": link} if link else {})
    return app.run()


def lose(app: AppTest) -> None:
    """Take the session away; the browser and its address stay."""
    for widget in (*app.select_slider, *app.text_input, *app.button_group):
        widget.set_value(widget.value)  # the browser says what it holds
    new = AppTest.from_string(SCRIPT)
    new._session_state[TESTING_KEY] = app._session_state[TESTING_KEY]  # its own, not the app's
    app._session_state, app.session_state = new._session_state, new.session_state


def test_a_change_stands_in_the_address_and_back_undoes_it(app):
    assert shown(app) == ("1 0.5 soft", None)
    assert shown(enter(app, slider(app), 2.0)) == ("2 0.5 soft", "epsilon:2")
    assert shown(enter(app, kind(app), "hard")) == ("2 0.5 hard", "epsilon:2;kind:hard")
    assert (shown(go(app, "epsilon:2")), kind(app).value) == (("2 0.5 soft", "epsilon:2"), "soft")
    assert shown(go(app)) == ("1 0.5 soft", None)
    assert (slider(app).value, box(app).value) == (1.0, "1")


def test_an_address_that_is_late_undoes_nothing(app):
    enter(app, slider(app), 2.0)
    app.query_params.pop("toy")
    assert shown(enter(app, kind(app), "hard")) == ("2 0.5 hard", "epsilon:2;kind:hard")


def test_a_link_stays_as_it_is_until_something_changes(app):
    assert shown(go(app, "2,0.25")) == ("2 0.25 soft", "2,0.25")
    assert shown(enter(app, slider(app), 4.0)) == ("4 0.25 soft", "epsilon:4;margin:0.25")
    assert shown(go(app, "epsilon:-1")) == ("4 0.25 soft", "epsilon:-1")
    assert "could not be opened. epsilon must be" in app.error[0].value
    assert shown(enter(app, slider(app), 2.0)) == ("2 0.25 soft", "epsilon:2;margin:0.25")
    assert not app.error


def test_a_refused_change_is_told_and_changes_nothing(app):
    enter(go(app, "epsilon:1;margin:1"), slider(app), 0.5)
    assert "may not exceed" in app.warning[0].value
    assert (answer(app), slider(app).value, box(app).value) == ("1 1 soft", 1.0, "1")


def test_a_page_keeps_what_it_was_asked(app):
    enter(app, slider(app), 2.0)
    app.session_state["page"] = "elsewhere"
    assert shown(go(app)) == ("2 0.5 soft", "epsilon:2")


@pytest.mark.parametrize("moves", [0, 1, 2])
@pytest.mark.parametrize(
    ("touched", "value", "says", "link"),
    [
        (slider, 0.5, "0.5 0.5 soft", "epsilon:0.5"),
        (box, "3", "3 0.5 soft", "epsilon:3"),
        (kind, "hard", "{} 0.5 hard", "kind:hard"),
    ],
)
def test_what_was_done_first_counts_when_the_session_was_lost(
    app, moves, touched, value, says, link
):
    for moved in ("2", "4")[:moves]:
        enter(app, box(app), moved)
    budget = f"{(1, 2, 4)[moves]}"
    lose(app)
    enter(app, touched(app), value)
    before = f"epsilon:{budget};" if moves and touched is kind else ""
    assert shown(app) == (says.format(budget), before + link)
    assert float(box(app).value) == slider(app).value == float(answer(app).split()[0])


def test_back_counts_when_the_session_was_lost(app):
    enter(app, slider(app), 2.0).run()
    lose(app)
    assert shown(go(app)) == ("1 0.5 soft", None)
    assert (slider(app).value, box(app).value) == (1.0, "1")
