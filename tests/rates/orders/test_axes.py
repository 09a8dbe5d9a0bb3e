"""Thresholds, intervals and maps, against those of the phases and by brute evaluation."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.orders import crossings, intervals, parse, regions
from tests.rates.maps.test_regimes import load
from tests.rates.orders.test_order import alike
from tests.rates.pieces.forms import area, inside

ALIKE = alike()

SHAPE = {"beta": 0.5, "gamma": 1.2, "d": 2, "alpha": 1}
STUDY = {"n": 1e4, "m": 100, "n0": 8e4, "eps": 0.1}


def test_the_endpoints_of_corollary_3_2_in_closed_form():
    found = {(c.first, c.second): str(c.at) for c in crossings(ALIKE, "eps")}
    assert found == {
        ("1", "Pt"): "1/n0",
        ("1", "Ps"): "m^(-1/2)/n",
        ("NPt", "Pt"): "n0^(-beta/(2*beta+d))",
        ("NPs", "Ps"): "m^(d/(2*(2*beta*gamma+d)))*n^(-beta*gamma/(2*beta*gamma+d))",
        ("Pt", "Ps"): "m^((beta+d)/(2*beta*(gamma-1)))*n^((beta+d)/(beta*(gamma-1)))"
        "*n0^(-(beta*gamma+d)/(beta*(gamma-1)))",
        ("NPt", "Ps"): "m^(-1/2)*n0^((beta*gamma+d)/(2*beta+d))/n",
        ("Pt", "NPs"): "(m*n)^((beta+d)/(2*beta*gamma+d))/n0",
    }


NAMES = {
    "eps2": ("NPt", "Pt"),
    "eps3": ("NPs", "Ps"),
    "eps11": ("Pt", "Ps"),
    "eps21": ("NPt", "Ps"),
    "epsX": ("Pt", "NPs"),
}


def test_thresholds_and_intervals_are_those_of_the_stored_sets():
    at = {(c.first, c.second): c.at for c in crossings(ALIKE, "eps")}
    seen = 0
    for stored in load("regimes.json")["sets"]:
        sizes = {name: float(stored[name]) for name in ("n", "m", "n0")}
        for row in stored["by_gamma"]:
            shape = {"gamma": row["gamma"], "beta": stored["beta"], "d": stored["d"], "alpha": 1}
            floats = {name: float(x) for name, x in shape.items()}
            for name, pair in NAMES.items():
                stored_name = "epsPtNPs" if name == "epsX" else name
                if (value := row["endpoints"].get(stored_name)) is not None:
                    assert at[pair].value(sizes, floats) == pytest.approx(float(value), rel=1e-12)
            found = intervals(ALIKE, "eps", sizes, shape, lo=0, hi=1)
            assert len(found) == len(row["regimes"])
            for ours, theirs in zip(found, row["regimes"], strict=True):
                assert ours.label in theirs["rate"].removeprefix("tie:").split("=")
            ends = [float(x["hi"]) for x in row["regimes"]]
            assert [x.hi for x in found] == pytest.approx(ends, rel=1e-12)
            seen += 1
    assert seen == 129


CURVED = parse(  # terms meet where polynomials of third and fourth degree in beta vanish
    "max(min(n^(1/(beta*beta+d)), m^2), m^(beta/(d+1)), (n*m)^(beta*beta*d/4)/9) + 1/2",
    sizes=["n", "m"],
    exponents=["beta", "d"],
)
MANY = parse(
    "max({})".format(",".join(f"n^(gamma/{k})*m^-{k}/{k}" for k in range(1, 18))),
    sizes=["n", "m"],
    exponents=["gamma"],
)


@pytest.mark.parametrize(
    ("order", "x", "y", "box"),
    [
        (ALIKE, "eps", "n0", ((1e-6, 1), (10, 1e7))),
        (ALIKE, "eps", "gamma", ((1e-6, 1), (0.5, 3))),
        (ALIKE, "gamma", "n0", ((0.5, 3), (10, 1e7))),
        (ALIKE, "gamma", "beta", ((0.5, 3), (0.1, 1))),
        (ALIKE, "d", "gamma", ((1, 9), (0.5, 3))),
        (CURVED, "beta", "d", ((0.1, 3), (0.2, 2))),
        (CURVED, "beta", "m", ((0.1, 3), (0.2, 20))),
        (MANY, "n", "gamma", ((1e-4, 1e4), (0.5, 3))),
    ],
)
def test_a_map_covers_its_box_and_says_what_decides(order, x, y, box):
    rows = 31
    both = STUDY | SHAPE | ({"n": 50.0, "m": 7.0} if order is CURVED else {"m": 0.9})
    sizes = {k: both[k] for k in order.sizes if k not in (x, y)}
    shape = {k: both[k] for k in order.exponents if k not in (x, y)}
    found = regions(order, x, y, sizes, shape, box=box, rows=rows)
    logs = [letter in order.sizes for letter in (x, y)]
    wide = [math.log(b / a) if log else b - a for (a, b), log in zip(box, logs, strict=True)]
    total = sum(area(p, *logs) for polygons in found.values() for p in polygons)
    assert total == pytest.approx(wide[0] * wide[1], rel=1e-9)
    draw = np.random.default_rng(0)
    even = np.geomspace if logs[1] else np.linspace
    seen = set()
    for height in even(*box[1], rows)[1:-1:7]:  # rows, where ends are exact
        for at in draw.uniform(*(np.log(box[0]) if logs[0] else box[0]), 25):
            place = {x: math.exp(at) if logs[0] else at, y: height}
            label = str(
                order.deciding(
                    sizes | {k: v for k, v in place.items() if k in order.sizes},
                    shape | {k: v for k, v in place.items() if k in order.exponents},
                )
            )
            around = height * (1 + np.array([-1e-9, 1e-9]))
            hits = [inside(p, place[x], around, *logs).any() for p in found[label]]
            assert any(hits), (place, label)
            seen.add(label)
    assert len(seen) > 1


def test_over_two_exponents_a_border_is_where_terms_are_equal():
    order = parse("max(A: n^a, B: n^b)", sizes=["n"], exponents=["a", "b"])
    found = regions(order, "a", "b", {"n": 9}, {}, box=((1, 2), (1.1, 1.9)), rows=9)
    (polygon,) = found["B"]
    border = polygon.x > 1
    assert polygon.x[border] == pytest.approx(polygon.y[border], abs=1e-11)
    assert border.sum() >= 9


def test_lines_that_are_nearly_parallel_open_no_cell_by_rounding():
    order = parse(
        "min(1, A: (n*eps)^(-1/(b+d)), B: (n*eps)^(-1/(b*g+d)))",
        sizes=["n", "eps"],
        exponents=["b", "g", "d"],
    )
    for g in [*np.linspace(0.999, 1.001, 60).tolist(), 1 - 1e-7, 1 + 1e-10]:
        found = intervals(order, "eps", {"n": 500}, {"b": 0.5, "g": g, "d": 2}, lo=0, hi=1)
        assert [x.label for x in found] == ["1", "A" if g > 1 - 1e-12 else "B"]
        assert found[0].hi == pytest.approx(1 / 500, rel=1e-12)


def test_parallel_terms_do_not_cross():
    order = parse("max(n^-1*m, n^-1, n^(-1/2))", sizes=["n", "m"])
    assert [(c.first, c.second, str(c.at)) for c in crossings(order, "n")] == [
        ("1", "3", "m^2"),
        ("2", "3", "1"),
    ]


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [("q", "eps", "no size"), ("eps", "eps", "both axes"), ("eps", "beta", "n needs one number")],
)
def test_axes_are_two_letters_and_the_others_have_numbers(x, y, words):
    with pytest.raises(DomainError, match=words):
        regions(ALIKE, x, y, {}, SHAPE, box=((0.1, 1), (0.1, 1)))
