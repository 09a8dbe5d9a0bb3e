"""What is written is read as the same, evaluated, and each sign is shown as it is said."""

from __future__ import annotations

import random
import time
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rates.language import (
    TextError,
    latex,
    letters_of,
    name,
    read,
    read_relation,
    size,
    text,
    value,
)
from rates.ledger import verify

LETTERS = {"n": "3", "m0": "7/10", "beta": "19/10", "x_1": "1/9"}
NUMBERS = ("2", "1/2", "0.1", "1e-7", "3.25", "1e20", "7/3")


def made(draw: random.Random, depth: int) -> str:
    """A text of the grammar, with more brackets, signs and blanks than it needs."""
    if not depth:
        return draw.choice((*LETTERS, *NUMBERS))
    a, b = made(draw, depth - 1), made(draw, draw.randrange(depth))
    power = draw.choice(("2", "-1", "(-1/2)", "-beta", "(n/3)", "**2"))
    return draw.choice(
        (
            f"({a}) + {b}",
            f"{a} - ({b})",
            f"-({a})",
            f"({a})*({b})",
            f"({a})/({b})/m0",
            f"({a})/(({b})*n)",
            f"({a})*-({b})",
            f"({a})^{power}".replace("^**", "**"),
            f"min({a},T:({b}), 1)",
            f"max(({a}), {b})",
            f"sqrt({a})",
            f"abs({a}) + -{draw.choice(NUMBERS)}",
        )
    )


def test_what_is_written_is_read_as_the_same():
    labels = 0
    for seed in range(600):
        draw = random.Random(seed)
        found = read(made(draw, draw.randrange(1, 5)))
        for gap in (" ", ""):
            assert read(text(found, gap)) == found, text(found, gap)
        labels += "T:" in text(found)
    assert labels > 30


@given(st.randoms(use_true_random=False), st.integers(1, 3))
def test_values_are_those_of_a_second_evaluation(draw, depth):
    """By Python's own parser, in interval arithmetic."""
    typed = made(draw, depth)
    try:
        at = {x: verify.number(number) for x, number in LETTERS.items()}
        found = verify.formula(typed.replace("T:", ""), at)
        low, high = float(found.a), float(found.b)
    except (ZeroDivisionError, OverflowError, TextError, ValueError):
        return
    if high - low > 1e-9 * (1 + abs(low)):
        return  # about a pole: no number
    with np.errstate(all="ignore"):
        known = {x: np.array([float(Fraction(number))]) for x, number in LETTERS.items()}
        assert value(read(typed), known) == pytest.approx(low, rel=1e-7, abs=1e-7)


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("min(n, 1e-7)", r"\min\left\{n,\; 10^{-7}\right\}"),
        ("2.5e-9*m/n/eps", r"\frac{2.5 \cdot 10^{-9} m}{n \varepsilon}"),
        ("1/3/n", r"\frac{1}{3 n}"),
        ("a/b/(c/d)", r"\frac{\frac{a}{b}}{\frac{c}{d}}"),
        ("(n*m)^(1/2)", r"\sqrt{n m}"),
        ("sqrt(n)^2", r"\left(\sqrt{n}\right)^{2}"),
        ("(n^2)^beta", r"\left(n^{2}\right)^{\beta}"),
        ("(1/3)^beta*2^d", r"\left(\frac{1}{3}\right)^{\beta} \cdot 2^{d}"),
        ("x - (y - z) - -2", r"x - \left(y - z\right) - \left(-2\right)"),
        ("-(x + y)/2 + 0.25", r"-\frac{x + y}{2} + \frac{1}{4}"),
        ("m*sum_j(n + 1)", r"m \left(\sum_{j} \left(n + 1\right)\right)"),
        ("-(x + y)", r"-\left(x + y\right)"),
        ("x*(y/z)*a/b", r"\frac{x \frac{y}{z} a}{b}"),
        ("1/x*y*(-2)", r"\frac{y \left(-2\right)}{x}"),
    ],
)
def test_latex(typed, shown):
    assert latex(read(typed)) == shown


def test_latex_of_letters():
    letters = ("epsilon", "Gamma", "n_star", "n0_star", "x__", "A_max1", "lam", "omicron")
    shown = r"\varepsilon \Gamma n_{\ast} n_{0\ast} x A_{\mathrm{max}1} \lambda \mathrm{omicron}"
    assert " ".join(map(name, letters)) == shown
    assert latex(read("n0*n"), {"n0"}) == "n_{0,j} n"


@pytest.mark.parametrize(
    ("typed", "column", "end", "words"),
    [
        ("f(n)", 1, 2, "no function"),
        ("ε + 1", 1, 2, "write its name, epsilon"),
        ("(" * 40 + "n" + ")" * 40, 31, 32, "deep"),
        ("+".join(["n"] * 500), 801, 802, "at most 400"),
        ("n/(1/0)", 6, 7, "divides by 0"),
        ("n <= m", 3, 5, "stands between two sides"),
        ("n^-1^2", 5, 6, "power of a power"),
        ("1e-320", 1, 7, "range of floating point"),
    ],
)
def test_what_is_no_expression_is_refused_with_its_column(typed, column, end, words):
    with pytest.raises(TextError, match=f"{words}.* Column {column} of a text") as refused:
        read(typed, "a text")
    assert (refused.value.column, refused.value.end) == (column, end)


def test_relations():
    left, sign, right = read_relation("n >= m*n0")
    assert (sign, letters_of(left) | letters_of(right)) == (">=", {"n", "m", "n0"})
    with pytest.raises(TextError, match="one sign") as refused:
        read_relation("n <= m <= 2")
    assert refused.value.column == 8


def test_texts_that_would_take_long_are_read_at_once():
    start = time.process_time()
    for typed in ("0e99999999", "-" * 300 + "n", "n" + "/n*m" * 90, "1e300" + "/1e-300" * 40):
        assert latex(read(typed))
        assert read(text(read(typed))) == read(typed)
    with pytest.raises(TextError):
        read("0." + "0" * 400 + "1")
    assert time.process_time() - start < 0.5


def test_the_size_of_a_difference_is_in_logs_where_both_are_positive():
    x, y = np.array([[1e-300, 1e-299], [2, 1], [-1, 1], [0, 0], [1, -1], [-1, -3]]).T
    assert size(x, y) == pytest.approx([-np.log(10), np.log(2), -1, 0, 1, 0.5])
