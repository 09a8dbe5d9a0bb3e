"""Numbers as they are typed into one box."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.numbers import DomainError
from rates.rows import number_from_text, numbers_from_text


@pytest.mark.parametrize(
    ("text", "whole", "value"),
    [
        ("1,5", False, 1.5),
        ("1.912", False, 1.912),  # as the app itself writes numbers
        ("1,912", True, 1912),
        ("1.912", True, 1912),
        ("0,125", False, 0.125),
        ("12 400", True, 12400),
        ("10^-6", False, 1e-6),
        ("1.5·10⁻⁶", False, 1.5e-6),
        ("−3", False, -3),
        ("1.234,5", False, 1234.5),
        ("1e400", False, None),
        ("1,912", False, None),
        ("1,000", True, None),
        ("2.000", True, None),
        ("1,2,3", False, None),
        ("5,", False, None),
        ("x", False, None),
    ],
)
def test_a_number_is_what_was_typed_or_refused(text, whole, value):
    if value is not None:
        assert number_from_text(text, "n", whole=whole) == value
        return
    with pytest.raises(DomainError, match=r"n must be a plain number|floating point"):
        number_from_text(text, "n", whole=whole)


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_what_python_writes_is_read_back(value):
    assert number_from_text(repr(value), "x") == value


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("1,2,3", [1, 2, 3]),
        ("0,1 0,5", [0.1, 0.5]),
        ("0,1; 0,5", [0.1, 0.5]),
        ("2, inf", [2, float("inf")]),
        ("0.1,1", [0.1, 1]),
        ("10000", [10000]),
        ("0,1, 0,5", None),
        ("0,1", None),
        ("100,200,300", None),
        ("", []),
    ],
)
def test_lists_of_numbers(text, values):
    if values is not None:
        assert numbers_from_text(text, "epsilon") == values
        return
    with pytest.raises(DomainError, match="A comma must be clear"):
        numbers_from_text(text, "epsilon")
