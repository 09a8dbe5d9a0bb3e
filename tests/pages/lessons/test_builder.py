"""The lecturer's list: chosen, ordered, on one's own study and rate, linked; what is refused."""

from __future__ import annotations

import urllib.parse

import pytest
from streamlit.testing.v1 import AppTest

from pages.lessons import lists
from rates.orders import EXAMPLES, inquiry
from rates.study import codec, preset
from sims.lessons import Entry, Playlist, read_list
from tests.pages.driver import everything, open_page, press

NO_DELTA = {
    "version": 1,
    "kind": "federated",
    "smoothness": 1,
    "servers": [{"name": "A", "n": 50, "epsilon": 1}, {"name": "B", "n": 50, "epsilon": 1}],
}


def entries(app: AppTest) -> list[str]:
    """The entries of the list that the address holds."""
    return app.query_params["list"].split(",") if "list" in app.query_params else []


def chosen(app: AppTest) -> str:
    box = app.radio(key="list_lesson")
    return str(box.options[box.value])


def choose(app: AppTest, place: int) -> AppTest:
    app.radio(key="list_lesson").set_value(place).run()
    assert not app.exception
    return app


def disabled(app: AppTest, label: str) -> bool:
    return next(button for button in app.button if button.label == label).disabled


def refused(app: AppTest) -> str:
    return " ".join(one.value for one in app.warning)


def test_a_list_is_ordered_and_thinned_and_its_link_follows() -> None:
    app = open_page("lessons", list="45")
    assert "45 minutes" in everything(app)
    assert "as long as a class of 45" in everything(app)
    choose(app, 1)
    press(press(app, "Later"), "Later")
    assert entries(app) == ["join-2", "class", "twice", "odds", "free", "noise", "close-5"]
    assert chosen(app).startswith("4. What does ε")
    press(app, "Earlier")
    press(app, "Take out")
    assert entries(app) == ["join-2", "class", "twice", "free", "noise", "close-5"]
    assert "39 minutes" in everything(app)
    # What it is shared by is the same list without anything else of this session.
    links = [code.value for code in app.code if "list=" in code.value]
    assert links
    for link in links:
        assert urllib.parse.urlsplit(link).query == f"list={','.join(entries(app))}"
    # At the end nothing is later; the last lesson stays, a pause before it need not.
    choose(app, 5)
    assert disabled(app, "Later")
    for _ in range(4):
        press(app, "Take out")
    assert entries(app) == ["join-2", "class"]
    assert disabled(app, "Take out")
    press(choose(app, 0), "Take out")
    assert entries(app) == ["class"]
    assert disabled(app, "Take out")


def test_pauses_own_studies_and_own_rates_are_added_behind_the_chosen() -> None:
    study, rate = preset("unequal").study, EXAMPLES[1]
    app = open_page("lessons", list="odds,noise", study=codec.to_link(study))
    press(app, "Break (5 min)")
    assert entries(app) == ["odds", "break-5", "noise"]
    box = next(one for one in app.text_input if one.label == "Minutes of entry 2, exact value")
    box.set_value("12").run()
    assert entries(app) == ["odds", "break-12", "noise"]
    press(app, "Who carries the answer of your study? (7 min)")
    link = f"http://example.org/orders?rate={codec.pack(inquiry.to_json(rate, indent=None))}"
    app.text_input(key="list_rate_link").set_value(link).run()
    press(app, "Use this link")
    found, problems = read_list(app.query_params["list"])
    assert problems == ()
    kinds = [(entry.key, entry.study, entry.rate) for entry in found.entries]
    assert kinds[:3] == [("odds", None, None), ("break", None, None), ("carry", study, None)]
    assert kinds[3][:2] == ("rate", None)
    assert kinds[3][2].text == rate.text
    press(app, "Who carries the answer of your study? (7 min)")
    assert "is there already" in refused(app)
    assert "The list stays as it was." in refused(app)


@pytest.mark.parametrize("given", ["", "hello", "http://[::1", "https://x.org/orders?rate=~1abc"])
def test_a_link_that_is_no_rate_is_refused_and_the_list_stays(given: str) -> None:
    app = open_page("lessons", list="odds,noise")
    app.text_input(key="list_rate_link").set_value(given).run()
    press(app, "Use this link")
    assert entries(app) == ["odds", "noise"]
    assert "The list stays as it was." in refused(app)


def test_what_a_list_cannot_hold_is_said_and_the_rest_is_kept() -> None:
    app = open_page("lessons", list="odds,breakfast,noise")
    said = " ".join(one.value for one in app.error)
    assert "Of the list in the address not all could be taken over." in said
    assert "breakfast" in said
    assert len(app.radio(key="list_lesson").options) == 2
    full = ",".join(["odds", *(f"break-{k}" for k in range(1, 40))])
    app = open_page("lessons", list=full)
    assert not app.error
    press(app, "Is noise privacy? (7 min)")
    assert "at most 40" in refused(app)
    assert entries(app) == full.split(",")
    app = open_page("lessons", list=f"{full},noise")
    assert "of these 41 the first 40 are kept" in app.error[0].value


def test_a_study_that_no_lesson_covers_is_said_with_the_nearest() -> None:
    study = codec.from_dict(NO_DELTA)
    app = open_page("lessons", list="odds", study=codec.to_link(study))
    notes = [one.value for one in app.caption if one.value.startswith("Who carries the answer")]
    assert "nearest" in notes[0]
    assert "delta" in notes[0]


@pytest.mark.parametrize(
    ("total", "said"),
    [
        (38, "7 shorter than a class of 45, 52 shorter than one of 90"),
        (61, "16 longer than a class of 45, 29 shorter than one of 90"),
        (90, "45 longer than a class of 45, as long as one of 90"),
    ],
)
def test_minutes_are_set_against_both_classes(total: int, said: str) -> None:
    assert said in lists.minutes(total)


def test_a_changed_tour_asks_whole_lessons() -> None:
    app = open_page("lessons", list="tour")
    assert "**3 minutes**" in everything(app)
    press(app, "Later")
    own = Playlist(tuple(Entry(key) for key in ("carry", "odds", "class")))
    assert read_list(app.query_params["list"]) == (own, ())
    assert f"**{own.minutes} minutes**" in everything(app)
