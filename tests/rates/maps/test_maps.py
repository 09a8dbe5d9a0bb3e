"""Maps of the deciding term: every point lies in the polygon of its label, areas add up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.maps import phases
from rates.maps.phases import gamma_regions, governing
from rates.numbers import DomainError
from tests.rates.pieces.forms import area, inside


@pytest.mark.parametrize(
    "case", [(1e4, 100, 8e4, 0.5, 2), (500, 1, 500, 0.5, 2), (1000, 0, 500, 0.5, 2)]
)
def test_budget_and_exponent(case: tuple[float, ...]) -> None:
    """Labels of random points; those within a five hundredth of an edge are left out."""
    *sizes, beta, d = case
    found = gamma_regions(*sizes, gamma=np.linspace(0.1, 4, 241), beta=beta, d=d, low=1e-7)

    def label(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return governing(*sizes, x, gamma=y, beta=beta, d=d)

    assert tuple(found) == phases.LABELS
    every = [p for polygons in found.values() for p in polygons]
    for p in every:
        assert (p.x[0], p.y[0]) == (p.x[-1], p.y[-1])
        assert np.isfinite(p.x).all()
        assert 1e-7 * (1 - 1e-15) <= p.x.min() <= p.x.max() <= 1 + 1e-15
    whole = math.log(1e7) * 3.9
    assert sum(area(p, True, False) for p in every) == pytest.approx(whole, rel=1e-8)
    rng = np.random.default_rng(5)
    xs, ys = np.exp(rng.uniform(math.log(1e-7), 0.0, 400)), rng.uniform(0.1, 4.0, 400)
    truth, sure = label(xs, ys), np.ones(400, dtype=bool)
    for factor in (1 - 2e-3, 1 + 2e-3):
        sure &= (label(xs * factor, ys) == truth) & (label(xs, ys * factor) == truth)
    assert sure.mean() > 0.9
    for name, polygons in found.items():
        hits = sum((inside(p, xs, ys, True, False).astype(int) for p in polygons), np.zeros(400))
        assert np.array_equal(hits[sure], (truth == name)[sure]), name


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
