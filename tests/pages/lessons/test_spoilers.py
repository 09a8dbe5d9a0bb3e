"""No answer of one lesson stands on the screen of another, or on the first page."""

from __future__ import annotations

import itertools
import math
import re

import pytest

from pages import overview
from pages.lessons import reveals
from pages.pictures import attacker
from rates.answer import compare
from sims.classroom import CARDS, COINS, CURATOR, Asked, Voted, sayings
from sims.lessons import LESSONS, catalogue, explained, question, runs, skill, truth
from tests.pages.classroom.test_classroom import phone
from tests.pages.driver import everything, open_page
from tests.pages.lessons.test_lessons import sent, telling
from tests.pages.lessons.test_reveals import held, leaves, words

QUESTIONS = [asked for one in LESSONS.values() for asked in one.questions]
ASKED = [asked for asked in QUESTIONS if asked.parameter]


def told(asked):
    """What the screen of a question says once it is answered."""
    one = LESSONS[asked.key.removesuffix(catalogue.TRANSFER)]
    return f"{one.title} {one.read} {asked.text} {explained(one.explanation(asked), truth(asked))}"


def test_the_first_picture_of_the_app_answers_no_question():
    """Who copies what it shows at the budgets that `free` asks for is far off."""
    swept = compare.budget_sweep(overview.STUDY, catalogue.FACTORS)
    for kept in (swept.equation, *swept.mechanism):
        copied = tuple(min(100.0, 100 * float(x)) for x in kept)
        assert skill(question("free"), copied, truth(question("free"))) < 0.5


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
    assert "half" not in words(drawn) + " ".join(m.get("name") or "" for m in drawn.figure["data"])
    names = [mark.get("name") for mark in drawn.figure["data"]]
    assert not any("echanism" in (name or "") for name in names)  # its line would cross one half
    second = question("free-transfer")
    assert held(reveals.figure(second, None, truth(second)), half)


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.key)
def test_no_other_lesson_says_what_a_question_asks_for(asked):
    mine = {asked.key.removesuffix(catalogue.TRANSFER)}
    values = [x for x in {*truth(asked).low, *truth(asked).high} if x in telling(truth(asked))]
    for other in QUESTIONS:
        if other.key.removesuffix(catalogue.TRANSFER) in mine:
            continue
        numbers = [float(x) for x in re.findall(r"\d+(?:\.\d+)?", told(other).replace(",", ""))]
        for value, x in itertools.product(values, numbers):
            assert not math.isclose(value, x, rel_tol=2e-3), (other.key, x)


@pytest.mark.parametrize(
    ("kind", "later", "known"),
    [(COINS, (), False), (CURATOR, (), False), (CARDS, (), True), (CARDS, ("class",), False)],
)
def test_a_closed_vote_does_not_answer_the_lesson_about_coins_and_counts(rooms, kind, later, known):
    """Cards, which use both ways, compare them; not while that lesson is still to come."""
    asked = Asked(text="Is it?", kind=kind, epsilon=runs.BUDGET)
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
    asked = Asked(text="Is it?", kind=COINS, epsilon=runs.BUDGET)
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
