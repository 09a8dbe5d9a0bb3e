"""The lecturer's list: ordered, on a study or rate of one's own, linked; its printed sheets."""

from __future__ import annotations

import datetime
import urllib.parse
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from pages.charts import words
from pages.core.html import inline
from pages.lessons import lists
from pages.orders.asked import RATE
from rates.numbers import DomainError
from rates.orders import EXAMPLES
from rates.study import codec, preset
from sims import lessons
from sims.lessons import LESSONS, LISTS, Entry, Playlist, explained, read_list, true_answer, truth
from tests.pages.driver import button, enter, everything, open_page, press, told
from tests.pages.report.test_report import HOSTILE, Reader


def entries(app: AppTest) -> list[str]:
    """The entries of the list that the address holds."""
    return app.query_params["list"].split(",") if "list" in app.query_params else []


def choose(app: AppTest, place: int) -> AppTest:
    return enter(app, app.radio(key="list_lesson"), place)


def test_a_list_is_ordered_and_thinned_and_its_link_follows() -> None:
    app = open_page("lessons", list="45")
    press(press(choose(app, 1), "Later"), "Later")
    assert entries(app) == ["join-2", "class", "twice", "odds", "free", "noise", "close-5"]
    assert app.radio(key="list_lesson").value == 3
    press(app, "Earlier")
    press(app, "Take out")
    assert entries(app) == ["join-2", "class", "twice", "free", "noise", "close-5"]
    # What it is shared by is the same list without anything else of this session.
    (link,) = [code.value for code in app.code if "list=" in code.value]
    assert urllib.parse.urlsplit(link).query == f"list={','.join(entries(app))}"
    # At the end nothing is later; the last lesson stays, a pause before it need not.
    choose(app, 5)
    assert button(app, "Later").disabled
    for _ in range(4):
        press(app, "Take out")
    assert entries(app) == ["join-2", "class"]
    assert button(app, "Take out").disabled
    press(choose(app, 0), "Take out")
    assert entries(app) == ["class"]
    assert button(app, "Take out").disabled


def test_pauses_own_studies_and_own_rates_are_added_behind_the_chosen() -> None:
    study, rate = preset("unequal").study, EXAMPLES[1]
    app = open_page("lessons", list="odds,noise", study=codec.to_link(study), **RATE.link(rate))
    press(app, "Break (5 min)")
    assert entries(app) == ["odds", "break-5", "noise"]
    press(app, "Who carries the answer of your study? (7 min)")
    press(app, f"{lessons.lesson('rate', rate=rate).title} (6 min)")
    found, problems = read_list(app.query_params["list"])
    assert problems == ()
    kinds = [(entry.key, entry.study, entry.rate) for entry in found.entries]
    assert kinds[:3] == [("odds", None, None), ("break", None, None), ("carry", study, None)]
    assert kinds[3][:2] == ("rate", None)
    assert kinds[3][2].text == rate.text
    press(app, "Who carries the answer of your study? (7 min)")
    assert "is there already" in told(app)


def test_what_a_list_cannot_hold_is_said_and_the_rest_is_kept() -> None:
    app = open_page("lessons", list="odds,breakfast,noise")
    assert "breakfast" in app.error[0].value
    assert len(app.radio(key="list_lesson").options) == 2
    full = ",".join(["odds", *(f"break-{k}" for k in range(1, 40))])
    app = press(open_page("lessons", list=full), "Is noise privacy? (7 min)")
    assert "at most 40" in told(app)
    assert entries(app) == full.split(",")


# Sheets: questions without truths, then solutions with them; nothing raw, all whole.

HOME = "http://example.org:8501"
WHEN = datetime.datetime(2026, 1, 2, 3, 4, tzinfo=datetime.UTC)
UNEQUAL = preset("unequal").study
OWN = replace(
    UNEQUAL, servers=[replace(UNEQUAL.servers[0], name=HOSTILE[:60]), *UNEQUAL.servers[1:]]
)
ALL = Playlist(
    (
        *(Entry(key) for key in LESSONS),
        Entry("break", minutes=5),
        *(Entry(key, study=OWN) for key in ("carry", "free")),
        Entry("rate", rate=EXAMPLES[0]),
    )
)


def halves(text: str) -> tuple[str, str]:
    """What the class gets, and what the pages for the lecturer hold."""
    first, mark, second = text.partition('<section id="solutions" class="page">')
    assert mark
    return first, second


def shown(markdown: str) -> str:
    """Text of ours as a reader of the sheet sees it."""
    return Reader(f"<p>{inline(markdown)}</p>").text.strip()


@pytest.fixture(scope="module")
def printed() -> str:
    return lists.sheets(ALL, HOME, WHEN)


def test_questions_are_the_same_where_no_truth_can_be_computed(printed, monkeypatch):
    def refuse(*_):
        raise DomainError("Not now.", "truth", 0)

    monkeypatch.setattr("sims.lessons.truth", refuse)
    asked, solved = halves(lists.sheets(ALL, HOME, WHEN))
    assert asked == halves(printed)[0]
    assert solved.count("No answer here: Not now.") == 2 * len(ALL.lessons)


def test_every_question_has_room_and_every_solution_its_truth(printed):
    asked, mark, solved = Reader(printed).text.partition("For the lecturer The list:")
    assert mark
    for entry in ALL.entries:
        lesson = entry.lesson
        if lesson is None:
            continue
        texts = lesson.explain, lesson.explain_transfer
        for question, text in zip(lesson.questions, texts, strict=True):
            assert all(shown(words.md(part)) in asked for part in question.parts)
            true = truth(question, entry.study, entry.rate)
            for part in (words.md(true_answer(question, true)), explained(text, true), true.source):
                assert shown(part) in solved
    assert "For students (in the file)" in solved  # a study makes it too long to type


def test_nothing_typed_is_markup_and_every_name_stands_once(printed):
    found = Reader(printed)
    ids = [given["id"] for _, given in found.elements if "id" in given]
    assert len(ids) == len(set(ids))
    assert found.of("script") == []
    assert not any(key.startswith("on") for _, given in found.elements for key in given)
    assert "<script>alert(1)" in found.text
    kept = [given for given in found.of("section") if "kept" in (given.get("class") or "")]
    assert len(kept) == 3 * len(ALL.lessons)
    tour = lists.sheets(LISTS["tour"], HOME, WHEN)
    assert "One step further" not in tour  # one question each
    for page in ("lessons", "present"):
        assert f"{HOME}/{page}?list=tour</a>" in tour


# Questions of one's own

MARKED = "Which <u>*tree*</u>?"
LINE = f"{MARKED} | Ash | <u>Elm</u> | Yew | true: <u>Elm</u>"


def test_a_question_of_one_s_own_is_added_asked_and_answered_without_a_room() -> None:
    app = open_page("lessons", list="odds")
    for line, problem in (("Which? | A", "says how it is answered"), (LINE, "")):
        app.text_input(key="list_add_text").set_value(line)
        press(app, "Add the question")
        assert problem in told(app) if problem else not told(app)
        assert app.text_input(key="list_add_text").value == (line if problem else "")
    found, _ = read_list(app.query_params["list"])
    assert [entry.key for entry in found.entries] == ["odds", "own"]
    assert found.minutes == LESSONS["odds"].minutes + lessons.plain.MINUTES
    assert lessons.plain.read(LINE) == found.entries[1].asked
    assert "Lesson 1 of 1." in everything(open_page("lessons", list=found.text()))
    board = open_page("present", list=found.text(), place="2")
    assert board.title[0].value == words.md(MARKED)
    assert "✓" not in everything(board)


def test_sheets_hold_questions_of_one_s_own_and_what_is_true() -> None:
    lines = (LINE, "How many? | 0 to 400", "Which one? | A | B | true: A")
    entries = [Entry("own", asked=lessons.plain.read(line)) for line in lines]
    whole = lists.sheets(Playlist((Entry("odds"), *entries)), HOME, WHEN)
    assert not Reader(whole).of("u")
    asked, solved = Reader(whole).text.split("For the lecturer The list:")
    assert all(MARKED in half and "How many?" in half for half in (asked, solved))
    assert "Answer: <u>Elm</u>" in solved
    assert "The lecturer has not said what is true." in solved
