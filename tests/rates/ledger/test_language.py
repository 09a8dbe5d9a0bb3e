"""The language of formulas: what is read, refused, shown and evaluated."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.language import TextError, latex, letters_of, name, read, read_relation, size, value
from rates.ledger import verify

LETTERS = {"x": "7/10", "n": "3", "beta": "19/10"}
AT = {letter: np.array([float(Fraction(x))]) for letter, x in LETTERS.items()}


@pytest.mark.parametrize(
    ("text", "column", "end", "words"),
    [
        ("", 1, 2, "text ends"),
        ("2 n", 3, 4, "mark such as *"),
        ("(n + 1", 1, 2, "not closed"),
        ("n^2^3", 4, 5, "power of a power"),
        ("n/0", 3, 4, "divides by 0"),
        ("f(n)", 1, 2, "no function"),
        ("1e400", 1, 6, "floating point"),
        ("n ≤ m", 3, 4, "<="),
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


@pytest.mark.parametrize("text", ["n", "n <= m <= k", "n + 1 =", "n == m"])
def test_a_relation_has_two_sides(text: str) -> None:
    with pytest.raises(TextError):
        read_relation(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("(n - 1)*beta/2", r"\frac{\left(n - 1\right) \beta}{2}"),
        ("min(n, -beta^2)^(n/2)", r"\min\left\{n,\; -\beta^{2}\right\}^{\frac{n}{2}}"),
        ("(a/b)^2", r"\left(\frac{a}{b}\right)^{2}"),
        ("(a^b)^c", r"\left(a^{b}\right)^{c}"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("a*(-b)", r"a \left(-b\right)"),
        ("sqrt(x)*log(1/delta)", r"\sqrt{x} \log\left(\frac{1}{\delta}\right)"),
        ("log2(abs(x - 1))", r"\log_{2}\left(\left|x - 1\right|\right)"),
        ("ceil(x) + Phi(-x)", r"\lceil x \rceil + \Phi\left(-x\right)"),
        ("exp(-eps0*pi)", r"\exp\left(-\varepsilon_{0} \pi\right)"),
    ],
)
def test_formulas_are_shown(text: str, shown: str) -> None:
    assert latex(read(text)) == shown


def test_letters_are_shown_and_listed() -> None:
    shown = {"NP_t": r"\mathrm{NP}_{t}", "eps21": r"\varepsilon_{21}", "n_star": r"n_{\ast}"}
    assert {letter: name(letter) for letter in shown} == shown
    assert letters_of(read("NP_t + 2*pi*min(a, b0)^c")) == {"NP_t", "a", "b0", "c"}


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
