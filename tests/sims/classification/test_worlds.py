"""Worlds: every stated constant against integration, search or draws."""

from __future__ import annotations

import numpy as np
import pytest

from rates.numbers.parameters import DomainError
from sims.classification.worlds import Cusp, Quadrants, World

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


@pytest.mark.parametrize("world", WORLDS, ids=lambda w: w.title)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_averages_are_the_integrals(world, gamma):
    edges = np.array([0.0, 0.13, 0.31, 0.47, 0.5, 0.51, 0.77, 0.93, 1.0])
    got = world.averages([edges] * world.dimension, gamma)
    want = fine(world, edges, gamma, 4000 if world.dimension == 1 else 120)
    np.testing.assert_allclose(np.broadcast_to(got, want.shape), want, atol=2e-3)
    assert np.abs(got).max() <= 0.5


@pytest.mark.parametrize("world", WORLDS, ids=lambda w: w.title)
def test_loss_and_bayes_risk_belong_together(world):
    edges = np.linspace(0.0, 1.0, 33)
    total = float(world.loss([edges] * world.dimension).sum())
    assert total == pytest.approx(1.0 - 2.0 * world.bayes_risk, rel=1e-12)
    signal = np.abs(fine(world, edges, 1.0, 200 if world.dimension == 1 else 40)).mean()
    assert 0.5 - signal == pytest.approx(world.bayes_risk, abs=1e-3)


def test_constants_by_hand():
    world = Cusp()
    assert world.bayes_risk == pytest.approx(0.5 - 0.5 * (0.45 + 0.15) * 0.5)
    assert (world.margin, world.holder_constant) == (1.0, 0.9)
    assert world.margin_constant == pytest.approx(1 / 0.9 + 1 / 0.3)
    assert world.margin_probability(0.15) == pytest.approx(0.15 / 0.9 + 0.5)
    assert world.margin_probability(0.45) == 1.0
    assert Quadrants().bayes_risk == pytest.approx(0.0796573590, abs=1e-9)


@pytest.mark.parametrize("world", CUSPS, ids=lambda w: w.title)
def test_the_margin_condition_is_met_with_equality(world):
    t = np.linspace(0.01, 1.0, 20) * world.clear
    got = [world.margin_probability(s) for s in t]
    np.testing.assert_allclose(got, world.margin_constant * t**world.margin, rtol=1e-12)
    x = (np.arange(200_000) + 0.5) / 200_000
    f = np.abs(world.signal(np.stack([x] * world.dimension, axis=-1)))
    for s in t[::5]:
        assert (f <= s).mean() == pytest.approx(world.margin_probability(s), abs=1e-4)


def test_the_margin_of_the_quadrants_fails_at_four_and_holds_below():
    world, t = Quadrants(), 10.0 ** -np.arange(1.0, 9.0)
    p = np.array([world.margin_probability(s) for s in t])
    assert (np.diff(p / t**4) > 1.0).all()  # grows by a logarithm
    assert (np.diff(p / t**3.5)[1:] < 0).all()
    u = np.abs((np.arange(4000) + 0.5) / 4000 - 0.5)
    share = (np.multiply.outer(u, u) <= 0.3**4).mean()
    assert share == pytest.approx(world.margin_probability(0.3), abs=1e-3)
    assert world.margin_probability(0.0) == 0.0


@pytest.mark.parametrize("world", CUSPS, ids=lambda w: w.title)
def test_holder_constant_bounds_and_is_attained(world):
    rng = np.random.default_rng(0)
    x, y = 0.5 + 0.5 * (rng.random(400_000) - 0.5), 0.5 + 0.5 * (rng.random(400_000) - 0.5)
    f = [world.signal(np.stack([z] * world.dimension, axis=-1)) for z in (x, y)]
    ratio = np.abs(f[0] - f[1]) / np.abs(x - y) ** world.smoothness
    assert ratio.max() <= world.holder_constant * (1 + 1e-6)  # rounding of close pairs
    assert ratio.max() >= world.holder_constant * 0.995


@pytest.mark.parametrize("world", WORLDS, ids=lambda w: w.title)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_sources_have_their_signal_exponent(world, gamma):
    rng = np.random.default_rng(1)
    x = rng.random((100_000, world.dimension))
    x = np.concatenate([x, np.zeros((1, world.dimension)), np.ones((1, world.dimension))])
    f, g = world.signal(x), world.signal(x, gamma)
    assert ((f > 0) == (g > 0)).all()
    ratio = np.abs(g) / np.abs(f) ** gamma
    constant = world.source_constant(gamma)
    assert ratio.min() == pytest.approx(constant, rel=1e-9)
    assert (constant == 1.0) == (gamma >= 1.0 or np.abs(g).max() < 0.5)


def test_what_is_no_world_is_refused():
    with pytest.raises(DomainError, match="at most 1/2"):
        Cusp(right=1.2)
    with pytest.raises(DomainError, match="slope must be positive"):
        Cusp(left=0.0)
    with pytest.raises(DomainError, match="0 < beta <= 1"):
        Cusp(smoothness=1.5)
    with pytest.raises(DomainError, match="dimension 1 or 2"):
        Cusp(dimension=3)
    with pytest.raises(DomainError, match="gamma must be positive"):
        Cusp().averages([np.linspace(0, 1, 5)], 0.0)


@pytest.mark.parametrize("world", [Cusp(), Quadrants()], ids=lambda w: w.title)
def test_a_cell_across_the_boundary_has_no_loss(world):
    with pytest.raises(DomainError, match="lies across"):
        world.loss([np.linspace(0, 1, 4)] * world.dimension)
