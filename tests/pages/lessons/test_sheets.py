"""Sheets of a list: questions without truths, then solutions with them; nothing raw, all whole."""

from __future__ import annotations

import datetime
from dataclasses import replace

import pytest

from pages.charts import words
from pages.core import formula
from pages.lessons import lists, task
from pages.report import mathml
from pages.report.html import inline
from rates.numbers import DomainError
from rates.orders import EXAMPLES, reading
from rates.study import preset
from sims.lessons import LESSONS, LISTS, Entry, Playlist, explained, truth
from tests.pages.report.test_report import HOSTILE, Reader

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


def made(playlist: Playlist, home: str = HOME) -> str:
    return lists.sheets(playlist, home, WHEN)


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
    return made(ALL)


def test_questions_are_the_same_where_no_truth_can_be_computed(printed, monkeypatch):
    def refuse(*_):
        raise DomainError("Not now.", "truth", 0)

    monkeypatch.setattr(task, "true", refuse)
    asked, solved = halves(made(ALL))
    assert asked == halves(printed)[0]
    assert solved.count("No answer here: Not now.") == 2 * len(ALL.lessons)


def test_every_question_has_room_and_every_solution_its_truth(printed):
    asked, mark, solved = Reader(printed).text.partition("For the lecturer The list")
    assert mark
    for entry in ALL.entries:
        lesson = entry.lesson
        if lesson is None:
            continue
        texts = lesson.explain, lesson.explain_transfer
        for question, text in zip(lesson.questions, texts, strict=True):
            assert all(shown(words.md(part)) in asked for part in question.parts)
            true = truth(question, entry.study, entry.rate)
            for part in (task.truth_words(question, true), explained(text, true), true.source):
                assert shown(part) in solved
    assert f"{ALL.minutes} minutes in sum" in solved
    assert "Made on 2026-01-02 03:04 UTC with private-rates" in solved
    assert "For students (in the file)" in solved  # a study makes it too long to type
    for piece in formula.broken(reading.order_of(EXAMPLES[0]).latex):
        assert f"<p>{mathml.of(piece)}</p>" in printed


def test_nothing_typed_is_markup_and_every_name_stands_once(printed):
    found = Reader(printed)
    ids = [given["id"] for _, given in found.elements if "id" in given]
    assert len(ids) == len(set(ids))
    assert found.of("script") == []
    assert not any(key.startswith("on") for _, given in found.elements for key in given)
    assert "<script>alert(1)" in found.text
    kept = [given for given in found.of("section") if "kept" in (given.get("class") or "")]
    assert len(kept) == 3 * len(ALL.lessons)


def test_a_short_list_prints_its_links_and_a_tour_asks_one_question_each():
    tour = made(LISTS["tour"])
    assert "One step further" not in tour
    for label, page in (("For students", "lessons"), ("On the projector", "present")):
        assert f">{label}: {HOME}/{page}?list=tour</a>" in tour
    assert "Everybody joins" in made(LISTS["45"])
    assert "<a href" not in made(LISTS["tour"], home="").partition("</nav>")[2]
