"""Products that are not multiplied out: evaluated, looked at and decided as if they were."""

from __future__ import annotations

import json
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from rates import pieces, proofs
from rates.numbers import DomainError
from rates.orders import (
    Claim,
    cases,
    crossings,
    decide,
    decide_symbolic,
    intervals,
    needs,
    parse,
    regions,
)
from rates.pieces import Form, Leaf

SIZES = tuple("abcdefghijklmno")
FIVE = "*".join(f"max({', '.join(SIZES[k : k + 3])})" for k in range(0, 15, 3))
LEADERS = "a*d*g*j*m"


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
    where = [
        Leaf("n >= 1", (("n", Fraction(-1)),)),
        Leaf("n <= m", (("n", Fraction(1)), ("m", Fraction(-1)))),
    ]
    where = where[: draw.randint(0, 2)]
    found, known = (
        proofs.decide(first, second, where),
        proofs.decide(flat, second.multiplied, where),
    )
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
    order = parse(FIVE, sizes=SIZES)
    assert order.factored
    assert parse(str(order), sizes=SIZES) == order
    sizes = {x: float(k % 4 + 1) for k, x in enumerate(SIZES)}
    brute = math.prod(max(sizes[x] for x in SIZES[k : k + 3]) for k in range(0, 15, 3))
    assert float(order.value(sizes)) == pytest.approx(brute)
    assert float(order.at({}).value(sizes)) == pytest.approx(brute)
    assert str(order.deciding(sizes, {})) == "3*4*8*12*15"
    where = [f"max({SIZES[k + 1]}, {SIZES[k + 2]}) <= {SIZES[k]}" for k in range(0, 15, 3)]
    found = decide(Claim(order, LEADERS, tuple(where)), {})
    assert found.holds
    assert proofs.check(found.certificate)
    missing = decide(Claim(order, LEADERS, tuple(where[1:])), {})
    assert (missing.holds, missing.constant) == (False, math.inf)
    assert decide(Claim(order, "*".join(reversed(FIVE.split("*")))), {}).sum_factor == 1


def test_maps_and_slopes_are_of_the_product():
    order = parse(FIVE, sizes=SIZES)
    rest = dict.fromkeys(SIZES, 2.0)
    parts = intervals(order, "a", {x: v for x, v in rest.items() if x != "a"}, {}, lo=1, hi=9)
    assert [(row.hi, row.slope) for row in parts] == [(pytest.approx(2), 0), (9, 1)]
    found = regions(order, "a", "d", rest, {}, box=((1, 16), (1, 16)))
    area = {
        label: sum(float(np.ptp(np.log(p.x)) * np.ptp(np.log(p.y))) for p in polygons)
        for label, polygons in found.items()
        if polygons
    }
    assert sorted(area.values()) == pytest.approx([x * math.log(2) ** 2 for x in (1, 3, 3, 9)])


def test_what_needs_all_terms_is_refused_in_words():
    order = parse(FIVE, sizes=SIZES)
    for ask in (
        lambda: crossings(order, "a"),
        lambda: cases(order, "a"),
        lambda: order.terms,
        lambda: Claim(parse("a", sizes=SIZES), "a", (f"{FIVE} <= 1",)),
    ):
        with pytest.raises(DomainError, match="at most 64 terms when multiplied out"):
            ask()
    assert "64 terms" in decide_symbolic(Claim(order, LEADERS)).why
    long = parse("*".join([*FIVE.split("*"), "max(a, d)*max(b, e)*max(c, f)"]), sizes=SIZES)
    with pytest.raises(DomainError, match="at most 1,024 terms"):
        regions(long, "a", "d", dict.fromkeys(SIZES, 2.0), {}, box=((1, 9), (1, 9)))


def test_what_a_claim_about_a_product_needs():
    where = tuple(f"max({SIZES[k + 1]}, {SIZES[k + 2]}) <= {SIZES[k]}" for k in range(0, 6, 3))
    order = parse("max(a, b, c)^2*max(d, e, f)*" + "*".join(["max(a, b, c)"] * 3), sizes=SIZES)
    assert order.factored
    found = needs(Claim(order, "a^5*d", (*where, "a <= n")), {})
    assert (found.minimal, found.droppable) == ((where,), ("a <= n",))
