"""Intervals along one axis, against plain evaluation and by hand."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.pieces import Form, Leaf, choose, intervals, leaves_along
from tests.depth import deep_after
from tests.rates.pieces.forms import brute, random_form


@pytest.mark.parametrize(
    ("seed", "most"), deep_after(2, [(0, 8), (1, 40), *((k, 12) for k in range(2, 12))])
)
def test_random_forms(seed: int, most: int) -> None:
    """Inside every interval its label's leaf gives the value; at an inner end both do."""
    rng = random.Random(seed)
    changes = 0
    for _ in range(50):
        form = random_form(rng, rng.randint(1, most))
        sizes = {"y": 10 ** rng.uniform(-4, 4), "z": 10 ** rng.uniform(-4, 4)}
        lo, hi = rng.choice([(0.0, math.inf), (0.0, 10.0), (0.1, math.inf), (1e-3, 1e4)])
        found = intervals(form, "x", sizes, lo=lo, hi=hi)
        assert (found[0].lo, found[-1].hi) == (lo, hi)
        slope = {leaf.label: float(dict(leaf.powers).get("x", 0)) for leaf in form.leaves}
        for row in found:
            low, high = max(row.lo, 1e-12 * min(row.hi, 1.0)), min(row.hi, 1e12 * max(row.lo, 1.0))
            for t in (1e-6, rng.random(), 1 - 1e-6):
                value, leaves = brute(form, {"x": low ** (1 - t) * high**t, **sizes})
                assert leaves[row.label] == pytest.approx(value, rel=1e-11, abs=1e-11)
            assert row.slope == slope[row.label]
        for row, after in itertools.pairwise(found):
            assert row.hi == after.lo
            assert row.label != after.label
            value, leaves = brute(form, {"x": row.hi, **sizes})
            assert leaves[row.label] == pytest.approx(value, rel=1e-11, abs=1e-11)
            assert leaves[after.label] == pytest.approx(value, rel=1e-11, abs=1e-11)
            changes += 1
    assert changes > 30


@pytest.mark.parametrize("count", [5, 30])
def test_many_problems_at_once(count: int) -> None:
    """Rows of lines, some through one point: each cell has the line that brute force finds."""
    draws = np.random.default_rng(count)
    tree = random_form(random.Random(count), count).tree
    slopes, levels = draws.normal(size=(2, 200, count))
    levels[::2] = -slopes[::2] * draws.integers(-3, 4, (100, 1))  # all meet there
    edges, codes = leaves_along(tree, slopes, levels, -8.0, 8.0)
    assert edges.shape[1] + 1 == codes.shape[1]
    changes = np.count_nonzero(codes[:, 1:] != codes[:, :-1], axis=-1)
    assert (changes[::2] <= 1).all()
    ends = np.pad(edges, ((0, 0), (1, 1)), constant_values=(-8.0, 8.0))
    wide = np.diff(ends) > 1e-9
    middles = 0.5 * (ends[:, 1:] + ends[:, :-1])
    lines = levels[:, None, :] + slopes[:, None, :] * middles[..., None]
    _, brute_codes = choose(tree, lines)
    assert (codes == brute_codes)[wide].all()
    assert (changes > 0).mean() > 0.3


def test_refusals() -> None:
    form = random_form(random.Random(0), 3)
    for lo, hi in ((1.0, 1.0), (-1.0, 1.0), (math.nan, 1.0), (0.0, 0.0)):
        with pytest.raises(DomainError, match="0 <= lo < hi"):
            intervals(form, "x", {"y": 1, "z": 1}, lo=lo, hi=hi)
    with pytest.raises(DomainError, match="y has no size"):
        intervals(form, "x", {"z": 1}, lo=0.0, hi=1.0)


def test_ties_go_to_the_leaf_that_is_read_first() -> None:
    near = np.array([[0.0, 5e-13], [0.0, 2e-12], [1000.0, 1000.0 + 9e-10], [math.inf, math.inf]])
    for sign, kind in ((1.0, "max"), (-1.0, "min")):
        value, leaf = choose((kind, (0, 1)), sign * near)
        assert leaf.tolist() == [0, 1, 0, 0]
        assert value[1] == sign * 2e-12


def test_a_leaf_that_is_not_defined_gives_way() -> None:
    values = np.array([[math.nan, 1.0, 2.0], [3.0, math.nan, 2.0]])
    value, leaf = choose(("max", (0, 1, 2)), values)
    assert (value.tolist(), leaf.tolist()) == ([2.0, 3.0], [2, 0])


def test_slopes_are_those_of_the_letters_asked_for() -> None:
    third = Fraction(1, 3)
    leaf = Leaf("a", (("n", -third), ("eps", Fraction(2))), ((Fraction(8), third),))
    form = Form(("n", "m", "eps"), (leaf, Leaf("b", (("m", Fraction(1)),))), ("min", (0, 1)))
    slopes, levels = form.along(["eps", "n"], {"m": [1.0, math.e]})
    assert slopes.tolist() == [[2.0, -1 / 3], [0.0, 0.0]]
    np.testing.assert_allclose(levels, [[math.log(2), 0.0], [math.log(2), 1.0]], atol=1e-15)
    with pytest.raises(DomainError, match="k is no letter"):
        Form(("n",), (Leaf("a", (("k", Fraction(1)),)),), 0)
    assert form.deciding({"n": 8.0, "m": [0.5, 2.0], "eps": 1.0}).tolist() == ["b", "a"]
