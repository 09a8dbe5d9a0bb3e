"""What is least or largest over a letter, sums that divide, products: by hand."""

from __future__ import annotations

import pytest

from rates.orders import (
    Claim,
    OrderError,
    decide,
    parse,
)

SIZES = ("n", "m", "eps")


def test_over_sites_sums_divide_and_infima_are_taken():
    order = parse("1/sum_j(1/inf_h(h + n/h))", sizes=["n"], sites=["n"])
    assert float(order.value({"n": [1.0, 4.0]})) == pytest.approx(1 / (1 / 2 + 1 / 4))
    root = parse("r^2*sum_j(n)/(1 + r) = 1", sizes=["n"], sites=["n"], unknown="r")
    assert float(root.value({"n": [1.0, 1.0]})) == pytest.approx(1.0)
    with pytest.raises(OrderError, match="no sum over sites inside"):
        parse("inf_h(h + 1/(h*sum_j(n)))", sizes=["n"], sites=["n"])


def test_an_infimum_in_another_has_places_of_its_own():
    order = parse("inf_h(h + inf_k(k/h + n/k))", sizes=["n"])
    assert order.value({"n": [1.0, 8.0]}) == pytest.approx([3.0, 6.0])
    assert str(order.leaves[0].powers) == "(('n', 1/3),)"


def test_a_balance_holds_an_infimum():
    order = parse("n*inf_h(h*r + r^2/h) = 1 + m", sizes=["n", "m"], unknown="r")
    assert str(order.explicit()) == "max(n^(-2/3), n^(-2/3)*m^(2/3))"
    at = {"n": 50.0, "m": 3.0}
    assert float(order.value(at)) == pytest.approx((4 / 50 / 2) ** (2 / 3), rel=1e-9)


def test_what_both_sides_have_as_a_factor_costs_no_constant():
    order = parse("(x + y + z)^3*(1 + x)", sizes=["x", "y", "z"])
    assert decide(Claim(order, "(z + 1*y + x)^3*max(1, x)"), {}).sum_factor == 2
    assert decide(Claim(order, order), {}).sum_factor == 1
    found = decide(Claim(order, "(x + y + z)^2*max(x, y, z)*(1 + x)"), {})
    assert found.sum_factor == pytest.approx(3)
    root = parse("n*r^2 + r = 1", sizes=["n"], unknown="r")
    assert decide(Claim(root, root), {}).sum_factor == 1 < root.sum_factor({})


def test_sums_in_conditions_as_an_example_of_a_neighbour():
    order = parse("x*y", sizes=["x", "y", "N"])
    where = ("x <= 2*N^2 + 1", "y < 3*N + 4", "N >= 1")
    claim = Claim(order, "min(x*y, 32*N^3)", where)
    assert decide(claim, {}).holds
    assert len(claim.notes) == 3
    found = decide(Claim(order, "min(x*y, N^3)", where), {})
    assert (found.holds, found.constant) == (False, 32)
