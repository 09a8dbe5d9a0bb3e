"""What is least or largest over a letter, sums that divide, products: by hand."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from rates import pieces, proofs
from rates.numbers import DomainError
from rates.orders import Claim, OrderError, cases, decide, decide_symbolic, needs, parse
from rates.orders.axes import crossings, intervals, regions
from rates.pieces import Form, Leaf
from tests.rates.pieces.forms import area

SIZES = ("n", "m", "eps")


@pytest.mark.parametrize("power", ["", "^(-1/2)"])
def test_the_best_count_of_sites_is_that_of_brute_subsets(power):
    text = f"best_k(m, max(1/(k*n), k/(n*eps)^2){power})"
    order = parse(text, sizes=SIZES)
    assert order.latex.startswith(r"\min_{1 \le k \le m} ")
    draw = random.Random(1)
    for _ in range(50):
        n, eps, m = 10 ** draw.uniform(1, 4), 10 ** draw.uniform(-2, 1), draw.randint(1, 60)
        at = {"n": n, "eps": eps, "m": float(m)}
        each = (max(1 / (k * n), k / (n * eps) ** 2) for k in range(1, m + 1))
        brute = min(x**-0.5 for x in each) if power else min(each)
        assert float(order.value(at)) == pytest.approx(brute, rel=1e-12)
        apart = float(order.at({}).value(at)) / brute
        assert 1 / order.sum_factor({}) <= apart <= order.sum_factor({})
    best = parse("best_k(m, k + n/k)", sizes=SIZES)
    assert decide(Claim(best, "max(n^(1/2), n/m)", ("n >= 1",)), {}).holds


def test_a_range_is_not_empty_where_a_claim_is_decided():
    order = parse("inf_h(1/n <= h <= 1, 1/h)", sizes=["n"])
    assert decide(Claim(order, "max(1, 1/n)"), {}).holds
    assert math.isnan(float(order.value({"n": 0.5})))
    best = Claim(parse("best_k(m, k)", sizes=["n", "m"]), "1", ("n <= inf_h(1 <= h <= m, h)",))
    assert decide(best, {}).holds
    assert [note.split()[:3] for note in best.notes] == [["best_k", "is", "read"], ["1", "<=", "m"]]
    with pytest.raises(DomainError, match="1 <= m"):
        decide(Claim(best.order, "1", ("m <= 1/2",)), {})


def test_over_sites_sums_divide_and_infima_are_taken():
    order = parse("1/sum_j(1/inf_h(h + n/h))", sizes=["n"], sites=["n"])
    assert float(order.value({"n": [1.0, 4.0]})) == pytest.approx(1 / (1 / 2 + 1 / 4))
    root = parse("r^2*sum_j(n)/(1 + r) = 1", sizes=["n"], sites=["n"], unknown="r")
    assert float(root.value({"n": [1.0, 1.0]})) == pytest.approx(1.0)
    with pytest.raises(OrderError, match="no sum over sites inside"):
        parse("inf_h(h + 1/(h*sum_j(n)))", sizes=["n"], sites=["n"])


def test_an_infimum_in_another_has_places_of_its_own():
    order = parse("best_x(m, max(x, sup_y(x^2)))*inf_h(h + inf_k(k/h + n/k))", sizes=["n", "m"])
    assert order.value({"n": [1.0, 8.0], "m": [3.0, 7.0]}) == pytest.approx([3.0, 6.0])
    leaf = parse("inf_h(h + inf_k(k/h + n/k))", sizes=["n"]).leaves[0]
    assert str(leaf.powers) == "(('n', 1/3),)"


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


# Products ---------------------------------------------------------------------------------------

LETTERS = tuple("abcdefghijklmno")
FIVE = "*".join(f"max({', '.join(LETTERS[k : k + 3])})" for k in range(0, 15, 3))
LEADERS = "a*d*g*j*m"
LEADING = tuple(f"max({LETTERS[k + 1]}, {LETTERS[k + 2]}) <= {LETTERS[k]}" for k in range(0, 15, 3))


def form_of(draw: random.Random, factors: int) -> Form:
    """Return a random product of minima and maxima of lines, beside another line."""
    leaves: list[Leaf] = []

    def leaf() -> int:
        powers = ((x, Fraction(draw.randint(-2, 2))) for x in "nm")
        number = ((Fraction(draw.choice([2, 3])), Fraction(1)),) if draw.random() < 0.3 else ()
        leaves.append(Leaf(str(len(leaves)), tuple((x, p) for x, p in powers if p), number))
        return len(leaves) - 1

    parts = tuple((draw.choice(["min", "max"]), (leaf(), leaf())) for _ in range(factors))
    tree: pieces.Tree = ("times", parts)
    if draw.random() < 0.5:
        tree = draw.choice(["min", "max"]), (tree, leaf())
    return Form(("n", "m"), tuple(leaves), tree)


@pytest.mark.parametrize("seed", range(40))
def test_factored_forms_are_decided_as_multiplied_out(seed):
    draw = random.Random(seed)
    first = form_of(draw, draw.randint(2, 3))
    flat = first.multiplied
    second = draw.choice([flat, form_of(draw, 2), Form(first.letters, flat.leaves[:1], 0)])
    one = Fraction(1)
    where = [Leaf("n >= 1", (("n", -one),)), Leaf("n <= m", (("n", one), ("m", -one)))]
    where = where[: draw.randint(0, 2)]
    found = proofs.decide(first, second, where)
    known = proofs.decide(flat, second.multiplied, where)
    assert (found.holds, found.constant) == (known.holds, pytest.approx(known.constant))
    if found.holds:
        assert proofs.check(json.loads(json.dumps(found.certificate)))
    if at := found.counterexample:
        sizes = {x: float(v) for x, v in at.items()}
        assert set(at) == {"n", "m"}
        assert float(first.value(sizes)) != pytest.approx(float(second.value(sizes)), rel=1e-9)
    sizes = {x: np.exp(np.linspace(-3, 3, 7) * draw.uniform(-1, 1)) for x in "nm"}
    assert first.value(sizes) == pytest.approx(flat.value(sizes), rel=1e-12)


def test_a_product_of_five_maxima_is_read_evaluated_and_decided():
    order = parse(FIVE, sizes=LETTERS)
    assert order.factored
    assert parse(str(order), sizes=LETTERS) == order
    sizes = {x: float(k % 4 + 1) for k, x in enumerate(LETTERS)}
    brute = math.prod(max(sizes[x] for x in LETTERS[k : k + 3]) for k in range(0, 15, 3))
    assert float(order.value(sizes)) == pytest.approx(brute)
    assert float(order.at({}).value(sizes)) == pytest.approx(brute)
    assert str(order.deciding(sizes, {})) == "3*4*8*12*15"
    found = decide(Claim(order, LEADERS, LEADING), {})
    assert found.holds
    assert proofs.check(found.certificate)
    missing = decide(Claim(order, LEADERS, LEADING[1:]), {})
    assert (missing.holds, missing.constant) == (False, math.inf)
    assert decide(Claim(order, "*".join(reversed(FIVE.split("*")))), {}).sum_factor == 1


def test_maps_and_slopes_are_of_the_product():
    order = parse(FIVE, sizes=LETTERS)
    rest = dict.fromkeys(LETTERS, 2.0)
    parts = intervals(order, "a", {x: v for x, v in rest.items() if x != "a"}, {}, lo=1, hi=9)
    assert [(row.hi, row.slope) for row in parts] == [(pytest.approx(2), 0), (9, 1)]
    found = regions(order, "a", "d", rest, {}, box=((1, 16), (1, 16)))
    areas = [sum(map(area, polygons)) for polygons in found.values() if polygons]
    assert sorted(areas) == pytest.approx([x * math.log(2) ** 2 for x in (1, 3, 3, 9)])


def test_what_needs_all_terms_is_refused_in_words():
    order = parse(FIVE, sizes=LETTERS)
    for ask in (
        lambda: crossings(order, "a"),
        lambda: cases(order, "a"),
        lambda: order.terms,
        lambda: Claim(parse("a", sizes=LETTERS), "a", (f"{FIVE} <= 1",)),
    ):
        with pytest.raises(DomainError, match="at most 64 terms when multiplied out"):
            ask()
    assert "64 terms" in decide_symbolic(Claim(order, LEADERS)).why
    long = parse("*".join([*FIVE.split("*"), "max(a, d)*max(b, e)*max(c, f)"]), sizes=LETTERS)
    with pytest.raises(DomainError, match="at most 1,024 terms"):
        regions(long, "a", "d", dict.fromkeys(LETTERS, 2.0), {}, box=((1, 9), (1, 9)))


def test_what_a_claim_about_a_product_needs():
    order = parse("max(a, b, c)^2*max(d, e, f)*" + "*".join(["max(a, b, c)"] * 3), sizes=LETTERS)
    assert order.factored
    found = needs(Claim(order, "a^5*d", (*LEADING[:2], "a <= n")), {})
    assert (found.minimal, found.droppable) == ((LEADING[:2],), ("a <= n",))
