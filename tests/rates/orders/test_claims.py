"""Claims about rates: conditions as typed, verdicts, draws of exponents."""

from __future__ import annotations

import math

import pytest

from rates.numbers import DomainError
from rates.orders import Claim, OrderError, decide, decide_symbolic, drawn, parse
from rates.proofs import ContradictionError, check
from tests.rates.orders.test_table_one_claims import rate

AT = {"beta": 0.5, "gamma": 0.8, "d": 2}
ALIKE = rate((0, 1))


@pytest.mark.parametrize(
    ("where", "lines"),
    [
        ("n <= m", [{"n": 1, "m": -1}]),
        ("n >= m", [{"n": -1, "m": 1}]),
        ("n < m", [{"n": 1, "m": -1}]),
        ("n == m", [{"n": 1, "m": -1}, {"n": -1, "m": 1}]),
        ("1 <= n <= m", [{"n": -1}, {"n": 1, "m": -1}]),
        ("max(n, m) <= min(n0, eps)", [{"n": 1, "n0": -1}, {"n": 1, "eps": -1},
                                       {"m": 1, "n0": -1}, {"m": 1, "eps": -1}]),
        ("sqrt(n)*m >= 1/eps", [{"eps": -1, "n": -0.5, "m": -1}]),
    ],
)  # fmt: skip
def test_conditions_as_typed(where, lines):
    claim = Claim(ALIKE, "1", (where,))
    (choice,) = claim.choices
    assert [{x: float(p) for x, p in line.powers} for line in choice.at(ALIKE, AT)] == lines
    assert bool(claim.notes) == ("<" in where and "<=" not in where)


@pytest.mark.parametrize(
    ("where", "said"),
    [
        ("n", "has <= or >= .* Column 2 of condition 2"),
        ("n <= q", "q is not declared. Column 6 of condition 2"),
        ("n <= ", "ends where a number.* Column 5 of condition 2"),
        ("n <= 2 or", "condition is wanted here. Column 10 of condition 2"),
        ("and n <= 2", "condition is wanted here. Column 1 of condition 2: got 'and'"),
        ("n <= 2 or (m <= 2 or n <= m)", "Column 19 of condition 2"),
        (" or ".join(["n <= 2"] * 33), "at most 32 choices"),
        ("max(1, n, m, n0, eps) >= max(2, 3, 4, 5)", "at most 32 choices"),
        ("n >= 0", "Column 6 of condition 2"),
        ("n <= m bounded n", "Column 8 of condition 2"),
        (3, "a text such as"),
    ],
)
def test_conditions_that_are_refused(where, said):
    with pytest.raises(DomainError, match=said):
        Claim(ALIKE, "1", ("m >= 1", where))


@pytest.mark.parametrize(
    ("where", "names"),
    [
        ("n <= m", [""]),
        ("n <= m or eps <= 1/2 and n >= 2", ["n <= m", "eps <= 1/2 and n >= 2"]),
        ("min(n, m) <= max(2, n0)", ["n <= 2", "n <= n0", "m <= 2", "m <= n0"]),
        ("3 <= max(n, m) <= 9", ["3 <= n and n <= 9 and m <= 9", "3 <= m and n <= 9 and m <= 9"]),
    ],
)  # fmt: skip
def test_or_and_what_is_like_it_leave_choices(where, names):
    claim = Claim(ALIKE, "1", (where,))
    assert [choice.name for choice in claim.choices] == names
    assert len(Claim(ALIKE, "1", (where, "m >= 3 or m <= 2")).choices) == 2 * len(names)


def test_a_claim_under_or_holds_where_it_does_under_each_side():
    order = parse("max(1/n, (n*eps)^(-2))", sizes=["n", "eps"])

    def found(*where):
        claim = Claim(order, "1/n", where)
        return decide(claim, {}), decide_symbolic(claim)

    both, shown = found("n*eps^2 >= 1 or eps >= 1", "n >= 1")
    assert both.holds
    assert check(both.certificate)
    assert len(both.certificate["choices"]) == 2
    assert shown.shown
    assert check(shown.certificate)
    one, shown = found("eps >= 1 or n >= 3", "n >= 1")
    assert (one.holds, one.constant, one.choice, shown.shown) == (False, math.inf, "n >= 3", False)
    assert one.counterexample["n"] >= 3
    rest, shown = found("n*eps^2 >= 1 or n <= 1", "n >= 2")  # nothing meets the second side
    assert rest.holds
    assert shown.shown
    for data in (rest.certificate, shown.certificate):
        assert check(data)
        assert data["choices"][1].keys() == {"where", "empty"}
        empty = {"where": data["choices"][1]["where"]}
        for weights in ({}, {"0": "1"}, {k: "-1" for k in data["choices"][1]["empty"]}):
            assert not check({**data, "choices": [data["choices"][0], {**empty, "empty": weights}]})
        assert not check({**data, "choices": data["choices"][1:]})
        assert not check({**data, "choices": []})
    with pytest.raises(ContradictionError, match="n <= 1 or n <= 1/2 and n >= 2"):
        found("n <= 1 or n <= 1/2", "n >= 2")


def test_other_refusals():
    with pytest.raises(OrderError, match=r"q is not declared\. Column 3 of what it equals"):
        Claim(ALIKE, "n*q")
    with pytest.raises(ContradictionError, match="'n >= 2 and n <= m and m <= 1'"):
        decide(Claim(ALIKE, "1", ("n >= 2", "eps <= 1", "n <= m", "m <= 1")), AT)
    with pytest.raises(DomainError, match="A number is needed for gamma"):
        decide(Claim(ALIKE, "1"), {"beta": 1, "d": 1})
    with pytest.raises(DomainError, match="one range in both"):
        Claim(ALIKE, parse("n^(-beta)", sizes=["n"], exponents=["beta"]))
    with pytest.raises(DomainError, match="at most 60 conditions"):
        Claim(ALIKE, "1", ("n >= 1",) * 61)


def test_draws_lie_in_their_ranges():
    ranges = {"a": None, "b": (1, 2), "c": (-math.inf, 3), "e": (-math.inf, math.inf)}
    order = parse("n^(-a)", sizes=["n"], exponents=ranges)
    draws = drawn(order, 200, seed=1)
    assert draws == drawn(order, 200, seed=1) != drawn(order, 200, seed=2)
    assert all(x["a"] > 0 and 1 < x["b"] < 2 and x["c"] < 3 and abs(x["e"]) < 10 for x in draws)
