"""Skill is proper: whatever one believes, saying it is best, by enumeration; typed rates."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError, unpack
from rates.orders import inquiry, reading
from sims import lessons
from sims.lessons import CHOICE, LESSONS, Question, Truth, hands, question, truth, typed
from sims.lessons.answers import skill, spread

QUESTIONS = {q.key: q for lesson in LESSONS.values() for q in lesson.questions}
CHOICES = [q.key for q in QUESTIONS.values() if q.kind == CHOICE]
NUMBERS = [q.key for q in QUESTIONS.values() if q.parameter is not None and q.kind != lessons.TYPED]


def simplex(parts: int, steps: int) -> list[tuple[float, ...]]:
    """Every way to share 1 out over the parts in equal steps."""
    cuts = itertools.combinations(range(steps + parts - 1), parts - 1)
    ends = [(-1, *cut, steps + parts - 1) for cut in cuts]
    return [tuple((b - a - 1) / steps for a, b in itertools.pairwise(end)) for end in ends]


def exactly(values: tuple[float, ...]) -> Truth:
    return Truth(values, values, "a belief")


def lost(asked: Question, report: tuple[float, ...], true: Truth) -> float:
    return asked.constant * (1 - skill(asked, report, true))


def expected(asked: Question, report: tuple[float, ...], belief: dict[Truth, float]) -> float:
    return sum(p * lost(asked, report, true) for true, p in belief.items())


@pytest.mark.parametrize("key", CHOICES)
def test_the_belief_itself_is_best_for_a_choice(key):
    asked, k = QUESTIONS[key], len(QUESTIONS[key].parts)
    options = [exactly(tuple(float(i == j) for j in range(k))) for i in range(k)]
    grid = simplex(k, 4)
    loss = np.array([[lost(asked, report, one) for one in options] for report in grid])
    best = (loss @ np.array(grid).T).argmin(axis=0)  # of the reports, for each belief
    assert best.tolist() == list(range(len(grid)))
    alike = (1 / k,) * k
    assert [skill(asked, alike, one) for one in options] == pytest.approx([0.0] * k)


def middle(values: list[float], weights: tuple[float, ...]) -> float:
    """The median of a belief: the least value with half of the belief at or below it."""
    total = np.cumsum(weights)
    return values[int(np.flatnonzero(total >= 0.5 - 1e-12)[0])]


@pytest.mark.parametrize("key", NUMBERS)
def test_the_median_is_best_for_a_number(key):
    asked = QUESTIONS[key]
    assert asked.parameter is not None
    stops = list(asked.parameter.stops)
    values = stops[:: max(1, len(stops) // 5)][:4]
    parts = len(asked.parts)
    for weights in simplex(4, 5):
        honest = (middle(values, weights),) * parts
        belief = {exactly((v,) * parts): w for v, w in zip(values, weights, strict=True)}
        least = expected(asked, honest, belief)
        for stop in stops[:: max(1, len(stops) // 12)]:
            assert least <= expected(asked, (stop,) * parts, belief) + 1e-12


def test_the_mean_is_best_for_shares():
    asked = QUESTIONS["carry"]
    reports = [tuple(100 * x for x in one) for one in simplex(5, 5)]
    beliefs = [(0, 1, 0), (0.2, 0.4, 0.4), (0.6, 0.2, 0.2)]  # over three possible truths
    held = [(60.0, 40.0, 0.0, 0.0, 0.0), (0.0, 0.0, 20.0, 20.0, 60.0), (20.0,) * 5]
    for weights in beliefs:
        belief = {exactly(one): w for one, w in zip(held, weights, strict=True)}
        honest = tuple((np.array(weights) @ np.array(held)).tolist())
        least = expected(asked, honest, belief)
        assert all(least <= expected(asked, report, belief) + 1e-12 for report in reports)
        assert least < expected(asked, (honest[1], honest[0], *honest[2:]), belief) or (
            honest[0] == honest[1]
        )


@pytest.mark.parametrize("key", QUESTIONS)
def test_the_constant_is_what_the_best_blind_report_loses_on_average(key):
    asked = QUESTIONS[key]
    if asked.kind == lessons.SHARES:
        truths = 100 * np.random.default_rng(0).dirichlet([1.0] * 5, 4000)
        blind = (20.0,) * 5
        losses = [lost(asked, blind, exactly(tuple(map(float, one)))) for one in truths]
        assert np.mean(losses) == pytest.approx(asked.constant, rel=0.03)
    elif asked.key in NUMBERS:
        low, high = asked.parameter.low, asked.parameter.high
        spaced = (np.geomspace if asked.log else np.linspace)(low, high, 801).tolist()
        blind = (spaced[400],) * len(asked.parts)
        losses = [lost(asked, blind, exactly((one,) * len(blind))) for one in spaced]
        assert np.mean(losses) == pytest.approx(asked.constant, rel=0.005)
    best = truth(asked).low
    assert skill(asked, best, exactly(best)) == 1.0


def test_a_confidence_spreads_the_rest_and_starts_at_one_in_k():
    asked = question("back")
    assert spread(asked, 2, 0.7) == pytest.approx((0.1, 0.1, 0.7, 0.1))
    assert sum(spread(asked, 0, 0.25)) == pytest.approx(1.0)
    for place, sure in ((4, 0.5), (-1, 0.5), (0, 0.2), (0, 1.1), (0, math.nan)):
        with pytest.raises(DomainError):
            spread(asked, place, sure)


@pytest.mark.parametrize(
    ("key", "report"),
    [
        ("odds", (49.0,)),
        ("odds", (60.0, 60.0)),
        ("odds", (math.nan,)),
        ("class", (0.0,)),
        ("back", (0.5, 0.5, 0.5, 0.5)),
        ("back", (True, 0, 0, 0)),
        ("carry", (50.0, 50.0, 1.0, 0.0, 0.0)),
        ("free", (1.0, 1.0, 1e3)),
    ],
)
def test_reports_outside_a_questions_set_are_refused(key, report):
    with pytest.raises(DomainError):
        skill(question(key), report, truth(question(key)))


def test_within_a_band_nothing_is_lost():
    asked = question("free-transfer")
    true = truth(asked)
    inside = math.sqrt(true.low[0] * true.high[0])
    assert skill(asked, (inside,), true) == 1.0
    for far in (10 * true.high[0], true.low[0] / 10):
        assert lost(asked, (far,), true) == pytest.approx(1.0)


# Typed rates: truths by hand, what is read as which powers, where a wrong one differs ------------


ASKED = [asked for one in lessons.LISTS["orders"].lessons for asked in one.questions]
EACH = pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked.key)
# Solved on paper: the power of each letter, in the order of the question.
BY_HAND = {
    "cross": {"d": 1, "eps": -2},
    "cross-transfer": {"n": Fraction(-1, 3)},
    "sum": {"m": 1, "n": 1, "eps": 0},
    "sum-transfer": {"n": -2, "eps": -2},
    "price": {"m": 1, "n": 0, "eps": 0},
    "price-transfer": {"k": 2, "n": 0, "eps": 0},
    "needed": {"d": 1, "eps": -1, "t": Fraction(-1, 2)},
    "needed-transfer": {"t": Fraction(-3, 2)},
    "width": {"n": Fraction(-1, 5)},
    "width-transfer": {"n": Fraction(-1, 3), "eps": Fraction(-1, 3)},
}
POWERS = st.fractions(-6, 6, max_denominator=12)


@EACH
def test_truths_are_those_on_paper(asked):
    assert dict(zip(asked.parts, truth(asked).low, strict=True)) == pytest.approx(
        {letter: float(power) for letter, power in BY_HAND[asked.key].items()}
    )


@EACH
def test_one_of_the_usual_answers_is_true_and_each_wrong_one_differs_where_it_is_said(asked):
    found = truth(asked)
    powers = [typed.read(asked, text) for text in asked.rate.usual]
    assert powers.count(found.low) == 1
    counts = hands.of_reports(asked, [*powers, *powers, (5.5,) * len(asked.parts)])
    assert counts == (2, 2, 2, 1)  # the last one is none of them
    for given_ in powers:
        said = typed.verdict(asked, given_, found)
        assert skill(asked, given_, found) == float(given_ == found.low)
        assert ("not the order" in said) == (given_ != found.low)
        if given_ != found.low:  # checked by arithmetic alone
            at = typed.differ(asked, given_, found)
            logs = [math.log2(at[letter]) for letter in asked.parts]
            mine, true = (sum(map(float.__mul__, logs, x)) for x in (given_, found.low))
            assert mine != pytest.approx(true)
            small = {"eps", "t"}
            assert all((x <= 1) if letter in small else (x >= 1) for letter, x in at.items())
            assert all(f"{letter} = {x:g}" in said for letter, x in at.items())


@given(st.lists(POWERS, min_size=3, max_size=3), st.fractions(Fraction(1, 9), 9))
def test_what_is_written_reads_back_to_its_powers_whatever_the_constant(powers, constant):
    asked = question("needed")
    kept = tuple(map(float, powers))
    text = typed.written(asked.parts, kept)
    same = f"{text} + {constant.numerator}/{constant.denominator}*{text}"
    assert typed.read(asked, text) == typed.read(asked, same) == kept


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("d + 1/eps", "one product of powers"),
        ("d - eps", "A difference has no order"),
        ("n*d", "n"),  # not a letter of this question
        ("2^d", "d is a size"),
        ("d^7", "[-6, 6]"),
        ("__import__('os').system('true')", "Column 1"),
        ("d" * 101, "at most 100 characters"),
    ],
)
def test_what_is_no_rate_is_refused_in_words(text, words):
    with pytest.raises(DomainError) as refusal:
        typed.read(question("cross"), text)
    assert words in str(refusal.value)


@EACH
def test_its_rate_opens_on_the_page_of_rates(asked):
    opened = inquiry.from_json(unpack(typed.link(asked)["rate"]))
    assert opened.text == asked.rate.text
    assert reading.order_of(opened).terms
