"""The language of formulas: what is read, refused, shown and evaluated."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.language import TextError, read, size, value
from rates.ledger import verify

LETTERS = {"x": "7/10", "n": "3", "beta": "19/10"}
AT = {letter: np.array([float(Fraction(x))]) for letter, x in LETTERS.items()}


@pytest.mark.parametrize(
    ("text", "column", "end", "words"),
    [
        ("f(n)", 1, 2, "no function"),
        ("ε + 1", 1, 2, "write its name, epsilon"),
        ("(" * 40 + "n" + ")" * 40, 31, 32, "deep"),
        ("+".join(["n"] * 500), 801, 802, "at most 400"),
    ],
)
def test_a_refusal_names_its_column(text: str, column: int, end: int, words: str) -> None:
    with pytest.raises(TextError, match=words.replace("*", r"\*").replace("(", r"\(")) as found:
        read(text, "a text")
    assert (found.value.column, found.value.end) == (column, end)
    assert f"Column {column} of a text" in str(found.value)


def joined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(inner, inner)
    return st.one_of(
        st.tuples(pair, st.sampled_from("+-*/")).map(lambda x: f"{x[0][0]}{x[1]}{x[0][1]}"),
        pair.map(lambda x: f"min({x[0]}, {x[1]}) - max({x[1]}, 2)"),
        inner.map(lambda x: f"abs({x})^(1/2)*({x})"),
        inner.map(lambda x: f"-({x})"),
        inner.map(lambda x: f"log(1 + ({x})^2)"),
    )


TEXTS = st.recursive(st.sampled_from([*LETTERS, "2", "0.5", "1/3"]), joined, max_leaves=12)


@given(TEXTS)
def test_values_are_those_of_a_second_evaluation(text: str) -> None:
    """By Python's own parser, in interval arithmetic."""
    try:
        found = verify.formula(text, {k: verify.number(x) for k, x in LETTERS.items()})
        low, high = float(found.a), float(found.b)
    except (ZeroDivisionError, OverflowError, TextError, ValueError):
        return
    if high - low > 1e-9 * (1 + abs(low)):
        return  # about a pole: no number
    with np.errstate(all="ignore"):
        assert value(read(text), AT) == pytest.approx(low, rel=1e-7, abs=1e-7)


def test_sizes_are_logs_where_both_are_above_0() -> None:
    x, y = np.array([1e-300, 2.0, -1.0, 0.0, 1.0]), np.array([1e-299, 1.0, 1.0, 0.0, -1.0])
    assert size(x, y) == pytest.approx([-np.log(10), np.log(2), -1, 0, 1])
