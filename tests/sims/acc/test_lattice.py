"""The pooled classifier on the cusp: statistic, noise and law by definition, and exact risk."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import binom

from rates import Server
from rates.numbers.gaussian import Mechanism
from rates.numbers.parameters import DomainError
from sims.acc import lattice as lt
from sims.acc.kernel import TRIANGULAR, Group, table
from sims.acc.lattice import Lattice, excess_risks, make_lattice
from sims.acc.rate import Trial, lattice_of
from sims.acc.risk import Part, lattice_risk, negative_probability
from sims.acc.worlds import Cusp, study_on
from sims.engine import midpoints
from sims.engine.experiment import generators
from tests.depth import deep_after

ONE = Group(n=500)


def make(pool=ONE, bandwidth=0.25, d=1, q=8):
    return make_lattice(Cusp(dimension=d), lambda _: (pool,), bandwidth, q)


@pytest.mark.parametrize("d", [1, 2])
def test_statistic_is_the_kernel_sum_plus_the_path(d):
    noise = 0.01 * 9000 * 0.25**d  # of standard deviation 0.01 at a point
    one = make(d=d, q=6, pool=Group(n=9000, weight=0.7, multiplier=noise))
    assert (one.start > 0) == (d == 1)  # a cut and a border are both exercised
    assert one.stop < one.cells
    rng, q, M, h = np.random.default_rng(0), 6, one.cells, one.bandwidth
    law, place = lt.probabilities(one, 1.0)
    counts = rng.multinomial(9000, law)
    white = rng.standard_normal(tuple(n + q - 1 for n in one.loss.shape))
    drawn = {"multinomial": lambda records, law: counts, "standard_normal": lambda shape: white}
    (got,) = lt.statistics(one, [SimpleNamespace(**drawn)])
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
    one = make(d=d, bandwidth=0.5, q=4)
    one = replace(one, start=0, stop=one.cells)  # all of axis one is its window
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
        make(replace(ONE, multiplier=1e-3), bandwidth=0.002, d=2)
    with pytest.raises(DomainError, match="at most 1e15 records"):
        make(replace(ONE, n=10**16))
    wide, fine = make(d=2, bandwidth=0.2, q=None), make(d=2, bandwidth=0.012, q=None)
    assert (wide.per_bandwidth, fine.per_bandwidth) == (8, 4)


@pytest.mark.parametrize("p", [0.5, 0.55, 0.8])
@pytest.mark.parametrize("records", [5, 40, 1000])
@pytest.mark.parametrize("noise", [2.0, 10.0])
def test_binomial_sum_plus_noise(p, records, noise):
    k = np.arange(records + 1)
    want = float(binom.pmf(k, records, p) @ ndtr(-(k - records / 2) / noise))
    coins = Part(records=records, scale=1.0, moment=lambda k: np.array([(2 * p - 1) ** (k % 2)]))
    (got,) = negative_probability([coins], noise)
    assert got == pytest.approx(want, abs=1e-9)


def test_two_records_by_listing_all_of_their_places():
    one, world = make(Group(n=2, multiplier=1.0), bandwidth=0.5, q=4), Cusp()  # noise 1 at a point
    M, h = one.cells, one.bandwidth
    x, edges = (np.arange(M) + 0.5) / M, np.arange(M + 1) / M
    f = world.averages([edges])
    places = [(c, s, (0.5 + s * 2 * f[c]) / M) for c in range(M) for s in (-0.5, 0.5)]
    risk = 0.0
    for (c, s, p), (e, t, q) in itertools.product(places, repeat=2):
        kernel = [np.maximum(1 - np.abs(x - x[k]) / h, 0) for k in (c, e)]
        below = ndtr(-(s * kernel[0] + t * kernel[1]) / (2 * h))
        risk += p * q * float((world.loss([edges]) * np.where(x > 0.5, below, 1 - below)).sum())
    assert (one.start, one.stop) == (0, M)
    assert lattice_risk(one) == pytest.approx(risk, rel=1e-8)


def setting(index: int, dimensions: tuple[int, ...]) -> Lattice:
    """A random study on the cusp: target only, sources only or both; private or not."""
    rng = np.random.default_rng([8, index])
    d = int(rng.choice(dimensions))
    who, private = ("target", "sources", "both")[index % 3], index % 2 == 0

    def server(name: str, **more) -> Server:
        n = int(math.exp(rng.uniform(math.log(200), math.log(1e6 if d == 1 else 2e4))))
        epsilon = math.exp(rng.uniform(math.log(20 / n), math.log(5))) if private else math.inf
        used = n if who in (name, "both") else 0
        return Server(name=name, n=used, epsilon=epsilon, delta=1e-6, **more)

    world, target, gamma = Cusp(dimension=d), server("target"), float(rng.choice([0.5, 1, 2]))
    source = server("sources", signal_exponent=gamma, count=int(rng.integers(1, 20)))
    study = study_on(world, (target, source))
    mechanism: Mechanism = "printed" if rng.random() < 0.5 else "analytic"
    kappa = float(rng.uniform(1.5, 5))
    return lattice_of(Trial(world=world, study=study, mechanism=mechanism, kappa=kappa))


SETTINGS = [(0, (1,), 500), (4, (2,), 50), *((k, (1,), 500) for k in range(1, 8))]


@pytest.mark.parametrize(("index", "dimensions", "replicates"), deep_after(4, SETTINGS))
def test_some_random_settings(index, dimensions, replicates):
    """At most 3 standard errors between simulation and computation; the error is at most 3%."""
    one = setting(index, dimensions)
    risks = excess_risks(one, generators(8, "risk", indices=range(replicates)))
    while (error := risks.std(ddof=1) / math.sqrt(len(risks))) > 0.03 * risks.mean():
        more = generators(8, "risk", indices=range(len(risks), 2 * len(risks)))
        risks = np.concatenate([risks, excess_risks(one, more)])
    assert abs(float(risks.mean()) - lattice_risk(one)) <= 3.0 * float(error)
