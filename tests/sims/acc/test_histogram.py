"""The private histogram: bins, exact losses, sensitivities found by search, laws of the noise."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sims.acc.histogram import (
    SENSITIVITY,
    bin_sums,
    histogram_risks,
    make_histogram,
    noisy_mean,
    releases,
)
from sims.acc.screen import Group, draw_records
from sims.acc.worlds import Quadrants
from sims.engine import multiplier
from sims.engine.experiment import generators

WORLD = Quadrants()


@pytest.mark.parametrize("shifted", [False, True])
@pytest.mark.parametrize("width", [0.5, 0.25, 2.0**-7])
def test_loss_of_a_labelling_is_its_integral(shifted, width):
    """Against |2 eta - 1| summed over 1,024 points a side, each in the bin that holds it."""
    h = make_histogram(WORLD, width, shifted)
    g = (np.arange(1024) + 0.5) / 1024
    f = WORLD.signal(np.stack(np.meshgrid(g, g, indexing="ij"), axis=-1))
    k = np.floor(g / width + (0.5 if h.shifted else 0.0)).astype(int)
    assert k.max() + 1 == len(h.loss)
    labels = np.random.default_rng(1).random((len(h.loss), len(h.loss))) < 0.5
    wrong = labels[np.ix_(k, k)] != (f > 0)
    direct = float((2 * np.abs(f) * wrong).mean())
    ours = h.base + float(h.loss[labels != h.positive].sum())
    assert ours == pytest.approx(direct, abs=1e-4)


@pytest.mark.parametrize("shifted", [False, True])
def test_sensitivity_by_search(shifted):
    """Replacing one record: label flip 1 and 1, another bin sqrt(2)/2 and 1; nothing beyond."""
    h, rng = make_histogram(WORLD, 0.25, shifted), np.random.default_rng(2)
    flip, moved = [], []
    for _ in range(2000):
        x, z = rng.random(2), rng.random(2)
        a, b = rng.choice([-0.5, 0.5], 2)
        before, after = (
            bin_sums(h, np.atleast_2d(at), np.array([half])) for at, half in ((x, a), (z, b))
        )
        change = after - before
        flat = change[change != 0]
        (flip if flat.size == 1 else moved).append((np.linalg.norm(flat), np.abs(flat).sum()))
    far = np.array([entry for entry in moved if entry[1] > 0])
    np.testing.assert_allclose(far, np.broadcast_to([math.sqrt(0.5), 1.0], far.shape))
    np.testing.assert_allclose(flip, np.ones((len(flip), 2)))
    assert len(flip) > 10
    assert np.max([*moved, *flip]) <= SENSITIVITY


@pytest.mark.parametrize("law", ["Gaussian", "Laplace"])
def test_the_mean_of_many_servers_has_the_sum_of_their_noises(law):
    """Variance and kurtosis of bins without records but with noise, over 4,000 of them."""
    m, n, rng = 3, 10, np.random.default_rng(0)
    noise = multiplier(1.0, 1e-4, "printed") if law == "Gaussian" else 1.0
    draws = noisy_mean(np.zeros(4000), Group(n=n, m=m, multiplier=noise), law, rng)
    one = noise if law == "Gaussian" else math.sqrt(2.0)
    sd = one * math.sqrt(m) / (n * m)
    assert np.std(draws) == pytest.approx(sd, rel=5 * 0.02)
    excess = float(np.mean((draws / sd) ** 4) - 3.0)
    assert excess == pytest.approx(0.0 if law == "Gaussian" else 3.0 / m, abs=0.5)


def test_risk_and_curve_are_those_of_a_direct_program():
    """One data set: labels bin by bin in a loop, judged on test records of their own."""
    h, groups, w = make_histogram(WORLD, 1 / 16, True), (Group(n=500), Group(n=500)), 0.41
    (rng,) = generators(3, indices=[0])
    records = [draw_records(WORLD, group, rng) for group in groups]
    votes: dict[tuple[int, int], float] = {}
    for (x, half), share in zip(records, (w / 500, (1 - w) / 500), strict=True):
        for (a, b), y in zip(x, half, strict=True):
            key = (math.floor(a * 16 + 0.5), math.floor(b * 16 + 0.5))
            votes[key] = votes.get(key, 0.0) + share * y
    test = np.random.default_rng(4).random((200_000, 2))
    f = WORLD.signal(test)
    k = np.floor(test * 16 + 0.5).astype(int)
    label = np.array([votes.get((a, b), 0.0) >= 0 for a, b in k.tolist()])
    loss = 2 * np.abs(f) * (label != (f > 0))
    direct, error = loss.mean(), loss.std() / math.sqrt(len(loss))
    (rng,) = generators(3, indices=[0])
    (one,) = histogram_risks([h], [groups], [w], rng, "Gaussian")
    (rng,) = generators(3, indices=[0])
    (curve,) = h.curves(next(releases([h], [groups], rng, "Gaussian")))
    assert one == pytest.approx(direct, abs=4 * error)
    assert curve[41] == pytest.approx(one, abs=1e-12)
    assert bin_sums(h, *records[0]).sum() == pytest.approx(records[0][1].sum())
