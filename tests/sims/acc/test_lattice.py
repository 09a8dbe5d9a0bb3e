"""The pooled classifier on the cusp: the same statistic, noise and law as the definition."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from rates.numbers.parameters import DomainError
from sims.acc import lattice as lt
from sims.acc.kernel import TRIANGULAR, midpoints, table
from sims.acc.worlds import Cusp
from sims.engine.experiment import generators

ONE = lt.Group(n=500, gamma=1.0, weight=1.0, multiplier=0.0)


def loud(pool: lt.Group, noise: float, bandwidth: float = 0.25, d: int = 1) -> lt.Group:
    """The same servers with noise of this standard deviation at a point."""
    return replace(pool, multiplier=noise * pool.records * bandwidth**d)


def make(pool=ONE, bandwidth=0.25, d=1, q=8):
    pools = pool if isinstance(pool, tuple) else (pool,)
    return lt.make_lattice(Cusp(dimension=d), lambda _: pools, bandwidth, q)


def whole(one: lt.Lattice) -> lt.Lattice:
    """The same lattice with all of axis one as its window."""
    return lt._lattice(one.world, one.pools, one.cells, one.per_bandwidth, 0, one.cells, one.border)


class Fixed:
    """A generator that hands out given counts and noise."""

    def __init__(self, counts, noise):
        self.counts, self.noise = counts, noise

    def multinomial(self, records, law):
        assert law.sum() == pytest.approx(1.0)
        assert self.counts.sum() == records
        return self.counts

    def standard_normal(self, shape):
        assert shape == self.noise.shape
        return self.noise


@pytest.mark.parametrize("d", [1, 2])
def test_statistic_is_the_kernel_sum_plus_the_path(d):
    one = make(d=d, q=6, pool=loud(replace(ONE, n=9000, weight=0.7), 0.01, d=d))
    assert (one.start > 0) == (d == 1)  # a cut and a border are both exercised
    assert one.stop < one.cells
    rng, q, M, h = np.random.default_rng(0), 6, one.cells, one.bandwidth
    law, place = lt.probabilities(one, 1.0)
    counts = rng.multinomial(9000, law)
    white = rng.standard_normal(tuple(n + q - 1 for n in one.loss.shape))
    (got,) = lt.statistics(one, [Fixed(counts, white)])
    low = one.start - q + 1 + place.start
    seen = midpoints(M)[low : low + place.stop - place.start]
    half = (law.size - 1) // 2
    sums = 0.5 * (counts[:half] - counts[half:-1]).reshape((len(seen), *(M,) * (d - 1)))
    axes = [table(TRIANGULAR, midpoints(M)[one.start : one.stop], seen, h)]
    axes += [table(TRIANGULAR, midpoints(M), midpoints(M), h)] * (d - 1)
    want = axes[0] @ sums if d == 1 else axes[0] @ sums @ axes[1].T
    want = 0.7 * want / (9000 * h**d)
    path = white
    for axis in range(d):
        path = np.apply_along_axis(np.convolve, axis, path, np.ones(q) / math.sqrt(q), "valid")
    np.testing.assert_allclose(got, want + 0.7 * 0.01 * path, atol=1e-12)


def test_the_path_has_the_kernels_covariance_exactly():
    q, size = 5, 12
    filtered = np.stack([lt.box(row, q) for row in np.eye(size + q - 1)], axis=1) / math.sqrt(q)
    want = table(TRIANGULAR, np.arange(size) / q, np.arange(size) / q, 1.0)
    np.testing.assert_allclose(filtered @ filtered.T, want, atol=1e-14)


@pytest.mark.parametrize("d", [1, 2])
def test_counts_have_the_law_of_rounded_records(d):
    one = whole(make(d=d, bandwidth=0.5, q=4))
    law, _ = lt.probabilities(one, 0.5)
    assert law[-1] == 0.0
    x = (np.arange(512) + 0.5) / 512
    points = np.stack(np.meshgrid(*[x] * d, indexing="ij"), axis=-1)
    eta = 0.5 + one.world.signal(points, 0.5)
    eta = eta.reshape((one.cells, 512 // one.cells) * d).mean(axis=tuple(range(1, 2 * d, 2)))
    half = law.size // 2
    np.testing.assert_allclose(law[:half] * one.cells**d, eta.ravel(), atol=1e-4)
    np.testing.assert_allclose(law[half:-1] * one.cells**d, 1 - eta.ravel(), atol=1e-4)
    draws = np.array([lt.cell_sums(law, 1000, rng) for rng in generators(0, indices=range(800))])
    mean = 1000 * (2 * eta.ravel() - 1) / one.cells**d
    error = draws.std(axis=0) / math.sqrt(800)
    assert (np.abs(draws.mean(axis=0) - mean) < 4.5 * error).all()


def test_meshes():
    assert make(bandwidth=0.3, q=16).bandwidth == pytest.approx(16 / 54)
    with pytest.raises(DomainError, match="bandwidth must be at least"):
        make(bandwidth=1e-6)
    with pytest.raises(DomainError, match="at most 131,072 cells"):
        make(loud(ONE, 0.5, 0.002, 2), bandwidth=0.002, d=2, q=8)
    with pytest.raises(DomainError, match="at most 1e15 records"):
        make(replace(ONE, n=10**16))
    wide, fine = make(d=2, bandwidth=0.2, q=None), make(d=2, bandwidth=0.012, q=None)
    assert (wide.per_bandwidth, fine.per_bandwidth) == (8, 4)
