"""What claims need of their conditions."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.orders import Claim, decide, needs, parse, proved
from rates.orders.claims.needed import smallest
from rates.proofs import ContradictionError
from tests.rates.orders import apart

PLAIN = parse("max(1/n, (n*eps)^(-2))", sizes=["n", "eps"])


def test_by_hand():
    claim = Claim(PLAIN, "1/n", ("n*eps^2 >= 1 or eps >= 1", "n >= 2", "eps <= 1", "n >= 2"))
    found = needs(claim, {})
    assert found.where == claim.where[:3]
    assert found.droppable == ("eps <= 1",)
    assert found.minimal == (claim.where[:2],)
    assert found.counterexamples.keys() == set(claim.where[:2])
    trees = [apart.tree_of(one, ("n", "eps"), {}) for one in ("max(1/n, (n*eps)^(-2))", "1/n")]
    for text, sizes in found.counterexamples.items():
        logs = np.log([[float(sizes[x]) for x in ("n", "eps")]])
        assert apart.value(trees[0], logs) > apart.value(trees[1], logs)
        for other in found.where:
            condition = apart.condition_of(other, ("n", "eps"), {})
            assert apart.met(condition, logs, -1e-9)[0] == (other != text)
    assert needs(Claim(PLAIN, PLAIN, ("n >= 2",)), {}).minimal == ((),)
    assert found.said() == "needs 2 of its 3 conditions: n*eps^2 >= 1 or eps >= 1, n >= 2"
    one = needs(Claim(PLAIN, "1/n", ("eps^2*n >= 1",)), {})
    assert one.said() == "needs its condition"


def test_what_is_short_by_a_constant_shows_nothing_of_other_sets():
    order = parse("max(n, m)", sizes=["n", "m", "j", "k"])
    where = ("n <= k*m", "k <= 1", "k <= 3", "n <= j*m", "j <= 1")
    found = needs(Claim(order, "m", where), {})
    assert found.minimal == (where[:2], where[3:])
    assert found.droppable == where


def test_a_range_that_an_infimum_is_taken_over_is_always_there():
    order = parse("inf_h(1/n <= h <= 1, h^2 + 1/(n*h))", sizes=["n"])
    found = needs(Claim(order, "n^(-2/3)", ("n >= 2", "n >= 3")), {})
    assert found.minimal == ((),)


def test_what_is_strict_leaves_no_border_to_hold_on():
    order = parse("max(n, m)", sizes=["n", "m"])
    where = ("n < 1 or m <= n", "n >= 1", "m >= 2")
    assert decide(Claim(order, "n", where), {}).holds
    found = needs(Claim(order, "n", where), {})
    assert found.minimal == (where[:2],)
    assert found.counterexamples["n >= 1"]["n"] < 1
    with pytest.raises(ContradictionError):
        needs(Claim(order, "n", ("n < 1", "n >= 1")), {})


def test_refusals():
    with pytest.raises(DomainError, match="Only a claim that holds"):
        needs(Claim(PLAIN, "1/n", ("n >= 2",)), {})
    with pytest.raises(DomainError, match="at most 12 conditions"):
        needs(Claim(PLAIN, PLAIN, tuple(f"n >= {k}" for k in range(1, 14))), {})
    with pytest.raises(ContradictionError):
        needs(Claim(PLAIN, "1/n", ("n >= 2", "n <= 1")), {})


def test_at_several_exponents_and_for_all():
    order = parse("max(n^(-a), n^(-b))", sizes=["n"], exponents=["a", "b"])
    claim = Claim(order, "n^(-a)", ("n^b >= n^a", "n >= 1 or n <= 1", "n >= 1"))
    many = needs(claim, [{"a": 1, "b": 2}, {"a": 2, "b": 1}])
    assert many.minimal == (("n^b >= n^a",),)
    assert many.counterexamples["n^b >= n^a"]["n"] > 1
    assert proved(claim, many) == many.minimal
    one = needs(claim, {"a": 1, "b": 2})
    assert one.minimal == (("n^b >= n^a",), ("n >= 1",))
    assert proved(claim, one) == many.minimal


@pytest.mark.parametrize("seed", range(30))
def test_smallest_sets_of_rising_families_are_found_with_few_questions(seed):
    rng = random.Random(seed)
    count = rng.randint(0, 8)
    family = [frozenset(rng.sample(range(count), rng.randint(0, count))) for _ in range(5)]
    family = {one for one in family if not any(other < one for other in family)}
    asked = []

    def suffices(kept):
        asked.append(kept)
        enough = [one for one in family if one <= kept]
        more = frozenset(k for k in kept if rng.random() < 0.3)
        return rng.choice(enough) | more if enough else None

    assert set(smallest(count, suffices)) == family
    sizes = (itertools.combinations(range(count), size) for size in range(count + 1))
    every = map(frozenset, itertools.chain.from_iterable(sizes))
    short = [kept for kept in every if not any(one <= kept for one in family)]
    largest = sum(not any(one < other for other in short) for one in short)
    assert len(asked) <= largest + len(family) * (count + 1)
