"""The page of lessons without a browser: nothing true before the lock, nothing changed after it."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.charts import words
from pages.lessons import PROGRESS, fields, reveals
from rates.numbers import pack
from rates.study import codec, preset
from sims import lessons
from sims.lessons import CHOICE, LESSONS, explained, question, truth
from sims.lessons.locked import mark, taken
from tests.depth import deep_after
from tests.pages import driver
from tests.pages.driver import box, button, enter, everything, open_page, press, slider, unfold
from tests.pages.lessons.test_reveals import leaves, report, sent, telling

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
PIECE = 25  # letters of an explanation that are too many for chance


def pieces(text: str) -> list[str]:
    """Parts of an explanation between what is computed."""
    return [p.strip() for p in re.split(r"\{[^}]*\}|\*", text) if len(p.strip()) >= PIECE]


def check_nothing_told(messages, asked, explain: str, known=None) -> None:  # type: ignore[no-untyped-def]
    """None of it holds what is true of a question, what was drawn of it, or why.

    What is true of another question, which is known already, may stand there.
    """
    found = truth(asked)
    seen = list(leaves(messages))
    text = "\n".join(str(x) for x in seen if isinstance(x, str) and not x.startswith("~"))
    drawn = [] if asked.kind == CHOICE else [reveals.figure(asked, report(asked), found)]
    shown = [said for one in drawn for said in (one.alt, one.figure["layout"]["title"])]
    assert asked.text[:PIECE] in text  # it is the screen of this question
    sources = {found.source} - ({known.source} if known else set())
    for secret in (*pieces(explain), *shown, *sources, *([] if known else ["True: "])):
        assert secret not in text
    numbers = {float(x) for x in _NUMBER.findall(text.replace(",", ""))}
    numbers |= {float(x) for x in seen if isinstance(x, int | float) and not isinstance(x, bool)}
    for number in {*telling(found)} - {*(telling(known) if known else ())}:
        near = [x for x in numbers if math.isclose(x, number, rel_tol=1e-9)]
        rounded = float(words.number(number).replace(",", ""))
        if number in (*found.low, *found.high) or not rounded.is_integer():
            near += numbers & {rounded}
        assert not near, (number, near)


SIXTY = {mark(question("odds")): (60.0,)}
QUICK = (("odds", 0), ("free", 0))
EVERY = sorted(itertools.product(LESSONS, (0, 1)), key=lambda one: one not in QUICK)


@pytest.mark.parametrize(("key", "place"), deep_after(len(QUICK), EVERY))
@pytest.mark.usefixtures("by_step")
def test_nothing_true_is_sent_before_a_lock(key, place):
    lesson = LESSONS[key]
    first, second = lesson.questions
    locked = {mark(first): report(first)} if place else {}
    with sent() as messages:
        app = open_page("lessons", list="alone", lesson=key, **PROGRESS.link(locked))
        app = unfold(app, "Our explanation") if place else app
    if place:
        known = truth(first)
        assert explained(lesson.explain, known)[:PIECE] in everything(app)
        check_nothing_told(messages, second, lesson.explain_transfer, known=known)
    else:
        check_nothing_told(messages, first, lesson.explain)
        check_nothing_told(messages, first, lesson.misconception)


def test_the_check_finds_what_is_told():
    """The same search on the screen after the lock."""
    with sent() as messages:
        open_page("lessons", lesson="odds", **PROGRESS.link(SIXTY))
    with pytest.raises(AssertionError):
        check_nothing_told(messages, question("odds"), "")


def test_the_whole_path_of_a_lesson():
    app = open_page("lessons", list="odds")
    assert button(app, "Lock my answer").disabled
    press(enter(app, slider(app, "Right guesses"), 60.0), "Lock my answer")
    assert "**60 of 100**" in everything(app)
    assert words.md("True: 73.1 of 100") in everything(app)
    assert "**73.1**" in everything(unfold(app, "Our explanation"))
    assert "(done)" not in str(app.selectbox(key="lesson_open").options)  # by both questions
    app.radio[0].set_value(2).run()
    say_how_sure(app)
    press(enter(app, slider(app, "How sure"), 80.0), "Lock my answer")
    assert "(done)" in str(app.selectbox(key="lesson_open").options)
    assert "Skill -0.05:" in everything(app)
    # A link brings the whole page back, in another session.
    again = unfold(open_page("lessons", **address(app)), "Our explanation")
    assert {m.value for m in again.main.markdown} == {m.value for m in app.main.markdown}
    assert {c.value for c in again.caption} == {c.value for c in app.caption}


def address(app) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {name: driver.query(app, name) for name in app.query_params}


def say_how_sure(app) -> None:  # type: ignore[no-untyped-def]
    enter(app, next(t for t in app.toggle if t.label == "Say how sure you are"), True)


def test_an_option_stays_picked_however_sure_one_is():
    app = open_page("lessons", lesson="back")
    app.radio[0].set_value(1).run()
    say_how_sure(app)  # and then not how
    for typed in ("abc", "500", "-1", "", "1e999"):  # junk is said, and nothing is locked
        assert enter(app, box(app, "How sure"), typed).error
        press(app, "Lock my answer")
        assert app.warning
    assert slider(app, "How sure").value == 100.0
    for stop in (100.0, float(slider(app, "How sure").options[0])):
        enter(app, slider(app, "How sure"), stop)
        (held,) = app.session_state["lesson_drafts"].values()
        assert held == {fields.PICK: 1, fields.SURE: stop}
    press(app, "Lock my answer")
    assert f"{question('back').parts[1]}, 26% sure" in everything(app)


UNEQUAL = preset("unequal").study


@pytest.mark.parametrize(
    "given",
    [
        *({"lesson": x} for x in ("nothing", "odds.own", "<b>", "x" * 500, "free.9")),
        *({"list": entries} for entries in ("breakfast,odds", "x" * 9_000, "free.~1x", "break-5")),
        {"lesson": "carry.own", "study": codec.to_link(preset("phones").study)},
    ],
)
def test_a_lesson_a_list_or_an_answer_that_is_none_is_said_and_the_rest_kept(given):
    app = open_page("lessons", **given)
    assert driver.told(app)
    assert "<b>" not in driver.told(app).replace("\\<b>", "")
    assert "Lock my answer" in [b.label for b in app.button]


# Locked answers in a link -----------------------------------------------------------------------


QUESTIONS = [q for lesson in LESSONS.values() for q in lesson.questions]


@st.composite
def progresses(draw):
    """Some questions locked, each by one of two answers."""
    asked = draw(st.lists(st.sampled_from(QUESTIONS), unique_by=lambda q: q.key, max_size=18))
    return {mark(q): draw(st.sampled_from((report(q), other(q)))) for q in asked}


def other(asked):
    """Another answer than `report`'s, at the edge of what the page's controls give."""
    if asked.kind == CHOICE:
        return lessons.spread(asked, len(asked.parts) - 1, 1.0)
    if asked.kind == lessons.SHARES:
        return (100.0, *[0.0] * (len(asked.parts) - 1))
    return (asked.parameter.stops[-1],) * len(asked.parts)


@given(progresses(), progresses())
def test_a_link_adds_what_is_not_locked_and_changes_nothing(one, other):
    text = PROGRESS.link(one).get("locked", "")
    assert taken({}, text) == (one, [])
    both, problems = taken(other, text)
    assert [*both][: len(other)] == [*other]
    assert both == one | other
    assert len(problems) == sum(other.get(name, report) != report for name, report in one.items())


def test_no_damaged_character_goes_unnoticed():
    start = {**SIXTY, mark(question("class")): (30.0,)}
    text = PROGRESS.link(start)["locked"]
    noticed = 0
    for place, letter in enumerate(text):
        for other in {*"A7-_ "} - {letter}:
            found, problems = taken({}, text[:place] + other + text[place + 1 :])
            assert found == ({} if problems else start)
            noticed += bool(problems)
        cut, problems = taken(start, text[:place])
        assert cut == start
        assert bool(problems) is (place > 0)
    assert noticed > 4 * len(text)  # all but a few bits that no number is made of


def test_what_is_no_answer_is_refused_in_words_and_the_rest_kept():
    plain = "odds:101;twice:0.5;nothing:1;class:9;ours:class,odds"
    found, problems = taken({}, pack(plain))
    assert found == {"class": (9.0,)}
    for part, problem in zip(("[50, 100]", "has 2 numbers", "No lesson"), problems, strict=True):
        assert part in problem
    bad = map(pack, ("odds:abc", "odds"))
    for junk in ("x", "~1", "~1!!!", "~9abc", *bad, "A" * 9000):
        kept, problems = taken(found, junk)
        assert kept == found
        assert problems


@pytest.mark.parametrize("key", ["carry", "free"])
def test_an_own_study_without_delta_is_asked_about_and_its_assumption_said(key):
    bare = UNEQUAL.with_servers([replace(s, delta=None) for s in UNEQUAL.servers])
    app = open_page("lessons", lesson=f"{key}.own", study=codec.to_link(bare))
    assert "Lock my answer" in [b.label for b in app.button]
    assert "is assumed where none was stated" in everything(app)
    assert all(f"{s.n:,} records" in everything(app) for s in bare.servers)


def test_a_question_is_asked_once_and_proposes_no_number():
    """One rule for all questions, whatever is true: the box beside is empty until one moves."""
    assert not any(fields.report(one, "nobody's") for one in QUESTIONS)
    app, asked = open_page("lessons", lesson="odds"), question("odds")
    assert sum("how often of 100" in str(one.value) for one in app.markdown) == 1
    assert box(app, asked.parts[0]).value == ""
    assert not driver.drawing(app)["layout"].get("title", {}).get("text")
    enter(app, box(app, asked.parts[0]), "70")
    assert not button(app, "Lock my answer").disabled


def test_points_count_in_proportion_to_their_sum():
    app = open_page("lessons", lesson="carry")
    assert button(app, "Lock my answer").disabled
    for place, points in enumerate((80.0, 0.0, 40.0)):
        enter(app, app.select_slider[place], points)
    press(app, "Lock my answer")
    assert "66.7 / 0 / 33.3 / 0 / 0" in everything(app)


def test_a_rate_is_typed_read_locked_and_told_where_it_fails():
    app = open_page("lessons", list="orders")
    typed = app.text_input[0]
    for text in ("d - eps", "d + eps", "n"):  # none of one product in these letters
        enter(app, typed, text)
        assert app.error
        assert button(app, "Lock my answer").disabled
    enter(app, typed, "7 * d/eps")
    assert not app.error
    assert "Read as `d/eps`." in everything(app)
    press(app, "Lock my answer")
    assert "That is not the order: at d = 1, eps = 0.5 it is 2, the true one 4." in everything(app)
    assert "Skill 0.00" in everything(app)
    again = open_page("lessons", **address(app))
    assert "the true one 4." in everything(again)
