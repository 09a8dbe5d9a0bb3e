"""Explicit forms, what decides, and values, against the engine of the two equations."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import rates
from rates.orders import parse

FILE = Path(__file__).parents[4] / "shared" / "vectors" / "vectors.json"
SIZES = ("n", "m", "n0", "eps")
EXPONENTS = ("beta", "gamma", "d", "alpha")
EQUATION_5 = (
    "min(NPt: n0*r^(2*beta+d), Pt: n0^2*eps^2*r^(2*beta+2*d))"
    " + m*min(NPs: n*r^(2*beta*gamma+d), Ps: n^2*eps^2*r^(2*beta*gamma+2*d)) = 1"
)
OUTER = "min(1, r^(beta*(1+alpha)))"


def alike():
    return parse(EQUATION_5, sizes=SIZES, exponents=EXPONENTS, unknown="r", rate=OUTER)


def test_equation_5_with_its_outer_rate_gives_the_four_terms():
    order = alike().explicit()
    assert str(order) == (
        "min(1, max(NPt: n0^(-beta*(alpha+1)/(2*beta+d)), Pt: (n0*eps)^(-beta*(alpha+1)/(beta+d))),"
        " max(NPs: (m*n)^(-beta*(alpha+1)/(2*beta*gamma+d)),"
        " Ps: m^(-beta*(alpha+1)/(2*(beta*gamma+d)))*(n*eps)^(-beta*(alpha+1)/(beta*gamma+d))))"
    )
    assert parse(str(order), **order.letters) == order


def test_what_decides_is_what_governs():
    rng = np.random.default_rng(21)
    order = alike()
    for _ in range(40):
        beta, gamma, d = rng.uniform(0.1, 1), rng.uniform(0.2, 3), int(rng.integers(1, 6))
        n, m, n0, eps = (
            10 ** rng.uniform(low, high, 25) for low, high in ((1, 6), (0, 4), (0, 8), (-6, 0))
        )
        exponents = {"beta": beta, "gamma": gamma, "d": d, "alpha": 1}
        found = order.deciding({"n": n, "m": m, "n0": n0, "eps": eps}, exponents)
        assert (found == rates.governing(n, m, n0, eps, gamma=gamma, beta=beta, d=d)).all()


HETEROGENEOUS = {
    "r": parse(
        "sum_j(min(n*r^(2*beta*gamma+d), n^2*eps^2*r^(2*beta*gamma+2*d))) = 1",
        sizes=["n", "eps"],
        exponents=["beta", "gamma", "d"],
        unknown="r",
        sites=["n", "eps", "gamma"],
    ),
    "D": parse(
        "D^(2*g+2) = sum_j(min(n^2*eps^2, n*D))",
        sizes=["n", "eps"],
        exponents=["g"],
        unknown="D",
        sites=["n", "eps"],
    ),
}


def vectors() -> list[dict]:
    if not FILE.exists():
        pytest.skip(f"no ../shared/vectors/{FILE.name} beside the repository")
    return [v for v in json.loads(FILE.read_text())["vectors"] if v["kind"] in HETEROGENEOUS]


def test_the_typed_equations_have_the_roots_of_the_engine():
    seen = 0
    for vector in vectors():
        given, order = vector["input"], HETEROGENEOUS[vector["kind"]]
        if vector["kind"] == "D":
            sizes = {name: list(map(float, given[name])) for name in ("n", "eps")}
            exponents = {"g": float(given["smoothness"])}
            engine = rates.solve_D(sizes["n"], sizes["eps"], smoothness=exponents["g"])
        else:
            rows = given["servers"]
            sizes = {name: [float(row[name]) for row in rows] for name in ("n", "eps")}
            exponents = {name: float(given[name]) for name in ("beta", "d")}
            exponents["gamma"] = [float(row["gamma"]) for row in rows]
            engine = rates.solve_r(sizes["n"], sizes["eps"], **exponents)
        root = order.value(sizes, exponents)
        assert root == pytest.approx(engine, rel=1e-12), vector["id"]
        assert root == pytest.approx(float(vector["expected"][vector["kind"]]), rel=1e-11)
        seen += 1
    assert seen == 44
