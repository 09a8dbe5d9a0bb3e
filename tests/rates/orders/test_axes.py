"""Thresholds, intervals, maps and tables of cases, against the phases and by evaluation."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.orders import Claim, cases, crossings, drawn, intervals, parse, regions
from rates.proofs import ContradictionError
from tests.rates.maps.test_regimes import load
from tests.rates.orders.test_order import alike
from tests.rates.orders.test_table_one_claims import rate
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


NAMES = {"eps2": "NPt Pt", "eps3": "NPs Ps", "eps11": "Pt Ps", "eps21": "NPt Ps"}
NAMES |= {"epsPtNPs": "Pt NPs"}


def test_thresholds_and_intervals_are_those_of_the_stored_sets():
    at = {f"{c.first} {c.second}": c.at for c in crossings(ALIKE, "eps")}
    seen = 0
    for stored in load("regimes.json")["sets"]:
        sizes = {name: float(stored[name]) for name in ("n", "m", "n0")}
        for row in stored["by_gamma"]:
            shape = {"gamma": row["gamma"], "beta": stored["beta"], "d": stored["d"], "alpha": 1}
            floats = {name: float(x) for name, x in shape.items()}
            for name, pair in NAMES.items():
                if (value := row["endpoints"].get(name)) is not None:
                    assert at[pair].value(sizes, floats) == pytest.approx(float(value), rel=1e-12)
            found = intervals(ALIKE, "eps", sizes, shape, lo=0, hi=1)
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
LINES = ",".join(f"n^(gamma/{k})*m^-{k}/{k}" for k in range(1, 18))
MANY = parse(f"max({LINES})", sizes=["n", "m"], exponents=["gamma"])


@pytest.mark.parametrize(
    ("order", "x", "y", "box"),
    [
        (ALIKE, "eps", "n0", ((1e-6, 1), (10, 1e7))),
        (ALIKE, "eps", "gamma", ((1e-6, 1), (0.5, 3))),
        (ALIKE, "gamma", "n0", ((0.5, 3), (10, 1e7))),
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
            here = both | place
            of = [{k: here[k] for k in part} for part in (order.sizes, order.exponents)]
            label = str(order.deciding(*of))
            around = height * (1 + np.array([-1e-9, 1e-9]))
            hits = [inside(p, place[x], around, *logs).any() for p in found[label]]
            assert any(hits), (place, label)
            seen.add(label)
    assert len(seen) > 1


def test_lines_that_are_nearly_parallel_open_no_cell_by_rounding():
    text = "min(1, A: (n*eps)^(-1/(b+d)), B: (n*eps)^(-1/(b*g+d)))"
    order = parse(text, sizes=["n", "eps"], exponents=["b", "g", "d"])
    for g in [*np.linspace(0.999, 1.001, 60).tolist(), 1 - 1e-7, 1 + 1e-10]:
        found = intervals(order, "eps", {"n": 500}, {"b": 0.5, "g": g, "d": 2}, lo=0, hi=1)
        assert [x.label for x in found] == ["1", "A" if g > 1 - 1e-12 else "B"]
        assert found[0].hi == pytest.approx(1 / 500, rel=1e-12)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        ("q", "eps", "no size"),
        ("eps", "eps", "both axes"),
        ("eps", "beta", "n needs one number"),
        ("d", "beta", "must be a size"),
    ],
)
def test_axes_are_two_letters_and_the_others_have_numbers(x, y, words):
    with pytest.raises(DomainError, match=words):
        regions(ALIKE, x, y, {}, SHAPE, box=((0.1, 1), (0.1, 1)))


# Tables of cases --------------------------------------------------------------------------------

WHERE = ("n >= 2", "m >= 1", "n <= n0 <= m*n", "eps <= 1")


def met(order, texts, sizes, exponents):
    """Where the conditions of a text hold at sizes."""
    out = np.ones(len(sizes["n"]), dtype=bool)
    for line in Claim(order, "1", texts).choices[0].at(order, exponents):
        out &= line.log_constant + sum(float(p) * np.log(sizes[x]) for x, p in line.powers) <= 1e-9
    return out


def test_table_1_finds_itself():
    order = rate((0, 3))
    below, above = sorted(cases(order, "eps", WHERE), key=lambda table: table.exponents)
    assert (below.exponents, above.exponents) == (("gamma < 1",), ("gamma > 1",))
    assert len(below.draws) + len(above.draws) == 12
    rows = itertools.groupby(below.cases, key=lambda case: case.where)
    assert {where: [case.label for case in group] for where, group in rows} == {
        ("n0 <= n*m^(1/2)",): ["1", "Ps", "NPs"],
        ("m >= n^(-2)*n0^(2*(beta*gamma+beta+d)/(2*beta+d))", "n0 >= n*m^(1/2)"): [
            "1", "Pt", "Ps", "NPs",
        ],
        ("m <= n^(-2)*n0^(2*(beta*gamma+beta+d)/(2*beta+d))",): ["1", "Pt", "NPt", "Ps", "NPs"],
    }  # fmt: skip
    ends = {case.label: (str(case.low), str(case.high)) for case in below.cases}
    assert ends["Pt"] == ("1/n0", "n0^(-beta/(2*beta+d))")  # eps1, eps2
    assert ends["NPt"][1] == "m^(-1/2)*n0^((beta*gamma+d)/(2*beta+d))/n"  # eps21, corrected
    assert ends["NPs"][0] == "n^(-beta*gamma/(2*beta*gamma+d))*m^(d/(2*(2*beta*gamma+d)))"  # eps3
    rng = np.random.default_rng(8)
    for exponents in drawn(order, 3, seed=99):
        n, m = 10 ** rng.uniform(0.3, 4, (2, 4000))
        n0, eps = n * m ** rng.uniform(-0.1, 1.1, 4000), 10 ** rng.uniform(-7, 0.3, 4000)
        sizes = {"n": n, "m": m, "n0": n0, "eps": eps}
        table = below if exponents["gamma"] < 1 else above
        inside = met(order, WHERE, sizes, exponents)
        covered, value = np.zeros_like(inside), order.value(sizes, exponents)
        for row in table.cases:  # each size that meets the conditions lies in one that decides
            ends = [f"eps >= {row.low}"] if row.low is not None else []
            ends += [f"eps <= {row.high}"] if row.high is not None else []
            here = inside & met(order, (*row.where, *ends), sizes, exponents)
            covered |= here
            near = np.log(row.rate.value(sizes, exponents) / value)
            assert np.allclose(near[here], 0.0, atol=1e-7)
        assert covered.sum() == inside.sum() > 100


def test_small_tables():
    alone = parse("n^(-1/2)", sizes=["n", "eps"])
    ((row,),) = (table.cases for table in cases(alone, "eps"))
    assert (row.where, row.low, row.high, row.label) == ((), None, None, "1")
    parallel = parse("max(a: 10/(n*eps), b: 1/(m*eps))", sizes=["n", "m", "eps"])
    (table,) = cases(parallel, "eps")
    assert {(row.where, row.label) for row in table.cases} == {
        (("n <= 10*m",), "a"),
        (("n >= 10*m",), "b"),
    }


def test_refusals_of_tables():
    with pytest.raises(DomainError, match="q is no size of the rate"):
        cases(rate((0, 1)), "q")
    with pytest.raises(DomainError, match=r"takes no or.* got n >= 2 or n <= 1"):
        cases(rate((0, 1)), "eps", ("n >= 2 or n <= 1",))
    with pytest.raises(ContradictionError, match="n >= 2 and n <= 1"):
        cases(rate((0, 1)), "eps", ("n >= 2", "m >= 1", "n <= 1"))
