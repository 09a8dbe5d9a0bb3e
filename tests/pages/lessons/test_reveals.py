"""Figures of the lessons, nothing true before the lock; no answer stands on another screen."""

from __future__ import annotations

import base64
import itertools
import json
import math
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from google.protobuf.json_format import MessageToDict
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages import overview
from pages.charts import predictions, shares, spec, svg
from pages.core import live as plans
from pages.lessons import reveals
from pages.orders import asked as orders
from pages.phases import page as designs
from pages.pictures import attacker
from pages.regression import page as rate
from rates.answer import compare, privacy_cost
from rates.orders import EXAMPLES
from rates.study import FederatedStudy, Server, preset
from sims import lessons
from sims.classroom import CARDS, COINS, CURATOR, Asked, Voted, sayings
from sims.lessons import CHOICE, LESSONS, catalogue, explained, lesson, question, truth
from tests.pages.classroom.test_classroom import phone
from tests.pages.core.again import run as drawn_again
from tests.pages.driver import everything, open_page

QUESTIONS = [asked for one in LESSONS.values() for asked in one.questions if asked.kind != CHOICE]
EACH = pytest.mark.parametrize("asked", QUESTIONS, ids=lambda asked: asked.key)
OWN = FederatedStudy(
    servers=(
        Server(name="A", n=900, epsilon=1.0, delta=1e-6),
        Server(name="empty", n=0, epsilon=1.0, delta=1e-6),
        Server(name="B", n=400, epsilon=0.5, delta=1e-6),
    ),
    smoothness=1.0,
)


@contextmanager
def sent() -> Iterator[list[dict[str, Any]]]:
    """What a server sends to a browser meanwhile, as plain data."""
    messages: list[dict[str, Any]] = []
    ForwardMsgQueue.on_before_enqueue_msg(lambda one: messages.append(MessageToDict(one)))
    try:
        yield messages
    finally:
        ForwardMsgQueue.on_before_enqueue_msg(None)


def telling(found) -> list[float]:  # type: ignore[no-untyped-def]
    """Numbers of a truth but for round ones and simple fractions, which may stand anywhere."""
    said = [x for v in found.said.values() for x in (v if isinstance(v, tuple) else (v,))]
    numbers = [x for x in (*found.low, *found.high, *said) if isinstance(x, float)]
    real = [x for x in numbers if math.isfinite(x) and f"{x:.2e}"[3] != "0"]
    return [x for x in real if not math.isclose(x, Fraction(x).limit_denominator(9))]


def report(asked):
    """An answer whose numbers are nobody else's."""
    k = len(asked.parts)
    if asked.kind == CHOICE:
        return (0.37, *[0.63 / (k - 1)] * (k - 1))
    if asked.kind == lessons.SHARES:
        rest = [1.37 * j for j in range(1, k)]
        return (100 - sum(rest), *rest)
    low, high = asked.parameter.stops[0], asked.parameter.stops[-1]
    return tuple(low + (high - low) * 0.3137 * (j + 1) / k for j in range(k))


def leaves(data: Any) -> Iterator[Any]:
    """Every text and number in plain data, figures and their packed arrays opened."""
    if isinstance(data, dict) and "bdata" in data:
        yield from np.frombuffer(base64.b64decode(data["bdata"]), data["dtype"]).tolist()
    elif isinstance(data, dict):
        for name, value in data.items():
            yield name
            yield from leaves(value)
    elif isinstance(data, list | tuple | np.ndarray):
        for value in data:
            yield from leaves(value)
    elif isinstance(data, str) and data.startswith(("{", "[")):
        try:
            yield from leaves(json.loads(data))
        except ValueError:
            yield data
    else:
        yield data


def held(drawn, value):
    """Whether a figure holds a number, as it is or as a share of 100."""
    rules = drawn.figure["layout"].get("shapes", ())
    found = leaves([drawn.figure["data"], rules, list(drawn.rows)])
    numbers = [x for x in found if isinstance(x, int | float)]
    return any(math.isclose(x, y, rel_tol=2e-3) for x in numbers for y in (value, value / 100))


def words(drawn):
    return " ".join([drawn.figure["layout"]["title"], drawn.alt, drawn.caption])


@EACH
def test_nothing_of_the_truth_is_computed_for_or_stands_in_the_figure_before_the_lock(
    asked, monkeypatch
):
    true = truth(asked)

    for name in ("runs", "meaning", "again"):
        monkeypatch.setattr(reveals, name, None)  # who calls it fails
    monkeypatch.setattr(reveals.state, "cost", None)
    monkeypatch.setattr(reveals, "hits", None)
    for given in (None, report(asked)):
        drawn = reveals.figure(asked, given)
        assert len(drawn.alt) > 20
        assert drawn.rows or given is None
        if asked.kind == lessons.TYPED:  # its powers stand on the axis, as all others do
            continue
        for value in {*true.low, *true.high} - {1.0}:  # 1 is where axes begin
            assert not held(drawn, value)
            assert f"{value:.3g}" not in words(drawn)
        assert given is None or all(held(drawn, value) for value in given)


@EACH
def test_the_reveal_has_the_truth_beside_the_prediction_on_the_same_axes(asked):
    given, true = report(asked), truth(asked)
    drawn, before = reveals.figure(asked, given, true), reveals.figure(asked, given)
    assert drawn.figure["layout"]["xaxis"] == before.figure["layout"]["xaxis"]
    assert drawn.figure["layout"]["yaxis"] == before.figure["layout"]["yaxis"]
    assert drawn.figure["layout"]["title"] != before.figure["layout"]["title"]
    assert svg.draw(drawn.figure, ident="a", alt=drawn.alt).startswith("<svg")
    assert all(held(drawn, value) for value in given)
    named = [mark.get("name") for mark in drawn.figure["data"] if mark.get("name")]
    assert any(name.startswith(predictions.YOURS) for name in named)
    assert all(held(drawn, value) for value in (*true.low, *true.high))
    assert "your" not in words(reveals.figure(asked, None, true)).lower()  # a class has none


def test_the_figures_of_an_own_study_have_its_rows_and_factors():
    asked = question("carry", OWN)
    drawn = reveals.figure(asked, (61.0, 39.0), truth(asked, OWN), OWN)
    before = reveals.figure(asked, (61.0, 39.0), study=OWN)
    assert [row["name"].split()[-1] for row in before.rows] == ["A", "empty", "B"] * 2
    strokes = [mark for mark in drawn.figure["data"] if mark.get("name") == predictions.YOURS]
    assert [list(mark["x"]) for mark in strokes] == [[0.61, 0.0, 0.39]] * 2
    long = [replace(s, name=f"A hospital with the very long name {s.name}") for s in OWN.servers]
    study = OWN.with_servers(long)
    asked = question("carry", study)
    layout = reveals.figure(asked, (61.0, 39.0), truth(asked, study), study).figure["layout"]
    # A bar each, though what is left of the names is alike.
    assert len({*layout["yaxis"]["categoryarray"]}) == 3
    sites = tuple(Server(name=f"{k}", n=10 + k, epsilon=1.0) for k in range(20))
    answer = privacy_cost(FederatedStudy(servers=sites, smoothness=1.0))[0].equation.answer
    bars = shares.of_bars([1.0] * 20, [("", answer)])
    assert bars == (*[1.0] * shares.MOST_BARS, 20.0 - shares.MOST_BARS)  # and a bar of the rest
    for key in ("free", "free-transfer"):
        asked = question(key, OWN)
        given, true = report(asked), truth(asked, OWN)
        before, drawn = reveals.figure(asked, given), reveals.figure(asked, given, true, OWN)
        assert before.figure["layout"]["xaxis"] == drawn.figure["layout"]["xaxis"]
        assert drawn.figure["layout"]["xaxis"]["title"] == "Factor on every budget"
        assert "Budgets as they are" in str(drawn.figure)
        assert all(held(drawn, value) for value in (*true.low, *true.high))


@pytest.mark.deep
def test_the_lines_draw_the_figures_again(tmp_path):
    odds, study = question("odds"), preset("unequal").study
    carry = question("carry", study)
    shown = [
        reveals.figure(odds, (80.0,), truth(odds)),
        reveals.figure(carry, (20.0,) * 5, truth(carry, study), study),
        *reveals.beside(question("back-transfer")),
    ]
    for drawn, again in zip(shown, drawn_again([d.lines() for d in shown], tmp_path), strict=True):
        assert again["data"] == json.loads(spec.Sent(drawn.figure).to_json())["data"]


def test_a_lesson_goes_on_with_its_own_case():
    assert designs.POINT.read(dict(LESSONS["back"].link)) == reveals.BACK
    assert orders.RATE.read(dict(lesson("rate", rate=EXAMPLES[0]).link)) == EXAMPLES[0]
    for key, swept in (("twice", "n"), ("spread", "m")):
        found = plans.from_text(LESSONS[key].link.word("run"), rate.RATE_TAB.usual).values
        step = reveals.STEPS[key]
        assert found.word("sweep") == swept
        assert {step.start, step.end} <= set(found.numbers(swept))


# No answer of one lesson stands on the screen of another, or on the first page -------------------


EVERY = [asked for one in LESSONS.values() for asked in one.questions]
ASKED = [asked for asked in EVERY if asked.parameter]


def told(asked):
    """What the screen of a question says once it is answered."""
    one = LESSONS[asked.key.removesuffix(catalogue.TRANSFER)]
    return f"{one.title} {one.read} {asked.text} {explained(one.explanation(asked), truth(asked))}"


def test_the_first_picture_of_the_app_answers_no_question():
    """Who copies what it shows at the budgets that `free` asks for is far off."""
    swept = compare.budget_sweep(overview.STUDY, catalogue.FACTORS)
    for kept in (swept.equation, *swept.mechanism):
        copied = tuple(min(100.0, 100 * float(x)) for x in kept)
        assert lessons.skill(question("free"), copied, truth(question("free"))) < 0.5


def test_nothing_that_a_lesson_asks_for_is_sent_to_the_first_page():
    with sent() as messages:
        open_page("overview")
    numbers = [x for x in leaves(messages) if isinstance(x, int | float)]
    assert len(numbers) > 1_000  # the picture's among them
    for asked in ASKED:
        found = truth(asked)
        for value in {*found.low, *found.high} & {*telling(found)}:
            near = [x for x in numbers if math.isclose(x, value, rel_tol=1e-4)]
            near += [x for x in numbers if math.isclose(x, value / 100, rel_tol=1e-4)]
            assert not near, (asked.key, value)


def test_the_first_answer_of_free_leaves_the_second_open():
    first, half = question("free"), truth(question("free-transfer")).low[0]
    drawn = reveals.figure(first, None, truth(first))
    assert not held(drawn, half)
    names = " ".join(mark.get("name") or "" for mark in drawn.figure["data"])
    assert "half" not in words(drawn) + names
    assert "echanism" not in names  # its line would cross one half
    second = question("free-transfer")
    assert held(reveals.figure(second, None, truth(second)), half)


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.key)
def test_no_other_lesson_says_what_a_question_asks_for(asked):
    values = [x for x in {*truth(asked).low, *truth(asked).high} if x in telling(truth(asked))]
    for other in (one for one in EVERY if one.key.partition("-")[0] != asked.key.partition("-")[0]):
        numbers = [float(x) for x in re.findall(r"\d+(?:\.\d+)?", told(other).replace(",", ""))]
        for value, x in itertools.product(values, numbers):
            assert not math.isclose(value, x, rel_tol=2e-3), (other.key, x)


@pytest.mark.parametrize(
    ("kind", "later", "known"),
    [(COINS, (), False), (CURATOR, (), False), (CARDS, (), True), (CARDS, ("class",), False)],
)
def test_a_closed_vote_does_not_answer_the_lesson_about_coins_and_counts(rooms, kind, later, known):
    """Cards, which use both ways, compare them; not while that lesson is still to come."""
    asked = Asked(text="Is it?", kind=kind, epsilon=lessons.runs.BUDGET)
    room = rooms.open([asked, *(Asked(key=key) for key in later)])
    rooms.step(room.code, room.host, "open", 0)
    for k in range(60):
        vote = rooms.tell if kind == CURATOR else rooms.send_bit
        vote(room.code, rooms.join(room.code), 0, k % 2)
    app = open_page("present", room=room.code)
    for action in ("close", "show") if kind == CARDS else ("close",):
        rooms.step(room.code, room.host, action, 0)
        shown = everything(app.run())
        assert "typical error" in shown
        assert ("5.48" in shown) == ("for a million" in shown) == (known and action == "show")


def test_a_share_below_zero_is_said_as_it_is():
    asked = Asked(text="Is it?", kind=COINS, epsilon=lessons.runs.BUDGET)
    (said,) = sayings.estimated(asked, Voted(noisy=0, totals=(12,)), dealt=False)
    assert "−50%** yes" in said


def test_a_phone_plays_a_game_of_its_own_and_is_sent_nothing_of_what_is_possible(
    rooms, monkeypatch
):
    sent, real = [], attacker.data

    def kept(game, *, known):
        sent.append((game.seed, known))
        return real(game, known=known)

    monkeypatch.setattr(attacker, "data", kept)
    room = rooms.open([Asked(key="attack"), Asked(key="attack-transfer")])
    phones = [phone(room.code, rooms.join(room.code)) for _ in range(2)]
    for place, action in ((0, "open"), (0, "next"), (1, "open")):
        assert not sent
        rooms.step(room.code, room.host, action, place)
        for one in phones:
            one.run()
    again = [seed for one in phones for seed, _ in [(one.run(), sent[-1])[1]]]
    assert len({*sent}) == len({*again}) == 2
    assert not any(known for _, known in sent)
