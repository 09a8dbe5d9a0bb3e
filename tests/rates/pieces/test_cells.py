"""Intervals along one axis, against plain evaluation and by hand."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.pieces import choose, intervals, leaves_along
from tests.depth import deep_after
from tests.rates.pieces.forms import brute, random_form


@pytest.mark.parametrize(
    ("seed", "most"), deep_after(2, [(0, 8), (1, 40), *((k, 12) for k in range(2, 12))])
)
def test_random_forms(seed: int, most: int) -> None:
    """Inside every interval its label's leaf gives the value; at an inner end both do."""
    rng = random.Random(seed)
    changes = 0
    for _ in range(80):
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
    assert changes > 50


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
