"""Claims as text: what each line means, what is refused, and what says nothing."""

from __future__ import annotations

from contextlib import nullcontext
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from rates.ledger.claim import read_claim
from rates.numbers import DomainError

LETTERS = "for n, m in {1..1000} log; x in [0.1, 10] log; beta in [0.2, 2]; d in {1..5}\n"


def test_a_claim_is_read_line_by_line() -> None:
    claim = read_claim(
        """
        for  n, m in {1..1000} log; x in [0.1, 10];
             y in [-1, 1]
        let  k = 2*n; root solves k*root^3 = m
        if   n <= m; x > 1
        then root <= m; x*y <= x
        at   n = 1; m = 2; x = 1/3; y = 1e-3
        """
    )
    letters = [(one.letter, one.whole, one.log) for one in claim.letters]
    assert letters == [("n", True, True), ("m", True, True), *((x, False, False) for x in "xy")]
    assert claim.lines == (
        *(r"$\mathrm{root} \le m$", r"$x y \le x$", "where $k = 2 n$"),
        *(r"where $\mathrm{root}$ solves $k \mathrm{root}^{3} = m$", r"if $n \le m$, $x > 1$"),
    )
    assert claim.at == {"n": 1, "m": 2, "x": Fraction(1, 3), "y": Fraction(1, 1000)}
    assert claim.said["for"]["x"] == ["1/10", "10", "real"]
    assert claim.said["let"] == [["k", "2*n"], ["root", "k*root^3", "m"]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("n <= m", "lines that begin with for"),
        ("then n <= n^2\nthen n <= m", "there once"),
        ("for n in {1..2}", "what is claimed"),
        ("for n\nthen n <= 2", "with a range"),
        ("for n in {2..1}\nthen n <= 2", "ends in order"),
        ("for n in {1/2..3}\nthen n <= 2", "whole"),
        ("for n in (1, 2)\nthen n <= 2", r"\[a, b\]"),
        ("for n, n in [1, 2]\nthen n <= 2", "defined once"),
        ("for n in [1, 2]\nlet y = z; z = y\nthen y <= 2", "stand before it"),
        ("for n in [1, 2]\nlet y = 2*y\nthen y <= 2", "stand before it"),
        ("for n in [1, 2]\nlet y solves y*n < 2\nthen y <= 2", "a balance"),
        ("for n in [1, 2]\nlet y\nthen y <= 2", "letter = expression"),
        ("for n in [1, 2]\nthen n iff n > 1 iff n > 2", "Column|two relations"),
        ("for n in {1..2}\nthen n < 1\nat n = 3/2", "inside the range"),
        ("for n, m in {1..2}\nthen n < m\nat n = 1", "a number for each"),
        ("for n in {1..2}\nthen n < 1\nat n = one", "a number such as"),
    ],
)
def test_a_claim_without_meaning_is_refused(text: str, words: str) -> None:
    with pytest.raises(DomainError, match=words):
        read_claim(text, "ACC:Some")


def test_draws_stay_in_their_ranges_and_reach_both_ends() -> None:
    at = read_claim(LETTERS + "then n <= m").draw(np.random.default_rng(1), 2000)
    for letter, low, high in (("n", 1, 1000), ("x", 0.1, 10), ("beta", 0.2, 2), ("d", 1, 5)):
        assert (at[letter].min(), at[letter].max()) == pytest.approx((low, high))
    assert np.all(at["n"] == np.round(at["n"]))
    assert np.median(at["n"]) < 60  # evenly in logs
    assert set(at["d"]) == {1, 2, 3, 4, 5}


@given(st.integers(1, 1000), st.floats(0.2, 2), st.integers(1, 5))
def test_a_root_is_that_of_scipy(n: int, beta: float, d: int) -> None:
    claim = read_claim(LETTERS + "let r solves min(n, n^2*r^d)*r^(2*beta + d) = 3\nthen r <= 9")
    at = {"n": float(n), "beta": beta, "d": float(d), "m": 1.0, "x": 1.0}
    found = claim.complete({letter: np.array([value]) for letter, value in at.items()})["r"]
    root = brentq(
        lambda log: np.log(min(n, n**2 * np.exp(log * d)) / 3) + log * (2 * beta + d), -80, 80
    )
    assert found == pytest.approx(np.exp(root), rel=1e-9)


@pytest.mark.parametrize(
    ("text", "fails"),
    [
        ("then n^2 >= n", False),
        ("then n^2 > n", True),  # equal at 1
        ("if n > 1\nthen n^3 > n", False),
        ("if n >= 1\nthen n^3 > n", True),
        ("then x - x = 0*n", False),
        ("let y solves n*y^2 = m\nthen y = (m/n)^(1/2)", False),
        ("let y solves n*y^2 = m\nthen y = (m/n)^(1/3)", True),
        ("then x <= 1 iff 1/x >= 1", False),
        ("then x <= 1 iff 1/x <= 1", True),
        ("then n <= m iff n < m", False),  # a tie says nothing
        ("then n <= m iff n <= 2*m", True),
        ("then log(x - 5) <= 9", True),  # no number is no truth
    ],
)
def test_draws_tell_true_from_false(text: str, fails: bool) -> None:
    claim = read_claim(LETTERS + text)
    at = claim.draw(np.random.default_rng(0), 400)
    assert bool(np.any(claim.gaps(at) > 1e-7)) == fails
    claim = read_claim(LETTERS + "if n <= 2\nthen n <= 1/2")
    assert np.array_equal(claim.gaps(at) > 0, at["n"] <= 2)  # none outside of the conditions


def test_a_reading_repeats_only_what_differs() -> None:
    base = read_claim(
        LETTERS + "let k = 2*n\nif n <= m\nthen k > m iff n > m\nat n=1;m=1;x=1;beta=1;d=1"
    )
    other = read_claim("if none\nthen k >= n", base=base)
    assert (other.letters, other.lets, other.conditions) == (base.letters, base.lets, ())
    assert (other.iff, other.at, len(other.says)) == (False, None, 1)
    narrower = read_claim("if n < m", base=base)
    assert (narrower.says, narrower.iff) == (base.says, True)
    with pytest.raises(DomainError, match="in for or let"):
        read_claim("let none", base=base)


PHI = "Phi(t/2 - eps/t) - exp(eps)*Phi(-t/2 - eps/t)"
NOISE = f"""for eps in [0.01, 3]; delta in [1e-9, 0.1] log; s in [1, 2]; T in {{1..9}}
let t solves {PHI} = delta; sigma = s*sqrt(2*T)/t
then """
BALL = "min(u*w1, 1) + min(u*w2, 1)"
TAUTOLOGIES = (  # of the audit, one of each kind
    f"{NOISE}delta = {PHI}",
    f"{NOISE}{PHI} <= delta",
    f"{NOISE}sqrt(2*T*(s/sigma)^2) = t; {PHI} = delta",
    f"{NOISE}({PHI})/delta = 1",
    f"for w1, w2, k in [1, 2]\nlet u solves {BALL} = k\nthen {BALL} = k; u <= 2",
)


@pytest.mark.parametrize(
    ("text", "empty"),
    [
        *((text, True) for text in TAUTOLOGIES),
        ("if n <= m\nthen n <= m", True),
        ("if n <= m\nthen 1/m <= 1/n", True),
        ("if n = m\nthen n >= m", True),
        ("if n <= m\nthen sqrt(n)*sqrt(n) <= m", True),
        ("let y = 2*n\nthen y = 2*n", True),
        ("if n <= m\nthen n = m", False),
        ("if n <= m\nthen n^2 <= m^2", False),
        ("let y solves n*y^2 = m\nthen y^2 <= m/n", True),
        ("let y solves n*y^2 = m\nthen y^4 = (m/n)^2", False),
        ("let y = 2*n\nthen y = n + n", False),
    ],
)
def test_what_repeats_a_definition_or_a_condition_is_refused(text: str, empty: bool) -> None:
    text = text if text.startswith("for") else LETTERS + text
    refused = pytest.raises(DomainError, match="says nothing new") if empty else nullcontext()
    with refused:
        read_claim(text)


def test_a_shared_definition_stands_as_soon_as_it_can_be_read() -> None:
    lets = {"P": "2*x", "Q": "P + n", "r": "solves n*r^2 = 1", "idle": "n"}
    shared = {"ranges": {"n": "{2..100} log"}, "lets": lets}
    for text, letters in (
        ("for n \n let x = n^2; y = x \n then Q + r > y", ["r", "x", "P", "Q", "y"]),
        ("for n; P in [3, 4] \n let x = n \n then P + x > 4", ["x"]),
    ):
        found = read_claim(text, shared=shared)
        assert [one.letter for one in found.lets] == letters
    for text in ("then Q > n", "let x = x + 1 \n then x > n"):
        with pytest.raises(DomainError, match="stand before it"):
            read_claim(f"for n \n {text}", shared=shared)
