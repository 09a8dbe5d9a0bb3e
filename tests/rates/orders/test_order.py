"""Explicit forms, what decides, and values, against the engine of the two equations."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import sympy

import rates
from rates.numbers import DomainError
from rates.orders import parse

SIZES = ("n", "m", "n0", "eps")
EXPONENTS = ("beta", "gamma", "d", "alpha")
EQUATION_5 = (
    "min(NPt: n0*r^(2*beta+d), Pt: n0^2*eps^2*r^(2*beta+2*d))"
    " + m*min(NPs: n*r^(2*beta*gamma+d), Ps: n^2*eps^2*r^(2*beta*gamma+2*d)) = 1"
)
OUTER = "min(1, r^(beta*(1+alpha)))"


def alike():
    return parse(EQUATION_5, sizes=SIZES, exponents=EXPONENTS, unknown="r", rate=OUTER)


def test_equation_5_with_its_outer_rate_gives_the_four_terms():
    order = alike().explicit()
    assert str(order) == (
        "min(1, max(NPt: n0^(-beta*(alpha+1)/(2*beta+d)), Pt: (n0*eps)^(-beta*(alpha+1)/(beta+d))),"
        " max(NPs: (m*n)^(-beta*(alpha+1)/(2*beta*gamma+d)),"
        " Ps: m^(-beta*(alpha+1)/(2*(beta*gamma+d)))*(n*eps)^(-beta*(alpha+1)/(beta*gamma+d))))"
    )
    assert parse(str(order), **order.letters) == order


def test_what_decides_is_what_governs():
    rng = np.random.default_rng(21)
    order = alike()
    for _ in range(40):
        beta, gamma, d = rng.uniform(0.1, 1), rng.uniform(0.2, 3), int(rng.integers(1, 6))
        ends = ((1, 6), (0, 4), (0, 8), (-6, 0))
        n, m, n0, eps = (10 ** rng.uniform(low, high, 25) for low, high in ends)
        exponents = {"beta": beta, "gamma": gamma, "d": d, "alpha": 1}
        found = order.deciding({"n": n, "m": m, "n0": n0, "eps": eps}, exponents)
        assert (found == rates.governing(n, m, n0, eps, gamma=gamma, beta=beta, d=d)).all()


HETEROGENEOUS = {
    "r": parse(
        "sum_j(min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*beta*gamma+2*d))) = 1",
        **{"exponents": ["beta", "gamma", "d"], "unknown": "r", "sites": ["n", "eps", "gamma"]},
        sizes=["n", "eps"],
    ),
    "D": parse(
        "D^(2*g+2) = sum_j(min(n^2*eps^2, n*D))",
        **{"exponents": ["g"], "unknown": "D", "sites": ["n", "eps"], "sizes": ["n", "eps"]},
    ),
}


NOTHING = [([0, 0], [1, 1]), ([0, 10], [math.inf, 1]), ([10, 10], [0, 0])]
NOTHING += [([10, 10], [0, math.inf]), ([0, 0], [0, math.inf])]
DRAW = np.random.default_rng(1)
MANY = 10 ** DRAW.uniform(1, 5, (3, 1, 4)), 10 ** DRAW.uniform(-3, 1, (2, 4))


@pytest.mark.parametrize(("n", "eps"), [*NOTHING, MANY])
def test_values_are_roots_of_the_engine_and_sites_are_the_last_axis(n, eps):
    """Of nothing and everything, and of many at once."""
    many = np.ndim(n) > 1
    beta = np.array([[0.3], [0.5], [0.9]]) if many else np.array(0.5)
    gamma = [1, 0.5, 2, 3] if many else [1, 1.5]
    found = HETEROGENEOUS["r"].value({"n": n, "eps": eps}, {"beta": beta, "d": 2, "gamma": gamma})
    engine = rates.solve_r(n, eps, gamma, beta=beta[..., None], d=2)
    assert found.shape == ((3, 2) if many else ())
    assert found == pytest.approx(engine, rel=1e-12)
    found = HETEROGENEOUS["D"].value({"n": n, "eps": eps}, {"g": beta})
    assert found == pytest.approx(rates.solve_D(n, eps, smoothness=beta[..., None]), rel=1e-12)


def test_a_sum_over_sites_counts_them():
    order = parse("sum_j(max(m, n))*sum_j(1)", sizes=["n", "m"], sites=["n"])
    assert float(order.value({"n": [1, 2, 3], "m": 2}, {})) == 7 * 3
    with pytest.raises(DomainError, match="as many numbers"):
        parse("sum_j(n*m)", sizes=["n", "m"], sites=["n", "m"]).value({"n": [1, 2, 3], "m": [1, 2]})
    with pytest.raises(DomainError, match="over sites"):
        order.at({})
    with pytest.raises(DomainError, match="n differs by site"):
        parse("n*sum_j(n)", sizes=["n"], sites=["n"])


def test_what_is_undefined_is_not_a_number_unless_a_minimum_decides():
    order = parse("min(n, m*eps)", sizes=["n", "m", "eps"])
    assert float(order.value({"n": 0, "m": 0, "eps": math.inf})) == 0
    assert math.isnan(float(order.value({"n": 1, "m": 0, "eps": math.inf})))
    balance = parse("n*m*r = 1", sizes=["n", "m"], unknown="r")
    assert math.isnan(float(balance.value({"n": 0, "m": math.inf})))


@pytest.mark.parametrize(
    ("sizes", "exponents", "words"),
    [
        ({"n": 1}, {"b": 2, "c": 1}, "needed for m"),
        ({"n": -1, "m": 1}, {"b": 2, "c": 1}, ">= 0"),
        ({"n": 1, "m": 1}, {"b": 4, "c": 1}, r"b must lie in \[1, 3\]"),
        ({"n": 1, "m": 1}, {"b": math.nan, "c": 1}, "finite"),
        ({"n": 1, "m": 1}, {"b": 1, "c": 1}, "divides a power|differ from 0"),
    ],
)
def test_numbers_are_checked_once(sizes, exponents, words):
    letters = {"sizes": ["n", "m"], "exponents": {"b": (1, 3), "c": None}, "unknown": "r"}
    order = parse("n*r^(b-1) = m*r^-c*r^c*1e-3", **letters)
    with pytest.raises(DomainError, match=words):
        order.value(sizes, exponents)
    if sizes == {"n": 1, "m": 1}:
        with pytest.raises(DomainError, match=words):
            order.at(exponents)


@pytest.mark.parametrize("exponent", ["0.3", 0.3, Fraction(3, 10)])
def test_a_float_is_read_by_its_shortest_decimal(exponent):
    order = parse("n^b", sizes=["n"], exponents={"b": (0.3, 1)})
    assert order.at({"b": exponent}).leaves[0].powers == (("n", Fraction(3, 10)),)


def test_terms_have_labels_constants_and_powers_in_sympy():
    b, d = sympy.symbols("b d")
    order = parse("2*n^(-b/(b+d)) + L: sqrt(m/3)", sizes=["n", "m"], exponents=["b", "d"])
    first, second = order.terms
    assert (first.label, first.constant, first.powers) == ("1", 2, {"n": -b / (b + d)})
    assert (second.label, second.powers) == ("L", {"m": sympy.Rational(1, 2)})
    assert sympy.simplify(second.constant - 1 / sympy.sqrt(3)) == 0


def test_latex_of_a_balance_has_an_index_for_sites():
    assert HETEROGENEOUS["D"].latex == (
        r"D^{2 (g + 1)} = "
        r"\sum_{j} \min\left\{n_{j}^{2} \varepsilon_{j}^{2},\; n_{j} D\right\}"
    )
    assert alike().rate_latex == r"\min\left\{1,\; r^{\beta (\alpha + 1)}\right\}"


def test_a_factor_too_large_for_a_number_is_infinite():
    order = parse("n*r^(1/1000) + m*r + m*r^2 = 1", sizes=["n", "m"], unknown="r", rate="r + r^9")
    assert order.sum_factor({}) == math.inf


def test_a_letter_that_cancels_is_in_no_term():
    (leaf,) = parse("n*m/n*2^2/4", sizes=["n", "m"]).leaves
    assert [letter for letter, _ in leaf.powers] == ["m"]
