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
from tests.pages.driver import enter, everything, open_page, told
from tests.pages.report.test_report import HOSTILE, Reader

MARKED = "Which <u>*tree*</u>?"
LINE = f"{MARKED} | Ash | <u>Elm</u> | Yew | true: <u>Elm</u>"


def write(app: AppTest, *lines: str) -> AppTest:
    """Write the list, one entry a line."""
    return enter(app, app.text_area(key="list_lines"), "\n".join(lines))


def test_a_list_is_written_with_what_is_one_s_own_and_its_link_follows() -> None:
    study, rate = preset("unequal").study, EXAMPLES[1]
    app = open_page("lessons", list="45", study=codec.to_link(study), **RATE.link(rate))
    assert app.text_area(key="list_lines").value.split() == [*LISTS["45"].named]
    write(app, "noise", "break-5", "", "odds", "carry.own", "rate.own", LINE)
    found, problems = read_list(app.query_params["list"])
    assert problems == ()
    kinds = [(entry.key, entry.study, entry.rate and entry.rate.text) for entry in found.entries]
    assert kinds[:3] == [("noise", None, None), ("break", None, None), ("odds", None, None)]
    assert kinds[3:] == [("carry", study, None), ("rate", None, rate.text), ("own", None, None)]
    assert found.entries[-1].asked == LINE
    # What it is shared by is the same list without anything else of this session.
    (link,) = [code.value for code in app.code if "list=" in code.value]
    assert urllib.parse.parse_qs(urllib.parse.urlsplit(link).query) == {"list": [found.text()]}
    # What stands in it already keeps its name, and is moved by it.
    assert app.text_area(key="list_lines").value.split()[2:5] == ["odds", "carry", "rate"]
    write(app, "carry", "odds")
    assert read_list(app.query_params["list"])[0].entries == (found.entries[3], found.entries[2])


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (["odds", "breakfast"], "Line 2: Known are the lessons"),
        (["odds", "Which? | A"], "Line 2: After a question"),
        (["odds", "odds"], "Line 2: 'odds' is there already"),
        (["break-5"], "A list has a lesson"),
        (["odds"] + ["break-1"] * 40, "at most 40"),
    ],
)
def test_what_a_list_cannot_hold_is_said_and_stays_to_be_mended(lines, words) -> None:
    app = write(open_page("lessons", list="odds,noise"), *lines)
    assert words in told(app)
    assert app.text_area(key="list_lines").value == "\n".join(lines)
    assert app.query_params["list"] == "odds,noise"
    assert "noise" in write(app, "noise").query_params["list"]
    assert not told(app)


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

    monkeypatch.setattr("sims.lessons.lists.truth", refuse)
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
    for page in ("lessons", "present"):
        assert f"{HOME}/{page}?list=tour</a>" in tour


# Questions of one's own


def test_a_question_of_one_s_own_is_asked_on_the_projector() -> None:
    found = Playlist((Entry("odds"), Entry("own", asked=LINE)))
    assert found.minutes == LESSONS["odds"].minutes + lessons.plain.MINUTES
    assert "Lesson 1 of 1." in everything(open_page("lessons", list=found.text()))
    board = open_page("present", list=found.text(), place="2")
    assert board.title[0].value == words.md(MARKED)
    assert "✓" not in everything(board)


def test_sheets_hold_questions_of_one_s_own_and_what_is_true() -> None:
    lines = (LINE, "How many? | 0 to 400", "Which one? | A | B | true: A")
    entries = [Entry("own", asked=line) for line in lines]
    whole = lists.sheets(Playlist((Entry("odds"), *entries)), HOME, WHEN)
    assert not Reader(whole).of("u")
    asked, solved = Reader(whole).text.split("For the lecturer The list:")
    assert all(MARKED in half and "How many?" in half for half in (asked, solved))
    assert "Answer: <u>Elm</u>" in solved
    assert "The lecturer has not said what is true." in solved
