"""The estimators and their exact risk: by hand, by enumeration, and against simulation."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.stats import norm

from rates import Server
from rates.numbers.parameters import DomainError
from sims.ccv import estimator
from sims.ccv.estimator import NOISES, WEIGHTINGS, Plan, Recipe, World, clipped_moments
from sims.ccv.picture import look, touched
from sims.ccv.risk import parts_of, plan, risks, sites_of
from sims.ccv.settings import groups
from sims.curves.cells import binned
from sims.curves.functions import curve, curve_means
from sims.curves.wavelets import evaluate
from sims.engine.experiment import generators
from tests.depth import deep_after

UNEQUAL = (
    Server(name="A", n=3000, epsilon=0.5, delta=1e-5),
    Server(name="B", n=400, epsilon=4.0, delta=1e-6, count=5),
    Server(name="C", n=1000, epsilon=math.inf),
    Server(name="silent", n=1000, epsilon=0.0),
)


def fourier(**kinds) -> World:
    return World(curves=(curve("fourier"),), **kinds)


def cusps(*places: float, nu: float = 0.75, **kinds) -> World:
    curves = tuple(curve("cusp", exponent=nu, at=x) for x in places)
    return World(curves=curves, places=places, **kinds)


@pytest.mark.parametrize("mean", [-1.0, 0.0, 0.3, 0.9])
@pytest.mark.parametrize("clip", [0.5, 2.0, 4.0])
def test_clipped_moments_agree_with_quadrature(mean, clip):
    def moment(power: int) -> float:
        inside = quad(lambda y: y**power * norm.pdf(y - mean), -clip, clip)[0]
        tails = norm.sf(clip - mean) + (-1) ** power * norm.cdf(-clip - mean)
        return inside + clip**power * tails

    first, second = clipped_moments(np.array([mean]), clip)
    assert first[0] == pytest.approx(moment(1), abs=1e-12)
    assert second[0] == pytest.approx(moment(2), abs=1e-12)


@pytest.mark.parametrize("family", ["haar", "periodic", "boundary"])
def test_risk_by_enumeration_of_the_cells(family):
    """With few cells, mean and covariance of one record's contribution are plain sums."""
    world = fourier(family=family, moments=1 if family == "haar" else 2, cells=64)
    recipe = Recipe(weights="printed", clip=2.5)
    made = plan(world, UNEQUAL, recipe, dimension=12)
    grid = binned(world.basis(12), cells=64)
    rows, f = grid.matrix.toarray(), curve_means(world.curves[0], 64)
    first, second = clipped_moments(f, 2.5)
    mean = (first[:, None] * rows).mean(axis=0)
    covariance = (rows.T * second) @ rows / 64 - np.outer(mean, mean)
    x = (np.arange(2**14) + 0.5) / 2**14  # f^Q against the estimate's mean, point by point
    gap = np.repeat(f, 2**8) - evaluate(world.basis(12), x) @ mean
    integral = parts_of(world, recipe, (12,))
    assert integral.variance[0, 0] == pytest.approx(np.trace(covariance), rel=1e-12)
    assert integral.bias[0, 0] == pytest.approx(float(np.mean(gap**2)), rel=2e-3)
    u, total = made.weight[0], float(np.mean(gap**2))
    for w, n, count, s in zip(u, made.n, made.count, made.scale[0], strict=True):
        total += count * w**2 * (np.trace(covariance) / n + 12 * s**2)
    assert float(np.sum(made.count * u)) == pytest.approx(1.0, rel=1e-12)
    assert made.exact == pytest.approx(total, rel=2e-3)


@pytest.mark.parametrize("noise", NOISES)
@pytest.mark.parametrize("weighting", WEIGHTINGS)
def test_no_weights_beat_the_inverse_variance(noise, weighting):
    world, dims = fourier(), (4, 16, 40)
    best = Recipe(noise=noise)
    other = replace(best, weights=weighting)
    sites = sites_of(UNEQUAL, best, pointwise=False)
    gain = risks(world, sites, other, dims) / risks(world, sites, best, dims)
    assert (gain >= 1 - 1e-12).all()


def test_the_weights_follow_their_formulas():
    rows = (replace(UNEQUAL[0], epsilon=0.04), *UNEQUAL[1:])  # n eps^2 = 4.8 < 2^L < 6400
    made = {w: plan(fourier(), rows, Recipe(weights=w), dimension=16) for w in WEIGHTINGS}
    n, epsilon = np.array([3000, 400, 1000.0]), np.array([0.04, 4, math.inf])
    printed = np.minimum((n * epsilon) ** 2, n * 8)  # 2^L = K / 2
    noise = made["calibrated"].scale[0] ** 2
    with np.errstate(divide="ignore"):
        expected = {
            "printed": printed,
            "calibrated": np.minimum(1 / noise, n / 2.0),
            "equal": np.ones(3),
            "sample size": n,
        }
    for name, weight in expected.items():
        shares = weight / np.sum(np.array([1, 5, 1]) * weight)
        np.testing.assert_allclose(made[name].weight[0], shares, rtol=1e-12, err_msg=name)


def random_plan(index: int) -> Plan:
    """Return a random setting: basis, clip, noise, weights, level, servers, risk."""
    rng = np.random.default_rng(1000 + index)
    family = ("periodic", "boundary", "haar")[index % 3]
    moments = 1 if family == "haar" else int(rng.integers(1, 5))
    kinds = {"family": family, "moments": moments}
    if index % 2:
        places = rng.uniform(0.2, 0.8, 1 + index % 3)
        world = cusps(*places, nu=float(rng.uniform(0.6, 1.2)), **kinds)
    else:
        curves = tuple(curve("fourier", seed=i) for i in range(1 + index % 3))
        world = World(curves=curves, **kinds)
    rows = tuple(
        Server(
            name=f"{j}",
            n=int(rng.integers(20, 3000)),
            epsilon=float(rng.choice([0.1, 0.5, 1.0, 5.0, math.inf])),
            delta=1e-5,
            count=int(rng.integers(1, 6)),
        )
        for j in range(1 + index % 7)
    )
    recipe = Recipe(
        noise=str(rng.choice(NOISES)),
        weights=str(rng.choice(WEIGHTINGS)),
        clip=float(rng.choice([0.0, 1.0, 2.5, 4.0])),
    )
    K = int(rng.integers(2 * moments + 2, 60))
    return plan(world, rows, recipe, dimension=K)


@pytest.mark.parametrize("index", deep_after(1, [0, 1, 5, 7, 11]))
def test_exact_risk_agrees_with_simulation(index):
    made = random_plan(index)
    losses = estimator.replicates(made, generators(0, "deviation", indices=range(800)))
    error = losses.std(ddof=1) / math.sqrt(800)
    assert abs(losses.mean() - made.exact) < 3.5 * error
    assert error < 0.08 * losses.mean()


def test_separate_servers_have_the_law_of_the_pooled_draw():
    """An independent replicate: each server projects its records and adds its own noise."""
    world, recipe = cusps(0.4, 0.55), Recipe(weights="calibrated")
    made, rng = plan(world, UNEQUAL, recipe, dimension=10), np.random.default_rng(3)
    basis, losses = world.basis(10), []
    means = curve_means(world.curves[0])
    for _ in range(60):
        value = 0.0
        for j, count in enumerate(made.count.astype(int)):
            for _ in range(count):
                n = int(made.n[j])
                x = rng.random(n)
                y = means[(x * 8192).astype(int)] + rng.standard_normal(n)
                theta = evaluate(basis, x).T @ np.clip(y, -made.clip, made.clip) / n
                noise = rng.laplace(0, made.scale[0, j]) if made.scale[0, j] else 0.0
                value += made.weight[0, j] * (theta @ evaluate(basis, [0.4])[0] + noise)
        losses.append(value**2)  # the cusp's own value is 0
    error = np.std(losses) / math.sqrt(60)
    assert abs(np.mean(losses) - made.risk[0]) < 3.5 * error


def test_pooled_sums_have_the_moments_of_single_records():
    f, rng = curve_means(curve("fourier"), 16), np.random.default_rng(0)
    drawn = [estimator.responses(f, 2.0, 200, rng) for _ in range(4000)]
    one = np.array([np.bincount(cell, y, minlength=16) for cell, y in drawn])
    many = np.array([estimator.pooled(f, 2.0, 200, rng) for _ in range(4000)])
    error = np.sqrt((one.var(axis=0) + many.var(axis=0)) / 4000)
    assert (np.abs(one.mean(axis=0) - many.mean(axis=0)) < 4 * error).all()
    np.testing.assert_allclose(np.cov(one.T), np.cov(many.T), atol=3.0)  # variances about 20


TIGHT = Recipe(noise="tight")


def test_dragging_epsilon_only_rescales_the_noise():
    one, two = (
        look(plan(fourier(), groups(2000, 3, e, 1e-5), TIGHT, dimension=20), 4) for e in (1.0, 0.25)
    )
    np.testing.assert_allclose(one.clean, two.clean)
    np.testing.assert_allclose(two.released - two.clean, 4 * (one.released - one.clean))
    np.testing.assert_allclose(one.merged[0], one.weight @ one.released[0])
    np.testing.assert_allclose(one.released, one.clean + one.scale[:, None] * one.path)
    assert one.weight.sum() == pytest.approx(1.0)
    assert one.losses[0] < two.losses[0]


def test_another_release_has_other_noise_and_keeps_the_first():
    made = plan(fourier(), groups(2000, 12, 1.0, 1e-5), TIGHT)
    first, both = look(made, 4), look(made, 4, releases=2)
    np.testing.assert_allclose(first.released[0], both.released[0])
    assert np.abs(both.released[1] - both.released[0]).min() > 0
    mean, error = both.mean_miss
    assert mean == pytest.approx(np.sqrt(both.losses).mean())
    assert error == pytest.approx(abs(both.misses[0] - both.misses[1]) / 2)
    x = (np.arange(40) + 0.5) / 40
    dense = [sum(both.clean[0, k] * value for k, value in row) for row in touched(made, x)]
    np.testing.assert_allclose(both.curves(both.clean, x)[0], dense)


def test_refusals():
    jump = World(curves=(curve("blocks"),), places=(0.4,))
    for world, epsilon, recipe, words in (
        (fourier(), 1.0, Recipe(), "field delta"),
        (fourier(), 0.0, Recipe(), "At least one server"),
        (jump, math.inf, Recipe(level="printed"), "no rate at a point"),
    ):
        with pytest.raises(DomainError, match=words):
            plan(world, (Server(name="A", n=10, epsilon=epsilon),), recipe)
    with pytest.raises(DomainError, match="integrated"):
        look(plan(cusps(0.4), UNEQUAL, Recipe()), 0)
