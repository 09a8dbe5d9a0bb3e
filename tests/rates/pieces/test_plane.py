"""Polygons over two log axes cover the box once, each labelled as plain evaluation says."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.pieces import Axis, Form, Leaf, join_rows, regions
from tests.rates.pieces.forms import area, brute, random_form


def check(form: Form, rng: random.Random, points: int) -> int:
    """Compare with plain evaluation; return the number of polygons."""
    lo, hi = rng.uniform(-6, 0), rng.uniform(0.5, 6)
    box = ((10**lo, 10**hi), (10 ** (hi - 6), 10**hi))
    z = 10 ** rng.uniform(-3, 3)
    found = regions(form, "x", "y", {"z": z}, box=box)
    assert list(found) == [leaf.label for leaf in form.leaves]
    whole = math.prod(math.log(b / a) for a, b in box)
    everywhere = [p for polygons in found.values() for p in polygons]
    assert sum(map(area, everywhere)) == pytest.approx(whole, rel=1e-9)
    draws = np.random.default_rng(rng.randrange(2**32))
    for label, polygons in found.items():
        for p in polygons:
            x, y = np.log(p.x / p.x[0]), np.log(p.y / p.y[0])
            u, v = np.diff(x, append=x[1]), np.diff(y, append=y[1])
            turns = u[:-1] * v[1:] - u[1:] * v[:-1]
            assert (turns >= -1e-9).all() or (turns <= 1e-9).all()  # convex
            assert (p.x[0], p.y[0]) == (p.x[-1], p.y[-1])
            for values, (low, high) in ((p.x, box[0]), (p.y, box[1])):
                assert values.min() >= low
                assert values.max() <= high
            weights = draws.dirichlet(np.ones(len(p.x) - 1), points)
            x, y = np.exp(weights @ np.log(np.column_stack([p.x[:-1], p.y[:-1]]))).T
            value, leaves = brute(form, {"x": x, "y": y, "z": z})
            np.testing.assert_allclose(leaves[label], value, rtol=1e-11, atol=1e-11)
    return len(everywhere)


@pytest.mark.parametrize(
    ("seed", "forms", "leaves", "points"),
    [
        (0, 200, (1, 7), 100),
        (0, 5, (30, 64), 20),
        pytest.param(1, 3_000, (1, 7), 100, marks=pytest.mark.deep),
        pytest.param(1, 25, (30, 64), 20, marks=pytest.mark.deep),
        pytest.param(2, 20_000, (1, 7), 100, marks=pytest.mark.slow),
    ],
)
def test_random_forms(seed: int, forms: int, leaves: tuple[int, int], points: int) -> None:
    rng = random.Random(seed)
    polygons = [check(random_form(rng, rng.randint(*leaves)), rng, points) for _ in range(forms)]
    assert max(polygons) > 5


def test_of_equal_leaves_the_first_one_read_has_the_region() -> None:
    half = (("x", Fraction(1, 2)),)
    twice = Leaf("third", half, ((Fraction(4), Fraction(1, 2)), (Fraction(1, 2), Fraction(1))))
    leaves = (Leaf("one", (("y", Fraction(1)),)), Leaf("first", half), twice)
    found = regions(
        Form(("x", "y"), leaves, ("min", (0, ("max", (1, 2))))), "x", "y", {},
        box=((1, 100), (1, 100)),
    )  # fmt: skip
    assert [len(found[label]) for label in ("one", "first", "third")] == [1, 1, 0]
    assert area(found["first"][0]) == pytest.approx(0.75 * math.log(100) ** 2, rel=1e-14)


@pytest.mark.parametrize(("kind", "other", "power"), [("min", "max", 1), ("max", "min", -1)])
def test_a_region_is_not_cut_where_one_rival_settles_it(kind: str, other: str, power: int) -> None:
    """1 is below 3 everywhere: that it is larger than x on one half makes no second part."""
    three = Leaf("3", (), ((Fraction(3), Fraction(power)),))
    leaves = (Leaf("1"), Leaf("x", (("x", Fraction(1)),)), three)
    form = Form(("x", "y"), leaves, (kind, (0, (other, (1, 2)))))  # type: ignore[arg-type]
    found = regions(form, "x", "y", {}, box=((0.1, 10), (1, 2)))
    assert [len(polygons) for polygons in found.values()] == [1, 0, 0]


def test_refusals() -> None:
    form = random_form(random.Random(0), 3)
    box = ((1.0, 10.0), (1.0, 10.0))
    for x, y, sizes, words in (
        ("x", "x", {"z": 1}, "x is on both axes"), ("x", "n", {"z": 1}, "n is no letter"),
        ("x", "y", {}, "z has no size"), ("x", "y", {"z": 0}, "z must be positive"),
        ("x", "y", {"z": [1, 2]}, "has one number"),
    ):  # fmt: skip
        with pytest.raises(DomainError, match=words):
            regions(form, x, y, sizes, box=box)
    for wrong in (((1, 1), (1, 2)), ((2, 1), (1, 2)), ((0, 1), (1, 2)), ((1, math.inf), (1, 2))):
        with pytest.raises(DomainError):
            regions(form, "x", "y", {"z": 1}, box=wrong)


def test_rows_of_64_labels() -> None:
    """Sixty-four stripes that all lean; two orders of 64 codes differ in the last place only."""

    def table(heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        edges = np.arange(-31.0, 32.0) + 0.5 * heights[:, None]
        codes = np.tile(np.arange(64), (len(heights), 1))
        codes[heights > 0.3, -1] = 0
        return edges, codes

    x = Axis(low=-32, high=32, log=False)
    found = join_rows(table, [-1, 0, 1], [str(k) for k in range(64)], x=x, log_y=False)
    everywhere = [area(p, False, False) for polygons in found.values() for p in polygons]
    assert sum(everywhere) == pytest.approx(128)
    assert [len(found[str(k)]) for k in (0, 1, 62, 63)] == [2, 1, 1, 1]
    assert area(found["5"][0], False, False) == pytest.approx(2.0)
    assert found["63"][0].y.max() == pytest.approx(0.3, abs=1e-10)
    assert found["0"][1].y.min() == pytest.approx(0.3, abs=1e-10)


def test_a_change_between_rows_is_located_on_a_linear_axis() -> None:
    def table(heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.abs(heights[:, None]), np.where(heights[:, None] < 0, [0, 1], [1, 0])

    x = Axis(low=1e-3, high=math.e)
    found = join_rows(table, [-0.7, 0.9], ["a", "b"], x=x, log_y=False)
    for below, above in found.values():  # the sides change places
        assert (below.y.min(), above.y.max()) == (-0.7, 0.9)
        assert -1e-10 < below.y.max() <= above.y.min() < 1e-10
    everywhere = [p.x for polygons in found.values() for p in polygons]
    assert (min(map(np.min, everywhere)), max(map(np.max, everywhere))) == (1e-3, math.e)
    assert all(np.isclose(x, 1.0, rtol=1e-9, atol=0).any() for x in everywhere)


def test_refusals_of_rows() -> None:
    for low, high, log in ((0.0, 1.0, True), (1.0, 1.0, False), (0.0, math.inf, False)):
        with pytest.raises(DomainError):
            Axis(low=low, high=high, log=log)

    def table(heights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return np.empty((len(heights), 0)), np.zeros((len(heights), 1), dtype=np.int16)

    for rows, words in (([1.0, 1.0], "at least two rows"), ([-1.0, 1.0], "y must be positive")):
        with pytest.raises(DomainError, match=words):
            join_rows(table, rows, ["a"], x=Axis(low=1, high=2), log_y="two" not in words)
