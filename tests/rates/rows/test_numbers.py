"""Numbers as they are typed into one box."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError, as_read, number_from_text, numbers_from_text
from rates.rows import numeric_table, read


@pytest.mark.parametrize(
    ("text", "whole", "value"),
    [
        ("1,5", False, 1.5),
        ("1.912", False, 1.912),  # as the app itself writes numbers
        ("10^-6", False, 1e-6),
        ("1.5·10⁻⁶", False, 1.5e-6),
        ("−3", False, -3),
        ("1e400", False, None),
        ("1,912", False, None),
        ("25,000", False, None),
        ("1.5k", True, 1500),
        ("1.912k", False, None),
        ("1e308k", False, None),
        ("5m", False, None),  # million, or milli
        ("1,2,3", False, None),
    ],
)
def test_a_number_is_what_was_typed_or_refused(text, whole, value):
    if value is not None:
        assert number_from_text(text, "n", whole=whole) == value
        return
    with pytest.raises(DomainError, match=r"n must be a plain number|floating point"):
        number_from_text(text, "n", whole=whole)


@pytest.mark.parametrize(
    ("text", "whole", "read"),
    [
        ("200k", True, "200,000 (200k)"),
        ("12 400", True, "12,400 (12 400)"),
        ("0,3", False, ""),
        ("1.912", False, ""),
        ("25,000", True, ""),  # so it is shown anyway
    ],
)
def test_what_is_read_out_of_a_text_is_shown(text, whole, read):
    assert as_read(text, whole=whole) == read


def styles(value: int) -> list[str]:
    """A whole number as people write it."""
    plain = [str(value)] + [f"{value:,}".replace(",", mark) for mark in ", .'\u202f"]
    plain += [f"{value}.0", f"{value},0"]
    for power, words in ((3, ("k", " k", " Tsd.")), (6, (" Mio", " Mill.", " million"))):
        left, rest = divmod(value, 10**power)
        digits = f"{rest:0{power}d}".rstrip("0")
        for mark in ".,":
            counted = f"{left}{mark}{digits}" if digits else str(left)
            plain += [counted + word for word in words]
    return plain + [about + text for text in plain for about in ("~", "ca. ", "about ", "≈ ")]


def by_hand(text: str) -> bool:
    """Whether a text can be two numbers: one mark before three digits, and either is whole."""
    left, mark, right = re.fullmatch(r"\D*(\d*)([.,]?)(.*)", text).groups()
    digits = right.rstrip(" .Mkilonsd").rstrip(" T")
    counted = digits != right
    one = len(digits) == 3 and digits.isdigit() and left[:1] not in ("", "0") and len(left) <= 3
    return bool(mark) and one and (counted or (mark == "." and digits == "000"))


@given(st.integers(0, 10**9) | st.integers(0, 999).map(lambda k: 1000 * k), st.data())
def test_a_number_in_any_style_is_read_as_itself_or_refused_as_open(value, data):
    text = data.draw(st.sampled_from(styles(value)))
    if not by_hand(text):
        assert number_from_text(text, "n", whole=True) == value
        return
    with pytest.raises(DomainError, match=rf" can be {value} or | or {value}, so| such as 250"):
        number_from_text(text, "n", whole=True)


@given(st.integers(1, 10**9), st.data())
def test_a_column_of_one_style_is_read_as_itself_or_asked_about(value, data):
    text = data.draw(st.sampled_from(styles(value)))
    budget = data.draw(st.sampled_from(["0.3", "0,3", "1", "none"]))
    table = f"name\tn\tepsilon\nA\t{text}\t{budget}\nB\t58\t{budget}"
    reading = read(table, kind="federated")
    if reading.refusals:
        assert by_hand(text)
        return
    if reading.ready:
        assert [row["n"] for row in reading.rows] == [value, 58]
    else:
        (question,) = reading.questions
        ways = []
        for answer in question.options:
            told = read(table, kind="federated", answers={question.key: answer})
            ways.append(told.rows[0]["n"])
        assert value in ways
        assert len(set(ways)) == 2


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,2,3", [1, 2, 3]),
        ("0,1 0,5", [0.1, 0.5]),
        ("0,1; 0,5", [0.1, 0.5]),
        ("0,1, 0,5", None),
        ("100,200,300", None),
        ("", []),
        ("200k; ~3", [200_000, 3]),
        ("1.5k,2k", [1500, 2000]),
    ],
)
def test_lists_of_numbers(text, values):
    if values is not None:
        assert numbers_from_text(text, "epsilon") == values
        return
    with pytest.raises(DomainError, match="A comma must be clear"):
        numbers_from_text(text, "epsilon")


@pytest.mark.parametrize(
    ("others", "words"), [((0, 0), "name x and y, each"), ((1, 2), "x and y and 1 to 2 others")]
)
def test_a_header_says_which_columns_it_must_name(others, words):
    with pytest.raises(DomainError, match=words):
        numeric_table("x,z\n1,2", "A curve", ("x", "y"), others=others, records=(1, 9))
