"""Worlds: every stated constant against integration, search or draws."""

from __future__ import annotations

import numpy as np
import pytest

from sims.acc.worlds import Cusp, Quadrants, World

CUSPS = [
    Cusp(),
    Cusp(dimension=2),
    Cusp(smoothness=0.5, right=0.6, left=0.2),
    Cusp(smoothness=0.5, right=0.2, left=0.7, dimension=2),
]
WORLDS: list[World] = [*CUSPS, Quadrants()]
GAMMAS = [0.3, 0.5, 1.0, 1.7, 4.0]


def fine(world: World, edges: np.ndarray, gamma: float, sub: int) -> np.ndarray:
    """Averages of the signal over cells by the midpoint rule with sub^d points each."""
    width = np.diff(edges)
    x = (edges[:-1, None] + width[:, None] * (np.arange(sub) + 0.5) / sub).ravel()
    if world.dimension == 1:
        return world.signal(x[:, None], gamma).reshape(-1, sub).mean(1)
    points = np.stack(np.meshgrid(x, x, indexing="ij"), axis=-1)
    f = world.signal(points, gamma)
    return f.reshape(len(width), sub, len(width), sub).mean((1, 3))


@pytest.mark.parametrize("world", WORLDS, ids=repr)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_averages_are_the_integrals(world, gamma):
    edges = np.array([0.0, 0.13, 0.31, 0.47, 0.5, 0.51, 0.77, 0.93, 1.0])
    got = world.averages([edges] * world.dimension, gamma)
    want = fine(world, edges, gamma, 4000 if world.dimension == 1 else 120)
    np.testing.assert_allclose(np.broadcast_to(got, want.shape), want, atol=2e-3)
    assert np.abs(got).max() <= 0.5


@pytest.mark.parametrize("world", WORLDS, ids=repr)
def test_loss_and_bayes_risk_belong_together(world):
    edges = np.linspace(0.0, 1.0, 33)
    total = float(world.loss([edges] * world.dimension).sum())
    assert total == pytest.approx(1.0 - 2.0 * world.bayes_risk, rel=1e-12)
    signal = np.abs(fine(world, edges, 1.0, 200 if world.dimension == 1 else 40)).mean()
    assert 0.5 - signal == pytest.approx(world.bayes_risk, abs=1e-3)


@pytest.mark.parametrize("world", CUSPS, ids=repr)
def test_the_margin_condition_is_met_with_equality(world):
    """P(|f| <= t) is C t^alpha, with C of both slopes, until the flatter side is used up."""
    x = (np.arange(200_000) + 0.5) / 200_000
    f = np.abs(world.signal(np.stack([x] * world.dimension, axis=-1)))
    constant = world.right**-world.margin + world.left**-world.margin
    most = min(world.right, world.left) * 0.5**world.smoothness
    for t in np.linspace(0.01, 1.0, 5) * most:
        assert (f <= t).mean() == pytest.approx(constant * t**world.margin, abs=1e-4)


@pytest.mark.parametrize("world", WORLDS, ids=repr)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_sources_have_their_signal_exponent(world, gamma):
    rng = np.random.default_rng(1)
    x = rng.random((100_000, world.dimension))
    x = np.concatenate([x, np.zeros((1, world.dimension)), np.ones((1, world.dimension))])
    f, g = world.signal(x), world.signal(x, gamma)
    assert ((f > 0) == (g > 0)).all()
    ratio = np.abs(g) / np.abs(f) ** gamma
    cusp = isinstance(world, Cusp)
    largest = max(world.right, world.left) * 0.5**world.smoothness if cusp else 0.5
    constant = min(1.0, 0.5 / largest**gamma)  # the least |f_S| / |f|^γ; 1 unless cut
    assert ratio.min() == pytest.approx(constant, rel=1e-9)
    assert (constant == 1.0) == (gamma >= 1.0 or np.abs(g).max() < 0.5)
