"""Typed rates: truths by hand, what is read as which powers, where a wrong one differs."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError, unpack
from rates.orders import inquiry, reading
from sims.lessons import LISTS, hands, question, skill, truth, typed

ASKED = [asked for one in LISTS["orders"].lessons for asked in one.questions]
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
