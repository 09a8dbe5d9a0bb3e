"""Two rates at once: patches cover the box, signs and the largest gap as sampled."""

from __future__ import annotations

import numpy as np
import pytest

from rates.orders import Claim, compare, decide, drawn, parse
from tests.rates.orders.test_claims import EXPONENTS, NPS, NPT, PS, PT, SIZES, alike

BOX = ((10.0, 1e6), (1e-6, 1.0))
FIXED = {"m": 50.0, "n0": 4e4}


def test_patches_tile_the_box_and_say_who_is_larger():
    rng = np.random.default_rng(2)
    order = alike()
    rival = parse(f"max({PT}, min({NPT}, {PS}, {NPS}))", sizes=SIZES, exponents=EXPONENTS)
    for exponents in drawn(order, 6, seed=2):
        found = compare(order, rival, "n", "eps", FIXED, exponents, box=BOX)
        whole = np.log(1e5) * np.log(1e6)
        areas = [_area(p.polygon) / whole for p in found.patches]
        assert sum(areas) == pytest.approx(1.0, abs=1e-9)
        same = [a for a, p in zip(areas, found.patches, strict=True) if not p.larger]
        assert sum(same) == pytest.approx(found.agree, abs=1e-9)
        n, eps = np.exp(rng.uniform(*np.log(BOX).T, (4000, 2))).T
        sizes = {**FIXED, "n": n, "eps": eps}
        gap = np.log(order.value(sizes, exponents) / rival.value(sizes, exponents))
        assert np.abs(gap).max() <= np.log(found.factor) + 1e-9
        assert np.mean(np.abs(gap) < 1e-9) == pytest.approx(found.agree, abs=0.03)
        there = {**FIXED, **found.place}
        ratio = order.value(there, exponents) / rival.value(there, exponents)
        larger = ratio if found.larger == "first" else 1 / ratio
        assert larger == pytest.approx(found.factor, rel=1e-9)
        for patch in found.patches:
            middle = {
                "n": np.exp(np.log(patch.polygon.x[:-1]).mean()),
                "eps": np.exp(np.log(patch.polygon.y[:-1]).mean()),
            }
            sizes = {**FIXED, **middle}
            gap = np.log(order.value(sizes, exponents) / rival.value(sizes, exponents))
            sign = {"": 0, "first": 1, "second": -1}[patch.larger]
            assert (np.sign(gap) if abs(gap) > 1e-9 else 0) == sign
            if not patch.larger:
                assert order.deciding(sizes, exponents) == patch.first


def test_the_largest_gap_is_the_constant_of_the_claim():
    order, exponents = alike(), {"beta": 0.5, "gamma": 0.7, "d": 2}
    rival = parse(NPT, sizes=SIZES, exponents=EXPONENTS)
    found = compare(order, rival, "n", "eps", FIXED, exponents, box=BOX)
    box = ("10 <= n <= 1e6", "1e-6 <= eps <= 1", "m == 50", "n0 == 4e4")
    claim = Claim(order, NPT, box)
    assert decide(claim, exponents).constant == pytest.approx(found.factor, rel=1e-9)
    again = compare(rival, order, "n", "eps", FIXED, exponents, box=BOX)
    assert again.factor == pytest.approx(found.factor, rel=1e-9)
    assert {found.larger, again.larger} == {"first", "second"}
    alone = compare(order, order, "n", "eps", FIXED, exponents, box=BOX)
    assert (alone.factor, alone.larger, alone.place) == (1.0, "", {})
    assert alone.agree == pytest.approx(1.0, abs=1e-9)


def test_rates_that_cross_inside_a_term():
    one = parse("10/n", sizes=["n", "m"])
    other = parse("1/m", sizes=["n", "m"])
    found = compare(one, other, "n", "m", {}, {}, box=((1.0, 100.0), (1.0, 100.0)))
    said = {p.larger: (p.polygon.x.max(), p.polygon.y.max()) for p in found.patches}
    assert said["first"] == (100.0, 100.0)
    assert said["second"] == pytest.approx((100.0, 10.0))
    assert (found.agree, found.larger) == (0.0, "first")
    assert (found.factor, found.place) == (pytest.approx(1000.0), {"n": 1.0, "m": 100.0})


def _area(polygon) -> float:
    x, y = np.log(polygon.x), np.log(polygon.y)
    return 0.5 * abs(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))
