"""The page of lessons without a browser: nothing true before the lock, nothing changed after it."""

from __future__ import annotations

import base64
import itertools
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
from rates.orders import EXAMPLES
from rates.study import codec, preset
from sims.lessons import CHOICE, LESSONS, SHARES, even, explained, question, spread, truth
from tests.pages.driver import box, enter, everything, open_page, press, query, slider, told

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
    numbers = {float(x) for x in _NUMBER.findall(text.replace(",", ""))}
    numbers |= {float(x) for x in seen if isinstance(x, int | float) and not isinstance(x, bool)}
    for number in {*telling(found)} - {*(telling(known) if known else ())}:
        near = [x for x in numbers if math.isclose(x, number, rel_tol=1e-9)]
        rounded = float(words.number(number).replace(",", ""))
        if number in (*found.low, *found.high) or not rounded.is_integer():
            near += numbers & {rounded}
        assert not near, (number, near)


QUICK = (("odds", 0), ("free", 0))
EVERY = [
    pytest.param(*one, marks=[] if one in QUICK else [pytest.mark.deep])
    for one in itertools.product(LESSONS, (0, 1))
]


@pytest.mark.parametrize(("key", "place"), EVERY)
@pytest.mark.usefixtures("by_step")
def test_nothing_true_is_sent_before_a_lock(key, place):
    lesson = LESSONS[key]
    first, second = lesson.questions
    locked = Progress(((mark(first), report(first)),), (mark(first),)) if place else Progress()
    with sent() as messages:
        app = open_page("lessons", list="alone", lesson=key, **PROGRESS.link(locked))
    if place:
        known = truth(first)
        assert explained(lesson.explain, known)[:PIECE] in everything(app)
        check_nothing_told(messages, second, lesson.explain_transfer, known=known)
    else:
        check_nothing_told(messages, first, lesson.explain)
        check_nothing_told(messages, first, lesson.misconception)


def test_the_check_finds_what_is_told():
    """The same search on the screen after the lock."""
    first = LESSONS["odds"].question
    locked = Progress(((mark(first), (60.0,)),))
    with sent() as messages:
        open_page("lessons", lesson="odds", **PROGRESS.link(locked))
    with pytest.raises(AssertionError):
        check_nothing_told(messages, first, "")


def test_the_whole_path_of_a_lesson():
    app = open_page("lessons", list="odds")
    assert next(b for b in app.button if b.label == "Lock my answer").disabled
    press(enter(app, slider(app, "Right guesses"), 60.0), "Lock my answer")
    assert "**60 of 100**" in everything(app)
    assert "**73.1 of 100**" in everything(app)
    press(app, "Show our explanation")
    app.radio[0].set_value(2).run()
    say_how_sure(app)
    press(enter(app, slider(app, "How sure"), 80.0), "Lock my answer")
    press(app, "Show our explanation")
    (table,) = app.table
    assert next(iter(table.value["Off by"])) == "13.1 of 100"
    # A link brings the whole page back, in another session.
    again = open_page("lessons", **address(app))
    assert {m.value for m in again.main.markdown} == {m.value for m in app.main.markdown}
    assert [list(t.value["Skill"]) for t in again.table] == [list(table.value["Skill"])]


def address(app) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {name: query(app, name) for name in app.query_params}


def test_the_tour_shows_at_once_and_goes_on():
    app = open_page("lessons")
    for label, value, onward in (
        ("Right guesses", 60.0, f"Next: {LESSONS['carry'].title}"),
        ("University clinic", 45.0, f"Next: {LESSONS['class'].title}"),
        ("Error of coins", 10.0, "Go on with all lessons"),
    ):
        press(enter(app, slider(app, label), value), "Lock my answer")
        assert "One step further" not in everything(app)
        press(app, onward)
    assert app.selectbox(key="lesson_list").value == "alone"
    assert "brings back 3 locked answers" in everything(app)


def say_how_sure(app) -> None:  # type: ignore[no-untyped-def]
    enter(app, next(t for t in app.toggle if t.label == "Say how sure you are"), True)


def test_an_option_stays_picked_however_sure_one_is():
    app = open_page("lessons", lesson="back")
    app.radio[0].set_value(1).run()
    say_how_sure(app)  # and then not how
    stops = slider(app, "How sure").options
    assert [float(stops[0]), slider(app, "How sure").value] == [26.0, 100.0]
    for stop in (*map(float, stops), 26.0):
        enter(app, slider(app, "How sure"), stop)
        (held,) = app.session_state["lesson_drafts"].values()
        assert (held.pick, held.values) == (1, (stop,))
    press(app, "Lock my answer")
    assert f"{question('back').parts[1]}, 26 % sure" in everything(app)


def test_what_is_locked_is_not_changed_by_an_address():
    name = mark(question("odds"))
    app = open_page("lessons", **PROGRESS.link(Progress(((name, (60.0,)),))))
    other = PROGRESS.link(Progress(((name, (90.0,)),)))["locked"]
    for given in (other, "~1eNrTjunk", other[:-4]):
        app.query_params["locked"] = given
        app.run()
        assert not app.exception
        assert "**60 of 100**" in everything(app)
        assert app.error


@pytest.mark.parametrize("typed", ["abc", "500", "-1", "", "1e999"])
def test_junk_in_a_box_is_said_and_nothing_is_locked(typed):
    app = open_page("lessons", lesson="back")
    app.radio[0].set_value(2)
    say_how_sure(app)
    assert enter(app, box(app, "How sure"), typed).error
    press(app, "Lock my answer")
    assert app.warning
    assert "no locked answer" in everything(app)


@pytest.mark.parametrize(
    ("name", "given"),
    [
        *(("lesson", lesson) for lesson in ("nothing", "odds.own", "<b>", "x" * 500, "free.9")),
        *(("list", entries) for entries in ("breakfast,odds", "x" * 9_000, "free.~1x", "break-5")),
    ],
)
def test_a_lesson_or_a_list_that_is_none_is_said_and_the_rest_kept(name, given):
    app = open_page("lessons", **{name: given})
    assert told(app)
    assert "<b>" not in told(app)
    assert any(b.label == "Lock my answer" for b in app.button)


def test_an_own_rate_comes_back_by_its_link():
    packed = own_rate.RATE.link(EXAMPLES[1])
    app = open_page("lessons", lesson="rate.own", **packed)
    app.radio[0].set_value(0).run()
    press(app, "Lock my answer")
    assert address(app)["rate"] == packed["rate"]
    assert "You expected" in everything(open_page("lessons", **address(app)))


def test_a_study_without_the_lesson_or_an_answer_of_another_size_is_refused_in_words():
    app = open_page("lessons", lesson="carry.own", study=codec.to_link(preset("phones").study))
    assert "nearest lesson" in app.warning[0].value
    study = preset("unequal").study
    bad = Progress(((mark(question("free", study), study), (1.0, 2.0)),))
    app = open_page("lessons", lesson="free.own", study=codec.to_link(study), **PROGRESS.link(bad))
    assert "has 3 numbers" in app.error[0].value
    assert any(b.label == "Lock my answer" for b in app.button)


@pytest.mark.deep
def test_where_sliders_start_is_far_from_what_is_true():
    for one in (q for each in LESSONS.values() for q in each.questions if q.parameter):
        scale = math.log if one.log else float
        wide = scale(one.parameter.high) - scale(one.parameter.low)
        for start, true in zip(fields.draft(one, "nobody's").values, truth(one).low, strict=True):
            assert abs(scale(start) - scale(true)) / wide > 0.04
