"""The table of cases: Table 1 of ACC by itself, and against what decides at drawn sizes."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rates.numbers import DomainError
from rates.orders import Claim, cases, drawn, parse
from rates.proofs import ContradictionError
from tests.rates.orders.test_claims import alike

WHERE = ("n >= 2", "m >= 1", "n <= n0 <= m*n", "eps <= 1")


def met(order, texts, sizes, exponents):
    """Where the conditions of a text hold at sizes."""
    out = np.ones(len(sizes["n"]), dtype=bool)
    for line in Claim(order, "1", texts).choices[0].at(order, exponents):
        out &= line.log_constant + sum(float(p) * np.log(sizes[x]) for x, p in line.powers) <= 1e-9
    return out


def agrees(order, table, where, exponents, sizes):
    """Every drawn size that meets the conditions lies in a row, and its term decides there."""
    inside = met(order, where, sizes, exponents)
    covered = np.zeros_like(inside)
    rate = order.value(sizes, exponents)
    x = table.along
    for row in table.cases:
        ends = tuple(
            text
            for text, end in (
                (f"{x} >= {row.low}", row.low),
                (f"{x} <= {row.high}", row.high),
            )
            if end is not None
        )
        here = inside & met(order, (*row.where, *ends), sizes, exponents)
        covered |= here
        assert np.allclose(np.log(row.rate.value(sizes, exponents) / rate)[here], 0.0, atol=1e-7)
    assert covered.sum() == inside.sum() > 100


def drawn_sizes(rng, count=4000):
    n, m = 10 ** rng.uniform(0.3, 4, (2, count))
    n0 = n * m ** rng.uniform(-0.1, 1.1, count)
    return {"n": n, "m": m, "n0": n0, "eps": 10 ** rng.uniform(-7, 0.3, count)}


def test_table_1_finds_itself():
    order = alike(gamma=(0, 3))
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
        table = below if exponents["gamma"] < 1 else above
        agrees(order, table, WHERE, exponents, drawn_sizes(rng))


@pytest.mark.parametrize(
    "where",
    [
        pytest.param((), marks=pytest.mark.deep),
        pytest.param(("n >= 1", "eps <= 1"), marks=pytest.mark.deep),
        ("n0 = n", "m >= 3"),
    ],
)
def test_the_table_at_given_exponents_is_whole(where):
    order, rng = alike(gamma=(0, 3)), np.random.default_rng(3)
    for exponents in drawn(order, 2, seed=5):
        for along in ("eps", "n0"):
            if along == "n0" and "n0 = n" in where:
                continue
            (table,) = cases(order, along, where, exponents)
            sizes = drawn_sizes(rng)
            if "n0 = n" in where:
                sizes["n0"] = sizes["n"]
            agrees(order, table, where, exponents, sizes)


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


def test_refusals():
    with pytest.raises(DomainError, match="q is no size of the rate"):
        cases(alike(), "q")
    with pytest.raises(DomainError, match=r"takes no or.* got n >= 2 or n <= 1"):
        cases(alike(), "eps", ("n >= 2 or n <= 1",))
    with pytest.raises(ContradictionError, match="n >= 2 and n <= 1"):
        cases(alike(), "eps", ("n >= 2", "m >= 1", "n <= 1"))
