"""Thresholds, intervals and maps, against those of the phases and by brute evaluation."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import rates
from rates.maps import gamma_regions
from rates.numbers import DomainError
from rates.orders import crossings, intervals, parse, regions
from rates.pieces.rows import STRAIGHT

FILE = Path(__file__).parents[4] / "shared" / "vectors" / "regimes.json"
ALIKE = parse(
    "min(NPt: n0*r^(2*beta+d), Pt: n0^2*eps^2*r^(2*beta+2*d))"
    " + m*min(NPs: n*r^(2*beta*gamma+d), Ps: n^2*eps^2*r^(2*beta*gamma+2*d)) = 1",
    sizes=["n", "m", "n0", "eps"],
    exponents=["beta", "gamma", "d", "alpha"],
    unknown="r",
    rate="min(1, r^(beta*(1+alpha)))",
)
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


def sets() -> list[dict]:
    if not FILE.exists():
        pytest.skip(f"no ../shared/vectors/{FILE.name} beside the repository")
    return json.loads(FILE.read_text())["sets"]


def test_thresholds_and_intervals_are_those_of_the_stored_sets():
    at = {(c.first, c.second): c.at for c in crossings(ALIKE, "eps")}
    seen = 0
    for stored in sets():
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
    assert len(sets()) == 12
    assert seen > 12


@pytest.mark.parametrize("place", [None, *range(12)])
def test_the_map_is_that_of_the_phases(place):
    stored = STUDY | SHAPE if place is None else sets()[place]
    sizes = {name: float(stored[name]) for name in ("n", "m", "n0")}
    beta, d, count = float(stored["beta"]), float(stored["d"]), 61 if place is None else 21
    rows, shape = np.linspace(0.5, 3, count), {"beta": beta, "d": d, "alpha": 1}
    found = regions(ALIKE, "eps", "gamma", sizes, shape, box=((1e-6, 1), (0.5, 3)), rows=count)
    known = gamma_regions(**sizes, gamma=rows, beta=beta, d=d, low=1e-6)
    assert set(found) == set(known)
    bent = STRAIGHT * math.log(1e6) * 2.5  # either has further rows of its own where borders curve
    for label, polygons in known.items():
        ours_, theirs_ = (sum(area(p, True, False) for p in x) for x in (found[label], polygons))
        assert ours_ == pytest.approx(theirs_, abs=bent)
        assert len(found[label]) == len(polygons)
        if place == 5:  # where all terms tie, rows around gamma = 1 are not at the same heights
            continue
        for ours, theirs in zip(found[label], polygons, strict=True):
            # Each has further rows of its own where a border curves.
            row, known_row = np.isin(ours.y, rows), np.isin(theirs.y, rows)
            assert ours.x[row] == pytest.approx(theirs.x[known_row], rel=1e-12)


def area(polygon, log_x: bool, log_y: bool) -> float:
    x = np.log(polygon.x) if log_x else polygon.x
    y = np.log(polygon.y) if log_y else polygon.y
    return 0.5 * abs(float((x[:-1] * y[1:] - x[1:] * y[:-1]).sum()))


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
            assert any(covers(p, place[x], height, *logs) for p in found[label]), (place, label)
            seen.add(label)
    assert len(seen) > 1


def test_over_two_exponents_a_border_is_where_terms_are_equal():
    order = parse("max(A: n^a, B: n^b)", sizes=["n"], exponents=["a", "b"])
    found = regions(order, "a", "b", {"n": 9}, {}, box=((1, 2), (1.1, 1.9)), rows=9)
    (polygon,) = found["B"]
    border = polygon.x > 1
    assert polygon.x[border] == pytest.approx(polygon.y[border], abs=1e-11)
    assert border.sum() >= 9


def covers(polygon, x: float, y: float, log_x: bool, log_y: bool) -> bool:
    """Whether a point, or one just above or below it, lies in a polygon."""
    px = np.log(polygon.x) if log_x else polygon.x
    py = np.log(polygon.y) if log_y else polygon.y
    u, v = math.log(x) if log_x else x, math.log(y) if log_y else y
    inside = False
    for nudge in (-1e-9, 1e-9):
        a, b = py[:-1] - v - nudge, py[1:] - v - nudge
        cuts = (a > 0) != (b > 0)
        meet = px[:-1][cuts] + (px[1:] - px[:-1])[cuts] * a[cuts] / (a - b)[cuts]
        inside |= int((meet < u).sum()) % 2 == 1
    return inside


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


def test_a_crossing_may_be_valued():
    at = crossings(ALIKE, "eps")[2].at
    assert at.value({"n": 1, "m": 1, "n0": 1e5}, SHAPE) == pytest.approx(
        rates.endpoints(1e4, 100, 1e5, gamma=1.2, beta=0.5, d=2).eps2, rel=1e-13
    )
