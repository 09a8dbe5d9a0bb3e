"""Exponents: exact, as the numeric side at N from 1e6 to 1e12, and refused where they must be."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rates.numbers.parameters import DomainError
from rates.phases.segments import endpoints, governing, log_rates, regimes
from rates.resolution.corollaries import elbow, homogeneous_D
from rates.statements.symbolic import exponents, federated_exponents
from rates.statements.symbolic.exponents import Exponents, forms
from rates.statements.symbolic.letters import exponent_letters, letters

PART = st.fractions(0, 2, max_denominator=12)
BUDGET = st.fractions(-1, 3, max_denominator=12)
POSITIVE = st.fractions(Fraction(1, 8), 3, max_denominator=8)
TRANSFER = st.fixed_dictionaries(
    {
        "n": PART,
        "m": PART,
        "n0": PART,
        "epsilon": BUDGET,
        "gamma": POSITIVE,
        "beta": st.fractions(Fraction(1, 8), 1, max_denominator=8),
        "d": st.integers(1, 5),
    }
)
FEDERATED = st.fixed_dictionaries({"n": PART, "m": PART, "epsilon": BUDGET, "smoothness": POSITIVE})


def sizes(case: dict[str, Any], N: float) -> tuple[float, float, float, float]:
    a, b, a0, e = (float(case[name]) for name in ("n", "m", "n0", "epsilon"))
    return N**a, N**b, N**a0, N**-e


def shape(case: dict[str, Any]) -> dict[str, float]:
    return {name: float(case[name]) for name in ("gamma", "beta", "d")}


@settings(max_examples=40)
@given(TRANSFER)
def test_slopes_of_the_four_terms(case: dict[str, Any]) -> None:
    found = exponents(**case)
    low, high = (log_rates(*sizes(case, N), **shape(case)) for N in (1e6, 1e12))
    for name, exponent in found.terms.items():
        slope = (getattr(high, name) - getattr(low, name)) / math.log(1e6)
        assert float(slope) == pytest.approx(-float(exponent), abs=1e-12)
        assert isinstance(exponent, Fraction)
    best = [min(0.0, max(x.Pt, x.NPt), max(x.Ps, x.NPs)) for x in (low, high)]
    assert (best[1] - best[0]) / math.log(1e6) == pytest.approx(-float(found.exponent), abs=1e-12)


@settings(max_examples=40)
@given(TRANSFER)
def test_the_deciding_term(case: dict[str, Any]) -> None:
    found = exponents(**case)
    for N in (1e6, 1e12):
        assert str(governing(*sizes(case, N), **shape(case))) == found.governing


@settings(max_examples=40)
@given(TRANSFER)
def test_pieces_are_the_intervals_of_budgets(case: dict[str, Any]) -> None:
    """One interval of (0, inf) for each piece, in the opposite order."""
    found, N = exponents(**case), 1e9
    n, m, n0, _ = sizes(case, N)
    rows = regimes(n, m, n0, **shape(case), upper=math.inf)
    assert [row.rate for row in rows] == [piece.term for piece in reversed(found.pieces)]
    for row, piece in zip(rows[:-1], reversed(found.pieces), strict=False):
        assert -math.log(row.hi) / math.log(N) == pytest.approx(float(piece.lo), abs=1e-9)
    inside_one_piece(found, case["epsilon"])


def inside_one_piece(found: Exponents, e: Fraction) -> None:
    assert found.pieces[0].lo == -math.inf
    assert found.pieces[-1].hi == math.inf
    assert list(found.elbows) == sorted(set(found.elbows))
    for one, two in zip(found.pieces[:-1], found.pieces[1:], strict=True):
        assert one.hi == two.lo
        assert one.at_zero + one.slope * one.hi == two.at_zero + two.slope * two.lo  # no jump
    holds = [p for p in found.pieces if p.lo <= e <= p.hi]
    assert all(p.at_zero + p.slope * e == found.exponent for p in holds)
    assert found.governing in {p.term for p in holds}


@settings(max_examples=40)
@given(FEDERATED)
def test_federated(case: dict[str, Any]) -> None:
    found = federated_exponents(**case)
    g = float(case["smoothness"])

    def log_D(N: float) -> float:
        n, m, _, epsilon = sizes({**case, "n0": 0}, N)
        return float(np.log(homogeneous_D(n, m, epsilon, smoothness=g)))

    slope = (log_D(1e12) - log_D(1e6)) / math.log(1e6)
    assert max(slope, 0.0) == pytest.approx(float(found.exponent), abs=1e-12)
    assert found.rate == 2 * case["smoothness"] * found.exponent
    inside_one_piece(found, case["epsilon"])
    n, m, *_ = sizes({**case, "n0": 0}, 1e9)
    ends = [-math.log(float(elbow(n, m, smoothness=g))), math.log(math.sqrt(m) * n)]
    if n * m > 1:
        expected = [end / math.log(1e9) for end in ends]
        assert [float(x) for x in found.elbows] == pytest.approx(expected, abs=1e-9)


def test_elbows_are_the_thresholds() -> None:
    case = {"n": 1, "m": Fraction(1, 2), "n0": Fraction(61, 50), "gamma": Fraction(6, 5)}
    found = exponents(**case, epsilon=Fraction(1, 5), beta=Fraction(1, 2), d=2)
    assert [piece.term for piece in found.pieces] == ["NPs", "Ps", "NPt", "Pt", "Ps", "1"]
    ends = endpoints(1e8, 1e4, 1e8**1.22, gamma=1.2, beta=0.5, d=2)
    names = ("eps3", "eps21", "eps2", "eps11", "eps1")
    by_hand = [-math.log(getattr(ends, name)) / math.log(1e8) for name in names]
    assert [float(x) for x in found.elbows] == pytest.approx(by_hand, abs=1e-9)
    # b = 1/2, d = 2: eps2 = n0^(-1/6), eps3 = (m n^(-3/5))^(1/(16/5)).
    assert found.elbows[2] == Fraction(61, 300)
    assert found.elbows[0] == Fraction(1, 32)
    assert found.rate == found.exponent / 2
    doubled = exponents(**case, epsilon=Fraction(1, 5), beta=Fraction(1, 2), d=2, margin=1)
    assert doubled.rate == found.exponent


def test_ties_and_empty_sides() -> None:
    even = exponents(n=1, m=0, n0=1, epsilon=Fraction(1, 2), gamma=1, beta=1, d=2)
    assert even.governing == "Pt"  # target and source tie
    at_elbow = exponents(n=1, m=0, n0=0, epsilon=Fraction(1, 4), gamma=1, beta=1, d=2)
    assert at_elbow.governing == "Ps"  # both terms tie: privacy
    nothing = exponents(n=0, m=0, n0=0, epsilon=0, gamma=1, beta=1, d=2)
    assert nothing.governing == "1"
    assert nothing.exponent == nothing.rate == 0
    assert federated_exponents(n=0, m=0, epsilon=-5, smoothness=1).governing == "1"


def test_the_expressions_themselves() -> None:
    import sympy

    x, s = exponent_letters(), letters()
    values = {x.a: 1, x.b: sympy.Rational(1, 2), x.a0: 1, x.e: sympy.Rational(1, 4)}
    values |= {s.beta: sympy.Rational(1, 2), s.d: 2, s.gamma: 1, s.g: 1}
    assert forms()["r"].subs(values) == sympy.Rational(2, 5)
    assert forms()["D"].subs(values) == sympy.Rational(1, 2)


def test_numbers_only() -> None:
    fine = {"n": 1, "m": 1, "n0": 1, "epsilon": 0, "gamma": 1, "beta": 1, "d": 1}
    floats = exponents(**{**fine, "beta": 0.1, "epsilon": np.float64(0.3), "n": np.int64(2)})
    assert floats.terms["NPt"] == Fraction(1, 1) / (2 * Fraction(1, 10) + 1)
    assert floats.terms["Pt"] == Fraction(7, 10) / (Fraction(1, 10) + 1)
    tiny = exponents(**{**fine, "beta": 2.0**-60})
    assert tiny.terms["NPt"] == 1 / (Fraction(2, 2**60) + 1)  # no fraction of small denominator
    for name in fine:
        for bad in ("1", "1/2", None, True, math.nan, math.inf, 1j, [1], "__import__('os')"):
            with pytest.raises(DomainError, match=name):
                exponents(**{**fine, name: bad})
    for name in ("n", "m", "n0"):
        with pytest.raises(DomainError, match="at least 0"):
            exponents(**{**fine, name: -0.5})
    for name in ("gamma", "beta", "d"):
        with pytest.raises(DomainError, match="positive"):
            exponents(**{**fine, name: 0})
    with pytest.raises(DomainError, match="margin"):
        exponents(**fine, margin="1")
    with pytest.raises(DomainError, match="smoothness must be a finite number, positive"):
        federated_exponents(n=1, m=1, epsilon=1, smoothness=0)
    with pytest.raises(DomainError, match="got '1'"):
        federated_exponents(n="1", m=1, epsilon=1, smoothness=1)
