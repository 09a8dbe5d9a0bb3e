"""A record in session and address: links, Back, late addresses, refusals, a lost session."""

from __future__ import annotations

import pytest
from streamlit.runtime.state.common import TESTING_KEY
from streamlit.testing.v1 import AppTest

SCRIPT = "from tests.pages.core import toy\ntoy.main()\n"


@pytest.fixture
def app() -> AppTest:
    return AppTest.from_string(SCRIPT, default_timeout=300).run()


def shown(app: AppTest) -> str:
    assert not app.exception
    return app.markdown[0].value


def asked(app: AppTest) -> str | None:
    given = app.query_params.get("toy")
    return given if given is None or isinstance(given, str) else given[0]


def slider(app: AppTest):
    return app.select_slider[0]


def box(app: AppTest):
    return app.text_input[0]


def lose(app: AppTest) -> None:
    """Take the session away; the browser and its address stay."""
    for widget in (*app.select_slider, *app.text_input, *app.button_group):
        widget.set_value(widget.value)  # the browser says what it holds
    new = AppTest.from_string(SCRIPT)
    new._session_state[TESTING_KEY] = app._session_state[TESTING_KEY]  # its own, not the app's
    app._session_state, app.session_state = new._session_state, new.session_state


def test_a_change_stands_in_the_address_and_back_undoes_it(app):
    assert (shown(app), asked(app)) == ("1 0.5 soft", None)
    slider(app).set_value(2.0).run()
    assert (shown(app), asked(app)) == ("2 0.5 soft", "epsilon:2")
    app.button_group(key="toy_kind_choice").set_value("hard").run()
    assert (shown(app), asked(app)) == ("2 0.5 hard", "epsilon:2;kind:hard")
    app.query_params["toy"] = "epsilon:2"
    app.run()
    assert shown(app) == "2 0.5 soft"
    assert app.button_group(key="toy_kind_choice").value == "soft"
    app.query_params.pop("toy")
    app.run()
    assert (shown(app), asked(app)) == ("1 0.5 soft", None)
    assert (slider(app).value, box(app).value) == (1.0, "1")


def test_an_address_that_is_late_undoes_nothing(app):
    slider(app).set_value(2.0).run()
    app.query_params.pop("toy")
    app.button_group(key="toy_kind_choice").set_value("hard").run()
    assert (shown(app), asked(app)) == ("2 0.5 hard", "epsilon:2;kind:hard")


def test_a_link_stays_as_it_is_until_something_changes(app):
    app.query_params["toy"] = "2,0.25"
    app.run()
    assert (shown(app), asked(app)) == ("2 0.25 soft", "2,0.25")
    slider(app).set_value(4.0).run()
    assert asked(app) == "epsilon:4;margin:0.25"


def test_a_refused_link_is_told_and_left_until_something_changes(app):
    app.query_params["toy"] = "epsilon:-1"
    app.run()
    assert "could not be opened. epsilon must be" in app.error[0].value
    assert (shown(app), asked(app)) == ("1 0.5 soft", "epsilon:-1")
    slider(app).set_value(2.0).run()
    assert not app.error
    assert asked(app) == "epsilon:2"


def test_a_refused_change_is_told_and_changes_nothing(app):
    app.query_params["toy"] = "epsilon:1;margin:1"
    app.run()
    slider(app).set_value(0.5).run()
    assert "may not exceed" in app.warning[0].value
    assert (shown(app), slider(app).value, box(app).value) == ("1 1 soft", 1.0, "1")


def test_a_page_keeps_what_it_was_asked(app):
    slider(app).set_value(2.0).run()
    app.query_params.clear()
    app.session_state["page"] = "elsewhere"
    app.run()
    assert (shown(app), asked(app)) == ("2 0.5 soft", "epsilon:2")


@pytest.mark.parametrize("moves", [0, 1, 2])
@pytest.mark.parametrize(
    ("touched", "value", "says", "link"),
    [
        (slider, 0.5, "0.5 0.5 soft", "epsilon:0.5"),
        (box, "3", "3 0.5 soft", "epsilon:3"),
        (lambda app: app.button_group(key="toy_kind_choice"), "hard", "{} 0.5 hard", "kind:hard"),
    ],
)
def test_what_was_done_first_counts_when_the_session_was_lost(
    app, moves, touched, value, says, link
):
    for moved in (2.0, 4.0)[:moves]:
        box(app).set_value(f"{moved:g}").run()
    budget = f"{(1, 2, 4)[moves]}"
    lose(app)
    touched(app).set_value(value).run()
    assert shown(app) == says.format(budget)
    assert asked(app) == (f"epsilon:{budget};{link}" if moves and link == "kind:hard" else link)
    assert float(box(app).value) == slider(app).value == float(shown(app).split()[0])


def test_back_counts_when_the_session_was_lost(app):
    slider(app).set_value(2.0).run()
    app.run()
    lose(app)
    app.query_params.pop("toy")
    app.run()
    assert (shown(app), asked(app)) == ("1 0.5 soft", None)
    assert (slider(app).value, box(app).value) == (1.0, "1")
