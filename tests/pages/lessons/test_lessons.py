"""The page of lessons without a browser: nothing true before the lock, nothing changed after it."""

from __future__ import annotations

import base64
import itertools
import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
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


def slide(app, label: str, value: float) -> None:  # type: ignore[no-untyped-def]
    next(s for s in app.select_slider if s.label.startswith(label)).set_value(value).run()
    assert not app.exception


def test_the_whole_path_of_a_lesson():
    app = open_page("lessons", list="odds")
    assert next(b for b in app.button if b.label == "Lock my answer").disabled
    slide(app, "Right guesses", 60.0)
    press(app, "Lock my answer")
    assert "**60 of 100**" in everything(app)
    assert "**73.1 of 100**" in everything(app)
    press(app, "Show our explanation")
    app.radio[0].set_value(2).run()
    say_how_sure(app)
    slide(app, "How sure", 80.0)
    press(app, "Lock my answer")
    press(app, "Show our explanation")
    (table,) = app.table
    assert next(iter(table.value["Off by"])) == "13.1 of 100"
    # A link brings the whole page back, in another session.
    again = open_page("lessons", **address(app))
    assert {m.value for m in again.main.markdown} == {m.value for m in app.main.markdown}
    assert [list(t.value["Skill"]) for t in again.table] == [list(table.value["Skill"])]


def address(app) -> dict[str, str]:  # type: ignore[no-untyped-def]
    return {k: v if isinstance(v, str) else v[0] for k, v in app.query_params.items()}


def test_the_tour_shows_at_once_and_goes_on():
    app = open_page("lessons")
    for label, value, onward in (
        ("Right guesses", 60.0, f"Next: {LESSONS['carry'].title}"),
        ("University clinic", 45.0, f"Next: {LESSONS['class'].title}"),
        ("Error of coins", 10.0, "Go on with all lessons"),
    ):
        slide(app, label, value)
        press(app, "Lock my answer")
        assert "One step further" not in everything(app)
        press(app, onward)
    assert app.selectbox(key="lesson_list").value == "alone"
    assert "brings back 3 locked answers" in everything(app)


def say_how_sure(app) -> None:  # type: ignore[no-untyped-def]
    next(t for t in app.toggle if t.label == "Say how sure you are").set_value(True).run()
    assert not app.exception


def test_an_option_stays_picked_however_sure_one_is():
    app = open_page("lessons", lesson="back")
    app.radio[0].set_value(1).run()
    say_how_sure(app)  # and then not how
    slider = next(s for s in app.select_slider if s.label.startswith("How sure"))
    assert [float(slider.options[0]), slider.value] == [26.0, 100.0]
    for stop in (*map(float, slider.options), 26.0):
        slide(app, "How sure", stop)
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


@pytest.mark.parametrize(
    "given",
    [
        *({"lesson": lesson} for lesson in ("nothing", "odds.own", "<b>", "x" * 500, "free.9")),
        *({"list": entries} for entries in ("breakfast,odds", "x" * 9_000, "free.~1x", "break-5")),
    ],
)
def test_a_lesson_or_a_list_that_is_none_is_said_and_the_rest_kept(given):
    app = open_page("lessons", **given)
    told = (*app.error, *app.warning)
    assert told
    assert not any("<b>" in one.value for one in told)
    assert any(b.label == "Lock my answer" for b in app.button)


def test_an_own_rate_comes_back_by_its_link():
    rate = next(one for one in EXAMPLES if one != EXAMPLES[0] and own_terms(one))
    packed = own_rate.RATE.link(rate)
    app = open_page("lessons", lesson="rate.own", **packed)
    app.radio[0].set_value(0).run()
    press(app, "Lock my answer")
    assert "You expected" in everything(app)
    link = address(app)
    assert link["rate"] == packed["rate"]
    assert "You expected" in everything(open_page("lessons", **link))


def own_terms(rate) -> bool:  # type: ignore[no-untyped-def]
    """Whether a rate has terms of which one can be chosen."""
    with suppress(DomainError):
        return bool(lesson("rate", rate=rate))
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
def test_where_sliders_start_is_far_from_what_is_true():
    asked = [q for one in LESSONS.values() for q in one.questions if q.parameter]
    for one in asked:
        low, high = one.parameter.low, one.parameter.high
        for start, true in zip(fields.draft(one, "nobody's").values, truth(one).low, strict=True):
            away = abs(start - true) / (high - low)
            if one.log:
                away = abs(math.log(start / true)) / math.log(high / low)
            assert away > 0.04
