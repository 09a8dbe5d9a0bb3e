"""The classifier on the grid: releases, all weights at once, and one draw to look at."""

from __future__ import annotations

import math

import numpy as np
import pytest
from dp_accounting import gaussian_mechanism

from rates.numbers.gaussian import analytic_multiplier
from sims.acc import design as pc
from sims.acc import screen as sc
from sims.acc.kernel import KERNELS, excess_risk, table
from sims.acc.worlds import Quadrants
from sims.engine import midpoints
from sims.engine.experiment import generator, generators

WORLD = Quadrants()


@pytest.mark.parametrize("kernel", KERNELS)
def test_noise_of_a_release_is_that_of_the_mechanism(kernel):
    """Variance and covariance on the grid, over 2,000 releases of no information."""
    grid, cells, h, m = 8, 16, 0.25, 4
    screen = sc.make_screen(WORLD, kernel, (0.5, h), grid, cells)
    group = sc.Group(n=50, m=m, multiplier=30.0)
    draws = np.concatenate(
        [sc.release(screen, (group,) * 50, rng)[:, 1] for rng in generators(0, indices=range(40))]
    )
    sd = 30.0 * screen.kernel.peak**2 / (50 * h**2) / math.sqrt(m)
    scaled = draws.reshape(2000, -1) / sd
    gram = np.kron(*[table(screen.kernel, midpoints(grid), midpoints(grid), h)] * 2)
    got = np.cov(scaled.T)
    assert np.abs(got - gram / screen.kernel.peak**2).max() < 5 * math.sqrt(2 / 2000)


def test_both_ways_to_draw_records_have_one_law(monkeypatch):
    screen = sc.make_screen(WORLD, "triangular", (0.5,), 4, 4)
    group, R = sc.Group(n=300, gamma=0.5), 1000
    apart = [sc.label_sums(screen, group, rng) for rng in generators(1, indices=range(R))]
    monkeypatch.setattr(sc, "CROWDED", 10)
    counted = [sc.label_sums(screen, group, rng) for rng in generators(2, indices=range(R))]
    mean, var = np.mean(apart, axis=0), np.var(apart, axis=0)
    tolerance = 4.5 * math.sqrt(2 / R)
    assert (np.abs(mean - np.mean(counted, axis=0)) < tolerance * np.sqrt(var)).all()
    assert (np.abs(var - np.var(counted, axis=0)) < tolerance * math.sqrt(2) * var).all()
    assert all(float(s.sum() * 2) % 2 == 0 for s in counted)  # 300 signs


@pytest.mark.parametrize("kernel", KERNELS)
def test_all_bandwidths_are_those_one_by_one(kernel):
    both = sc.make_screen(WORLD, kernel, (0.5, 0.125), 16, 32)
    (got,) = sc.release(both, (sc.Group(n=40, m=2),), generator(3))
    sums = sc.label_sums(both, sc.Group(n=40, m=2), generator(3))
    for index, h in enumerate(both.bandwidths):
        rows = table(both.kernel, midpoints(16), midpoints(32), h)
        np.testing.assert_allclose(got[index], rows @ sums @ rows.T / (80 * h * h), atol=1e-13)


def test_one_replicate_has_every_bandwidth_and_weight():
    screen = sc.make_screen(WORLD, "triangular")
    both = sc.Group(n=500, multiplier=5.0), sc.Group(n=500, m=20, gamma=1.5, multiplier=5.0)
    drawn = sc.releases([(screen, both)], generator(4))
    table_of_risks = np.concatenate([screen.curves(values) for values in drawn])
    own, other = sc.release(screen, both, generator(4))
    assert table_of_risks.shape == (7, 101)
    for h, k in ((0, 100), (2, 37), (6, 0)):
        combined = k / 100 * own[h] + (1 - k / 100) * other[h]
        want = excess_risk(combined, screen.loss, screen.positive)
        assert table_of_risks[h, k] == pytest.approx(float(want), abs=1e-12)


def shown(draw: pc.Draw, epsilon: float, noise: pc.Noise = "joint", weight=0.6) -> pc.Picture:
    delta = 500.0**-2
    multiplier = float(analytic_multiplier(epsilon, delta)) if math.isfinite(epsilon) else 0.0
    return pc.look_at(draw, weight=weight, multiplier=multiplier, epsilon=epsilon, noise=noise)


DRAW = pc.draw_once(WORLD, "triangular", 0.5, sc.Group(n=500), sc.Group(n=100, m=5), seed=3)


def test_a_change_of_budget_only_rescales_the_noise():
    one, two, none = shown(DRAW, 1.0), shown(DRAW, 2.0), shown(DRAW, math.inf)
    np.testing.assert_array_equal(one.signal, two.signal)
    np.testing.assert_array_equal(none.after, one.before)
    scale = float(analytic_multiplier(1.0, 500.0**-2) / analytic_multiplier(2.0, 500.0**-2))
    np.testing.assert_allclose(
        one.released - one.signal, scale * (two.released - two.signal), atol=1e-12
    )
    again = pc.draw_once(WORLD, "triangular", 0.5, sc.Group(n=500), sc.Group(n=100, m=5), seed=3)
    np.testing.assert_array_equal(again.statistics, DRAW.statistics)
    np.testing.assert_array_equal(again.paths["joint"], DRAW.paths["joint"])


def test_accuracies_of_a_picture():
    one = shown(DRAW, 1.0)
    shown_as = {"before": one.accuracy_before, "after": one.accuracy_after}
    for name, accuracy in {**shown_as, "right": one.accuracy_right}.items():
        wrong = float(DRAW.screen.loss[getattr(one, name) != one.right].sum())
        assert accuracy == pytest.approx(1 - WORLD.bayes_risk - wrong)
    assert one.accuracy_right > one.accuracy_before > 0.8


def test_another_bandwidth_sees_the_same_records():
    other = pc.draw_once(WORLD, "gaussian", 0.25, sc.Group(n=500), sc.Group(n=100, m=5), seed=3)
    x, half = sc.draw_records(WORLD, sc.Group(n=500), generator(3, "picture", "target"))
    for draw in (DRAW, other):
        (h,) = draw.screen.bandwidths
        axes = [table(draw.screen.kernel, x[:, a], midpoints(64), h) for a in (0, 1)]
        want = np.einsum("i,ig,ik->gk", half, *axes) / (500 * h * h)
        np.testing.assert_allclose(draw.statistics[0], want, atol=1e-12)


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("bandwidth", [0.5, 0.125])
def test_inflation_is_found_by_search(kernel, bandwidth):
    """No pair of records moves the released vector further than claimed, in its own norm."""
    rng, shape, g = np.random.default_rng(0), KERNELS[kernel], midpoints(64)
    x = np.concatenate([rng.random((3000, 2)), np.full((1, 2), 0.5)])
    rows = [table(shape, x[:, a], g, bandwidth) for a in (0, 1)]
    norms = np.sqrt(np.prod([(r**2).sum(axis=1) for r in rows], axis=0))
    largest = norms.max() / shape.peak**2  # flipped label; other pairs do less: see below
    claimed = pc.sensitivity_inflation(shape, bandwidth)
    assert 0.97 * claimed <= largest <= claimed * (1 + 1e-9)
    pair = 0.5 * (np.outer(rows[0][0], rows[1][0]) + np.outer(rows[0][1], rows[1][1]))
    assert np.linalg.norm(pair) <= max(norms[:2]) * (1 + 1e-12)


def test_independent_noise_is_not_private():
    joint, apart = shown(DRAW, 1.0), shown(DRAW, 1.0, "independent")
    delta = 500.0**-2
    assert joint.inflation == 1.0
    assert joint.actual_delta == pytest.approx(delta, rel=1e-6)
    multiplier = float(analytic_multiplier(1.0, delta)) / apart.inflation
    assert apart.inflation > 20
    assert apart.actual_delta > 0.9
    assert gaussian_mechanism.get_epsilon_gaussian(multiplier, delta) > 20
    assert math.isnan(shown(DRAW, math.inf, "independent").actual_delta)
    spread = [np.std(p.released - p.signal) for p in (joint, apart)]
    assert spread[1] == pytest.approx(spread[0], rel=0.6)  # one path varies much more
