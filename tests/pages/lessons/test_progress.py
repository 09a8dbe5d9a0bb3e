"""Locked answers in a link: every one comes back, damage is noticed, and none is ever changed."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.lessons import progress
from pages.lessons.progress import PROGRESS, Progress, mark, taken
from rates.study import codec, preset
from sims.lessons import CHOICE, LESSONS, LISTS, SHARES, even, moved, question, spread

QUESTIONS = [q for lesson in LESSONS.values() for q in lesson.questions]


@st.composite
def reports(draw, asked):
    """An answer to a question as the page's controls give it."""
    if asked.kind == CHOICE:
        k = len(asked.parts)
        sure = max(draw(st.floats(100 / k, 100)) / 100, 1 / k)
        return spread(asked, draw(st.integers(0, k - 1)), sure)
    if asked.kind == SHARES:
        return moved(even(len(asked.parts)), 0, draw(st.integers(0, 100)))
    return tuple(draw(st.sampled_from(asked.parameter.stops)) for _ in asked.parts)


@st.composite
def progresses(draw):
    """Some questions locked, some of them explained."""
    asked = draw(st.lists(st.sampled_from(QUESTIONS), unique_by=lambda q: q.key, max_size=18))
    locked = tuple((mark(q), draw(reports(q))) for q in asked)
    return Progress(locked, tuple(name for name, _ in locked if draw(st.booleans())))


@given(progresses(), progresses())
def test_a_link_adds_what_is_not_locked_and_changes_nothing(one, other):
    text = PROGRESS.link(one).get("locked", "")
    assert taken(Progress(), text) == (one, [])
    both, problems = taken(other, text)
    assert both.locked[: len(other.locked)] == other.locked
    assert dict(both.locked) == {**dict(one.locked), **dict(other.locked)}
    there = dict(other.locked)
    assert len(problems) == sum(there.get(name, report) != report for name, report in one.locked)


def test_no_damaged_character_goes_unnoticed():
    start = Progress(((mark(question("odds")), (60.0,)), (mark(question("class")), (30.0,))))
    text = PROGRESS.link(start)["locked"]
    noticed = 0
    for place, letter in enumerate(text):
        for other in "A7-_ ":
            if other != letter:
                found, problems = taken(Progress(), text[:place] + other + text[place + 1 :])
                assert found == (Progress() if problems else start)
                noticed += bool(problems)
        cut, problems = taken(start, text[:place])
        assert cut == start
        assert bool(problems) is (place > 0)
    assert noticed > 4 * len(text)  # all but a few bits that no number is made of


def test_what_is_no_answer_is_refused_in_words_and_the_rest_kept():
    plain = "odds:101;twice:0.5;nothing:1;class:9;ours:class,odds"
    found, problems = taken(Progress(), codec.pack(plain))
    assert found == Progress((("class", (9.0,)),), ("class",))
    for part, problem in zip(("[50, 100]", "has 2 numbers", "No lesson"), problems, strict=True):
        assert part in problem
    bad = map(codec.pack, ("odds:abc", "odds"))
    for junk in ("x", "~1", "~1!!!", "~9abc", *bad, "A" * 9000):
        kept, problems = taken(found, junk)
        assert kept == found
        assert problems


def test_an_own_study_names_its_questions():
    first, second = preset("unequal").study, preset("hospitals").study
    names = {mark(question("free", study), study) for study in (first, second)}
    assert len({*names, mark(question("free"))}) == 3
    locked = Progress(tuple((name, (1.0, 2.0, 3.0)) for name in sorted(names)))
    assert taken(Progress(), PROGRESS.link(locked)["locked"]) == (locked, [])


@pytest.mark.parametrize(
    ("locked", "whole", "brief"), [("", 0, 0), ("1", 0, 1), ("2", 0, 0), ("12", 1, 1)]
)
def test_a_lesson_is_done_by_both_questions_or_by_the_first_in_brief(
    monkeypatch, locked, whole, brief
):
    asked = LESSONS["odds"].questions
    held = Progress(tuple((mark(asked[int(k) - 1]), (60.0,)) for k in locked))
    monkeypatch.setattr(progress, "PROGRESS", SimpleNamespace(get=lambda: held))
    place = progress.Place("odds", "odds")
    assert (place.done(brief=False), place.done(brief=True)) == (whole, brief)


def test_who_is_alone_ends_with_the_own_study_and_no_list_else(monkeypatch):
    monkeypatch.setattr(progress, "own", lambda key: progress.Place(f"mine {key}", key))
    for name, playlist in LISTS.items():
        mine = [place.name for place in progress.places(playlist) if place.name.startswith("mine")]
        assert mine == (["mine carry", "mine free"] if name == "alone" else [])
