"""The page of lessons without a browser: nothing true before the lock, nothing changed after it."""

from __future__ import annotations

import base64
import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.charts import words
from pages.lessons import PROGRESS, Progress, fields, reveals
from pages.lessons.progress import mark
from pages.orders import asked as own_rate
from rates.numbers import DomainError
from rates.orders import EXAMPLES
from rates.study import codec, preset
from sims.lessons import (
    CHOICE,
    LESSONS,
    SHARES,
    even,
    explained,
    lesson,
    question,
    spread,
    truth,
)
from tests.pages.driver import everything, open_page, press

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
PIECE = 25  # letters of an explanation that are too many for chance


@contextmanager
def sent() -> Iterator[list[dict[str, Any]]]:
    """What a server sends to a browser meanwhile, as plain data."""
    messages: list[dict[str, Any]] = []
    ForwardMsgQueue.on_before_enqueue_msg(lambda one: messages.append(MessageToDict(one)))
    try:
        yield messages
    finally:
        ForwardMsgQueue.on_before_enqueue_msg(None)


def leaves(data: Any) -> Iterator[Any]:
    """Every text and number in plain data, figures and their packed arrays opened."""
    if isinstance(data, dict) and "bdata" in data:
        yield from np.frombuffer(base64.b64decode(data["bdata"]), data["dtype"]).tolist()
    elif isinstance(data, dict):
        for name, value in data.items():
            yield name
            yield from leaves(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from leaves(value)
    elif isinstance(data, str) and data.startswith(("{", "[")):
        try:
            yield from leaves(json.loads(data))
        except ValueError:
            yield data
    else:
        yield data


def report(asked) -> tuple[float, ...]:  # type: ignore[no-untyped-def]
    """An answer that is away from what is true."""
    if asked.kind == CHOICE:
        return spread(asked, 0, 1 / len(asked.parts))
    if asked.kind == SHARES:
        return even(len(asked.parts))
    return fields.draft(asked, "nobody's").values


def telling(found) -> list[float]:  # type: ignore[no-untyped-def]
    """Numbers of a truth but for round ones and simple fractions, which may stand anywhere."""
    said = [x for v in found.said.values() for x in (v if isinstance(v, tuple) else (v,))]
    numbers = [x for x in (*found.low, *found.high, *said) if isinstance(x, float)]
    real = [x for x in numbers if math.isfinite(x) and f"{x:.2e}"[3] != "0"]
    return [x for x in real if not math.isclose(x, Fraction(x).limit_denominator(9))]


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
    shown = reveals.reveal(asked, report(asked), found)
    assert asked.text[:PIECE] in text  # it is the screen of this question
    sources = {found.source} - ({known.source} if known else set())
    for secret in (*pieces(explain), shown.alt, shown.figure.title, *sources):
        assert secret not in text
    told = {float(x) for x in _NUMBER.findall(text.replace(",", ""))}
    told |= {float(x) for x in seen if isinstance(x, int | float) and not isinstance(x, bool)}
    for number in {*telling(found)} - {*(telling(known) if known else ())}:
        near = [x for x in told if math.isclose(x, number, rel_tol=1e-9)]
        rounded = float(words.number(number).replace(",", ""))
        if number in (*found.low, *found.high) or not rounded.is_integer():
            near += told & {rounded}
        assert not near, (number, near)


QUICK = ("odds", "free")
EVERY = [pytest.param(key, marks=[] if key in QUICK else [pytest.mark.deep]) for key in LESSONS]


@pytest.mark.parametrize("key", EVERY)
def test_nothing_true_is_sent_before_the_lock(key):
    lesson = LESSONS[key]
    with sent() as messages:
        open_page("lessons", list="alone", lesson=key)
    check_nothing_told(messages, lesson.question, lesson.explain)
    check_nothing_told(messages, lesson.question, lesson.misconception)


@pytest.mark.deep
@pytest.mark.parametrize("key", LESSONS)
@pytest.mark.usefixtures("by_step")
def test_nothing_true_is_sent_before_the_second_lock(key):
    lesson = LESSONS[key]
    name = mark(lesson.question)
    locked = Progress(((name, report(lesson.question)),), (name,))
    with sent() as messages:
        app = open_page("lessons", list="alone", lesson=key, **PROGRESS.link(locked))
    first = truth(lesson.question)
    assert explained(lesson.explain, first)[:PIECE] in everything(app)
    check_nothing_told(messages, lesson.transfer, lesson.explain_transfer, known=first)


def test_the_check_finds_what_is_told():
    """The same search on the screen after the lock."""
    first = LESSONS["odds"].question
    locked = Progress(((mark(first), (60.0,)),))
    with sent() as messages:
        open_page("lessons", lesson="odds", **PROGRESS.link(locked))
    with pytest.raises(AssertionError):
        check_nothing_told(messages, first, "")


def slide(app, label: str, value: float) -> None:  # type: ignore[no-untyped-def]
    next(s for s in app.select_slider if s.label.startswith(label)).set_value(value).run()
    assert not app.exception


def test_the_whole_path_of_a_lesson():
    app = open_page("lessons", list="odds")
    lock = next(b for b in app.button if b.label == "Lock my answer")
    assert lock.disabled
    slide(app, "Right guesses", 60.0)
    press(app, "Lock my answer")
    text = everything(app)
    assert "**60 of 100**" in text
    assert "**73.1 of 100**" in text
    assert "no percentage" not in text
    press(app, "Show our explanation")
    assert "no percentage" in everything(app)
    app.radio[0].set_value(2).run()
    say_how_sure(app)
    slide(app, "How sure", 80.0)
    press(app, "Lock my answer")
    press(app, "Show our explanation")
    text = everything(app)
    assert "80 % sure" in text
    assert "Every lesson of this list is answered." in text
    (table,) = app.table
    assert next(iter(table.value["Off by"])) == "13.1 of 100"
    assert "link that brings back 2 locked answers" in text
    # A link brings the whole page back, in another session.
    link = {k: v if isinstance(v, str) else v[0] for k, v in app.query_params.items()}
    again = open_page("lessons", **link)
    assert {m.value for m in again.main.markdown} == {m.value for m in app.main.markdown}
    assert [list(t.value["Skill"]) for t in again.table] == [list(table.value["Skill"])]


def test_the_tour_shows_at_once_and_goes_on():
    app = open_page("lessons")
    slide(app, "Right guesses", 60.0)
    press(app, "Lock my answer")
    text = everything(app)
    assert "no percentage" in text
    assert "One step further" not in text
    press(app, f"Next: {LESSONS['carry'].title}")
    slide(app, "University clinic", 45.0)
    press(app, "Lock my answer")
    press(app, f"Next: {LESSONS['class'].title}")
    slide(app, "Error of coins", 10.0)
    press(app, "Lock my answer")
    press(app, "Go on with all lessons")
    assert app.selectbox(key="lesson_list").value == "alone"
    assert "Lesson 1 of 10." in everything(app)
    assert "brings back 3 locked answers" in everything(app)


def say_how_sure(app) -> None:  # type: ignore[no-untyped-def]
    next(t for t in app.toggle if t.label == "Say how sure you are").set_value(True).run()
    assert not app.exception


def test_an_option_stays_picked_however_sure_one_is():
    app = open_page("lessons", lesson="back")
    assert "Pick an answer first." in everything(app)
    assert "About 4 minutes alone" in everything(app)  # not of the tour, so it is whole
    app.radio[0].set_value(1).run()
    assert "It counts as certain unless you say how sure you are." in everything(app)
    say_how_sure(app)  # and then not how
    assert "What is locked cannot be changed." in everything(app)
    slider = next(s for s in app.select_slider if s.label.startswith("How sure"))
    assert [float(slider.options[0]), slider.value] == [26.0, 100.0]
    for stop in map(float, slider.options):
        slide(app, "How sure", stop)
        (held,) = app.session_state["lesson_drafts"].values()
        assert (held.pick, held.values) == (1, (stop,))
    slide(app, "How sure", 26.0)
    press(app, "Lock my answer")
    text = everything(app)
    assert f"{question('back').parts[1]}, 26 % sure" in text


def test_an_option_alone_is_locked_as_it_was_picked():
    app = open_page("lessons", lesson="back")
    app.radio[0].set_value(2).run()
    press(app, "Lock my answer")
    assert f"You expected **{question('back').parts[2]}**." in everything(app)


def test_what_is_locked_is_not_changed_by_an_address():
    asked = question("odds")
    app = open_page("lessons", **PROGRESS.link(Progress(((mark(asked), (60.0,)),))))
    assert "**60 of 100**" in everything(app)
    for other, said in (
        (PROGRESS.link(Progress(((mark(asked), (90.0,)),)))["locked"], "60 is locked"),
        ("~1eNrTjunk", "could not be"),
        (PROGRESS.link(Progress(((mark(asked), (90.0,)),)))["locked"][:-4], "cut or changed"),
    ):
        app.query_params["locked"] = other
        app.run()
        assert not app.exception
        assert "**60 of 100**" in everything(app)
        assert any(said in e.value or "not all" in e.value for e in app.error)


@pytest.mark.parametrize("typed", ["abc", "500", "-1", "", "1e999"])
def test_junk_in_a_box_is_said_and_nothing_is_locked(typed):
    app = open_page("lessons", lesson="back")
    app.radio[0].set_value(2)
    say_how_sure(app)
    box = next(t for t in app.text_input if t.label.startswith("How sure"))
    box.set_value(typed).run()
    assert not app.exception
    assert app.error
    press(app, "Lock my answer")
    assert "Nothing was locked" in app.warning[0].value
    assert "no locked answer" in everything(app)


def test_points_are_shared_out_and_always_sum():
    app = open_page("lessons", lesson="carry")
    slide(app, "University clinic", 45.0)
    slide(app, "City hospital", 35.0)
    held = [s.value for s in app.select_slider]
    assert held[:2] == [45.0, 35.0]
    assert sum(held) == 100


@pytest.mark.parametrize("lesson", ["nothing", "odds.own", "<b>", "x" * 500, "free.9"])
def test_a_lesson_that_is_none_is_said(lesson):
    app = open_page("lessons", lesson=lesson)
    assert app.error
    assert LESSONS["odds"].title in everything(app)


@pytest.mark.parametrize(
    ("given", "said"),
    [("breakfast,odds", "'breakfast', is left out"), ("x" * 9_000, "8,000"), ("free.~1x", "stays")],
)
def test_what_is_wrong_with_a_list_is_said_and_the_rest_kept(given, said):
    app = open_page("lessons", list=given)
    assert said in app.error[0].value
    assert any(b.label == "Lock my answer" for b in app.button)


def test_a_list_of_pauses_is_said():
    app = open_page("lessons", list="break-5")
    assert "has no lesson" in app.warning[0].value
    assert LESSONS["odds"].title in everything(app)


def test_an_own_rate_comes_back_by_its_link():
    rate = next(one for one in EXAMPLES if one != EXAMPLES[0] and own_terms(one))
    packed = own_rate.RATE.link(rate)
    app = open_page("lessons", lesson="rate.own", **packed)
    app.radio[0].set_value(0).run()
    press(app, "Lock my answer")
    assert "You expected" in everything(app)
    link = {k: v if isinstance(v, str) else v[0] for k, v in app.query_params.items()}
    assert link["rate"] == packed["rate"]
    assert "You expected" in everything(open_page("lessons", **link))


def own_terms(rate) -> bool:  # type: ignore[no-untyped-def]
    """Whether a rate has terms of which one can be chosen."""
    try:
        return bool(lesson("rate", rate=rate))
    except DomainError:
        return False


def test_one_s_own_study_stands_in_or_the_nearest_lesson_is_named():
    own = codec.to_link(preset("unequal").study)
    app = open_page("lessons", lesson="free.own", study=own)
    assert "What does privacy cost your study?" in everything(app)
    app = open_page("lessons", lesson="carry.own", study=codec.to_link(preset("phones").study))
    assert "nearest lesson" in app.warning[0].value


def test_an_answer_about_another_study_is_refused_in_words():
    study = preset("unequal").study
    name = mark(question("free", study), study)
    bad = Progress(((name, (1.0, 2.0)),))
    app = open_page("lessons", lesson="free.own", study=codec.to_link(study), **PROGRESS.link(bad))
    assert "has 3 numbers" in app.error[0].value
    assert any(b.label == "Lock my answer" for b in app.button)


@pytest.mark.deep
@pytest.mark.parametrize("key", LESSONS)
def test_where_sliders_start_is_far_from_what_is_true(key):
    for asked in LESSONS[key].questions:
        if asked.parameter is None:
            continue
        found = truth(asked)
        low, high = asked.parameter.low, asked.parameter.high
        for start, true in zip(fields.draft(asked, "nobody's").values, found.low, strict=True):
            away = abs(start - true) / (high - low)
            if asked.log:
                away = abs(math.log(start / true)) / math.log(high / low)
            assert away > 0.04
