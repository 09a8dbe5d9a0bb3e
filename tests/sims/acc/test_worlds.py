"""Worlds: every stated constant against integration, search or draws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rates.numbers.parameters import DomainError
from sims.acc.worlds import Cusp, Quadrants, World

CUSPS = [
    Cusp(),
    Cusp(dimension=2),
    Cusp(smoothness=0.5, right=0.6, left=0.2),
    Cusp(smoothness=0.5, right=0.2, left=0.7, dimension=2),
]
WORLDS: list[World] = [*CUSPS, Quadrants()]
GAMMAS = [0.3, 0.5, 1.0, 1.7, 4.0]


def margin_constant(world: Cusp) -> float:
    """C_α = A^(-1/β) + B^(-1/β), attained for every t up to `clear`."""
    return world.right**-world.margin + world.left**-world.margin


def clear(world: Cusp) -> float:
    """The t up to which P(|f| ≤ t) equals C_α t^α."""
    return min(world.right, world.left) * 0.5**world.smoothness


def holder_constant(world: Cusp) -> float:
    """The least L with |f(x) - f(y)| ≤ L |x - y|^β.

    On one side of 1/2 the larger slope serves; across it the worst split of a distance
    gives the norm of (A, B) dual to 1/β.
    """
    if world.smoothness == 1.0:
        return max(world.right, world.left)
    power = 1.0 / (1.0 - world.smoothness)
    return (world.right**power + world.left**power) ** (1.0 / power)


def margin_probability(world: World, t: float) -> float:
    """P(|f(X)| ≤ t); for the quadrants 4t^4 (1 - log 4t^4) below the cut at 1/2."""
    if isinstance(world, Cusp):
        return sum(min(0.5, (t / a) ** world.margin) for a in (world.right, world.left))
    if t >= 0.5:
        return 1.0
    s = 4.0 * t**4
    return s * (1.0 - math.log(s)) if s > 0 else 0.0


def source_constant(world: World, gamma: float) -> float:
    """The C of relative signal exponent γ: the least |f_S| / |f|^γ; 1 unless cut."""
    cusp = isinstance(world, Cusp)
    largest = max(world.right, world.left) * 0.5**world.smoothness if cusp else 0.5
    return min(1.0, 0.5 / largest**gamma)


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
    assert (world.margin, holder_constant(world)) == (1.0, 0.9)
    assert margin_constant(world) == pytest.approx(1 / 0.9 + 1 / 0.3)
    assert margin_probability(world, 0.15) == pytest.approx(0.15 / 0.9 + 0.5)
    assert margin_probability(world, 0.45) == margin_probability(Quadrants(), 0.5) == 1.0
    assert Quadrants().bayes_risk == pytest.approx(0.0796573590, abs=1e-9)


@pytest.mark.parametrize("world", CUSPS, ids=lambda w: w.title)
def test_the_margin_condition_is_met_with_equality(world):
    t = np.linspace(0.01, 1.0, 20) * clear(world)
    got = [margin_probability(world, s) for s in t]
    np.testing.assert_allclose(got, margin_constant(world) * t**world.margin, rtol=1e-12)
    x = (np.arange(200_000) + 0.5) / 200_000
    f = np.abs(world.signal(np.stack([x] * world.dimension, axis=-1)))
    for s in t[::5]:
        assert (f <= s).mean() == pytest.approx(margin_probability(world, s), abs=1e-4)


def test_the_margin_of_the_quadrants_fails_at_four_and_holds_below():
    world, t = Quadrants(), 10.0 ** -np.arange(1.0, 9.0)
    p = np.array([margin_probability(world, s) for s in t])
    assert (np.diff(p / t**4) > 1.0).all()  # grows by a logarithm
    assert (np.diff(p / t**3.5)[1:] < 0).all()
    u = np.abs((np.arange(4000) + 0.5) / 4000 - 0.5)
    share = (np.multiply.outer(u, u) <= 0.3**4).mean()
    assert share == pytest.approx(margin_probability(world, 0.3), abs=1e-3)
    assert margin_probability(world, 0.0) == 0.0


@pytest.mark.parametrize("world", CUSPS, ids=lambda w: w.title)
def test_holder_constant_bounds_and_is_attained(world):
    rng = np.random.default_rng(0)
    x, y = 0.5 + 0.5 * (rng.random(400_000) - 0.5), 0.5 + 0.5 * (rng.random(400_000) - 0.5)
    f = [world.signal(np.stack([z] * world.dimension, axis=-1)) for z in (x, y)]
    ratio = np.abs(f[0] - f[1]) / np.abs(x - y) ** world.smoothness
    assert ratio.max() <= holder_constant(world) * (1 + 1e-6)  # rounding of close pairs
    assert ratio.max() >= holder_constant(world) * 0.995


@pytest.mark.parametrize("world", WORLDS, ids=lambda w: w.title)
@pytest.mark.parametrize("gamma", GAMMAS)
def test_sources_have_their_signal_exponent(world, gamma):
    rng = np.random.default_rng(1)
    x = rng.random((100_000, world.dimension))
    x = np.concatenate([x, np.zeros((1, world.dimension)), np.ones((1, world.dimension))])
    f, g = world.signal(x), world.signal(x, gamma)
    assert ((f > 0) == (g > 0)).all()
    ratio = np.abs(g) / np.abs(f) ** gamma
    constant = source_constant(world, gamma)
    assert ratio.min() == pytest.approx(constant, rel=1e-9)
    assert (constant == 1.0) == (gamma >= 1.0 or np.abs(g).max() < 0.5)


def test_a_signal_exponent_must_be_positive():
    with pytest.raises(DomainError, match="gamma must be positive"):
        Cusp().averages([np.linspace(0, 1, 5)], 0.0)


@pytest.mark.parametrize("world", [Cusp(), Quadrants()], ids=lambda w: w.title)
def test_a_cell_across_the_boundary_has_no_loss(world):
    with pytest.raises(DomainError, match="lies across"):
        world.loss([np.linspace(0, 1, 4)] * world.dimension)
