"""Causes of an exact risk: against other formulas, other plans and simulated classifiers."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.special import ndtr

from rates.answer import SETS
from rates.numbers import DomainError
from rates.presets import preset
from rates.study import Server, TransferStudy
from sims import regression
from sims.classification import Cusp, Present, excess_risks, lattice_risk, make_lattice
from sims.classification.lattice import Pool
from sims.engine import generators
from sims.fit import exact_causes, worlds_for
from sims.fit.worlds import RECIPE

POOL = Pool(records=20_000, gamma=1.0, weight=0.7, multiplier=3.0)
SOURCE = Pool(records=60_000, gamma=1.6, weight=0.3, multiplier=9.0, servers=2)


@pytest.mark.parametrize("dimension", [1, 2])
def test_without_blur_and_sampling_the_noise_alone_decides(dimension):
    world = Cusp(dimension=dimension, right=0.6, left=0.2)
    lattice = make_lattice(world, lambda h: (replace(POOL, weight=1.0),), 0.1)
    M, q = lattice.cells, lattice.per_bandwidth
    f = world.averages([np.arange(M + 1) / M] * dimension, 1.0).reshape(M, -1)[:, 0]
    inside = np.convolve(np.ones(M), 1 - np.abs(np.arange(1 - q, q)) / q, "same") / q
    window = slice(lattice.start, lattice.stop)
    mean = np.abs(f * inside)[window]
    if dimension == 2:
        mean = mean[:, None] * inside
    wrong = ndtr(-mean / lattice.noise)
    found = lattice_risk(lattice, Present(bias=False, sampling=False))
    assert found == pytest.approx(float((lattice.loss * wrong).sum()), rel=1e-9)


def test_a_sum_without_noise_is_that_of_its_records():
    # Simulated with multiplier 0 and the same weights: what stays is bias and sampling.
    lattice = make_lattice(Cusp(), lambda h: (POOL, SOURCE), 0.05)
    silent = make_lattice(
        Cusp(), lambda h: (replace(POOL, multiplier=0.0), replace(SOURCE, multiplier=0.0)), 0.05
    )
    drawn = excess_risks(silent, generators(3, "causes", indices=range(400)))
    found = lattice_risk(lattice, Present(privacy=False))
    assert found == pytest.approx(drawn.mean(), abs=4 * drawn.std() / math.sqrt(len(drawn)))
    assert found == pytest.approx(lattice_risk(silent), rel=1e-3)


def test_sites_alike_are_sites_of_the_targets_signal():
    lattice = make_lattice(Cusp(), lambda h: (POOL, SOURCE), 0.05)
    alike = make_lattice(Cusp(), lambda h: (POOL, replace(SOURCE, gamma=1.0)), 0.05)
    found = lattice_risk(lattice, Present(dissimilarity=False))
    assert found == pytest.approx(lattice_risk(alike), rel=1e-3)
    assert lattice_risk(lattice, Present(bias=False, sampling=False, privacy=False)) == 0.0


def test_the_causes_of_a_classifier_are_those_of_its_exact_risk():
    study = preset("hospitals").study
    found = exact_causes(study, worlds_for(study)["cusp 1"])
    assert sum(found.shares) == pytest.approx(1.0, abs=1e-12)
    assert found.values[0] == found.values[1] == 0.0
    quiet = exact_causes(study.unprotected(), worlds_for(study)["cusp 1"])
    assert quiet.shares[2] == pytest.approx(0.0, abs=1e-12)
    assert found.shares[3] == pytest.approx(0.0, abs=1e-12)  # no source is weaker than the target
    weaker = [replace(s, signal_exponent=1.0 + 0.3 * k) for k, s in enumerate(study.servers)]
    other = exact_causes(study.with_servers(weaker), worlds_for(study)["cusp 1"])
    assert other.shares[3] > 0.05


@pytest.mark.parametrize("pointwise", [False, pytest.param(True, marks=pytest.mark.deep)])
def test_the_causes_of_a_curve_are_what_goes_with_each_of_them(pointwise):
    study = preset("unequal").study
    (world, *_) = worlds_for(study, pointwise=pointwise).values()
    found = exact_causes(study, world)
    made = regression.plan(world, study.servers, RECIPE)
    # The same K and equal weights: without privacy only its noise is gone.
    recipe = replace(RECIPE, weights="equal")
    noisy, quiet = (
        regression.plan(world, servers, recipe, dimension=made.dimension)
        for servers in (study.servers, study.unprotected().servers)
    )
    assert noisy.privacy == pytest.approx(noisy.risk - quiet.risk, rel=1e-9)
    # 10^9 times the records at the same weights: bias alone.
    many = [replace(s, n=min(s.n * 10**9, 10**15)) for s in study.unprotected().servers]
    bias = regression.plan(world, tuple(many), recipe, dimension=made.dimension)
    assert made.bias == pytest.approx(bias.risk, rel=1e-4)
    values = dict(zip(SETS, found.values, strict=True))
    assert values[(True, False, False, True)] == pytest.approx(made.bias.mean() / made.exact)
    assert found.shares[3] == 0.0


def test_what_cannot_be_shared_is_refused():
    study = preset("hospitals").study
    with pytest.raises(DomainError, match="classifier"):
        exact_causes(preset("unequal").study, Cusp())
    row = Server(name="t", n=2, epsilon=float("inf"))
    lone = TransferStudy(target=row, smoothness=1.0, dimension=1, margin=1.0)
    with pytest.raises(DomainError):
        exact_causes(lone, Cusp())
    assert study.servers
