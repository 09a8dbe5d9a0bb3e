"""Maps of the deciding term: every point lies in the polygon of its label, areas add up."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from rates.maps import phases
from rates.maps.phases import gamma_regions, governing
from rates.numbers.parameters import DomainError
from rates.pieces import Polygon
from tests.rates.pieces.forms import area, inside

Map = dict[str, tuple[Polygon, ...]]


def check(
    found: Map,
    label: Callable[[np.ndarray, np.ndarray], np.ndarray],
    x: tuple[float, float],
    y: tuple[float, float],
    log_y: bool,
    slack: float,
) -> None:
    """Compare with the labels of random points; those within ``slack`` of an edge are left out."""
    fy = np.log if log_y else np.asarray
    assert tuple(found) == phases.LABELS
    for polygons in found.values():
        for p in polygons:
            assert (p.x[0], p.y[0]) == (p.x[-1], p.y[-1])
            assert np.isfinite(p.x).all()
            assert p.x.min() >= x[0] * (1 - 1e-15)
            assert p.x.max() <= x[1] * (1 + 1e-15)
    whole = float(np.diff(np.log(x))[0] * np.diff(fy(y))[0])
    total = sum(area(p, True, log_y) for polygons in found.values() for p in polygons)
    assert total == pytest.approx(whole, rel=1e-8)
    rng = np.random.default_rng(5)
    xs, ys = np.exp(rng.uniform(*np.log(x), 400)), rng.uniform(*fy(y), 400)
    ys = np.exp(ys) if log_y else ys
    truth = label(xs, ys)
    sure = np.ones(len(xs), dtype=bool)
    for factor in (1 - slack, 1 + slack):
        sure &= (label(xs * factor, ys) == truth) & (label(xs, ys * factor) == truth)
    assert sure.mean() > 0.9
    for name, polygons in found.items():
        hits = np.zeros(len(xs), dtype=int)
        for p in polygons:
            hits += inside(p, xs, ys, True, log_y)
        assert np.array_equal(hits[sure], (truth == name)[sure].astype(int)), name


@pytest.mark.parametrize(
    "case", [(1e4, 100, 8e4, 0.5, 2), (500, 1, 500, 0.5, 2), (1000, 0, 500, 0.5, 2)]
)
def test_budget_and_exponent(case: tuple[float, ...]) -> None:
    *sizes, beta, d = case
    found = gamma_regions(*sizes, gamma=np.linspace(0.1, 4, 241), beta=beta, d=d, low=1e-7)

    def label(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return governing(*sizes, x, gamma=y, beta=beta, d=d)

    check(found, label, (1e-7, 1.0), (0.1, 4.0), log_y=False, slack=2e-3)


def test_refusals() -> None:
    rest = {"beta": 0.5, "d": 2}
    for low, high in ((0.0, 1.0), (1.0, 1.0), (0.1, math.inf)):
        with pytest.raises(DomainError):
            gamma_regions(10, 2, 15, gamma=[1, 2], **rest, low=low, high=high)
    for heights in ([1.0], [0.0, 1.0], [1.0, 1.0]):
        with pytest.raises(DomainError):
            gamma_regions(10, 2, 15, gamma=heights, **rest, low=0.1)
    with pytest.raises(DomainError, match="m must be"):
        gamma_regions(10, -1, 15, gamma=[1, 2], **rest, low=0.1)
