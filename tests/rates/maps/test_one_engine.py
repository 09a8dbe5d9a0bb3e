"""Equation (4) as a form of five leaves: the same regimes, and maps of the same areas."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from rates.maps import regimes, site_regions, target_regions
from rates.pieces import Form, Leaf, Polygon, intervals, regions

FILE = Path(__file__).parents[4] / "shared" / "vectors" / "regimes.json"


def equation_4(beta: float, gamma: float, d: float) -> Form:
    """The logs of r behind the terms; the labels stand in the order of the tie rule."""
    b, g, k = (Fraction(str(x)) for x in (beta, gamma, d))
    target, sources = -1 / (2 * b + k), -1 / (2 * b * g + k)
    private, alike = -1 / (b + k), -1 / (b * g + k)
    leaves = (
        Leaf("1"),
        Leaf("Pt", (("n0", private), ("eps", private))),
        Leaf("NPt", (("n0", target),)),
        Leaf("Ps", (("m", alike / 2), ("n", alike), ("eps", alike))),
        Leaf("NPs", (("m", sources), ("n", sources))),
    )
    tree = ("min", (0, ("max", (1, 2)), ("max", (3, 4))))
    return Form(("n", "m", "n0", "eps"), leaves, tree)  # type: ignore[arg-type]


def compare(n: float, m: float, n0: float, beta: float, gamma: float, d: float) -> None:
    ours = regimes(n, m, n0, gamma=gamma, beta=beta, d=d)
    found = intervals(equation_4(beta, gamma, d), "eps", {"n": n, "m": m, "n0": n0}, lo=0.0, hi=1.0)
    assert [row.label for row in found] == [row.rate for row in ours]
    ends = [[x.hi for x in rows] for rows in (found, ours)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-12, abs=0)


def test_the_vectors() -> None:
    if not FILE.exists():
        pytest.skip(f"no ../shared/vectors/{FILE.name} beside the repository")
    for group in json.loads(FILE.read_text("utf-8"))["sets"]:
        for row in group["by_gamma"]:
            sizes = (group["n"], group["m"], group["n0"])
            compare(*sizes, float(group["beta"]), float(row["gamma"]), group["d"])


def test_random_designs() -> None:
    draws = np.random.default_rng(4)
    for _ in range(80):
        n, m, n0 = (10 ** draws.uniform((0, 0, 0), (7, 4, 8))).tolist()
        beta, gamma = draws.uniform((0.1, 0.2), (1, 3)).round(3).tolist()
        compare(n, m, n0, beta, gamma, int(draws.integers(1, 9)))


def area(polygons: tuple[Polygon, ...]) -> float:
    total = 0.0
    for p in polygons:
        x, y = np.log(p.x / p.x[0]), np.log(p.y / p.y[0])
        total += abs(float(np.sum(x[:-1] * y[1:] - x[1:] * y[:-1]))) / 2
    return total


@pytest.mark.parametrize("gamma", [0.6, 1.0, 1.2, 2.5])
def test_maps_over_two_sizes(gamma: float) -> None:
    """Rows and polygons are two ways to one map; with mn fixed, n stands for its share."""
    shape = {"beta": 0.5, "d": 2.0}
    form = equation_4(gamma=gamma, **shape)
    by_rows = target_regions(
        1e4, 100, n0=np.geomspace(1, 1e8, 40), gamma=gamma, **shape, low=1e-7, high=3.0
    )
    found = regions(form, "eps", "n0", {"n": 1e4, "m": 100}, box=((1e-7, 3.0), (1.0, 1e8)))
    whole = np.log(3e7) * np.log(1e8)
    for label, polygons in found.items():
        assert area(polygons) == pytest.approx(area(by_rows[label]), abs=1e-9 * whole)
    spread = tuple(
        Leaf(x.label, tuple((s, p - dict(x.powers).get("n", 0) if s == "m" else p)
                            for s, p in x.powers), x.factors)
        for x in form.leaves
    )  # fmt: skip
    by_rows = site_regions(1e6, 8e4, m=np.geomspace(1, 1e5, 40), gamma=gamma, **shape, low=1e-7)
    found = regions(
        Form(form.letters, spread, form.tree), "eps", "m", {"n": 1e6, "n0": 8e4},
        box=((1e-7, 1.0), (1.0, 1e5)),
    )  # fmt: skip
    whole = np.log(1e7) * np.log(1e5)
    for label, polygons in found.items():
        assert area(polygons) == pytest.approx(area(by_rows[label]), abs=1e-9 * whole)
